"""From pixels to an encoded file: a converter that looks only at what changes, and a thread that encodes.

It knows how Manim describes an encoder, and nothing else of Manim: no scenes, no captions, no joining of files.
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
from av.container import OutputContainer
from av.video.frame import PictureType
from av.video.reformatter import ColorPrimaries, ColorRange, Colorspace, ColorTrc, VideoReformatter
from manim._config.video_encoder import VideoEncoderSpec

from explainer.rectangle import NOTHING, Rectangle, whole

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


class Encoder:
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

    def put(self, pixels: Pixels, repeat: int, *, key: bool, touched: Rectangle | None) -> None:
        """Add a frame to be shown ``repeat`` times, first as a key frame if ``key``."""
        expected = (self._spec.height, self._spec.width, 4)
        if pixels.shape != expected:
            raise ValueError(f"a frame of this film has the shape {expected}, not {pixels.shape}")
        if self._failure is not None:
            self.abort()
            self.raise_failure()
        self._queue.put((self._conversion.picture(pixels, touched), repeat, key))

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


def _open(target: Path, spec: VideoEncoderSpec) -> tuple[OutputContainer, av.VideoStream]:
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
    bytes_a_frame = int(spec.width * spec.height * 3 // 2)
    shortest, longest = _QUEUE_FRAMES
    return max(shortest, min(longest, _QUEUE_BYTES // bytes_a_frame))


def _has_luma(spec: VideoEncoderSpec) -> bool:
    return bool(spec.pixel_format.startswith("yuv"))


class Conversion:
    """Turns pixels into the encoder's pictures, by BT.709 where these have luma."""

    def __init__(self, spec: VideoEncoderSpec) -> None:
        self._format = spec.pixel_format
        self._matrix = _BT709 if _has_luma(spec) else {}
        self._reformatter = VideoReformatter()

    def picture(self, pixels: Pixels, touched: Rectangle | None = None) -> av.VideoFrame:
        """A picture that shares no memory with ``pixels``; what differs from the last one lies in ``touched``."""
        source = av.VideoFrame.from_numpy_buffer(pixels, format="rgba")
        return self._reformatter.reformat(source, format=self._format, threads=1, **self._matrix)


class ChangesOnly(Conversion):
    """Gives the same pictures in 4:2:0 as :class:`Conversion`, converting only what changed.

    Most of a frame is as it was in the frame before, and comparing takes a tenth of the time of converting.
    """

    def __init__(self, spec: VideoEncoderSpec) -> None:
        super().__init__(spec)
        height, width = spec.height, spec.width
        self._frame = whole(height, width)
        # Compared two pixels at a time.
        self._last = np.empty((height, width // 2), dtype=np.uint64)
        self._has_last = False
        self._planes = np.empty((height * 3 // 2, width), dtype=np.uint8)
        luma, *chroma = np.split(self._planes.reshape(-1), [height * width, height * width * 5 // 4])
        self._luma = luma.reshape(height, width)
        self._chroma = [plane.reshape(height // 2, width // 2) for plane in chroma]

    def picture(self, pixels: Pixels, touched: Rectangle | None = None) -> av.VideoFrame:
        """The same as of :class:`Conversion`."""
        pairs = np.ascontiguousarray(pixels).reshape(len(pixels), -1).view(np.uint64)
        touched = self._frame if touched is None else touched
        changed = self._changed(pairs, touched) if self._has_last else self._frame
        if changed:
            self._convert(pixels, changed.grown(_REACH) & self._frame)
            rows, columns = changed.slices
            columns = slice(columns.start // 2, columns.stop // 2)
            self._last[rows, columns] = pairs[rows, columns]
            self._has_last = True
        return av.VideoFrame.from_numpy_buffer(self._planes.copy(), format=self._format)

    def _changed(self, pairs: npt.NDArray[np.uint64], touched: Rectangle) -> Rectangle:
        """The smallest rectangle with even edges in ``touched`` that holds all changes."""
        touched = touched.evened()
        top, left = touched.top, touched.left // 2
        part = slice(top, touched.bottom), slice(left, touched.right // 2)
        differs = pairs[part] != self._last[part]
        rows = np.flatnonzero(differs.any(axis=1))
        if not len(rows):
            return NOTHING
        columns = np.flatnonzero(differs[rows[0] : rows[-1] + 1].any(axis=0))
        return Rectangle(
            top + int(rows[0]),
            top + int(rows[-1]) + 1,
            2 * (left + int(columns[0])),
            2 * (left + int(columns[-1]) + 1),
        ).evened()

    def _convert(self, pixels: Pixels, part: Rectangle) -> None:
        cut = part.grown(_MARGIN) & self._frame
        picture = super().picture(pixels[cut.slices])
        luma, *chroma = (
            np.frombuffer(memoryview(plane), dtype=np.uint8).reshape(-1, plane.line_size) for plane in picture.planes
        )
        inner = part.seen_from(cut)
        self._luma[part.slices] = luma[inner.slices]
        for plane, converted in zip(self._chroma, chroma, strict=True):
            plane[part.halved().slices] = converted[inner.halved().slices]


def _conversion_for(spec: VideoEncoderSpec) -> Conversion:
    # PyAV takes the planes as one array only where their rows fill whole rows of it.
    fills_rows = spec.pixel_format == "yuv420p" and spec.width % 2 == 0 and spec.height % 4 == 0
    return ChangesOnly(spec) if fills_rows else Conversion(spec)
