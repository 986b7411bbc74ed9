"""Films read back as a player reads them, for tests."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Caption:
    """What a caption track shows, in seconds."""

    text: str
    start: float
    end: float


@dataclass(frozen=True)
class ReadFilm:
    """A film as it is on disk."""

    kinds: tuple[str, ...]
    codec: str
    pixel_format: str
    width: int
    height: int
    rate: Fraction
    moments: tuple[float, ...]
    title: str
    marks: tuple[tuple[str, float, float], ...]
    captions: tuple[Caption, ...]


def read_film(path: Path) -> ReadFilm:
    """Decode a whole film."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        moments = tuple(frame.time for frame in container.decode(stream))
        marks = tuple(
            (
                chapter["metadata"]["title"],
                float(chapter["start"] * chapter["time_base"]),
                float(chapter["end"] * chapter["time_base"]),
            )
            for chapter in container.chapters()
        )
        return ReadFilm(
            # The chapter marks of an MP4 are a data stream of their own.
            kinds=tuple(sorted(stream.type for stream in container.streams if stream.type != "data")),
            codec=stream.codec_context.name,
            pixel_format=stream.codec_context.pix_fmt,
            width=stream.width,
            height=stream.height,
            rate=stream.average_rate,
            moments=moments,
            title=container.metadata.get("title", ""),
            marks=marks,
            captions=tuple(_captions(path)),
        )


def pixels_of(path: Path) -> list[npt.NDArray[np.uint8]]:
    """Every frame as RGB."""
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def boxes_of(path: Path) -> list[str]:
    """The names of an MP4 file's outermost boxes, in order."""
    data, place, names = path.read_bytes(), 0, []
    while place < len(data):
        size = int.from_bytes(data[place : place + 4], "big")
        names.append(data[place + 4 : place + 8].decode())
        place += size
    return names


def _captions(path: Path) -> list[Caption]:
    with av.open(str(path)) as container:
        if not container.streams.subtitles:
            return []
        stream = container.streams.subtitles[0]
        is_mov = stream.codec_context.name == "mov_text"
        captions = []
        for packet in container.demux(stream):
            data = bytes(packet)
            text = data[2 : 2 + int.from_bytes(data[:2], "big")] if is_mov else data
            # Empty samples stand for the time between captions.
            if text:
                start = float(packet.pts * packet.time_base)
                end = float((packet.pts + packet.duration) * packet.time_base)
                captions.append(Caption(text.decode(), start, end))
        return captions
