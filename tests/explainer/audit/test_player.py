"""A scene that is played for the audit is the scene that is rendered: same frames, same pictures, same times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from manim import (
    RIGHT,
    UP,
    Circle,
    FadeIn,
    ImageMobject,
    Line,
    ManimColor,
    Rectangle,
    Rotate,
    Scene,
    Square,
    Typst,
    VGroup,
    config,
    linear,
    tempconfig,
)

from explainer.audit.copyist import Copyist, leaves_of
from explainer.audit.glyphs import face_file
from explainer.audit.moment import Moment, Pixels
from explainer.audit.picture import Mark, Text
from explainer.audit.player import Player
from explainer.camera import QuickRenderer
from explainer.worker import playing_settings
from scenes.mobjects.number import Number
from scenes.mobjects.text import Formula, Label
from scenes.numerals import NumberStyle
from tests.scenes.stage import RATE

WHITE = ManimColor("#FFFFFF")


@pytest.fixture(autouse=True)
def _small_and_in_a_folder_of_its_own(tmp_path: Path) -> Iterator[None]:
    with tempconfig({**playing_settings(tmp_path, "16:9", (160, 90), RATE), "dry_run": True}):
        yield


class Moving(Scene):
    """Two sections: ten frames of a move and five that stand, then seven frames and a stand of three."""

    def construct(self) -> None:
        self.next_section("one")
        self.square, self.circle = Square(), Circle().shift(3 * RIGHT)
        self.add(self.circle)
        self.play(FadeIn(self.square), run_time=10 / RATE - 1e-6)
        self.wait(5 / RATE + 1e-6, frozen_frame=True)
        self.next_section("two")
        self.play(Rotate(self.square, 1.0), run_time=7 / RATE - 1e-6, rate_func=linear)
        self.wait(3 / RATE + 1e-6, frozen_frame=True)


def played(scene: type[Scene], **options: Any) -> tuple[list[Moment], list[bool], Scene]:
    moments: list[Moment] = []
    ends: list[bool] = []
    player = Player(moments.append, lambda photograph, is_over: ends.append(is_over), **options)
    done = scene(renderer=player)
    done.render()
    return moments, ends, done


def drawn_in(scene: type[Scene]) -> dict[int, Pixels]:
    """The pictures of all marks at the frames that are looked at."""
    pictures: dict[int, Pixels] = {}

    def keep(moment: Moment) -> None:
        pictures[moment.frame] = moment.draw(moment.snapshot.marks)

    scene(renderer=Player(keep, lambda photograph, is_over: None)).render()
    return pictures


def test_moments_are_a_tenth_of_a_second_apart_and_never_miss_the_last_of_a_move() -> None:
    moments, ends, scene = played(Moving)
    assert [(moment.beat, moment.frame, moment.frames) for moment in moments] == [
        *(("one", frame, 1) for frame in (0, 3, 6, 9)),
        ("one", 10, 5),
        *(("two", frame, 1) for frame in (15, 18, 21)),
        ("two", 22, 3),
    ]
    assert ends == [False, True]
    assert scene.renderer.time * RATE == pytest.approx(25)


def test_a_look_at_the_ends_alone_takes_one_moment_a_section_and_as_many_frames() -> None:
    moments, ends, scene = played(Moving, only_ends=True)
    assert [(moment.beat, moment.frame) for moment in moments] == [("one", 14), ("two", 24)]
    assert ends == [False, True]
    assert scene.renderer.time * RATE == pytest.approx(25)


def test_the_pictures_are_those_that_are_rendered() -> None:
    frames: list[Any] = []

    class Kept(QuickRenderer):
        def render(self, scene: Scene, time: float, moving_mobjects: Any = None) -> None:
            super().render(scene, time, moving_mobjects)
            frames.append(self.camera.pixel_array.copy())

        def freeze_current_frame(self, duration: float) -> None:
            frames.extend([self.get_frame()] * int(duration * config.frame_rate))

    Moving(renderer=Kept()).render()
    assert len(frames) == 25
    for frame, pixels in drawn_in(Moving).items():
        np.testing.assert_array_equal(pixels, frames[frame])


def test_what_stands_is_the_same_and_what_moves_is_not() -> None:
    class Standing(Scene):
        def construct(self) -> None:
            label = Label("word", em=0.5, colour=WHITE)
            self.add(Square(), label)
            self.play(label.animate.shift(RIGHT), run_time=9 / RATE - 1e-6)
            self.wait(3 / RATE + 1e-6, frozen_frame=True)
            self.wait(3 / RATE + 1e-6, frozen_frame=True)

    moments, _, _ = played(Standing)
    assert len({moment.snapshot.marks for moment in moments}) == 1
    assert [moment.has_changed for moment in moments] == [True] * (len(moments) - 1) + [False]


def test_no_frame_is_left_out_where_something_large_moves() -> None:
    class Large(Scene):
        def construct(self) -> None:
            sheet = Rectangle(width=12, height=6, fill_opacity=1, stroke_width=0)
            self.play(FadeIn(sheet), run_time=9 / RATE - 1e-6)

    moments, _, _ = played(Large)
    # In the first it cannot be seen yet.
    assert [moment.frame for moment in moments] == [0, 3, 4, 5, 6, 7, 8]


def test_a_wait_for_something_ends_when_that_has_come() -> None:
    class Waiting(Scene):
        def construct(self) -> None:
            square = Square()
            square.add_updater(lambda mobject, dt: mobject.shift(RIGHT * 0.1))
            self.add(square)
            self.wait_until(lambda: square.get_center()[0] > 0.75, max_time=2)

    for only_ends in (False, True):
        _, _, scene = played(Waiting, only_ends=only_ends)
        assert scene.renderer.time * RATE == pytest.approx(8, abs=1.01)


def test_a_background_that_changes_is_seen() -> None:
    class Changing(Scene):
        def construct(self) -> None:
            self.camera.background_color = ManimColor("#000000")
            self.wait(3 / RATE + 1e-6, frozen_frame=True)
            self.camera.background_color = ManimColor("#FFFFFF")
            self.wait(3 / RATE + 1e-6, frozen_frame=True)

    assert [int(pixels[0, 0, 0]) for pixels in drawn_in(Changing).values()] == [0, 255]


# What is copied


def drawn(*mobjects: Any) -> tuple[Text | Mark, ...]:
    return Copyist().snapshot((), leaves_of(mobjects)).drawn


def test_texts_and_marks_are_told_apart_whatever_group_they_are_in() -> None:
    number = Number(2.5, NumberStyle(1), face=face_file(), em=0.5, colour=WHITE, source="a[0]")
    label, formula = Label("word", em=0.4, colour=WHITE), Formula([("q", WHITE), ("k", WHITE)], em=0.6)
    found = drawn(VGroup(Square(), VGroup(number, label)), formula, Typst("loose"))
    assert [type(thing).__name__ for thing in found] == ["Mark", "Text", "Text", "Text", "Text"]
    texts = [thing for thing in found if isinstance(thing, Text)]
    assert [text.kind for text in texts] == ["number", "label", "formula", "formula"]
    assert texts[0].number is not None
    assert texts[0].number.source == "a[0]"
    assert [text.em for text in texts[:3]] == pytest.approx([0.5, 0.4, 0.6])
    assert len(texts[2].parts) == 2


def test_a_part_of_a_formula_that_comes_by_itself_is_written_too() -> None:
    formula = Formula([("q", WHITE), ("k", WHITE)], em=0.6)
    (part,) = drawn(formula.submobjects[1])
    assert isinstance(part, Text)
    assert part.em == pytest.approx(0.6)


def test_a_line_that_hangs_on_a_text_is_a_mark() -> None:
    label = Label("word", em=0.4, colour=WHITE)
    label.add(Line(label.get_right(), 2 * RIGHT))
    assert [type(thing).__name__ for thing in drawn(label)] == ["Text", "Mark"]


def test_what_cannot_be_seen_is_not_there() -> None:
    assert (
        drawn(Square(stroke_opacity=0.01), Square(stroke_width=0), Label("word", em=1, colour=WHITE).set_opacity(0))
        == ()
    )


def test_things_come_in_the_order_of_drawing() -> None:
    low, high, middle = Square().set_z_index(-1), Square().set_z_index(1), Circle()
    assert [thing.owner for thing in drawn(high, middle, low)] == [id(low), id(middle), id(high)]


def test_the_same_object_comes_back_until_something_changes() -> None:
    copyist, square = Copyist(), Square()

    def copied() -> Text | Mark:
        (thing,) = copyist.snapshot((), leaves_of([square])).drawn
        return thing

    first = copied()
    assert copied() is first
    square.shift(UP)
    moved = copied()
    assert moved is not first
    square.set_stroke(opacity=0.5)
    faded = copied()
    assert faded is not moved
    assert faded.outline is moved.outline


def test_a_number_that_stands_is_asked_what_is_true_each_time() -> None:
    truths = iter([1.0, 2.0, 3.0])
    number = Number(1, NumberStyle(0), face=face_file(), em=0.5, colour=WHITE, truth=lambda: next(truths))
    copyist, static = Copyist(), leaves_of([number, Square()])
    found = []
    for _ in range(3):
        text = copyist.snapshot(static, ()).texts[0]
        assert text.number is not None
        found.append(text.number.true)
    assert found == [1.0, 2.0, 3.0]


def test_an_image_is_a_mark_that_changes_with_its_pixels() -> None:
    image = ImageMobject(np.full((10, 10, 4), 200, dtype=np.uint8))
    copyist = Copyist()
    (first,) = copyist.snapshot((), leaves_of([image])).drawn
    assert isinstance(first, Mark)
    assert first.box.size == pytest.approx([image.width, image.height])
    assert copyist.snapshot((), leaves_of([image])).drawn == (first,)
    image.pixel_array[0, 0] = 0
    assert copyist.snapshot((), leaves_of([image])).drawn != (first,)


def test_what_is_at_no_place_is_set_apart() -> None:
    square = Square()
    square.points[3] = np.nan
    snapshot = Copyist().snapshot((), leaves_of([square]))
    assert snapshot.drawn == ()
    assert [thing.owner for thing in snapshot.broken] == [id(square)]
