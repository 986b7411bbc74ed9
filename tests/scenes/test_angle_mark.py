"""The mark of an angle: as wide as the angle between the arrows, clear of their heads, at every moment of a swing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from manim import ManimColor

from math_core import angle
from scenes.mobjects.angle_mark import AngleMark
from scenes.mobjects.arrow_plane import Arrow
from scenes.theme import theme_for
from tests.scenes.moments import moments

Array = npt.NDArray[np.float64]

THEME = theme_for("dark", {})
RED = ManimColor("#FF0000")
VERTEX = np.array([0.5, -1.0, 0.0])


def arrow(x: float, y: float) -> Arrow:
    return Arrow(VERTEX, VERTEX + np.array([x, y, 0.0]), RED, 0.07)


def mark(a: tuple[float, float], b: tuple[float, float]) -> AngleMark:
    return AngleMark(arrow(*a), arrow(*b), THEME)


def around(points: Array) -> Array:
    """Points seen from the vertex."""
    return points[:, :2] - VERTEX[:2]


@pytest.mark.parametrize(
    ("a", "b", "degrees"),
    [
        ((1, 1), (1, 1), 0),
        ((2, 0), (1, 1), 45),
        ((1, 1), (1, -1), 90),
        ((1, 0), (-1, 1), 135),
        ((0, 2), (0, -1), 180),
        ((-1, 0.1), (-1, -0.1), 11.421186274999),
    ],
)
def test_the_mark_is_as_wide_as_the_angle(a: tuple[float, float], b: tuple[float, float], degrees: float) -> None:
    assert mark(a, b).degrees() == pytest.approx(degrees)
    assert mark(b, a).degrees() == pytest.approx(degrees)


sides = st.tuples(*[st.floats(-3, 3)] * 2).filter(lambda v: np.hypot(*v) > 0.01)


@hypothesis_settings(max_examples=80, deadline=None)
@given(sides, sides)
def test_any_angle_is_the_one_that_the_core_computes(a: tuple[float, float], b: tuple[float, float]) -> None:
    drawn = mark(a, b)
    assert drawn.degrees() == pytest.approx(np.degrees(float(angle(a, b))), abs=1e-6)
    shorter = min(np.hypot(*a), np.hypot(*b))
    assert np.linalg.norm(around(drawn.points), axis=1).max() < 0.62 * shorter


@hypothesis_settings(max_examples=50, deadline=None)
@given(sides, sides)
def test_an_arc_lies_on_a_circle_on_the_side_of_the_smaller_angle(
    a: tuple[float, float], b: tuple[float, float]
) -> None:
    drawn = mark(a, b)
    assume(not drawn.is_right())
    on = around(drawn.points[::4])
    assert np.linalg.norm(on, axis=1) == pytest.approx(np.full(len(on), drawn.radius))
    middle = drawn.points[len(drawn.points) // 2] - VERTEX
    halves = [np.degrees(float(angle(middle[:2], side))) for side in (a, b)]
    assert halves == pytest.approx([drawn.degrees() / 2] * 2, abs=1e-5)


def test_a_right_angle_is_a_square_whose_corner_is_between_the_arrows() -> None:
    drawn = mark((2, 0), (0, 2))
    assert drawn.is_right()
    start, corner, again, end = around(drawn.points[[0, 3, 4, 7]])
    side = start[0]
    assert side > 0.2
    assert start == pytest.approx([side, 0.0])
    assert corner.tolist() == again.tolist() == pytest.approx([side, side])
    assert end == pytest.approx([0.0, side])


@pytest.mark.parametrize("degrees", [89.9, 90.1, 179.9, 0.1])
def test_what_is_nearly_right_is_no_square(degrees: float) -> None:
    radians = np.radians(degrees)
    drawn = mark((1, 0), (np.cos(radians), np.sin(radians)))
    assert not drawn.is_right()
    assert drawn.degrees() == pytest.approx(degrees)


def test_without_a_direction_there_is_no_angle() -> None:
    drawn = mark((0, 0), (1, 1))
    assert drawn.degrees() is None
    assert not len(drawn.points)
    assert not drawn.is_right()
    assert np.isfinite(drawn.label_place(0.5, 0.3)).all()


def test_the_mark_stays_between_its_arrows_while_one_swings_through_a_half_turn() -> None:
    first, second = arrow(2, 0), arrow(1.5, 0)
    drawn = AngleMark(first, second, THEME).follow()
    heights = []
    for share in moments(second.swing_to(VERTEX + np.array([-1.5, 0.0, 0.0]))):
        drawn.update()
        assert drawn.degrees() == pytest.approx(180 * share, abs=1e-9)
        heights.append(around(drawn.points)[:, 1].max(initial=0.0))
    drawn.update()
    assert drawn.degrees() == pytest.approx(180.0)
    # It opens upwards all the way and does not flip at the end.
    assert heights[-1] == pytest.approx(drawn.radius, rel=1e-3)
    drawn.rest()
    second.point_to(VERTEX + np.array([0.0, 1.0, 0.0]))
    drawn.update()
    assert drawn.degrees() == pytest.approx(180.0)


@pytest.mark.parametrize("below", [1, -1])
def test_a_half_circle_stays_on_the_side_from_which_the_angle_came(below: int) -> None:
    second = arrow(-1.0, 0.2 * below)
    drawn = AngleMark(arrow(1, 0), second, THEME)
    second.point_to(VERTEX + np.array([-1.0, -below * 1e-16, 0.0]))
    drawn.redraw()
    assert np.sign(around(drawn.points)[:, 1].sum()) == below


@pytest.mark.parametrize("degrees", [0, 5, 20, 45, 70, 90, 120, 150, 180])
@pytest.mark.parametrize("turn", [0.0, 1.0, 2.5, 4.0])
def test_a_label_clears_the_mark_and_both_arrows(degrees: float, turn: float) -> None:
    rays = [np.array([np.cos(a), np.sin(a)]) for a in (turn, turn + np.radians(degrees))]
    drawn = mark(tuple(1.8 * rays[0]), tuple(2.2 * rays[1]))
    half = np.array([0.6, 0.28]) / 2
    low, high = (around(drawn.label_place(0.6, 0.28)[np.newaxis])[0] + side * half for side in (-1, 1))
    on_arrows = np.concatenate(
        [np.linspace([0, 0], length * ray, 200) for length, ray in zip((1.8, 2.2), rays, strict=True)]
    )
    for points in (on_arrows, around(drawn.points)):
        assert not ((points > low - 0.05) & (points < high + 0.05)).all(axis=1).any()
