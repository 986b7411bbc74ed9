"""The quick camera against Manim's own, byte by byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manim import (
    BLUE,
    DOWN,
    GREEN,
    LEFT,
    PI,
    RED,
    RIGHT,
    UP,
    WHITE,
    YELLOW,
    AnnularSector,
    Annulus,
    Arrow,
    Camera,
    CapStyleType,
    Circle,
    DashedVMobject,
    Dot,
    FadeIn,
    FadeOut,
    Group,
    ImageMobject,
    Line,
    LineJointType,
    Mobject,
    PMobject,
    Polygon,
    Rotate,
    Scene,
    Square,
    Star,
    Text,
    Triangle,
    VGroup,
    VMobject,
    tempconfig,
)
from manim.renderer.cairo_renderer import CairoRenderer
from PIL import Image
from PIL.Image import Resampling

from explainer.camera import QuickCamera, QuickRenderer
from explainer.rectangle import Rectangle
from explainer.writer import ChapterWriter

WIDTH, HEIGHT = 128, 72
Pixels = npt.NDArray[np.uint8]


@pytest.fixture(autouse=True)
def _tiny_picture() -> Iterator[None]:
    tiny = {"pixel_width": WIDTH, "pixel_height": HEIGHT, "frame_rate": 10, "dry_run": True}
    with tempconfig(tiny | {"progress_bar": "none", "verbosity": "ERROR", "background_color": "#0F1420"}):
        yield


@pytest.fixture(autouse=True)
def _manims_camera_draws_images(monkeypatch: pytest.MonkeyPatch) -> None:
    """Manim 0.22 asks Pillow for an empty picture out of zeros of the wrong type, which Pillow 13 refuses."""

    def empty_or_from_array(array: Any, mode: str | None = None) -> Image.Image:
        if mode == "RGBA" and array.dtype == np.float64 and not array.any():
            return Image.new(mode, array.shape[::-1])
        return from_array(array)

    from_array = Image.fromarray
    monkeypatch.setattr("manim.camera.camera.Image.fromarray", empty_or_from_array)


def gradient() -> Mobject:
    return Square(side_length=4, fill_opacity=0.8, stroke_width=12).set_color([RED, YELLOW, BLUE])


def sheen() -> Mobject:
    return Circle(radius=3, fill_opacity=1).set_color(GREEN).set_sheen(0.6, UP + LEFT)


def dashed() -> Mobject:
    return DashedVMobject(Circle(radius=3, stroke_width=9), num_dashes=11)


def stroke_behind() -> Mobject:
    star = Star(fill_opacity=1, stroke_width=0, color=BLUE).scale(3)
    return star.set_stroke(RED, 14, background=True)


def joints() -> Mobject:
    kinds = LineJointType.ROUND, LineJointType.BEVEL, LineJointType.MITER
    shapes = VGroup(*(Triangle(joint_type=kind, stroke_width=20) for kind in kinds))
    return shapes.arrange(RIGHT).scale(1.5)


def caps() -> Mobject:
    lines = VGroup(*(Line(LEFT, RIGHT + UP, stroke_width=25, cap_style=kind) for kind in CapStyleType))
    return lines.arrange(RIGHT)


def long_spike() -> Mobject:
    return Polygon(LEFT, LEFT + 0.4 * DOWN, 1.5 * RIGHT, stroke_width=60, joint_type=LineJointType.MITER)


def round_caps_on_a_closed_line() -> Mobject:
    return Polygon(LEFT, UP, RIGHT, stroke_width=18, cap_style=CapStyleType.ROUND).scale(2)


def open_and_closed() -> Mobject:
    shape = Annulus(inner_radius=1, outer_radius=2.5, fill_opacity=0.5, stroke_width=4)
    return shape.append_points(Line(3 * LEFT, 3 * RIGHT + UP).points)


def stacked() -> Mobject:
    under, over = Square(4, fill_opacity=1, color=RED), Circle(2.5, fill_opacity=0.5, color=BLUE)
    return VGroup(over.set_z_index(2), under.shift(RIGHT + DOWN))


def invisible() -> Mobject:
    return VGroup(
        Square(fill_opacity=0, stroke_width=0),
        Square(fill_opacity=0, stroke_opacity=0, stroke_width=9),
        Dot(2 * RIGHT, fill_opacity=1, color=WHITE),
    )


def coloured_by_an_image() -> Mobject:
    pixels = np.random.default_rng(0).integers(0, 255, (HEIGHT, WIDTH, 4), dtype=np.uint8)
    shape = Circle(radius=3, fill_opacity=1)
    return shape.color_using_background_image(Image.fromarray(pixels))


def points_without_lines() -> Mobject:
    cloud = PMobject(stroke_width=3)
    return cloud.add_points(np.random.default_rng(0).normal(size=(50, 3)), color=YELLOW)


def _noise(height: int, width: int, *, opaque: bool) -> Pixels:
    pixels = np.random.default_rng(0).integers(0, 256, (height, width, 4), dtype=np.uint8)
    pixels[..., 3] = 255 if opaque else pixels[..., 3]
    return pixels


def image() -> Mobject:
    return ImageMobject(_noise(9, 14, opaque=True), resampling_algorithm=Resampling.NEAREST).scale_to_fit_height(4.3)


def image_with_more_pixels_than_the_frame() -> Mobject:
    return ImageMobject(_noise(300, 400, opaque=True), resampling_algorithm=Resampling.NEAREST).scale_to_fit_height(5)


def see_through_image() -> Mobject:
    return ImageMobject(_noise(20, 30, opaque=False)).scale_to_fit_height(5).shift(0.37 * RIGHT)


def turned_image() -> Mobject:
    return ImageMobject(_noise(20, 30, opaque=True)).scale_to_fit_height(3).rotate(0.4)


def image_over_the_edge() -> Mobject:
    return ImageMobject(_noise(20, 30, opaque=True)).scale_to_fit_height(6).shift(5 * LEFT + 3 * UP)


def image_between_shapes() -> Mobject:
    return Group(Square(5, fill_opacity=1, color=RED), see_through_image(), Circle(1, fill_opacity=0.5))


def image_too_thin_to_see() -> Mobject:
    # Less than half a pixel wide, but so that it covers the middles of some; and one beyond the frame.
    thin = image().stretch_to_fit_width(0.4 * 8 / HEIGHT).rotate(PI / 4)
    return Group(thin, image().stretch_to_fit_width(1e-3), image().shift(20 * RIGHT), Dot(DOWN))


def one_curve() -> Mobject:
    return AnnularSector(inner_radius=1, outer_radius=2, fill_opacity=0.7).add(Line(LEFT, UP))


def half_a_curve() -> Mobject:
    shape = Square(3, fill_opacity=1)
    shape.points = np.vstack([shape.points, [[1.0, 2.0, 0.0], [2.0, 2.0, 0.0]]])
    return shape


def no_number() -> Mobject:
    shape = Square(3, fill_opacity=1)
    shape.points[5, 0] = np.nan
    return VGroup(shape, Dot(color=RED))


def beyond_the_frame() -> Mobject:
    return VGroup(Circle(9, stroke_width=400), Square(fill_opacity=1).shift(100 * RIGHT))


def text() -> Mobject:
    return Text("query → key", color=YELLOW)


def arrow() -> Mobject:
    return Arrow(3 * LEFT, 2 * UP, color=RED)


KINDS: tuple[Callable[[], Mobject], ...] = (
    gradient, sheen, dashed, stroke_behind, joints, caps, long_spike, round_caps_on_a_closed_line, open_and_closed,
    stacked, invisible, coloured_by_an_image, points_without_lines, one_curve, half_a_curve, no_number,
    beyond_the_frame, text, arrow, image, image_with_more_pixels_than_the_frame, see_through_image, turned_image,
    image_over_the_edge, image_between_shapes, image_too_thin_to_see,
)  # fmt: skip


def drawn(camera: Camera, *mobjects: Mobject) -> Pixels:
    camera.reset()
    camera.capture_mobjects(mobjects)
    return np.array(camera.pixel_array)


def ground() -> Pixels:
    return np.array(Camera().pixel_array)


@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
def test_every_kind_of_mobject_has_the_pixels_of_manims_camera(make: Callable[[], Mobject]) -> None:
    mobject, quick, manims = make(), QuickCamera(), Camera()
    expected = drawn(manims, mobject)
    assert (expected != ground()).any()
    # An outline is first drawn, then kept, then drawn from what was kept.
    for _ in range(3):
        np.testing.assert_array_equal(drawn(quick, mobject), expected)


def test_an_outline_that_changes_in_place_is_drawn_anew() -> None:
    shape, quick = Square(3, fill_opacity=1), QuickCamera()
    before = [drawn(quick, shape) for _ in range(3)][-1]
    shape.points[:, 0] += 1.5
    after = drawn(quick, shape)
    np.testing.assert_array_equal(after, drawn(Camera(), shape))
    assert (after != before).any()


def test_a_colour_that_changes_is_drawn_on_the_same_outline() -> None:
    shape, quick = Star(fill_opacity=1).scale(2), QuickCamera()
    for opacity in (1.0, 1.0, 1.0, 0.6, 0.0, 0.3):
        shape.set_opacity(opacity)
        np.testing.assert_array_equal(drawn(quick, shape), drawn(Camera(), shape))


def test_an_image_that_changes_is_drawn_anew() -> None:
    picture, quick = image(), QuickCamera()
    seen = [drawn(quick, picture)]
    changes: tuple[Callable[[], object], ...] = (
        lambda: picture.pixel_array.__setitem__((4, 7), (1, 2, 3, 255)),
        lambda: picture.pixel_array.__setitem__((slice(3), ..., 3), 40),
        lambda: picture.set_opacity(0.3),
        lambda: picture.shift(0.01 * RIGHT + DOWN),
        lambda: picture.stretch_to_fit_width(2),
        lambda: picture.set_resampling_algorithm(Resampling.BICUBIC),
    )
    for change in changes:
        change()
        seen.append(drawn(quick, picture))
        np.testing.assert_array_equal(seen[-1], drawn(Camera(), picture))
        assert (seen[-1] != seen[-2]).any()


def test_only_what_an_image_covers_is_said_to_be_touched() -> None:
    quick, background = QuickCamera(), ground()
    picture = ImageMobject(_noise(8, 8, opaque=False)).scale_to_fit_height(2.0).move_to(3 * LEFT)
    for _ in range(2):
        quick.set_frame_to_background(background)
        quick.take_touched()
        quick.capture_mobjects([picture])
        # 9 pixels a unit: 2 units wide and high, 3 units left of the middle (64, 36).
        assert quick.take_touched() == Rectangle(27, 45, 28, 46)
        quick.set_frame_to_background(background)
        np.testing.assert_array_equal(quick.pixel_array, background)


def test_a_picture_of_another_size_is_drawn_for_that_size() -> None:
    """An outline that was kept is rounded to fractions of a pixel, of a small picture more coarsely."""
    shape, quick, manims = Circle(2.7, fill_opacity=1), QuickCamera(), Camera()
    quick.reset_pixel_shape(9, 16)
    for _ in range(3):
        drawn(quick, shape)
    for camera in (quick, manims):
        camera.reset_pixel_shape(180, 320)
    for _ in range(3):
        np.testing.assert_array_equal(drawn(quick, shape), drawn(manims, shape))


def test_a_camera_that_looks_elsewhere_from_the_start_sees_what_manims_sees() -> None:
    shape = Star(fill_opacity=1).scale(2)
    quick, manims = QuickCamera(), Camera()
    for camera in (quick, manims):
        camera.frame_width, camera.frame_height = 20.0, 11.25
        camera.frame_center = camera.frame_center + DOWN
    for _ in range(3):
        np.testing.assert_array_equal(drawn(quick, shape), drawn(manims, shape))


@st.composite
def outlines(draw: st.DrawFn) -> VMobject:
    """Curves of any shape, some of which nearly go on where the one before ends, in any colour and width."""
    count = draw(st.integers(1, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    curves = rng.normal(scale=3.0, size=(count, 4, 3))
    for i in range(1, count):
        gap = draw(st.sampled_from([0.0, 1e-7, 1e-6, 3e-5, 1e-3, None]))
        if gap is not None:
            curves[i, 0] = curves[i - 1, 3] + gap
    if draw(st.booleans()):
        curves[-1, 3] = curves[0, 0] + draw(st.sampled_from([0.0, 5e-7, 1e-4]))
    shape = VMobject(joint_type=draw(st.sampled_from(LineJointType)), cap_style=draw(st.sampled_from(CapStyleType)))
    shape.points = curves.reshape(-1, 3)
    opacity = st.sampled_from([0.0, 0.4, 1.0])
    shape.set_fill(RED, opacity=draw(opacity))
    shape.set_stroke(BLUE, width=draw(st.sampled_from([0, 1, 6, 30])), opacity=draw(opacity))
    return shape


@settings(max_examples=80, deadline=None)
@given(st.lists(outlines(), min_size=1, max_size=3))
def test_any_outline_has_the_pixels_of_manims_camera(shapes: list[VMobject]) -> None:
    with tempconfig({"pixel_width": WIDTH, "pixel_height": HEIGHT}):
        quick, manims = QuickCamera(), Camera()
        expected = drawn(manims, *shapes)
        for _ in range(3):
            np.testing.assert_array_equal(drawn(quick, *shapes), expected)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(outlines(), max_size=3), min_size=2, max_size=4), outlines())
def test_frames_over_one_background_have_the_pixels_of_manims_camera(
    frames: list[list[VMobject]], behind: VMobject
) -> None:
    with tempconfig({"pixel_width": WIDTH, "pixel_height": HEIGHT}):
        quick, manims = QuickCamera(), Camera()
        background = drawn(Camera(), behind)
        before = drawn(quick)
        quick.take_touched()
        for shapes in frames:
            for camera in (quick, manims):
                camera.set_frame_to_background(background)
                camera.capture_mobjects(shapes)
            np.testing.assert_array_equal(quick.pixel_array, manims.pixel_array)
            untouched = np.ones((HEIGHT, WIDTH), dtype=np.bool_)
            untouched[quick.take_touched().slices] = False
            np.testing.assert_array_equal(quick.pixel_array[untouched], before[untouched])
            before = np.array(quick.pixel_array)


@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
def test_what_moves_away_leaves_no_trace(make: Callable[[], Mobject]) -> None:
    mobject, quick = make(), QuickCamera()
    background = drawn(Camera(), Star(fill_opacity=1, color=GREEN).scale(2))
    for _ in range(2):
        quick.set_frame_to_background(background)
        quick.capture_mobjects([mobject])
    assert (quick.pixel_array != background).any()
    quick.set_frame_to_background(background)
    np.testing.assert_array_equal(quick.pixel_array, background)


def test_an_image_that_is_laid_over_the_frame_leaves_no_trace() -> None:
    quick, manims = QuickCamera(), Camera()
    image = Image.new("RGBA", (WIDTH, HEIGHT), (200, 40, 90, 128))
    background = drawn(Camera())
    for camera in (quick, manims):
        camera.set_frame_to_background(background)
        camera.overlay_PIL_image(camera.pixel_array, image)
    np.testing.assert_array_equal(quick.pixel_array, manims.pixel_array)
    quick.set_frame_to_background(background)
    np.testing.assert_array_equal(quick.pixel_array, background)


class Moving(Scene):
    """Things that stand before and behind things that move, turn, grow and fade."""

    def construct(self) -> None:
        behind = Star(fill_opacity=0.5, color=GREEN).scale(3)
        square, dot = Square(fill_opacity=1, color=RED), Dot(2 * UP)
        self.add(behind, square, dot)
        self.play(square.animate.shift(2 * RIGHT), run_time=0.5)
        self.play(Rotate(square, PI / 3), FadeIn(Text("key", color=YELLOW), shift=UP), run_time=0.5)
        self.wait(0.3)
        self.next_section("left out", skip_animations=True)
        self.play(square.animate.shift(LEFT), run_time=0.5)
        self.next_section("shown")
        self.play(FadeIn(see_through_image()), run_time=0.3)
        self.play(FadeOut(behind), square.animate.scale(1.5).set_color(BLUE), run_time=0.5)


def test_every_frame_of_a_scene_has_the_pixels_of_manims_camera() -> None:
    class Keeping(ChapterWriter):
        def write_frame(self, pixels: Any, *, repeat: int = 1, touched: Rectangle | None = None) -> None:
            kept.append((np.array(pixels), repeat, touched))
            super().write_frame(pixels, repeat=repeat, touched=touched)

    films = []
    for renderer in (QuickRenderer(Keeping), CairoRenderer(Keeping)):
        kept: list[tuple[Pixels, int, Rectangle | None]] = []
        scene = Moving(renderer=renderer)
        scene.render()
        films.append((scene.renderer.time, kept))
    (quick_time, quick), (manims_time, manims) = films
    assert quick_time == manims_time
    assert [repeat for _, repeat, _ in quick] == [repeat for _, repeat, _ in manims]
    for (ours, _, _), (theirs, _, _) in zip(quick, manims, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    # Not in vain: most frames are known to be the same as the one before in most places.
    areas = [len(ours[touched.slices].reshape(-1, 4)) for ours, _, touched in quick if touched is not None]
    assert np.median(areas) < WIDTH * HEIGHT / 2


def test_a_film_has_the_same_bytes_whether_only_changes_are_looked_at_or_all(tmp_path: Path) -> None:
    clips = []
    for name, renderer in (("changes", QuickRenderer()), ("all", CairoRenderer(ChapterWriter))):
        folder = tmp_path / name
        with tempconfig({"dry_run": False, "media_dir": str(folder), "output_file": "clip", "format": "mp4"}):
            scene = Moving(renderer=renderer)
            scene.render()
        clips.append(Path(scene.renderer.file_writer.movie_file_path).read_bytes())
    assert clips[0] == clips[1]
