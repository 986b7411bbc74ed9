"""What ``attend``, ``softmax`` and ``softmax_steps`` promise, on inputs that can be followed by hand."""

import math
import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.special

from math_core import attend, causal_mask, softmax, softmax_steps

ONE = [[1.0]]


class TestStages:
    def test_scores_are_the_dot_products_of_queries_and_keys(self):
        attention = attend([[1, 2], [3, 4]], [[5, 6], [7, 8], [9, 10]], np.eye(3))
        assert attention.scores.tolist() == [[17, 23, 29], [39, 53, 67]]

    def test_scores_are_divided_by_the_root_of_the_key_width(self):
        attention = attend([[2, 2, 2, 2]], [[1, 1, 1, 1]], ONE)
        assert attention.scale == 0.5
        assert attention.scaled.tolist() == [[4]]

    def test_a_given_scale_replaces_the_division(self):
        attention = attend([[3]], [[5]], ONE, scale=1.0)
        assert attention.scaled.tolist() == [[15]]

    def test_bias_is_added_to_the_scaled_scores_and_leaves_the_raw_ones(self):
        attention = attend([[2, 2, 2, 2]], [[1, 1, 1, 1]], ONE, bias=[[10]])
        assert attention.scores.tolist() == [[8]]
        assert attention.scaled.tolist() == [[14]]

    def test_two_scores_that_differ_by_log_3_share_the_budget_three_to_one(self):
        attention = attend([[math.log(3)]], [[1], [0]], [[4], [8]])
        assert attention.weights == pytest.approx(np.array([[0.75, 0.25]]), rel=1e-15, abs=0)
        assert attention.output == pytest.approx(np.array([[5.0]]), rel=1e-15, abs=0)

    def test_equal_scores_give_equal_weights_and_a_plain_average(self):
        attention = attend([[0, 0]], [[1, 2], [3, 4], [5, 6], [7, 8]], [[1], [2], [3], [6]])
        assert attention.weights.tolist() == [[0.25] * 4]
        assert attention.output.tolist() == [[3]]

    def test_a_single_token_attends_to_itself_alone(self):
        attention = attend([[3, 4]], [[5, 6]], [[7, 8]])
        assert attention.weights.tolist() == [[1]]
        assert attention.output.tolist() == [[7, 8]]

    def test_one_huge_score_makes_a_hard_copy_of_its_value(self):
        attention = attend([[1e5]], [[1], [0], [-1]], [[1], [2], [3]], scale=1.0)
        assert attention.weights.tolist() == [[1, 0, 0]]
        assert attention.output.tolist() == [[1]]

    def test_scores_far_below_zero_are_as_safe_as_scores_near_it(self):
        far = attend([[1]], [[-1e5], [-1e5]], [[1], [3]], scale=1.0)
        assert far.weights.tolist() == [[0.5, 0.5]]
        assert far.output.tolist() == [[2]]


class TestMask:
    def test_hidden_cells_are_minus_infinity_before_softmax_and_exactly_zero_after(self):
        attention = attend([[1], [1]], [[1], [1]], [[1], [2]], mask=[[True, False], [True, True]])
        assert attention.masked.tolist() == [[1, -np.inf], [1, 1]]
        assert attention.weights.tolist() == [[1, 0], [0.5, 0.5]]

    def test_a_query_that_sees_nothing_gets_zero_weights_and_a_zero_output(self):
        attention = attend([[1], [1]], [[1], [1]], [[-1], [-2]], mask=[[False, False], [True, True]])
        assert attention.weights.tolist() == [[0, 0], [0.5, 0.5]]
        assert attention.output.tolist() == [[0], [-1.5]]
        assert not np.signbit(attention.output[0, 0])

    def test_the_largest_score_may_be_a_hidden_one(self):
        attention = attend([[1]], [[1e5], [1], [1]], [[9], [1], [2]], mask=[[False, True, True]], scale=1.0)
        assert attention.weights.tolist() == [[0, 0.5, 0.5]]

    def test_a_row_mask_is_spread_over_all_queries_and_heads(self):
        attention = attend(np.ones((2, 3, 1)), np.ones((2, 2, 1)), np.ones((2, 2, 1)), mask=[True, False])
        assert attention.mask.shape == (2, 3, 2)
        assert attention.mask[1, 2].tolist() == [True, False]
        assert np.array_equal(attention.weights[1, 2], [1, 0])

    def test_without_a_mask_the_record_has_none_and_nothing_is_hidden(self):
        attention = attend([[1]], [[1]], ONE)
        assert attention.mask is None
        assert np.array_equal(attention.masked, attention.scaled)


class TestShapes:
    def test_any_number_of_leading_axes_is_treated_one_by_one(self):
        stream = np.random.default_rng(0)
        Q, K, V = (stream.integers(-3, 4, (2, 3, 4, 5)) for _ in range(3))
        together = attend(Q, K, V)
        for i in np.ndindex(2, 3):
            assert np.array_equal(together.scores[i], Q[i] @ K[i].T)
            assert np.array_equal(together.weights[i], attend(Q[i], K[i], V[i]).weights)

    def test_leading_axes_broadcast_and_are_the_same_in_every_stage(self):
        attention = attend(np.ones((5, 1, 2, 3)), np.ones((4, 6, 3)), np.ones((6, 7)), bias=np.ones(6))
        assert attention.scores.shape == attention.scaled.shape == (5, 4, 2, 6)
        assert attention.weights.shape == (5, 4, 2, 6)
        assert attention.output.shape == (5, 4, 2, 7)

    def test_values_alone_may_bring_leading_axes(self):
        attention = attend(np.ones((2, 3)), np.ones((4, 3)), np.ones((9, 4, 1)))
        assert attention.weights.shape == (9, 2, 4)
        assert attention.output.shape == (9, 2, 1)

    def test_no_sentence_at_all_gives_no_attention_at_all(self):
        attention = attend(np.ones((0, 2, 3)), np.ones((4, 3)), np.ones((4, 1)), mask=causal_mask(2, 4))
        assert attention.output.shape == (0, 2, 1)

    def test_the_widest_sentence_is_attended_to(self):
        n = 4096
        attention = attend(np.zeros((n, 1)), np.zeros((n, 1)), np.arange(n)[:, np.newaxis], mask=causal_mask(n))
        # position i averages 0 to i
        assert np.allclose(attention.output[:, 0], np.arange(n) / 2, rtol=n * 2.0**-52, atol=0)


class TestKindsOfNumbers:
    @pytest.mark.parametrize("kind", [np.int8, np.uint64, np.float16, np.float32, np.longdouble])
    def test_integers_and_floats_of_any_width_become_float64(self, kind):
        attention = attend(np.array([[2]], kind), np.array([[3]], kind), np.array([[4]], kind), scale=1)
        assert attention.scores.tolist() == [[6]]
        for stage in (attention.scores, attention.scaled, attention.weights, attention.output):
            assert stage.dtype == np.float64

    def test_a_float_too_wide_for_float64_is_told_as_infinite(self):
        wide = np.array([[np.finfo(np.longdouble).max]])
        if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
            pytest.skip("long double is float64 on this machine")
        with pytest.raises(ValueError, match=r"keys\[0, 0\] is inf"):
            attend(ONE, wide, ONE)


class TestComplaints:
    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            ((ONE, [[1, 2]], ONE), r"keys must have shape \(\.\.\., n_k, d_k=1\), got \(1, 2\)"),
            ((ONE, ONE, [[1], [2]]), r"values must have shape \(\.\.\., n_k=1, d_v\), got \(2, 1\)"),
            (([1], ONE, ONE), r"queries must have shape \(\.\.\., n_q, d_k\), got \(1,\)"),
            ((np.ones((0, 1)), ONE, ONE), r"queries must have shape .* got \(0, 1\)"),
            ((ONE, np.ones((0, 1)), np.ones((0, 1))), r"keys must have shape .* got \(0, 1\)"),
            (([[1], [1, 2]], ONE, ONE), "queries must be a rectangular array"),
            (([["a"]], ONE, ONE), "queries must hold real numbers, got text"),
            ((ONE, [[1j]], ONE), "keys must hold real numbers, got complex numbers"),
            ((ONE, ONE, [[None]]), "values must hold real numbers, got objects"),
            (([[True]], ONE, ONE), "queries must hold real numbers, got booleans"),
            (([[np.nan]], ONE, ONE), r"queries\[0, 0\] is nan; every entry must be finite"),
            ((ONE, [[1], [-np.inf]], [[1], [1]]), r"keys\[1, 0\] is -inf; every entry must be finite"),
            (([[1e200]], [[1e200]], ONE), r"scaled\[0, 0\] is inf; the input is too large for float64"),
            (
                (np.ones((2, 1, 1)), np.ones((3, 1, 1)), ONE),
                r"leading axes of queries, keys and values must broadcast, got \(2,\), \(3,\) and \(\)",
            ),
        ],
    )
    def test_input_that_does_not_fit_is_named(self, arguments, complaint):
        with pytest.raises(ValueError, match=complaint):
            attend(*arguments)

    @pytest.mark.parametrize(
        ("option", "complaint"),
        [
            ({"mask": [[1]]}, "mask must hold booleans, got int64"),
            (
                {"mask": [[True, True]]},
                r"mask must broadcast to \(\.\.\., n_q, n_k\) = \(1, 1\), got \(1, 2\)",
            ),
            ({"mask": np.ones((3, 1, 1), bool)}, r"mask must broadcast to .* got \(3, 1, 1\)"),
            ({"bias": [[-np.inf]]}, r"bias\[0, 0\] is -inf; every entry must be finite"),
            ({"bias": [[True]]}, "bias must hold real numbers, got booleans"),
            ({"bias": [1, 2]}, r"bias must broadcast to .* got \(2,\)"),
            ({"scale": np.nan}, "scale must be one finite number, got nan"),
            ({"scale": [1, 2]}, r"scale must be one finite number, got \[1, 2\]"),
            ({"scale": "1"}, "scale must hold real numbers, got text"),
        ],
    )
    def test_options_that_do_not_fit_are_named(self, option, complaint):
        with pytest.raises(ValueError, match=complaint):
            attend(ONE, ONE, ONE, **option)

    def test_an_output_that_rounds_beyond_float64_is_named(self):
        """Eleven shares of fl(1/11) > 1/11 of the largest number add up to more than that."""
        largest = np.full((11, 1), np.finfo(np.float64).max)
        with pytest.raises(ValueError, match=r"output\[0, 0\] is inf; the input is too large for float64"):
            attend([[0]], np.zeros((11, 1)), largest)


class TestCost:
    def test_memory_stays_within_six_score_matrices_beyond_input_and_output(self):
        n, d, heads = 256, 16, 4
        stream = np.random.default_rng(0)
        Q, K, V = (stream.standard_normal((heads, n, d)) for _ in range(3))
        bias, mask = stream.standard_normal((n, n)), causal_mask(n)
        tracemalloc.start()
        attention = attend(Q, K, V, mask=mask, bias=bias)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert (peak - attention.output.nbytes) / attention.scores.nbytes < 6

    def test_no_warning_is_given_whatever_the_scores(self):
        with warnings.catch_warnings(), np.errstate(all="raise"):
            warnings.simplefilter("error")
            attend([[1e5], [-1e5]], [[1], [-1]], [[1], [2]], mask=[[True, True], [False, False]], scale=1.0)
            softmax([[-1e308, 1e308], [-np.inf, -np.inf]])
            softmax_steps([[-1e308, 1e308], [-np.inf, -np.inf], [-800, 0]])


class TestSoftmax:
    def test_it_is_that_of_scipy_along_the_last_axis(self):
        scores = np.random.default_rng(1).standard_normal((3, 4, 5))
        assert np.array_equal(softmax(scores), scipy.special.softmax(scores, axis=-1))

    def test_it_runs_along_another_axis_when_asked(self):
        scores = np.array([[0.0, 1.0, -np.inf], [0.0, -np.inf, -np.inf]])
        assert softmax(scores, axis=0).tolist() == [[0.5, 1, 0], [0.5, 0, 0]]

    def test_a_row_of_nothing_but_hidden_scores_has_no_shares(self):
        assert softmax([[-np.inf, -np.inf], [0, -np.inf]]).tolist() == [[0, 0], [1, 0]]

    @pytest.mark.parametrize(
        ("scores", "complaint"),
        [
            ([1, np.inf], r"scores\[1\] is inf; a score is a finite number, or -inf where it is hidden"),
            ([[0, np.nan]], r"scores\[0, 1\] is nan"),
            (3.0, r"scores must have shape \(\.\.\., n\), got \(\)"),
            ([], r"scores must have shape \(\.\.\., n\), got \(0,\)"),
            (["a"], "scores must hold real numbers, got text"),
        ],
    )
    def test_scores_that_are_none_are_named(self, scores, complaint):
        with pytest.raises(ValueError, match=complaint):
            softmax(scores)

    def test_an_axis_that_is_not_there_is_refused(self):
        with pytest.raises(ValueError, match="axis 2 is out of bounds"):
            softmax([[1, 2]], axis=2)


class TestSoftmaxSteps:
    def test_small_scores_are_exponentiated_as_they_are(self):
        steps = softmax_steps([[1, 2, -1]])
        assert steps.shift.tolist() == [[0]]
        assert np.array_equal(steps.exponentials, np.exp([[1, 2, -1]]))
        assert steps.totals == pytest.approx(np.array([[math.e + math.e**2 + 1 / math.e]]), rel=1e-15, abs=0)

    @pytest.mark.parametrize(("row", "shift"), [([10, -10], 0), ([10.5, 0], 10.5), ([-11, -12], -11)])
    def test_rows_beyond_ten_have_their_largest_score_taken_off_first(self, row, shift):
        assert softmax_steps(row).shift.tolist() == [shift]

    def test_each_row_decides_for_itself(self):
        assert softmax_steps([[1, 2], [100, 2]]).shift.tolist() == [[0], [100]]

    def test_hidden_scores_have_no_exponential_and_do_not_decide_the_shift(self):
        steps = softmax_steps([[0, -np.inf], [-np.inf, -np.inf]])
        assert steps.shift.tolist() == [[0], [0]]
        assert steps.exponentials.tolist() == [[1, 0], [0, 0]]
        assert steps.totals.tolist() == [[1], [0]]
        assert steps.shares.tolist() == [[1, 0], [0, 0]]

    def test_shares_are_those_of_softmax(self):
        scores = np.random.default_rng(2).uniform(-30, 30, (20, 7))
        assert np.array_equal(softmax_steps(scores).shares, softmax(scores))

    def test_a_single_row_needs_no_outer_axis(self):
        steps = softmax_steps([0, 0])
        assert steps.totals.shape == steps.shift.shape == (1,)
        assert steps.shares.tolist() == [0.5, 0.5]


@pytest.mark.parametrize("divisor", [1.0, 3.0, 49.0, 4096.0])
def test_a_whole_divisor_comes_back_whole(divisor: float) -> None:
    assert attend([[1.0]], [[1.0]], [[1.0]], scale=1 / divisor).divisor == divisor


def test_the_divisor_is_the_root_of_the_width_unless_told_otherwise() -> None:
    row = [[1.0, 2.0, 3.0]]
    assert attend(row, row, row).divisor == pytest.approx(3**0.5, rel=1e-15)


def test_scores_multiplied_by_zero_are_divided_by_infinity() -> None:
    assert attend([[1.0]], [[1.0]], [[1.0]], scale=0.0).divisor == float("inf")
