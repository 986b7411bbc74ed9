"""From drawn frames to one file a chapter: the only place that turns pictures into encoded video.

Manim by itself encodes every animation into a file of its own and joins the files at the end. Here one
encoder runs from the first frame of a chapter to its last, on its own thread, so that drawing and encoding
overlap and nothing is written twice. Drawing, captions and the joining of chapters do not enter.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any, TypeAlias

import av
import numpy as np
import numpy.typing as npt
from av.codec.context import ThreadType
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from manim._config.video_encoder import VideoEncoderSpec
from manim.scene.scene_file_writer import SceneFileWriter
from manim.typing import RGBAPixelArray

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""A frame as Manim's camera draws it: (height, width, 4) bytes, RGBA, the top row first."""

ENCODER_THREADS = 4
"""Fixed, for a film's bytes must not depend on the number of cores; enough to keep up with the drawing."""

_QUEUE_BYTES = 128 * 2**20
_QUEUE_FRAMES = (4, 64)
_BT709: Mapping[str, Any] = {"dst_colorspace": Colorspace.ITU709, "dst_color_range": ColorRange.MPEG}
_BT709_MATRIX = 1  # AVCOL_SPC_BT709, which PyAV has no name for
# A pixel has a part in the colour of its neighbours, up to _REACH away. A cut is made _MARGIN wider, for at
# its edges the converter does not know the neighbours. Both are even: colour is that of a pair of pixels.
_REACH = 2
_MARGIN = 8


class ChapterWriter(SceneFileWriter):
    """Streams every frame of a scene into one file: ``CairoRenderer(file_writer_class=ChapterWriter)``.

    Encoder, quality and pixel format are those that Manim itself would use. Each section starts with a key
    frame, so that a player lands on it exactly. The file has a constant rate and its first frame at time 0;
    files of the same size and rate can be joined without encoding them again. A failure of the encoder is
    raised by the next call in the drawing thread, and no partial file stays behind.

    It makes MP4, WebM and MOV, and nothing in a dry run; other outputs are made from a finished film.

    Attributes
    ----------
    frames_written
        How many frames have been taken in, whatever the output; counted also when there is none.
    """

    def __init__(self, settings: Any) -> None:
        self.frames_written = 0
        self._encoder: _Encoder | None = None
        self._at_section_start = True
        super().__init__(settings)
        output = self.output_spec
        if output.save_sections:
            raise ValueError("ChapterWriter writes one file a chapter: turn save_sections off")
        if output.is_gif or output.is_image_sequence:
            raise ValueError(f"ChapterWriter makes no {output.format}: make one from a finished film")

    def next_section(self, name: str, type_: str, skip_animations: bool) -> None:
        """Begin a section as Manim does; its first frame will be a key frame."""
        super().next_section(name, type_, skip_animations)
        self._at_section_start = True

    def is_already_cached(self, hash_invocation: str) -> bool:
        """Never: there are no files of single animations that could be used again."""
        return False

    def begin_animation(
        self, allow_write: bool = False, *, animation_index: int, file_path: object = None
    ) -> None:
        """Do nothing: an animation has no file of its own."""

    def end_animation(self, allow_write: bool = False) -> None:
        """Do nothing: an animation has no file of its own."""

    def add_audio_segment(self, *args: Any, **kwargs: Any) -> None:
        """Refuse: chapters are silent."""
        raise NotImplementedError("ChapterWriter writes silent chapters: add sound to the finished film")

    def write_frame(self, pixels: RGBAPixelArray, *, repeat: int = 1) -> None:
        """Add a frame that is shown ``repeat`` times; ``pixels`` may be drawn over when this returns.

        Raises
        ------
        ValueError
            The frame has another size than the film, or ``repeat`` is not positive.
        RuntimeError
            The encoder has failed.
        """
        if repeat < 1:
            raise ValueError(f"a frame is shown at least once, not {repeat} times")
        frame: Pixels = np.asarray(pixels, dtype=np.uint8)
        if self.output_spec.is_video:
            self._opened().put(frame, repeat, key=self._at_section_start)
        self._at_section_start = False
        self.frames_written += repeat

    def finish(self) -> None:
        """Complete the file. Manim calls this after the last animation."""
        encoder, self._encoder = self._encoder, None
        if encoder is None:
            return
        encoder.finish()
        if self.subcaptions:
            self.write_subcaption_file()
        self.print_file_ready_message(self.movie_file_path)

    def abort_encode_jobs(self, reraise_encoder_failures: bool = False) -> None:
        """Drop what has been written. Manim calls this when a scene raises."""
        encoder, self._encoder = self._encoder, None
        if encoder is not None:
            encoder.abort()
            if reraise_encoder_failures:
                encoder.raise_failure()

    def _opened(self) -> _Encoder:
        if self._encoder is None:
            assert self.video_encoder is not None
            self._encoder = _Encoder(self.movie_file_path, self.video_encoder)
        return self._encoder


class _Encoder:
    """Encodes frames into one file on a thread of its own.

    Whoever puts frames waits only while the queue is full. After a failure the thread goes on emptying the
    queue, so that nobody waits for ever.
    """

    def __init__(self, target: Path, spec: VideoEncoderSpec) -> None:
        self.target = target
        self._spec = spec
        self._time_base = 1 / Fraction(spec.frame_rate)
        self._next = 0
        self._failure: BaseException | None = None
        self._aborted = False
        self._conversion = _conversion_for(spec)
        self._queue: Queue[tuple[av.VideoFrame, int, bool] | None] = Queue(_queue_length(spec))
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._container, self._stream = _open(target, spec)
        except Exception as fault:
            target.unlink(missing_ok=True)
            raise self._error(fault) from fault
        # A daemon: a scene that ends in an exception outside of Manim's care must not keep the process alive.
        self._thread = Thread(target=self._work, name="chapter-encoder", daemon=True)
        self._thread.start()

    def put(self, pixels: Pixels, repeat: int, *, key: bool) -> None:
        """Add a frame to be shown ``repeat`` times, first as a key frame if ``key``."""
        expected = (self._spec.height, self._spec.width, 4)
        if pixels.shape != expected:
            raise ValueError(f"a frame of this film has the shape {expected}, not {pixels.shape}")
        if self._failure is not None:
            self.abort()
            self.raise_failure()
        self._queue.put((self._conversion.picture(pixels), repeat, key))

    def finish(self) -> None:
        """Encode what is left and close the file."""
        self._join()
        if self._failure is None:
            try:
                self._container.mux(self._stream.encode())
                self._container.close()
            except Exception as fault:
                self._failure = fault
        if self._failure is not None:
            self.abort()
            self.raise_failure()

    def abort(self) -> None:
        """Stop at once and remove the file."""
        self._aborted = True
        self._join()
        with suppress(Exception):
            self._container.close()
        self.target.unlink(missing_ok=True)

    def raise_failure(self) -> None:
        """Raise what went wrong on the encoder's thread, if anything did."""
        if self._failure is not None:
            raise self._error(self._failure) from self._failure

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            try:
                self._encode(*item)
            except BaseException as fault:
                self._failure = self._failure or fault

    def _encode(self, picture: av.VideoFrame, repeat: int, key: bool) -> None:
        picture.time_base = self._time_base
        for shown in range(repeat):
            if self._aborted or self._failure is not None:
                return
            picture.pts = self._next
            picture.pict_type = PictureType.I if key and shown == 0 else PictureType.NONE
            self._container.mux(self._stream.encode(picture))
            self._next += 1

    def _join(self) -> None:
        if self._thread.is_alive():
            self._queue.put(None)
            self._thread.join()

    def _error(self, fault: BaseException) -> RuntimeError:
        spec = self._spec
        return RuntimeError(
            f"encoder {spec.codec} failed on {self.target} "
            f"({spec.width}x{spec.height}, {spec.frame_rate} frames a second): {fault}"
        )


def _open(target: Path, spec: VideoEncoderSpec) -> tuple[av.container.OutputContainer, av.VideoStream]:
    container = av.open(target, "w", format=spec.container_format)
    stream = container.add_stream(spec.codec, rate=spec.frame_rate, options=dict(spec.options))
    assert isinstance(stream, av.VideoStream)
    stream.width, stream.height, stream.pix_fmt = spec.width, spec.height, spec.pixel_format
    context = stream.codec_context
    # Whole frames in parallel cost less time than slices of one frame, and no picture is cut into slices.
    context.thread_type, context.thread_count = ThreadType.FRAME, ENCODER_THREADS
    if _has_luma(spec):
        # Told to the player, for one that guesses takes another matrix for large pictures than for small.
        context.colorspace, context.color_range = _BT709_MATRIX, ColorRange.MPEG
        context.color_primaries, context.color_trc = ColorPrimaries.BT709, ColorTrc.BT709
    return container, stream


def _queue_length(spec: VideoEncoderSpec) -> int:
    """How many frames may wait: many, for drawing runs ahead while a wait is encoded, but within bounds."""
    bytes_a_frame = spec.width * spec.height * 3 // 2
    shortest, longest = _QUEUE_FRAMES
    return max(shortest, min(longest, _QUEUE_BYTES // bytes_a_frame))


def _has_luma(spec: VideoEncoderSpec) -> bool:
    return spec.pixel_format.startswith("yuv")


class Conversion:
    """Turns pixels into the encoder's pictures, by BT.709 where these have luma."""

    def __init__(self, spec: VideoEncoderSpec) -> None:
        self._format = spec.pixel_format
        self._matrix = _BT709 if _has_luma(spec) else {}
        self._reformatter = VideoReformatter()

    def picture(self, pixels: Pixels) -> av.VideoFrame:
        """A picture that shares no memory with ``pixels``."""
        source = av.VideoFrame.from_numpy_buffer(pixels, format="rgba")
        return self._reformatter.reformat(source, format=self._format, threads=1, **self._matrix)


class ChangesOnly(Conversion):
    """Gives the same pictures in 4:2:0 as :class:`Conversion`, converting only what changed.

    Most of a frame is as it was in the frame before, and comparing takes a tenth of the time of converting.
    """

    def __init__(self, spec: VideoEncoderSpec) -> None:
        super().__init__(spec)
        height, width = spec.height, spec.width
        self._last: npt.NDArray[np.uint64] | None = None
        self._planes = np.empty((height * 3 // 2, width), dtype=np.uint8)
        luma, *chroma = np.split(self._planes.reshape(-1), [height * width, height * width * 5 // 4])
        self._luma = luma.reshape(height, width)
        self._chroma = [plane.reshape(height // 2, width // 2) for plane in chroma]

    def picture(self, pixels: Pixels) -> av.VideoFrame:
        pairs = np.ascontiguousarray(pixels).reshape(len(pixels), -1).view(np.uint64)
        changed = _changed(pairs, self._last)
        if changed is not None:
            rows, columns = changed
            self._convert(
                pixels, _grown(rows, _REACH, pixels.shape[0]), _grown(columns, _REACH, pixels.shape[1])
            )
            if self._last is None:
                self._last = pairs.copy()
            self._last[rows] = pairs[rows]
        return av.VideoFrame.from_numpy_buffer(self._planes.copy(), format=self._format)

    def _convert(self, pixels: Pixels, rows: slice, columns: slice) -> None:
        cut_rows = _grown(rows, _MARGIN, pixels.shape[0])
        cut_columns = _grown(columns, _MARGIN, pixels.shape[1])
        picture = super().picture(pixels[cut_rows, cut_columns])
        luma, *chroma = (
            np.frombuffer(memoryview(plane), dtype=np.uint8).reshape(-1, plane.line_size)
            for plane in picture.planes
        )
        inner = _moved(rows, -cut_rows.start), _moved(columns, -cut_columns.start)
        self._luma[rows, columns] = luma[inner]
        for plane, part in zip(self._chroma, chroma, strict=True):
            plane[_halved(rows), _halved(columns)] = part[_halved(inner[0]), _halved(inner[1])]


def _conversion_for(spec: VideoEncoderSpec) -> Conversion:
    # PyAV takes the planes as one array only where their rows fill whole rows of it.
    whole = spec.pixel_format == "yuv420p" and spec.width % 2 == 0 and spec.height % 4 == 0
    return ChangesOnly(spec) if whole else Conversion(spec)


def _changed(
    pairs: npt.NDArray[np.uint64], last: npt.NDArray[np.uint64] | None
) -> tuple[slice, slice] | None:
    """The smallest rectangle with even edges that holds all changes: rows, columns; None without a change.

    ``pairs`` are the pixels of a frame two by two: (height, width / 2).
    """
    if last is None:
        return slice(0, pairs.shape[0]), slice(0, 2 * pairs.shape[1])
    changed = pairs != last
    rows = np.flatnonzero(changed.any(axis=1))
    if not len(rows):
        return None
    top, bottom = int(rows[0]) // 2 * 2, int(rows[-1]) // 2 * 2 + 2
    columns = np.flatnonzero(changed[top:bottom].any(axis=0))
    return slice(top, bottom), slice(2 * int(columns[0]), 2 * int(columns[-1]) + 2)


def _grown(part: slice, by: int, limit: int) -> slice:
    return slice(max(0, part.start - by), min(limit, part.stop + by))


def _moved(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)


def _halved(part: slice) -> slice:
    return slice(part.start // 2, part.stop // 2)
