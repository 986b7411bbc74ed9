"""From clips to a film with PyAV alone: joining, chapter marks, caption track, title, single frames.

Clips are joined by copying their packets: nothing is encoded twice, and a film has exactly its clips' frames.
Nothing here knows Manim, stories or where files end up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from av import Packet, VideoFrame
from av.container import InputContainer, OutputContainer
from av.filter import Graph
from av.filter.context import FilterContext
from av.stream import Stream
from av.subtitles.stream import SubtitleStream
from av.video.stream import VideoStream
from PIL import Image

from explainer.captions import mov_text, vtt_text
from explainer.timeline import Mark
from scenes.played import Cue

Pixels = npt.NDArray[np.uint8]

# No dates, no random identifiers, no versions: the same clips give the same bytes.
_OPTIONS = {
    ".mp4": {"fflags": "+bitexact", "movflags": "+faststart"},
    ".webm": {"fflags": "+bitexact"},
    ".gif": {"fflags": "+bitexact"},
}
_CAPTION_CODECS = {".mp4": "mov_text", ".webm": "webvtt"}

# FFmpeg's text encoders refuse to open without the header of an ASS file; players start from its style.
_ASS_HEADER = b"""[Script Info]
ScriptType: v4.00+

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, \
Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, \
MarginL, MarginR, MarginV, Encoding
Style: Default,Sans,16,&Hffffff,&Hffffff,&H0,&H0,0,0,0,0,100,100,0,0,1,1,0,2,10,10,10,1

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
"""


@dataclass(frozen=True)
class Clip:
    """A file with one video stream, and how many frames it has."""

    path: Path
    frames: int


def join(
    clips: Sequence[Clip],
    target: Path,
    *,
    fps: int,
    title: str,
    marks: Sequence[Mark] = (),
    cues: Sequence[Cue] = (),
) -> None:
    """Write an MP4 or WebM file, by the ending of ``target``, that plays ``clips`` one after the other.

    ``marks`` and ``cues`` count frames of the whole. All clips must come from the same encoder settings, else
    ValueError.
    """
    with ExitStack() as stack:
        sources = [stack.enter_context(av.open(str(clip.path), "r")) for clip in clips]
        film = stack.enter_context(av.open(str(target), "w", options=_OPTIONS[target.suffix]))
        film.metadata["title"] = title
        film.set_chapters(
            [
                {
                    "id": number,
                    "start": mark.start,
                    "end": mark.end,
                    "time_base": Fraction(1, fps),
                    "metadata": {"title": mark.title},
                }
                for number, mark in enumerate(marks, 1)
            ]
        )
        template = _same_encoding(sources)
        video = film.add_stream_from_template(template)
        clock = template.time_base or Fraction(1, fps)
        captions = deque(_caption_packets(film, _CAPTION_CODECS[target.suffix], cues, fps, clock))
        for packet in _packets(sources, clips, fps):
            # A caption lies just before its pictures, so that a film can be played while it loads.
            while captions and (captions[0].dts or 0) <= (packet.dts or 0):
                film.mux(captions.popleft())
            packet.stream = video
            film.mux(packet)
        film.mux(list(captions))


def write_gif(clips: Sequence[Clip], target: Path, *, fps: int) -> None:
    """Write an endless GIF that plays ``clips`` one after the other, in 256 colours of its own."""
    palette = _palette(clips)
    with av.open(str(target), "w", options=_OPTIONS[".gif"]) as film:
        stream: VideoStream | None = None
        for number, frame in enumerate(_painted(clips, palette)):
            if stream is None:
                stream = film.add_stream("gif", rate=fps)
                stream.width, stream.height, stream.pix_fmt = frame.width, frame.height, "pal8"
            frame.pts, frame.time_base = number, Fraction(1, fps)
            film.mux(stream.encode(frame))
        assert stream is not None
        film.mux(stream.encode())


def write_frames(clips: Sequence[Clip], folder: Path, *, threads: int) -> None:
    """Write every frame of ``clips`` as ``folder``/000001.png and so on."""
    folder.mkdir(parents=True)
    with ThreadPoolExecutor(threads) as pool:
        pending: deque[Future[None]] = deque()
        for number, frame in enumerate(_frames(clips), 1):
            pixels = _pixels(frame)
            pending.append(pool.submit(save_png, pixels, folder / f"{number:06}.png"))
            # Decoding is faster than packing: frames must not pile up.
            while len(pending) > 4 * threads:
                pending.popleft().result()
        for saved in pending:
            saved.result()


def save_png(pixels: Pixels, target: Path) -> None:
    """Write an RGB picture, shape (height, width, 3)."""
    Image.fromarray(pixels).save(target, format="PNG")


def frame_at(path: Path, index: int, fps: int) -> Pixels:
    """The frame of a video with this number, counted from 0, as RGB, shape (height, width, 3).

    IndexError if the video has no such frame.
    """
    with av.open(str(path), "r") as container:
        stream = container.streams.video[0]
        container.seek(int(index / fps * av.time_base))
        for frame in container.decode(stream):
            if _frame_number(frame.pts, frame.time_base, fps) == index:
                return _pixels(frame)
    raise IndexError(f"{path.name} has no frame {index}")


def has_content(pixels: Pixels) -> bool:
    """Whether there is something to see: over a hundredth of the picture is not of its middle colour."""
    colours = pixels.reshape(-1, 3).astype(np.int16)
    # Encoding leaves a little noise on an even ground.
    differs = (np.abs(colours - np.median(colours, axis=0)) > 8).any(axis=1)
    return bool(differs.mean() > 0.01)


def count_frames(path: Path) -> int:
    """How many frames a video has, counted packet by packet."""
    with av.open(str(path), "r") as container:
        return sum(packet.size > 0 for packet in container.demux(container.streams.video[0]))


def _same_encoding(sources: Sequence[InputContainer]) -> VideoStream:
    """The first clip's stream, once it is sure that the others can follow it."""
    first, *others = (source.streams.video[0] for source in sources)
    for other in others:
        for quality in ("width", "height", "pix_fmt", "extradata"):
            if getattr(other.codec_context, quality) != getattr(first.codec_context, quality):
                raise ValueError(f"clips that differ in {quality} cannot be joined as they are")
    return first


def _caption_packets(
    film: OutputContainer, codec: str, cues: Sequence[Cue], fps: int, clock: Fraction
) -> Iterator[Packet[Stream]]:
    """A caption track for ``film`` and what goes into it; no track where there are no captions.

    ``clock`` is the pictures' time base.
    """
    if not cues:
        return
    track = film.add_stream(codec)
    assert isinstance(track, SubtitleStream)
    track.codec_context.subtitle_header = _ASS_HEADER
    # FFmpeg ends a caption by comparing its bare ticks with the pictures'. Were the ticks not of one length,
    # it would put empty samples between captions that follow each other, and each moves all later ones.
    track.codec_context.time_base = track.time_base = clock
    track.metadata["language"] = "eng"
    for cue in cues:
        packet = Packet(mov_text(cue.text) if codec == "mov_text" else vtt_text(cue.text).encode())
        packet.pts = packet.dts = cue.start
        packet.duration = cue.end - cue.start
        packet.time_base = Fraction(1, fps)
        packet.stream = track
        yield packet


def _packets(
    sources: Sequence[InputContainer], clips: Sequence[Clip], fps: int
) -> Iterator[Packet[VideoStream]]:
    """The clips' pictures as they are stored, their times in frames of the film."""
    offset = 0
    for source, clip in zip(sources, clips, strict=True):
        for packet in source.demux(source.streams.video[0]):
            if packet.size == 0:
                continue
            # Whole frames, so that no rounding of a clip's own clock adds up from clip to clip.
            packet.pts = offset + _frame_number(packet.pts, packet.time_base, fps)
            packet.dts = offset + _frame_number(packet.dts, packet.time_base, fps)
            packet.duration = 1
            packet.time_base = Fraction(1, fps)
            yield packet
        offset += clip.frames


def _pixels(frame: VideoFrame) -> Pixels:
    return frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False)


def _frames(clips: Sequence[Clip]) -> Iterator[VideoFrame]:
    for clip in clips:
        with av.open(str(clip.path), "r") as container:
            yield from container.decode(container.streams.video[0])


def _palette(clips: Sequence[Clip]) -> VideoFrame:
    """256 colours for all frames, weighted towards what moves."""
    frames = _frames(clips)
    first = next(frames)
    graph = Graph()
    source = _buffer(graph, first)
    generator, sink = graph.add("palettegen", "stats_mode=diff"), graph.add("buffersink")
    source.link_to(generator)
    generator.link_to(sink)
    graph.configure()
    for frame in chain([first], frames):
        source.push(frame)
    source.push(None)
    palette = sink.pull()
    assert isinstance(palette, VideoFrame)
    return palette


def _painted(clips: Sequence[Clip], palette: VideoFrame) -> Iterator[VideoFrame]:
    """The clips' frames in the palette's colours, one at a time, so that a long film needs no more memory."""
    frames = _frames(clips)
    first = next(frames)
    graph = Graph()
    source, colours = _buffer(graph, first), _buffer(graph, palette)
    painter, sink = graph.add("paletteuse", "dither=sierra2_4a:diff_mode=rectangle"), graph.add("buffersink")
    source.link_to(painter, 0, 0)
    colours.link_to(painter, 0, 1)
    painter.link_to(sink)
    graph.configure()
    colours.push(palette)
    colours.push(None)
    for frame in chain([first], frames, [None]):
        source.push(frame)
        yield from _pulled(sink)


def _pulled(sink: FilterContext) -> Iterator[VideoFrame]:
    while True:
        try:
            frame = sink.pull()
        except (BlockingIOError, EOFError):
            return
        assert isinstance(frame, VideoFrame)
        yield frame


def _buffer(graph: Graph, frame: VideoFrame) -> FilterContext:
    return graph.add_buffer(
        width=frame.width, height=frame.height, format=frame.format, time_base=frame.time_base
    )


def _frame_number(moment: int | None, time_base: Fraction | None, fps: int) -> int:
    """The frame at a moment of a clip's own clock; before 0 where pictures are stored ahead of their turn."""
    if moment is None or time_base is None:
        raise ValueError("a clip must say when each of its pictures is shown")
    return round(moment * time_base * fps)
