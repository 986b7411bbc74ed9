"""Chapters written by the writer, rendered for real at a tiny size and read back."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manim import RIGHT, Circle, Scene, Square, tempconfig
from manim._config.video_encoder import VideoEncoderSpec
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene_file_writer import SceneFileWriter

from explainer.encoder import ChangesOnly, Conversion, Encoder, Pixels
from explainer.rectangle import NOTHING, Rectangle
from explainer.writer import ChapterWriter

FPS = 10
MOVING, HELD = 5, 12


class TwoSections(Scene):
    """Five frames that move, twelve that stand, in a second section five that move again."""

    def construct(self) -> None:
        square = Square(fill_opacity=1.0)
        self.play(square.animate.shift(RIGHT), run_time=MOVING / FPS - 1e-6)
        self.wait(HELD / FPS + 1e-6)
        self.next_section("second")
        self.play(square.animate.shift(RIGHT), run_time=MOVING / FPS - 1e-6)


class Breaking(Scene):
    """Raises when the first frames have long been in the file."""

    def construct(self) -> None:
        self.play(Square().animate.shift(RIGHT), run_time=12.0)
        raise LookupError("the scene broke")


class Long(Scene):
    """More frames than the encoder's queue can hold."""

    def construct(self) -> None:
        self.play(Circle().animate.shift(RIGHT), run_time=20.0)


def made(
    scene_class: type[Scene],
    folder: Path,
    writer_class: type[SceneFileWriter] = ChapterWriter,
    size: tuple[int, int] = (96, 56),
    **options: Any,
) -> Scene:
    """A scene, rendered into ``folder``/clip.mp4 or what its format is."""
    width, height = size
    settled = {
        "media_dir": str(folder), "video_dir": "{media_dir}", "images_dir": "{media_dir}",
        "partial_movie_dir": "{media_dir}/parts", "output_file": "clip", "format": "mp4",
        "pixel_width": width, "pixel_height": height, "frame_rate": FPS,
        "disable_caching": True, "progress_bar": "none", "verbosity": "ERROR",
    }  # fmt: skip
    with tempconfig(settled | options):
        scene = scene_class(renderer=CairoRenderer(file_writer_class=writer_class))
        scene.render()
    return scene


def encoded(folder: Path, frames: Sequence[tuple[Pixels, int]], **options: Any) -> Path:
    """A clip of frames that are given, each with how often it is shown."""

    class Given(Scene):
        def construct(self) -> None:
            for pixels, repeat in frames:
                self.renderer.file_writer.write_frame(pixels, repeat=repeat)
            self.renderer.file_writer.finish()

    height, width = frames[0][0].shape[:2]
    with pytest.raises(RuntimeError, match="no play calls"):
        made(Given, folder, size=(width, height), **options)
    return folder / "clip.mp4"


def plain(colour: str, width: int = 64, height: int = 36) -> Pixels:
    """A frame of one colour, given as #RRGGBB."""
    pixels = np.full((height, width, 4), 255, dtype=np.uint8)
    pixels[..., :3] = [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
    return pixels


def frames_of(path: Path) -> list[av.VideoFrame]:
    with av.open(str(path)) as container:
        return list(container.decode(video=0))


def test_a_clip_holds_every_frame_drawn_and_every_frame_of_a_wait(tmp_path: Path) -> None:
    scene = made(TwoSections, tmp_path)
    frames = frames_of(tmp_path / "clip.mp4")
    assert len(frames) == MOVING + HELD + MOVING
    assert scene.renderer.file_writer.frames_written == len(frames)


def test_frames_follow_each_other_at_a_constant_rate_from_time_zero(tmp_path: Path) -> None:
    made(TwoSections, tmp_path)
    with av.open(str(tmp_path / "clip.mp4")) as container:
        stream = container.streams.video[0]
        assert stream.average_rate == FPS
        assert stream.duration * stream.time_base == Fraction(MOVING + HELD + MOVING, FPS)
        moments = [frame.pts * frame.time_base for frame in container.decode(stream)]
    assert moments == [Fraction(i, FPS) for i in range(MOVING + HELD + MOVING)]


def test_the_frames_of_a_wait_look_alike_and_those_of_a_move_do_not(tmp_path: Path) -> None:
    made(TwoSections, tmp_path)
    frames = [frame.to_ndarray(format="gray").astype(int) for frame in frames_of(tmp_path / "clip.mp4")]
    steps = [np.abs(after - before).max() for before, after in pairwise(frames)]
    held = steps[MOVING : MOVING + HELD - 1]
    assert max(held) < 16 < max(steps[:MOVING])


def test_each_section_starts_with_a_key_frame(tmp_path: Path) -> None:
    made(TwoSections, tmp_path)
    keys = [i for i, frame in enumerate(frames_of(tmp_path / "clip.mp4")) if frame.key_frame]
    assert keys == [0, MOVING + HELD]


def test_a_player_that_jumps_to_a_section_gets_its_first_frame_at_once(tmp_path: Path) -> None:
    made(TwoSections, tmp_path)
    wanted = frames_of(tmp_path / "clip.mp4")[MOVING + HELD]
    with av.open(str(tmp_path / "clip.mp4")) as container:
        stream = container.streams.video[0]
        container.seek(wanted.pts, stream=stream, backward=True)
        first = next(container.decode(stream))
    assert first.pts == wanted.pts


@pytest.mark.parametrize("size", [(96, 54), (96, 56), (54, 96), (1280, 720)])
@pytest.mark.parametrize("colour", ["#0F1420", "#FFFFFF", "#FFC857", "#2244CC", "#C03030"])
def test_colours_decode_to_what_was_drawn(tmp_path: Path, colour: str, size: tuple[int, int]) -> None:
    clip = encoded(tmp_path, [(plain(colour, *size), 3)])
    shown = frames_of(clip)[-1].to_ndarray(format="rgb24").astype(int)
    assert np.abs(shown - plain(colour, *size)[..., :3]).max() <= 2


def test_the_file_says_which_colours_it_means(tmp_path: Path) -> None:
    made(TwoSections, tmp_path)
    frame = frames_of(tmp_path / "clip.mp4")[0]
    bt709, limited = 1, 1
    tags = (frame.colorspace, frame.color_primaries, frame.color_trc, frame.color_range)
    assert tags == (bt709, bt709, bt709, limited)


def test_the_same_scene_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        made(TwoSections, tmp_path / name)
    assert (tmp_path / "one/clip.mp4").read_bytes() == (tmp_path / "two/clip.mp4").read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a process choose its cores")
def test_the_bytes_do_not_depend_on_the_number_of_cores(tmp_path: Path) -> None:
    high_enough_to_be_cut = (96, 512)
    made(TwoSections, tmp_path / "all", size=high_enough_to_be_cut)
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        made(TwoSections, tmp_path / "one", size=high_enough_to_be_cut)
    finally:
        os.sched_setaffinity(0, cores)
    assert (tmp_path / "one/clip.mp4").read_bytes() == (tmp_path / "all/clip.mp4").read_bytes()


def x264_settings(path: Path) -> dict[str, str]:
    """The settings that x264 notes in what it writes."""
    found = re.search(rb"x264 - core .*?options: ([^\0]+)", path.read_bytes())
    assert found is not None
    return dict(pair.split("=", 1) for pair in found[1].decode().split() if "=" in pair)


def test_a_clip_is_encoded_with_the_settings_of_manims_own_writer(tmp_path: Path) -> None:
    made(TwoSections, tmp_path / "ours")
    made(TwoSections, tmp_path / "manims", writer_class=SceneFileWriter)
    ours, manims = (x264_settings(tmp_path / name / "clip.mp4") for name in ("ours", "manims"))
    differing = {name for name in ours | manims if ours.get(name) != manims.get(name)}
    assert ours["crf"] == "23.0"
    # Only what settles how the work is shared among threads.
    assert differing <= {"threads", "lookahead_threads", "sliced_threads", "slices"}


def test_options_for_the_encoder_reach_it(tmp_path: Path) -> None:
    made(TwoSections, tmp_path, video_encoder_options={"crf": "31"})
    assert x264_settings(tmp_path / "clip.mp4")["crf"] == "31.0"


def test_webm_holds_the_same_frames(tmp_path: Path) -> None:
    made(TwoSections, tmp_path, format="webm")
    with av.open(str(tmp_path / "clip.webm")) as container:
        assert container.streams.video[0].codec.name.endswith("vp9")
    frames = frames_of(tmp_path / "clip.webm")
    assert len(frames) == MOVING + HELD + MOVING
    assert frames[0].colorspace == 1
    assert frames[MOVING + HELD].key_frame


def test_a_clip_without_loss_gives_back_every_pixel(tmp_path: Path) -> None:
    lossless = {
        "video_codec": "libx264rgb", "pixel_format": "rgb24",
        "video_encoder_options": {"preset": "ultrafast", "qp": "0"},
    }  # fmt: skip
    rng = np.random.default_rng(1)
    drawn = [rng.integers(0, 256, (36, 64, 4), dtype=np.uint8) for _ in range(4)]
    clip = encoded(tmp_path, [(pixels, 1) for pixels in drawn], **lossless)
    for pixels, frame in zip(drawn, frames_of(clip), strict=True):
        np.testing.assert_array_equal(frame.to_ndarray(format="rgb24"), pixels[..., :3])


def test_a_frame_may_be_drawn_over_as_soon_as_it_is_written(tmp_path: Path) -> None:
    canvas = plain("#000000")

    class Reusing(Scene):
        def construct(self) -> None:
            for colour in ("#101010", "#808080", "#F0F0F0"):
                canvas[...] = plain(colour)
                self.renderer.file_writer.write_frame(canvas, repeat=4)
            self.renderer.file_writer.finish()

    with pytest.raises(RuntimeError, match="no play calls"):
        made(Reusing, tmp_path, size=(64, 36))
    greys = [int(frame.to_ndarray(format="rgb24").mean()) for frame in frames_of(tmp_path / "clip.mp4")]
    assert greys == pytest.approx([0x10] * 4 + [0x80] * 4 + [0xF0] * 4, abs=2)


def test_captions_that_the_scene_has_told_manim_are_written_beside_the_clip(tmp_path: Path) -> None:
    class Speaking(TwoSections):
        def construct(self) -> None:
            self.add_subcaption("cat ate fish", duration=0.5)
            super().construct()

    made(Speaking, tmp_path)
    assert "cat ate fish" in (tmp_path / "clip.srt").read_text(encoding="utf-8")


def test_a_dry_run_counts_frames_and_writes_nothing(tmp_path: Path) -> None:
    scene = made(TwoSections, tmp_path, dry_run=True)
    assert scene.renderer.file_writer.frames_written == MOVING + HELD + MOVING
    assert not list(tmp_path.rglob("clip*"))


def test_a_scene_that_raises_leaves_no_file_and_no_thread(tmp_path: Path) -> None:
    with pytest.raises(LookupError, match="the scene broke"):
        made(Breaking, tmp_path)
    assert not list(tmp_path.rglob("*.mp4"))
    assert "chapter-encoder" not in {thread.name for thread in threading.enumerate()}


def test_an_encoder_that_refuses_its_settings_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"encoder libx264 failed on .*clip\.mp4"):
        made(TwoSections, tmp_path, video_encoder_options={"preset": "no such preset"})
    assert not list(tmp_path.rglob("*.mp4"))


def test_an_encoder_that_fails_on_its_way_ends_the_drawing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More frames are drawn than the queue holds: a thread that stopped taking them would stop the scene."""
    drawn: list[float] = []

    class Failing(Long):
        def update_self(self, dt: float) -> None:
            drawn.append(dt)

    def fail(self: object, *item: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(Encoder, "_encode", fail)
    with pytest.raises(RuntimeError, match="no space left"):
        made(Failing, tmp_path)
    assert len(drawn) < 20 * FPS
    assert not list(tmp_path.rglob("*.mp4"))


def test_frames_of_another_size_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"shape \(36, 64, 4\), not \(36, 62, 4\)"):
        encoded(tmp_path, [(plain("#000000"), 1), (plain("#000000", 62), 1)])


def test_a_frame_that_is_never_shown_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least once, not 0 times"):
        encoded(tmp_path, [(plain("#000000"), 0)])


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"save_sections": True}, "turn save_sections off"),
        ({"format": "gif"}, "makes no gif"),
        ({"format": "png-sequence"}, "makes no png-sequence"),
    ],
)
def test_outputs_of_many_files_are_refused(tmp_path: Path, options: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        made(TwoSections, tmp_path, **options)


def test_sound_is_refused(tmp_path: Path) -> None:
    class Loud(Scene):
        def construct(self) -> None:
            self.renderer.file_writer.add_audio_segment(None)

    with pytest.raises(NotImplementedError, match="add sound to the finished film"):
        made(Loud, tmp_path)


HEIGHT, WIDTH = 40, 48
SPEC = VideoEncoderSpec("mp4", "libx264", "yuv420p", WIDTH, HEIGHT, Fraction(FPS), ())


@st.composite
def patches(draw: st.DrawFn) -> tuple[slice, slice, int]:
    """Somewhere in a frame, of any size, and what it is filled with: 0 for what was there first."""
    top, left = draw(st.integers(0, HEIGHT - 1)), draw(st.integers(0, WIDTH - 1))
    bottom, right = draw(st.integers(top, HEIGHT)), draw(st.integers(left, WIDTH))
    return slice(top, bottom), slice(left, right), draw(st.integers(0, 3))


@settings(max_examples=80, deadline=None)
@given(st.lists(st.lists(patches(), max_size=3), min_size=1, max_size=4), st.booleans())
def test_converting_only_what_changed_gives_the_picture_of_converting_all(
    frames: list[list[tuple[slice, slice, int]]], told_where: bool
) -> None:
    whole, changes = Conversion(SPEC), ChangesOnly(SPEC)
    fillings = np.random.default_rng(0).integers(0, 256, (4, HEIGHT, WIDTH, 4), dtype=np.uint8)
    pixels = fillings[0].copy()
    for frame in frames:
        touched = NOTHING
        for rows, columns, filling in frame:
            pixels[rows, columns] = fillings[filling, rows, columns]
            touched |= Rectangle(rows.start, rows.stop, columns.start, columns.stop)
        expected = whole.picture(pixels).to_ndarray()
        np.testing.assert_array_equal(changes.picture(pixels, touched if told_where else None).to_ndarray(), expected)


@pytest.mark.parametrize("told_where", [True, False])
def test_a_single_pixel_that_comes_and_goes_is_converted_wherever_it_is(told_where: bool) -> None:
    whole, changes = Conversion(SPEC), ChangesOnly(SPEC)
    ground = np.random.default_rng(0).integers(0, 256, (HEIGHT, WIDTH, 4), dtype=np.uint8)
    before = whole.picture(ground).to_ndarray()
    np.testing.assert_array_equal(changes.picture(ground).to_ndarray(), before)
    for top, left in np.ndindex(HEIGHT, WIDTH):
        touched = Rectangle(top, top + 1, left, left + 1) if told_where else None
        pixels = ground.copy()
        pixels[top, left] = ~pixels[top, left]
        np.testing.assert_array_equal(changes.picture(pixels, touched).to_ndarray(), whole.picture(pixels).to_ndarray())
        np.testing.assert_array_equal(changes.picture(ground, touched).to_ndarray(), before)


def test_only_what_is_said_to_be_touched_is_looked_at() -> None:
    changes = ChangesOnly(SPEC)
    dark, bright = plain("#101010", WIDTH, HEIGHT), plain("#F0F0F0", WIDTH, HEIGHT)
    before = changes.picture(dark).to_ndarray()
    np.testing.assert_array_equal(changes.picture(bright, NOTHING).to_ndarray(), before)
