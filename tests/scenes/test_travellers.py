"""What flips, shrinks and runs on its way: it is where it should be at every moment, and still what it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from manim import DOWN, LEFT, ORIGIN, RIGHT, UP, ManimColor, Square, VGroup, tempconfig

from scenes.mobjects.flip import Flip
from scenes.mobjects.messenger import Run
from scenes.mobjects.number import Number
from scenes.mobjects.pair_lines import PairLines
from scenes.mobjects.shrink import ShrinkInto
from scenes.numerals import COUNT
from scenes.theme import theme_for
from tests.scenes.moments import moments, play
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
DIAGONAL = RIGHT + DOWN


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def box(width: float, height: float, x: float, y: float) -> Square:
    return Square(1.0).stretch_to_fit_width(width).stretch_to_fit_height(height).move_to([x, y, 0.0])


def number(value: float, em: float) -> Number:
    return Number(value, COUNT, face=THEME.figures, em=em, colour=ManimColor(THEME.colours.ink))


# A sheet that is flipped


def test_a_flip_begins_as_the_old_part_and_ends_as_the_new_one() -> None:
    old, new = box(1.0, 0.5, 0.0, -2.0), box(2.0, 0.5, 2.0, 0.0)
    begins, ends = old.points.copy(), new.points.copy()
    shapes = {share: new.points.copy() for share in moments(Flip(old, new, DIAGONAL))}
    assert np.allclose(shapes[0.0], begins)
    assert np.allclose(shapes[1.0], ends)
    assert np.allclose(new.points, ends)


def test_halfway_a_flipped_part_is_seen_from_its_edge_along_the_axis() -> None:
    old, new = box(1.0, 1.0, 0.0, -2.0), box(1.0, 1.0, 2.0, 0.0)
    for share in moments(Flip(old, new, DIAGONAL)):
        if share == 0.5:
            off_axis = (new.points - new.get_center()) @ np.array([1.0, 1.0, 0.0])
            assert np.allclose(off_axis, 0.0, atol=1e-9)
            assert np.allclose(new.get_center(), [1.0, -1.0, 0.0])
            assert np.ptp(new.points[:, 0]) > 0.5


def test_a_part_on_the_axis_turns_in_its_place() -> None:
    old, new = box(1.0, 1.0, 1.0, -1.0), box(1.0, 1.0, 1.0, -1.0)
    for _ in moments(Flip(old, new, DIAGONAL)):
        assert np.allclose(new.get_center(), [1.0, -1.0, 0.0])


def test_two_parts_that_change_places_pass_each_other_at_the_axis() -> None:
    one, other = box(1.0, 1.0, 0.0, -1.0), box(1.0, 1.0, 1.0, 0.0)
    flips = [Flip(one, one.copy().move_to(other), DIAGONAL), Flip(other, other.copy().move_to(one), DIAGONAL)]
    for _ in zip(*map(moments, flips), strict=True):
        middle = sum(flip.mobject.get_center() for flip in flips) / 2
        assert np.allclose(middle, [0.5, -0.5, 0.0])


def test_writing_keeps_its_shape_and_fades_where_it_is_small() -> None:
    old, new = number(7, 0.4), number(7, 0.5).shift(2 * RIGHT)
    ratio = old.height / old.width
    seen = {}
    for share in moments(Flip(old, new, DIAGONAL, upright=True)):
        assert new.height / new.width == pytest.approx(ratio)
        seen[share] = (new.em, new.get_fill_opacity())
    assert seen[0.0] == pytest.approx((0.4, 1.0))
    assert seen[1.0] == pytest.approx((0.5, 1.0))
    assert all(opacity < 0.6 for em, opacity in seen.values() if em < 0.75 * 0.4)


# Something that becomes a corner


def test_what_shrinks_ends_in_the_corner_as_large_as_its_share() -> None:
    field, small = box(4.0, 4.0, 1.0, 1.0), VGroup(box(3.0, 3.0, 0.0, 0.0), box(1.0, 1.0, 0.0, 0.0))
    play(ShrinkInto(small, field, 0.1))
    assert small.width == pytest.approx(0.4)
    assert np.allclose(small.get_corner(UP + LEFT), field.get_corner(UP + LEFT))
    assert small[1].width == pytest.approx(0.4 / 3)


def test_a_zoom_divides_the_size_by_the_same_factor_in_the_same_time() -> None:
    field, small = box(4.0, 4.0, 0.0, 0.0), box(4.0, 4.0, 0.0, 0.0)
    widths = dict.fromkeys(moments(ShrinkInto(small, field, 0.01)), small.width)
    assert widths[0.25] / widths[0.0] == pytest.approx(widths[0.5] / widths[0.25])
    assert all(
        np.allclose(small.get_corner(UP + LEFT), field.get_corner(UP + LEFT))
        for _ in moments(ShrinkInto(small, field, 0.01))
    )


def test_what_is_as_large_already_only_moves() -> None:
    field, same = box(2.0, 2.0, 0.0, 0.0), box(2.0, 2.0, 3.0, 1.0)
    seen = [(same.width, float(same.get_center()[0])) for _ in moments(ShrinkInto(same, field, 1.0), (0.0, 0.5, 1.0))]
    assert np.allclose(seen, [(2.0, 3.0), (2.0, 1.5), (2.0, 0.0)])


# A dot that runs


def test_a_messenger_runs_from_end_to_end_and_is_seen_only_on_its_way() -> None:
    run = Run(ORIGIN, 2 * RIGHT, ManimColor(THEME.colours.query), THEME)
    seen = {share: (run.mobject.get_center()[0], run.mobject.get_fill_opacity()) for share in moments(run)}
    assert seen[0.0] == pytest.approx((0.0, 0.0))
    assert seen[0.5] == pytest.approx((1.0, 1.0))
    assert seen[1.0] == pytest.approx((2.0, 0.0))


# Lines between pairs


@pytest.fixture
def lines() -> PairLines:
    starts, ends = [np.array([0.0, -i, 0.0]) for i in range(2)], [np.array([3.0, -j, 0.0]) for j in range(3)]
    return PairLines(starts, ends, THEME, [(1, j) for j in range(3)] + [(0, j) for j in range(3)])


def reached(lines: PairLines) -> list[float]:
    """How far each line is drawn, where it can be seen."""
    return [
        round(float(line.get_end()[0] - line.get_start()[0]), 3) if line.get_stroke_opacity() else 0.0 for line in lines
    ]


def test_no_line_is_drawn_at_first(lines: PairLines) -> None:
    assert lines.count == 0
    assert reached(lines) == [0.0] * 6


def test_lines_are_drawn_one_after_another_in_their_order(lines: PairLines) -> None:
    lines.draw(2.5)
    assert reached(lines) == [3.0, 3.0, 1.5, 0.0, 0.0, 0.0]
    assert lines.count == 2
    assert np.allclose(lines.line(1, 1).get_end(), [3.0, -1.0, 0.0])
    assert np.allclose(lines.line(1, 1).get_start(), [0.0, -1.0, 0.0])


def test_drawing_goes_on_from_where_it_was(lines: PairLines) -> None:
    lines.draw(2)
    counts = [lines.count for _ in moments(lines.draw_to(6), (0.0, 0.25, 0.5, 1.0))]
    assert counts == [2, 3, 4, 6]
    assert reached(lines) == [3.0] * 6
