"""The edge cases are what they say, to be checked by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from math_core import attend
from scenes.cases import CASES, MOST_WORDS, EdgeCases, blend, edge_cases, mismatch, taken

WORDS = ("cat", "ate", "fish")
VALUES = np.array([[1.0, -1.0], [0.0, -2.0], [1.0, 1.0]])
LIKING = np.array([0.306, 0.620, 0.074])


@pytest.fixture
def cases() -> EdgeCases:
    return edge_cases(WORDS, VALUES, LIKING)


def test_equal_scores_give_everybody_the_same_and_the_output_is_the_plain_average(cases: EdgeCases) -> None:
    assert cases.equal.masked.tolist() == [[0.0, 0.0, 0.0]]
    assert cases.equal.weights == pytest.approx(np.full((1, 3), 1 / 3))
    assert cases.equal.output[0] == pytest.approx([2 / 3, -2 / 3])


def test_a_huge_score_takes_nearly_everything_and_copies_the_value_of_the_word_that_is_liked_most(
    cases: EdgeCases,
) -> None:
    rest = math.exp(-8)
    assert cases.chosen == 1
    assert cases.huge.weights[0] == pytest.approx(np.array([rest, 1.0, rest]) / (1 + 2 * rest))
    assert cases.huge.output[0] == pytest.approx([0.0, -2.0], abs=0.002)


def test_a_word_alone_gets_exactly_one_and_gives_exactly_its_value_whatever_its_score(cases: EdgeCases) -> None:
    assert cases.alone.weights.tolist() == [[1.0]]
    assert cases.alone.output.tolist() == [[0.0, -2.0]]
    assert blend(np.array([123.0]), VALUES[1:2]).weights.tolist() == [[1.0]]


def test_opposite_arrows_of_length_four_have_a_score_of_minus_sixteen_and_a_share_above_zero(cases: EdgeCases) -> None:
    low = -16 / math.sqrt(2)
    assert cases.opposite.scores.tolist() == [[0.0, 0.0, -16.0]]
    assert cases.opposite.masked[0] == pytest.approx([0.0, 0.0, low])
    assert cases.opposite.weights[0, 2] == pytest.approx(math.exp(low) / (2 + math.exp(low)))
    assert 0 < cases.opposite.weights[0, 2] < 1e-5


@pytest.mark.parametrize("length", [0.5, 1.0, 3.0])
def test_two_opposite_arrows_have_the_negative_product_of_their_lengths_as_score(length: float) -> None:
    assert mismatch(length, VALUES).scores[0, 2] == pytest.approx(-(length**2))


def test_a_hidden_word_goes_in_as_minus_infinity_and_comes_out_as_exactly_nothing(cases: EdgeCases) -> None:
    e = math.e
    assert cases.open.weights[0] == pytest.approx(np.array([1, e, e**2]) / (1 + e + e**2))
    assert np.argmax(cases.open.weights) == 2
    assert cases.hidden.masked.tolist() == [[0.0, 1.0, -np.inf]]
    assert cases.hidden.weights[0, 2] == 0.0
    assert cases.hidden.weights[0] == pytest.approx([1 / (1 + e), e / (1 + e), 0.0])


def test_what_is_taken_of_the_values_adds_up_to_the_output(cases: EdgeCases) -> None:
    for case in ("equal", "huge", "opposite", "open", "hidden"):
        record = getattr(cases, case)
        assert taken(record, VALUES).sum(axis=0) == pytest.approx(record.output[0])


def test_blend_is_attention_with_these_scores() -> None:
    scores = np.array([0.5, -np.inf, 2.0])
    expected = attend([[1.0]], [[0.5], [9.0], [2.0]], VALUES, scale=1.0, mask=[[True, False, True]])
    assert np.array_equal(blend(scores, VALUES).output, expected.output)


def test_of_a_long_sentence_the_first_words_are_taken() -> None:
    words, values = tuple("abcdefgh"), np.arange(16.0).reshape(8, 2)
    cases = edge_cases(words, values, np.arange(8.0))
    assert (cases.words, cases.n, cases.chosen) == (words[:MOST_WORDS], MOST_WORDS, MOST_WORDS - 1)
    assert all(getattr(cases, case).weights.shape == (1, MOST_WORDS) for case in CASES if case != "alone")


@pytest.mark.parametrize(("words", "values"), [(("alone",), [[2.0, 1.0]]), (("la", "la"), [[1.0, 2.0], [1.0, 2.0]])])
def test_where_nothing_could_be_told_apart_the_running_example_takes_the_words_place(
    words: tuple[str, ...], values: list[list[float]]
) -> None:
    cases = edge_cases(words, np.array(values), np.ones(len(words)))
    assert not cases.is_own
    assert (cases.words, cases.values.tolist(), cases.chosen) == (WORDS, VALUES.tolist(), 1)
