"""What captions say of a trace: true for every story, with ties said as ties."""

from __future__ import annotations

import numpy as np
import pytest

from math_core import Trace, self_attention
from scenes import wording
from scenes.numerals import NumberStyle

IDENTITY = np.eye(2)


def trace_of(X: list[list[float]], key: object = IDENTITY, scale: float | None = None) -> Trace:
    return self_attention(X, IDENTITY, key, IDENTITY, scale=scale)


def test_a_tie_between_two_matches_names_both() -> None:
    trace = trace_of([[0.3, 0.1], [1, 2], [1, 2]])
    said = wording.about_row(trace, ["judge", "left", "right"], 0, NumberStyle(2))
    assert said == "The best matches are left and right, with 0.50."
    assert wording.reading(trace, ["judge", "left", "right"], 0).startswith("judge listens most to left and right.")


def test_a_word_that_looks_at_two_others_alike_is_not_said_to_prefer_one() -> None:
    # ate's scores against cat, ate, fish are 1, 0, 1.
    trace = self_attention([[0, 1], [-1, 1], [1, 0]], [[0, 2], [1, 1]], [[0, -1], [1, 0]], [[1, 1], [1, -1]])
    assert "ate listens most to cat and fish." in wording.reading(trace, ["cat", "ate", "fish"], 1)
    assert wording.about_share(trace, ["cat", "ate", "fish"], 1) == "40.1 % go to each of 2 words."


def test_words_that_all_match_alike_are_said_to() -> None:
    trace = trace_of([[1, 1], [1, 1]])
    assert wording.about_row(trace, ["a", "b"], 0, NumberStyle(2)) == "All of them match alike."
    assert "even blend" in wording.reading(trace, ["a", "b"], 0)


@pytest.mark.parametrize(
    ("scale", "cools"), [(None, True), (0.5, True), (1.0, False), (10.0, False)], ids=["root", "half", "one", "tenth"]
)
def test_the_grid_is_said_to_cool_only_where_it_does(scale: float | None, cools: bool) -> None:
    assert ("cools" in wording.about_cooled(trace_of([[1, 2], [3, 4]], scale=scale))) is cools


def test_scores_of_zero_do_not_cool() -> None:
    assert "cools" not in wording.about_cooled(trace_of([[0, 0], [0, 0]]))


@pytest.mark.parametrize(("divisor", "said"), [(40.0, "40"), (0.75, "0.750"), (0.0004, "0.000400"), (1.5, "1.500")])
def test_a_divisor_is_said_with_digits_that_tell_something(divisor: float, said: str) -> None:
    assert wording.divisor_style(divisor).text(divisor) == said


def test_words_that_occur_twice_are_told_apart_by_their_position() -> None:
    assert wording.names_of(["the", "cat", "the"]) == ("the (1)", "cat", "the (3)")


def test_a_very_long_word_is_cut_before_its_sentence_is() -> None:
    (name,) = wording.names_of(["W" * 200])
    assert len(name) == 20
    assert name.endswith("…")
