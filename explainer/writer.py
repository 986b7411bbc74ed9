"""From drawn frames to one file a chapter: what Manim is given in place of its own file writer.

Manim by itself encodes every animation into a file of its own and joins the files at the end. Here one
encoder runs from the first frame of a chapter to its last, on its own thread, so that drawing and encoding
overlap and nothing is written twice. Drawing, encoding itself and the joining of chapters do not enter.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from manim.scene.scene_file_writer import SceneFileWriter
from manim.typing import RGBAPixelArray

from explainer.encoder import Encoder, Pixels
from explainer.rectangle import Rectangle


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
        self._encoder: Encoder | None = None
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

    def begin_animation(self, allow_write: bool = False, *, animation_index: int, file_path: object = None) -> None:
        """Do nothing: an animation has no file of its own."""

    def end_animation(self, allow_write: bool = False) -> None:
        """Do nothing: an animation has no file of its own."""

    def add_audio_segment(self, *args: Any, **kwargs: Any) -> None:
        """Refuse: chapters are silent."""
        raise NotImplementedError("ChapterWriter writes silent chapters: add sound to the finished film")

    def write_frame(self, pixels: RGBAPixelArray, *, repeat: int = 1, touched: Rectangle | None = None) -> None:
        """Add a frame that is shown ``repeat`` times; ``pixels`` may be drawn over when this returns.

        All that differs from the frame before lies in ``touched``, which is the whole frame when it is left out.

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
            self._opened().put(frame, repeat, key=self._at_section_start, touched=touched)
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

    def _opened(self) -> Encoder:
        if self._encoder is None:
            assert self.video_encoder is not None
            self._encoder = Encoder(self.movie_file_path, self.video_encoder)
        return self._encoder
