"""The worked examples give what the storyboard says of them."""

import numpy as np
import pytest

from math_core import CAT_ATE_FISH, MOUSE_EATS_CHEESE, angle


class TestMouseEatsCheese:
    trace = MOUSE_EATS_CHEESE.trace()

    def test_the_sentence_has_two_words_that_coincide(self):
        assert MOUSE_EATS_CHEESE.tokens == ("Mouse", "eats", "cheese")
        assert self.trace.embeddings.tolist() == [[2, 0], [1, 2], [2, 0]]

    def test_queries_are_the_embeddings_with_their_features_swapped(self):
        assert self.trace.queries[0].tolist() == [[0, 2], [2, 1], [0, 2]]
        assert np.array_equal(self.trace.keys[0], self.trace.embeddings)
        assert np.array_equal(self.trace.values[0], self.trace.embeddings)

    def test_scores(self):
        assert self.trace.attention.scores[0].tolist() == [[0, 4, 0], [4, 4, 4], [0, 4, 0]]
        assert self.trace.attention.scaled[0, 0, 1] == pytest.approx(2.83, abs=0.005)

    def test_weights_as_percentages(self):
        weights = 100 * self.trace.attention.weights[0]
        assert weights[0] == pytest.approx([5.3, 89.4, 5.3], abs=0.05)
        assert weights[1] == pytest.approx([100 / 3] * 3, rel=1e-15, abs=0)
        assert np.array_equal(weights[2], weights[0])

    def test_outputs_by_their_closed_form(self):
        """Mouse gives a share of s = e^(4/√2) / (e^(4/√2) + 2) to "eats": s [1, 2] + (1 - s) [2, 0]."""
        peak = np.exp(4 / np.sqrt(2))
        s = peak / (peak + 2)
        assert self.trace.output[0] == pytest.approx([2 - s, 2 * s], rel=1e-14, abs=0)
        assert self.trace.output[0] == pytest.approx([1.11, 1.79], abs=0.005)
        assert self.trace.output[1] == pytest.approx([5 / 3, 2 / 3], rel=1e-15, abs=0)
        assert np.array_equal(self.trace.output[2], self.trace.output[0])


class TestCatAteFish:
    trace = CAT_ATE_FISH.trace()

    def test_each_word_has_three_arrows_that_differ_from_its_own(self):
        assert CAT_ATE_FISH.tokens == ("cat", "ate", "fish")
        assert self.trace.embeddings.tolist() == [[0, 1], [-1, 1], [1, 0]]
        assert self.trace.queries[0].tolist() == [[1, 1], [1, -1], [0, 2]]
        assert self.trace.keys[0].tolist() == [[1, 0], [1, 1], [0, -1]]
        assert self.trace.values[0].tolist() == [[1, -1], [0, -2], [1, 1]]

    def test_scores(self):
        assert self.trace.attention.scores[0].tolist() == [[1, 2, -1], [1, 0, 1], [0, 2, -2]]

    def test_weights_as_percentages(self):
        assert 100 * self.trace.attention.weights[0] == pytest.approx(
            np.array([[30.6, 62.0, 7.4], [40.1, 19.8, 40.1], [18.7, 76.8, 4.5]]), abs=0.05
        )

    def test_outputs(self):
        assert self.trace.output == pytest.approx(np.array([[0.38, -1.47], [0.80, -0.40], [0.23, -1.68]]), abs=0.005)

    @pytest.mark.parametrize(
        ("asker", "asked", "degrees"), [("cat", "ate", 0), ("ate", "ate", 90), ("fish", "fish", 180)]
    )
    def test_the_three_cases_of_an_angle_occur_exactly(self, asker, asked, degrees):
        q = self.trace.queries[0, CAT_ATE_FISH.tokens.index(asker)]
        k = self.trace.keys[0, CAT_ATE_FISH.tokens.index(asked)]
        assert angle(q, k, degrees=True) == degrees
