"""How plain division fares on a row of scores, and which score is moved to see softmax at work."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from math_core import softmax, softmax_steps
from scenes.rows import (
    Division,
    Moves,
    about_blind,
    about_budget,
    about_division,
    about_exp,
    about_lost,
    judged,
    moves_of,
    unlucky,
    with_score,
)

HIDDEN = -math.inf
NAMES = ("cat", "ate", "fish")

rows_of_scores = st.lists(st.one_of(st.just(HIDDEN), st.floats(-40, 40)), min_size=1, max_size=8).map(np.array)


def row(*scores: float) -> np.ndarray:
    return np.array(scores, dtype=np.float64)


# Division by the sum


def test_the_cats_scores_over_their_sum_are_half_all_and_less_than_nothing() -> None:
    division = Division.of(row(1, 2, -1))
    assert division.total == 2
    assert division.shares.tolist() == [0.5, 1.0, -0.5]


def test_scaling_the_scores_changes_no_share() -> None:
    assert Division.of(row(1, 2, -1) / math.sqrt(2)).shares == pytest.approx([0.5, 1.0, -0.5])


def test_hidden_scores_are_left_out_and_get_no_share() -> None:
    division = Division.of(row(3, HIDDEN, 1))
    assert division.total == 4
    assert division.shares[[0, 2]].tolist() == [0.75, 0.25]
    assert math.isnan(division.shares[1])


@pytest.mark.parametrize("scores", [(0, 0, 0), (1, -1), (0.1, 0.2, -0.3), (HIDDEN, HIDDEN)])
def test_what_adds_up_to_nothing_cannot_be_divided_by(scores: tuple[float, ...]) -> None:
    division = Division.of(row(*scores))
    assert division.total == 0
    assert np.isnan(division.shares).all()


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ((1, 2, -1), "negative"),
        ((1, -3), "negative"),
        ((5, -0.001), "lucky"),  # −0.02 % would be shown as nothing at all
        ((0, 0, 0), "zero"),
        ((2, -2), "zero"),
        ((-1, -3), "backwards"),
        ((-1, HIDDEN, -3), "backwards"),
        ((-2, -2), "lucky"),
        ((0, 4, 0), "lucky"),
        ((4, 4, 4), "lucky"),
        ((5,), "alone"),
        ((-5, HIDDEN), "alone"),
        ((0,), "zero"),
        ((HIDDEN, HIDDEN), "blind"),
    ],
)
def test_every_row_has_a_way_in_which_plain_division_fails_it(scores: tuple[float, ...], verdict: str) -> None:
    assert judged(row(*scores)) == verdict


@pytest.mark.parametrize("scores", [(0, 4, 0), (4, 4, 4), (-2, -2), (1, HIDDEN, 2)])
def test_a_lucky_row_needs_only_one_other_score_for_a_share_of_minus_half(scores: tuple[float, ...]) -> None:
    j, score = unlucky(row(*scores))
    changed = with_score(row(*scores), j, score)
    assert Division.of(changed).shares[j] == pytest.approx(-0.5)
    assert np.array_equal(np.delete(changed, j), np.delete(row(*scores), j))


# Which score moves


def test_the_best_score_moves_past_the_second_best() -> None:
    assert moves_of(row(1, 2, -1)) == Moves(mover=1, best=0, start=2, level=1)


@given(rows_of_scores)
def test_a_score_moves_where_two_words_are_visible_and_is_never_a_hidden_one(scores: np.ndarray) -> None:
    moves = moves_of(scores)
    visible = np.isfinite(scores)
    if visible.sum() < 2:
        assert moves is None
    if moves is not None:
        assert visible[[moves.mover, moves.best]].all()
        assert moves.level == np.delete(scores, moves.mover).max()


@given(rows_of_scores)
def test_far_behind_a_share_is_small_and_can_still_be_read(scores: np.ndarray) -> None:
    moves = moves_of(scores)
    if moves is not None:
        share = softmax(with_score(scores, moves.mover, moves.lost))[moves.mover]
        assert 0.0005 < share < 0.02


@given(rows_of_scores)
def test_one_point_ahead_is_e_times_the_share(scores: np.ndarray) -> None:
    moves = moves_of(scores)
    if moves is not None:
        level = softmax(with_score(scores, moves.mover, moves.level))
        assert level[moves.mover] == pytest.approx(level[moves.best])
        ahead = softmax(with_score(scores, moves.mover, moves.ahead))
        assert ahead[moves.mover] / ahead[moves.best] == pytest.approx(math.e)


@given(rows_of_scores)
def test_no_exponential_jumps_while_the_score_moves(scores: np.ndarray) -> None:
    moves = moves_of(scores)
    if moves is not None:
        way = np.linspace(min(moves.ends), max(moves.ends), 400)
        steps = [softmax_steps(with_score(scores, moves.mover, score)).exponentials for score in way]
        logs = np.log(np.array(steps)[:, np.isfinite(scores)])
        assert np.abs(np.diff(logs, axis=0)).max() <= 1.001 * (way[1] - way[0]) + 1e-9


@pytest.mark.parametrize("scores", [(9.5, 9.4), (-9, -8)])
def test_no_score_moves_where_exponentials_would_jump(scores: tuple[float, ...]) -> None:
    assert moves_of(row(*scores)) is None


# Sentences


def test_division_is_told_by_what_it_gives() -> None:
    def told(*scores: float) -> str:
        return about_division(judged(row(*scores)), Division.of(row(*scores)), NAMES)

    assert told(1, 2, -1) == "−50.0 % for fish? No one can spend less than nothing."
    assert told(0, 0, 0) == "They add up to zero, and nothing can be divided by that."
    assert told(-1, -3, -2) == "All are below zero: so the worst match would get the most."
    assert told(0, 4, 0).startswith("That works here.")
    assert told(HIDDEN, HIDDEN, HIDDEN) == ""


def test_hidden_scores_and_large_ones_are_spoken_of_only_where_there_are_any() -> None:
    assert about_exp(row(1, 2), is_shifted=False) == "exp makes every score positive."
    assert about_exp(row(1, HIDDEN), is_shifted=False) == "exp makes every score positive. Of −∞ it makes exactly 0."
    assert about_exp(row(99, 2), is_shifted=True) == "Less the largest score, exp makes each positive."


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ((0.306, 0.62, 0.074), "62.0 % go to ate."),
        ((0.4, 0.2, 0.4), "40.0 % go to each of 2 words."),
        ((0, 0, 0), "nothing to share"),
    ],
)
def test_a_budget_is_told_by_where_most_of_it_goes(weights: tuple[float, ...], said: str) -> None:
    assert said in about_budget(row(*weights), NAMES)


def test_a_score_that_falls_is_told_from_one_that_is_brought_up() -> None:
    assert about_lost(Moves(1, 0, start=2, level=1), NAMES).startswith("Let ate fall far behind")
    assert about_lost(Moves(1, 0, start=-500, level=900), NAMES).startswith("Bring ate to 4 points behind the best")
    assert about_lost(None, NAMES) == ""


def test_words_that_see_nothing_are_named() -> None:
    half, nothing = (0.5, 0.5, 0.0), (0.0, 0.0, 0.0)
    assert about_blind(np.array([half, half, half]), NAMES) == ""
    assert about_blind(np.array([half, nothing, half]), NAMES) == "ate sees no word and spends 0 %."
    assert about_blind(np.array([nothing, nothing, half]), NAMES) == "cat and ate see no word and spend 0 %."
