"""Masks: True = may attend."""

import numpy as np
import pytest

from math_core import attend, causal_mask, padding_mask


class TestCausalMask:
    def test_position_i_sees_itself_and_what_came_before(self):
        assert causal_mask(3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]

    def test_sequences_of_different_length_start_together(self):
        assert causal_mask(2, 3).tolist() == [[True, False, False], [True, True, False]]
        assert causal_mask(3, 2).tolist() == [[True, False], [True, True], [True, True]]

    def test_a_single_token_sees_itself(self):
        assert causal_mask(1).tolist() == [[True]]

    @pytest.mark.parametrize("count", [0, -1, 2.0, True, "2", None])
    def test_a_count_that_is_none_is_named(self, count):
        with pytest.raises(ValueError, match="n_q must be a whole number of 1 or more, got"):
            causal_mask(count)

    def test_a_count_of_keys_that_is_none_is_named(self):
        with pytest.raises(ValueError, match="n_k must be a whole number of 1 or more, got 0"):
            causal_mask(2, 0)


class TestPaddingMask:
    def test_fillers_are_hidden_from_every_query(self):
        assert padding_mask([True, True, False]).tolist() == [[True, True, False]]

    def test_a_batch_gets_one_row_a_sentence(self):
        mask = padding_mask([[True, True], [True, False]])
        assert mask.shape == (2, 1, 2)
        weights = attend(np.zeros((2, 3, 1)), np.zeros((2, 2, 1)), np.zeros((2, 2, 1)), mask=mask).weights
        assert weights[0].tolist() == [[0.5, 0.5]] * 3
        assert weights[1].tolist() == [[1, 0]] * 3

    def test_it_combines_with_a_causal_mask(self):
        both = causal_mask(3) & padding_mask([True, False, True])
        assert both.tolist() == [[True, False, False], [True, False, False], [True, False, True]]

    def test_it_does_not_change_with_the_array_that_it_was_made_from(self):
        real = np.array([True, True])
        mask = padding_mask(real)
        real[0] = False
        assert mask.all()

    @pytest.mark.parametrize(
        ("real", "complaint"),
        [
            ([1, 0], "real must hold booleans, got int64"),
            (True, r"real must have shape \(\.\.\., n\), got \(\)"),
            ([], "real must hold booleans, got float64"),
        ],
    )
    def test_input_that_does_not_fit_is_named(self, real, complaint):
        with pytest.raises(ValueError, match=complaint):
            padding_mask(real)
