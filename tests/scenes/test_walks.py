"""Sums as walks: what is drawn is the running sum, at every moment of the fall."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from manim import tempconfig

from scenes.layout import Zone
from scenes.mobjects.number import Number
from scenes.mobjects.walks import Walks
from scenes.theme import theme_for
from tests.scenes.moments import moments, play
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
ZONE = Zone(-6.0, 6.0, -2.0, 2.5)
SUMS = np.array([[0.0, 1.0, -1.0, -1.5, 2.0], [0.0, -2.0, -2.5, -2.0, -3.0], [0.0, 0.5, 1.0, 1.5, 0.0]])


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def walks() -> Walks:
    return Walks(SUMS, ZONE, THEME, reach=(-4.0, 8.0))


def test_a_walk_is_drawn_through_every_sum_that_it_has_passed() -> None:
    drawn = walks().show([4.0, 2.5, 0.0])
    whole = (drawn.lines[0], SUMS[0], [0, 1, 2, 3, 4])
    half = (drawn.lines[1], [0.0, -2.0, -2.5, -2.25], [0, 1, 2, 2.5])
    for line, sums, passed in (whole, half):
        corners = np.concatenate([line.points[::4], line.points[-1:]])
        # The axis is 12 units wide for 12, and its 0 lies a third from the left.
        assert corners[:, 0] == pytest.approx(np.asarray(sums) - 2)
        assert (2.5 - corners[:, 1]) / (2.5 - drawn.axis.get_y()) == pytest.approx(np.asarray(passed) / 4)
    assert len(drawn.lines[2].points) == 0


def test_the_tip_of_a_walk_is_where_its_sum_is_at_every_moment_of_the_fall() -> None:
    drawn = walks()
    for share in moments(drawn.fall([0, 1])):
        for walk in (0, 1):
            assert drawn.passed_now(walk) == pytest.approx(4 * share)
            assert drawn.sum_now(walk) == pytest.approx(np.interp(4 * share, range(5), SUMS[walk]))


def test_only_the_walks_that_are_let_go_fall() -> None:
    drawn = walks()
    play(drawn.fall([0]))
    assert [drawn.passed_now(walk) for walk in range(3)] == pytest.approx([4, 0, 0])
    play(drawn.fall([1, 2]))
    assert [drawn.sum_now(walk) for walk in range(3)] == pytest.approx(list(SUMS[:, -1]))


def test_a_walk_that_has_not_begun_shows_no_tip_unless_it_is_the_first() -> None:
    drawn = walks()
    assert [tip.get_fill_opacity() for tip in drawn.tips] == [1.0, 0.0, 0.0]
    play(drawn.fall([2]))
    assert [tip.get_fill_opacity() for tip in drawn.tips] == [1.0, 0.0, 1.0]


def test_the_predicted_spread_is_the_root_of_the_steps_to_both_sides() -> None:
    drawn = walks()
    left, right, band = drawn.predicted
    for side, curve in ((-1, left), (1, right)):
        x, y = curve.points[:, 0] + 2, (2.5 - curve.points[:, 1]) / (2.5 - drawn.axis.get_y()) * 4
        ends = np.arange(len(x)) % 4 % 3 == 0  # where a dash begins and ends; between them it is straight
        assert x[ends] == pytest.approx(side * np.sqrt(y[ends]), abs=1e-9)
    assert (band.get_left()[0] + 2, band.get_right()[0] + 2) == pytest.approx((-2, 2))


def test_all_one_way_ends_at_the_number_of_steps() -> None:
    drawn = walks()
    assert drawn.straight.points[-1] == pytest.approx(drawn.place(4.0, 4.0))
    assert drawn.straight.points[0] == pytest.approx(drawn.place(0.0, 0.0))


def test_labels_of_the_axis_stand_under_what_they_say() -> None:
    drawn = walks()
    labels = drawn.ticks(-2.0, 0.0, 4.0)
    for (_, number), value in zip(labels, (-2.0, 0.0, 4.0), strict=True):
        assert isinstance(number, Number)
        assert number.truth is not None
        assert number.value == value == pytest.approx(number.truth())
        assert number.get_x() == pytest.approx(drawn.place(value, 4)[0], abs=0.1)
        assert number.get_top()[1] < drawn.axis.get_y()
        assert number.get_bottom()[1] >= ZONE.bottom


def test_the_walks_keep_telling_their_sums_when_they_are_moved_and_scaled() -> None:
    drawn = walks().show([4.0, 3.0, 2.0])
    drawn.scale(0.5).shift([1.0, -0.5, 0.0])
    assert [drawn.sum_now(walk) for walk in range(3)] == pytest.approx([2.0, -2.0, 1.0])
    assert [drawn.passed_now(walk) for walk in range(3)] == pytest.approx([4.0, 3.0, 2.0])
