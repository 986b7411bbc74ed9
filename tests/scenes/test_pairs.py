"""Which queries and keys are shown together, and where they are drawn: true lengths and true angles, always."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from scenes.pairs import Pairs, nearest_cases, rivals

Array = npt.NDArray[np.float64]

CAT, ATE, FISH = 0, 1, 2
CAT_ATE_FISH = ([[1, 1], [1, -1], [0, 2]], [[1, 0], [1, 1], [0, -1]])


def pairs(queries: npt.ArrayLike, keys: npt.ArrayLike) -> Pairs:
    q, k = np.array(queries, dtype=np.float64), np.array(keys, dtype=np.float64)
    return Pairs.of(q, k, q @ k.T)


@pytest.fixture
def sentence() -> Pairs:
    return pairs(*CAT_ATE_FISH)


# Measures


def test_lengths_cosines_and_angles_are_those_of_the_arrows(sentence: Pairs) -> None:
    assert np.allclose(sentence.query_lengths, np.sqrt([2, 2, 4]))
    assert np.allclose(sentence.key_lengths, np.sqrt([1, 2, 1]))
    assert np.allclose(sentence.angles, [[45, 0, 135], [45, 90, 45], [90, 45, 180]])
    root = np.sqrt(0.5)
    assert np.allclose(sentence.cosines, [[root, 1, -root], [root, 0, root], [0, root, -1]])


def test_an_arrow_without_length_has_no_angle() -> None:
    some = pairs([[0, 0], [1, 0]], [[0, 1], [0, 0]])
    assert [[some.has_angle(i, j) for j in (0, 1)] for i in (0, 1)] == [[False, False], [True, False]]


# Where they are drawn


def test_two_dimensions_are_drawn_as_they_are(sentence: Pairs) -> None:
    assert sentence.drawn(CAT, CAT, FISH).tolist() == [[1, 1], [1, 0], [0, -1]]


def test_one_dimension_is_drawn_along_the_first_axis() -> None:
    assert pairs([[3.0]], [[-2.0]]).drawn(0, 0).tolist() == [[3, 0], [-2, 0]]


entries = st.floats(-100, 100, allow_nan=False).map(lambda x: round(x, 3))


@hypothesis_settings(max_examples=60, deadline=None)
@given(
    st.integers(3, 64).flatmap(
        lambda d: st.tuples(arrays(np.float64, (1, d), elements=entries), arrays(np.float64, (2, d), elements=entries))
    )
)
def test_more_dimensions_keep_every_length_and_the_angle_to_each_key(arrows: tuple[Array, Array]) -> None:
    (query,), keys = arrows
    drawn = pairs([query, query], keys).drawn(0, 0, 1)
    assert np.isfinite(drawn).all()
    assert np.allclose(np.linalg.norm(drawn, axis=1), np.linalg.norm([query, *keys], axis=1))
    assert np.allclose(drawn[1:] @ drawn[0], keys @ query, atol=1e-6)


def test_keys_of_many_dimensions_lie_on_both_sides_of_the_query() -> None:
    drawn = pairs([[1, 0, 0], [1, 0, 0]], [[1, 1, 0], [1, 0, 1]]).drawn(0, 0, 1)
    assert np.allclose(drawn, [[1, 0], [1, 1], [1, -1]])


# Rivals


def test_rivals_are_keys_that_length_does_not_tell_apart(sentence: Pairs) -> None:
    # cat's query scores 1 and −1 with cat's and fish's keys, both of length 1; ate's is the best, but the longest too.
    assert rivals(sentence, CAT) == (CAT, FISH)


def test_where_the_longest_key_is_always_the_best_the_widest_apart_are_rivals() -> None:
    assert rivals(pairs([[1, 0]] * 3, [[1, 0], [2, 0], [3, 0]]), 0) == (2, 0)


def test_keys_that_all_match_alike_are_rivals_in_a_tie() -> None:
    assert rivals(pairs([[0, 0], [0, 0]], [[1, 0], [0, 1]]), 1) == (1, 0)


@pytest.mark.parametrize("keys", [[[1, 2]], [[1, 2], [1, 2], [1, 2]], [[0, 0], [0, 0]]])
def test_a_key_that_every_word_has_is_alone(keys: list[list[float]]) -> None:
    asker = len(keys) - 1
    assert rivals(pairs([[1, 1]] * len(keys), keys), asker) == (asker,)


def test_a_key_without_direction_is_a_rival_only_where_there_are_no_others() -> None:
    assert rivals(pairs([[1, 0]] * 3, [[0, 0], [2, 0], [-3, 0]]), 0) == (1, 2)
    assert rivals(pairs([[1, 0]] * 2, [[0, 0], [2, 0]]), 0) == (1, 0)


# The three cases


def test_the_three_cases_of_the_running_example_are_exact(sentence: Pairs) -> None:
    cases = nearest_cases(sentence, CAT)
    assert cases == ((CAT, ATE), (ATE, ATE), (FISH, FISH))
    assert [sentence.angles[pair] for pair in cases] == [0, 90, 180]
    assert [sentence.scores[pair] for pair in cases] == [2, 0, -2]


def test_the_nearest_pairs_stand_in_for_cases_that_a_story_lacks() -> None:
    some = pairs([[1, 0], [3, 1]], [[2, 1], [1, 2]])
    angles = [some.angles[pair] for pair in nearest_cases(some, 0)]
    # Of 26.6°, 63.4°, 8.1° and 45°.
    assert np.allclose(angles, [8.1301, 45.0, 63.4349], atol=1e-4)


@pytest.mark.parametrize(
    ("queries", "keys", "count"),
    [
        ([[1, 0]], [[0, 1]], 1),
        ([[1, 0], [1, 0]], [[0, 1], [0, 1]], 1),
        ([[1, 0], [1, 0]], [[0, 1], [1, 1]], 2),
        ([[0, 0], [0, 0]], [[0, 1], [1, 1]], 0),
        ([[0, 0], [1, 0]], [[0, -0.0], [-0.0, 1]], 1),
    ],
)
def test_there_are_as_many_cases_as_pairs_of_different_arrows(queries: Array, keys: Array, count: int) -> None:
    assert len(nearest_cases(pairs(queries, keys), 0)) == count


def test_of_pairs_at_the_same_angle_the_strongest_stands_for_the_case() -> None:
    assert nearest_cases(pairs([[1, 0], [5, 0]], [[1, 0], [2, 0]]), 0)[0] == (1, 1)
