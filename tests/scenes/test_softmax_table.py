"""Softmax worked out in a table, and division that does not work: when a score moves, all that shows it stays true."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from manim import Animation, tempconfig

from explainer.audit.glyphs import alphabet, face_file, read, said
from math_core import softmax_steps
from scenes.layout import Zone
from scenes.mobjects.number import Number
from scenes.mobjects.plain_shares import PlainShares
from scenes.mobjects.softmax_table import SoftmaxTable, row_of
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
ZONE = Zone(-5.0, 5.0, -2.5, 2.5)
KNOWN = alphabet(face_file())
HIDDEN = -math.inf
MOMENTS = np.linspace(0, 1, 13)

ROOT = math.sqrt(2)
CAT = [[1 / ROOT, 2 / ROOT, -1 / ROOT], [0.5, HIDDEN, 0.5], [HIDDEN, HIDDEN, HIDDEN]]
"""The row of the running example, one with a hidden word, and one that sees nothing."""


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def table_of(scores: Sequence[Sequence[float]], style: NumberStyle | None = None) -> SoftmaxTable:
    rows = [replace(row_of(np.array(row, dtype=np.float64), softmax_steps), asker=i) for i, row in enumerate(scores)]
    words = [f"w{j}" for j in range(len(scores[0]))]
    return SoftmaxTable(words, rows, 0, ZONE, THEME, style or NumberStyle(2), NumberStyle(2))


@pytest.fixture
def table() -> SoftmaxTable:
    made = table_of(CAT)
    for animation in made.stack():
        finish(animation)
    return made


def finish(animation: Animation) -> None:
    animation.begin()
    animation.interpolate(1.0)
    animation.finish()


def by_hand(scores: Sequence[float]) -> tuple[list[float], list[float]]:
    """exp of scores, and their shares."""
    exponentials = [math.exp(score) for score in scores]
    total = sum(exponentials)
    return exponentials, [e / total if total else 0.0 for e in exponentials]


def text_of(number: Number) -> str:
    return read(number.points, KNOWN).text


def tells(number: Number, value: float) -> bool:
    """Whether the outline of a number is ``value``, rounded."""
    if math.isinf(value):
        return text_of(number) == "−∞"
    return said(text_of(number)).is_nearest_to(Decimal(value))


def assert_true(table: SoftmaxTable, scores: Sequence[float]) -> None:
    """Every number, bar and piece of the stack is what softmax of ``scores`` makes, worked out by hand."""
    exponentials, shares = by_hand(scores)
    assert all(tells(number, e) for number, e in zip(table.exponentials, exponentials, strict=True))
    assert tells(table.total, sum(exponentials))
    assert table.fills == pytest.approx(shares, abs=1e-12)
    assert all(tells(number, share) for number, share in zip(table.shares, shares, strict=True))
    for bar, share in zip(table.bars, shares, strict=True):
        assert bar.fill.width == pytest.approx(share * bar.track.width, abs=1e-9)
    widths = [piece.width for piece in table.stacked]
    assert widths == pytest.approx([share * table.whole.track.width for share in shares], abs=1e-9)


# A row


def test_the_cats_row_is_what_the_storyboard_says(table: SoftmaxTable) -> None:
    assert [text_of(number) for number in table.scores] == ["0.71", "1.41", "−0.71"]
    assert [text_of(number) for number in table.exponentials] == ["2.03", "4.11", "0.49"]
    assert text_of(table.total) == "6.63"
    assert [text_of(number) for number in table.shares] == ["30.6 %", "62.0 %", "7.4 %"]


def test_the_stacked_shares_fill_exactly_one_whole(table: SoftmaxTable) -> None:
    track = table.whole.track
    assert table.stacked[0].get_left() == pytest.approx(track.get_left())
    for before, after in zip(table.stacked, table.stacked[1:], strict=False):
        assert after.get_left()[0] == pytest.approx(before.get_right()[0], abs=1e-9)
    assert table.stacked[-1].get_right() == pytest.approx(track.get_right(), abs=1e-9)


def test_a_hidden_word_has_a_hatched_track_and_a_share_of_nothing(table: SoftmaxTable) -> None:
    finish(table.turn_to(1, softmax_steps))
    assert [bool(len(hatch.points)) for hatch in table.hatches] == [False, True, False]
    assert text_of(table.scores[1]) == "−∞"
    assert table.bars[1].fill.width == 0
    assert [text_of(number) for number in table.shares] == ["50.0 %", "0.0 %", "50.0 %"]


# Turning to another row


@pytest.mark.parametrize("asker", [0, 1, 2])
def test_on_the_way_to_another_row_every_number_is_true(table: SoftmaxTable, asker: int) -> None:
    for start in range(3):
        finish(table.turn_to(start, softmax_steps))
        turning = table.turn_to(asker, softmax_steps)
        turning.begin()
        for moment in MOMENTS:
            turning.interpolate(moment)
            shown = [number.value for number in table.scores]
            assert not any(math.isnan(score) for score in shown)
            assert_true(table, shown)
            assert all(tells(n, n.truth()) for n in (*table.scores, *table.exponentials, *table.shares))
        turning.finish()
        assert_true(table, CAT[asker])


def test_finite_scores_move_evenly_and_hidden_ones_are_there_at_once(table: SoftmaxTable) -> None:
    turning = table.turn_to(1, softmax_steps)
    turning.rate_func = lambda alpha: alpha
    turning.begin()
    turning.interpolate(0.5)
    assert [number.value for number in table.scores] == pytest.approx(
        [(1 / ROOT + 0.5) / 2, HIDDEN, (0.5 - 1 / ROOT) / 2]
    )


def test_after_turning_numbers_say_which_row_they_come_from(table: SoftmaxTable) -> None:
    finish(table.turn_to(1, softmax_steps))
    assert table.scores[2].source == "attention.masked[0, 1, 2]"
    assert table.exponentials[0].source == "steps.exponentials[0, 1, 0]"
    assert table.shares[1].source == "attention.weights[0, 1, 1]"
    assert table.total.source == "steps.totals[0, 1, 0]"
    assert all(number.truth is None for number in (*table.scores, *table.shares, table.total))


# Moving one score


@pytest.mark.parametrize("target", [-3.3, 0.0, 9.0])
def test_when_one_score_moves_all_shares_follow_it(table: SoftmaxTable, target: float) -> None:
    moving = table.move_score(1, target, softmax_steps)
    moving.begin()
    for moment in MOMENTS:
        moving.interpolate(moment)
        assert_true(table, [1 / ROOT, table.scores[1].value, -1 / ROOT])
    moving.finish()
    assert_true(table, [1 / ROOT, target, -1 / ROOT])


def test_a_row_that_no_word_has_is_held_against_the_scores_and_not_against_a_trace(table: SoftmaxTable) -> None:
    finish(table.move_score(1, 1 / ROOT + 1, softmax_steps))
    _, shares = by_hand([1 / ROOT, 1 / ROOT + 1, -1 / ROOT])
    assert [number.truth() for number in table.shares] == pytest.approx(shares)  # type: ignore[misc]
    assert table.exponentials[1].truth() / table.exponentials[0].truth() == pytest.approx(math.e)  # type: ignore[misc]
    finish(table.turn_to(0, softmax_steps))
    assert table.shares[1].truth is None
    assert [text_of(number) for number in table.shares] == ["30.6 %", "62.0 %", "7.4 %"]


def test_whole_scores_get_digits_while_one_moves_and_lose_them_again() -> None:
    table = table_of([[1, 2, -1]], COUNT)
    moving = table.move_score(0, 2, softmax_steps)
    moving.rate_func = lambda alpha: alpha
    moving.begin()
    moving.interpolate(0.25)
    assert [text_of(number) for number in table.scores] == ["1.25", "2.00", "−1.00"]
    moving.finish()
    finish(table.turn_to(0, softmax_steps))
    assert [text_of(number) for number in table.scores] == ["1", "2", "−1"]


def test_a_score_that_comes_from_far_away_takes_no_share_within_a_single_frame() -> None:
    table = table_of([[-1e6, 1e6]])
    moving = table.move_score(0, 1e6 + 1, softmax_steps)
    moving.begin()
    shares = []
    for moment in np.linspace(0, 1, 61):
        moving.interpolate(moment)
        shares.append(table.shares[0].value)
    assert shares[0] == 0
    assert shares[-1] == pytest.approx(math.e / (1 + math.e))
    assert max(np.diff(shares)) < 0.3


def test_a_total_says_about_equal_where_the_shown_digits_do_not_add_up(table: SoftmaxTable) -> None:
    assert table.sum_label.text == "total ="  # 2.03 + 4.11 + 0.49 = 6.63
    finish(table.move_score(1, 0.004, softmax_steps))
    assert table.sum_label.text == "total ≈"  # 2.03 + 1.00 + 0.49 = 3.52, and the total is 3.525 …
    finish(table.turn_to(0, softmax_steps))
    assert table.sum_label.text == "total ="


# Division by the sum


def plain(scores: Sequence[float], later: Sequence[Sequence[float]] = ()) -> PlainShares:
    lines = [1.0 - j for j in range(len(scores))]
    moved = [np.array(state, dtype=np.float64) for state in later]
    return PlainShares(
        np.array(scores, dtype=np.float64), lines, ZONE, 0.4, THEME, 0.4, later=moved, source="plain.shares[{j}]"
    )


def test_the_cats_row_divided_by_its_sum_leaves_the_budget() -> None:
    shares = plain([1, 2, -1])
    assert [text_of(number) for number in shares.numbers] == ["50.0 %", "100.0 %", "−50.0 %"]
    assert shares.drawn() == pytest.approx([0.5, 1.0, -0.5])
    track, wrong = shares.tracks[2], shares.fills[2]
    assert wrong.get_right()[0] == pytest.approx(track.get_left()[0])
    assert wrong.get_left()[0] == pytest.approx(ZONE.left)
    assert [number.source for number in shares.numbers] == [f"plain.shares[{j}]" for j in range(3)]


def test_hidden_words_have_no_bar() -> None:
    shares = plain([3, HIDDEN, 1])
    assert shares.visible == (0, 2)
    assert [text_of(number) for number in shares.numbers] == ["75.0 %", "25.0 %"]


def test_a_share_that_leaves_the_picture_is_cut_off_and_its_number_is_not() -> None:
    shares = plain([100, -99])
    assert [text_of(number) for number in shares.numbers] == ["10000.0 %", "−9900.0 %"]
    assert shares.drawn() == pytest.approx([2.5, -1.5])


def test_while_a_score_moves_all_plain_shares_are_true() -> None:
    shares = plain([0, 4, 0], [[-4 / 3, 4, 0]])
    moving = shares.move_score(0, -4 / 3)
    moving.begin()
    for moment in MOMENTS:
        moving.interpolate(moment)
        total = sum(shares.scores)
        assert all(tells(n, s / total) for n, s in zip(shares.numbers, shares.scores, strict=True))
        assert shares.drawn() == pytest.approx([s / total for s in shares.scores])
    moving.finish()
    assert [text_of(number) for number in shares.numbers] == ["−50.0 %", "150.0 %", "0.0 %"]


def test_bars_grow_from_nothing_with_their_numbers() -> None:
    shares = plain([1, 2, -1])
    growing = shares.grow()
    growing.rate_func = lambda alpha: alpha
    growing.begin()
    growing.interpolate(0.5)
    assert [text_of(number) for number in shares.numbers] == ["25.0 %", "50.0 %", "−25.0 %"]
    assert shares.drawn() == pytest.approx([0.25, 0.5, -0.25])
    growing.finish()
    assert shares.drawn() == pytest.approx([0.5, 1.0, -0.5])
