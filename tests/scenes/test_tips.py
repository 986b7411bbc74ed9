"""Names and numbers of a plane keep out of each other's way, and out of that of its arrows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from manim import RIGHT, UP, Line, ManimColor, VMobject, tempconfig

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import ArrowPlane
from scenes.mobjects.placing import is_clear
from scenes.mobjects.text import Label
from scenes.mobjects.tips import symbol_tips, word_tips
from scenes.theme import theme_for
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
INK = ManimColor(THEME.colours.ink)
ZONE = Zone(-6.0, -0.8, -2.4, 2.5)
CROWDS = [np.random.default_rng(seed).normal(size=(count, 2)).round(2) for seed, count in enumerate((5, 6, 7, 8, 8))]


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def box(mobject: VMobject) -> tuple[np.ndarray, np.ndarray]:
    return mobject.get_corner(-RIGHT - UP)[:2], mobject.get_corner(RIGHT + UP)[:2]


def overlap(a: VMobject, b: VMobject) -> bool:
    (a_low, a_high), (b_low, b_high) = box(a), box(b)
    return bool((np.minimum(a_high, b_high) - np.maximum(a_low, b_low) > 0.005).all())


def distance(label: VMobject, point: np.ndarray) -> float:
    low, high = box(label)
    return float(np.linalg.norm(np.clip(point[:2], low, high) - point[:2]))


# Ticks


@pytest.mark.parametrize(
    "reach",
    [[[2, -1]], [[0, 1], [-1, 1], [1, 0]], [[3, 0], [3, 0], [3, 0]], [[-2, -2], [2, -2]], *CROWDS],
)
def test_no_arrow_covers_the_number_of_a_line(reach: list[list[float]]) -> None:
    plane = ArrowPlane(ZONE, reach, THEME)
    arrows = plane.arrows(np.array(reach, dtype=float), INK)
    assert plane.ticks
    for tick in plane.ticks:
        low, high = box(tick)
        for arrow in arrows:
            for a, b in arrow.edges():
                points = np.linspace(a, b, 50)[:, :2]
                assert not ((points > low) & (points < high)).all(axis=1).any()


def test_the_numbers_of_an_axis_stand_on_one_side_of_it_where_most_have_room() -> None:
    # An arrow that goes down to the right leaves room above the axis, one that goes up leaves it below.
    down, up = (ArrowPlane(ZONE, [[4, y]], THEME) for y in (-0.8, 0.8))
    for plane, side in ((down, 1), (up, -1)):
        heights = [tick.get_center()[1] - plane.origin[1] for tick in plane.ticks if tick.source == "axis x"]
        assert len(heights) >= 2
        assert all(np.sign(height) == side for height in heights)


# Names


@pytest.mark.parametrize("rows", CROWDS)
def test_names_in_a_crowd_cover_nothing_and_stay_inside(rows: np.ndarray) -> None:
    plane = ArrowPlane(ZONE, rows, THEME)
    arrows = plane.arrows(rows, INK)
    names = word_tips(["the", "dog", "saw", "cat", "and", "it", "ran", "on"][: len(rows)], arrows, plane, THEME)
    for a, b in combinations([*names, *plane.ticks], 2):
        assert not overlap(a, b)
    for name in names:
        (left, bottom), (right, top) = box(name)
        assert ZONE.left <= left
        assert right <= ZONE.right
        assert ZONE.bottom <= bottom
        assert top <= ZONE.top


def test_names_that_would_be_in_each_others_way_both_stay_near_their_tip() -> None:
    rows = np.array([[2.0, 0.0], [2.0, 0.0], [0.0, 2.0]])
    plane = ArrowPlane(ZONE, rows, THEME)
    arrows = plane.arrows(rows, INK)
    names = symbol_tips("k", THEME.colours.key, ["Mouse", "cheese", "eats"], arrows, plane, THEME)
    assert all(distance(name, arrow.tip) < 0.8 for name, arrow in zip(names, arrows, strict=True))


def test_a_name_prefers_its_own_tip_to_that_of_another_arrow() -> None:
    rows = np.array([[2.0, 0.3], [2.0, -0.3], [-1.0, 0.0]])
    plane = ArrowPlane(ZONE, rows, THEME)
    arrows = plane.arrows(rows, INK)
    for i, name in enumerate(word_tips(["one", "two", "three"], arrows, plane, THEME)):
        assert int(np.argmin([distance(name, arrow.tip) for arrow in arrows])) == i


def test_a_name_keeps_out_of_the_way_of_an_arrow_that_will_come() -> None:
    rows = np.array([[1.0, 1.0], [3.0, 3.0], [-1.0, 0.0]])
    plane = ArrowPlane(ZONE, rows, THEME)
    first, later = plane.arrow(rows[0], INK), plane.arrow(rows[1], INK)
    (name,) = word_tips(["cat"], [first], plane, THEME, [later])
    assert is_clear(name, [first, later], plane.ticks, ZONE)


# Room


def test_a_label_is_clear_of_what_it_does_not_touch() -> None:
    plane = ArrowPlane(ZONE, [[1, 1], [-1, -1]], THEME)
    arrow = plane.arrow([1.0, 1.0], INK)
    here = plane.point((0.5, 0.5))
    label = Label("cat", em=0.4, colour=INK).move_to(here)
    line = Line(here - RIGHT, here + RIGHT)
    assert is_clear(label, [], [], ZONE)
    assert not is_clear(label, [arrow], [], ZONE)
    assert not is_clear(label, [line], [], ZONE)
    assert not is_clear(label, [], [Label("ate", em=0.4, colour=INK).move_to(here)], ZONE)
    assert is_clear(label.copy().shift(-UP * 1.2), [arrow, line], [label], ZONE)
    assert not is_clear(label.move_to(np.array([ZONE.left, 0.0, 0.0])), [], [], ZONE)
