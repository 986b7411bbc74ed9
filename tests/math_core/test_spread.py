"""The spread of dot products, and how sharp and how flat softmax is."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from math_core import dot_product_spread, jacobian_norm, running_sums, sharpness, softmax, softmax_jacobian
from tests.math_core.properties import examples
from tests.math_core.reference import FLOAT64, gamma

quick = examples(60)
rows = st.integers(1, 6).flatmap(lambda n: arrays(np.float64, n, elements=st.floats(-30, 30)))


class TestDotProductSpread:
    @pytest.mark.parametrize("d_k", [1, 4, 16, 64, 256])
    def test_measured_and_predicted_agree_within_sampling_error(self, d_k):
        """Four standard errors: one fixed seed in some 16,000 would miss by chance, and this one does not."""
        spread = dot_product_spread(d_k, 20_000, seed=0)
        assert spread.predicted == math.sqrt(d_k)
        assert abs(spread.measured - spread.predicted) <= 4 * spread.standard_error

    @pytest.mark.parametrize("d_k", [1, 4, 64])
    def test_the_standard_error_is_how_much_the_measure_varies_from_seed_to_seed(self, d_k):
        """The spread of k measures is known to 1/sqrt(2 k): 5 % for 200 seeds, of which three are allowed."""
        measures = [dot_product_spread(d_k, 2000, seed).measured for seed in range(200)]
        told = dot_product_spread(d_k, 2000, 0).standard_error
        assert np.std(measures) == pytest.approx(told, rel=0.15)

    def test_the_same_seed_gives_the_same_samples(self):
        assert np.array_equal(dot_product_spread(4, 100, 7).samples, dot_product_spread(4, 100, 7).samples)

    @pytest.mark.parametrize("other", [{"seed": 8}, {"d_k": 1}])
    def test_samples_of_another_seed_or_width_are_independent(self, other):
        """Independent samples correlate by 0 ± 1/sqrt(count); a shared term would make that 1/2."""
        given = {"d_k": 4, "count": 2500, "seed": 7}
        pair = dot_product_spread(**given).samples, dot_product_spread(**given | other).samples
        assert abs(np.corrcoef(*pair)[0, 1]) <= 4 / math.sqrt(2500)

    def test_measured_is_the_standard_deviation_of_the_samples_that_it_hands_out(self):
        spread = dot_product_spread(3, 50, 1)
        deviations = spread.samples - spread.samples.mean()
        assert spread.measured == pytest.approx(math.sqrt((deviations**2).sum() / 49), rel=1e-14, abs=0)
        assert spread.samples.shape == (50,)

    def test_a_product_of_two_numbers_is_a_dot_product_of_width_one(self):
        """For d_k = 1 the fourth moment is 9; the mean of count fourth powers of such products varies by
        sqrt((105^2 - 81) / count)."""
        count = 100_000
        samples = dot_product_spread(1, count, 3).samples
        assert np.mean(samples**4) == pytest.approx(9, abs=4 * math.sqrt((105**2 - 81) / count))

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            ((0, 10, 0), "d_k must be a whole number of 1 or more, got 0"),
            ((1, 1, 0), "count must be a whole number of 2 or more, got 1"),
            ((1, 10, -1), "seed must be a whole number of 0 or more, got -1"),
            ((1.5, 10, 0), r"d_k must be a whole number of 1 or more, got 1\.5"),
        ],
    )
    def test_input_that_does_not_fit_is_named(self, arguments, complaint):
        with pytest.raises(ValueError, match=complaint):
            dot_product_spread(*arguments)


class TestADividedSpread:
    def test_is_the_spread_of_the_divided_samples(self):
        spread = dot_product_spread(16, 500, 2)
        divided = spread.divided_by(4.0)
        assert np.array_equal(divided.samples, spread.samples / 4)
        assert divided.measured == pytest.approx(divided.samples.std(ddof=1), rel=1e-14, abs=0)
        assert (divided.d_k, divided.predicted, divided.standard_error) == (16, 1.0, spread.standard_error / 4)

    def test_cannot_be_altered_and_leaves_the_first_one_as_it_was(self):
        spread = dot_product_spread(4, 10, 0)
        before = spread.samples.copy()
        with pytest.raises(ValueError, match="read-only"):
            spread.divided_by(2.0).samples[0] = 1.0
        assert np.array_equal(spread.samples, before)

    @pytest.mark.parametrize("divisor", [0.0, -1.0, math.inf, math.nan])
    def test_is_there_only_for_a_divisor_above_0(self, divisor):
        with pytest.raises(ValueError, match="divisor must be a finite number above 0"):
            dot_product_spread(4, 10, 0).divided_by(divisor)


class TestRunningSums:
    def test_begin_at_nothing_and_end_at_the_samples_of_the_spread(self):
        sums = running_sums(16, 300, 5, first=20)
        assert sums.shape == (20, 17)
        assert not sums[:, 0].any()
        assert np.array_equal(sums[:, -1], dot_product_spread(16, 300, 5).samples[:20])

    def test_grow_by_products_of_variance_one_that_know_nothing_of_each_other(self):
        """The mean of N squares of such products, whose fourth moment is 9, varies by sqrt(8 / N)."""
        steps = np.diff(running_sums(64, 2000, 1, first=2000), axis=1)
        assert np.mean(steps**2) == pytest.approx(1, abs=4 * math.sqrt(8 / steps.size))
        assert abs(np.mean(steps[:, 1:] * steps[:, :-1])) <= 4 / math.sqrt(steps.size)

    def test_are_those_of_all_samples_where_there_are_fewer_than_asked_for(self):
        assert running_sums(2, 3, 0, first=10).shape == (3, 3)

    def test_at_least_one_is_asked_for(self):
        with pytest.raises(ValueError, match="first must be a whole number of 1 or more, got 0"):
            running_sums(2, 3, 0, first=0)


class TestSharpness:
    def test_an_even_row_is_spent_on_all_tokens(self):
        measures = sharpness([0.25] * 4)
        assert measures.largest == 0.25
        assert measures.entropy == pytest.approx(math.log(4), rel=1e-15, abs=0)
        assert measures.perplexity == pytest.approx(4, rel=1e-15, abs=0)

    def test_a_one_hot_row_is_spent_on_one(self):
        measures = sharpness([0, 1, 0])
        assert (measures.largest, measures.entropy, measures.perplexity) == (1, 0, 1)

    def test_a_row_that_sees_nothing_is_spent_on_none(self):
        measures = sharpness([0, 0, 0])
        assert (measures.largest, measures.entropy, measures.perplexity) == (0, 0, 0)

    def test_each_row_is_measured(self):
        measures = sharpness([[[0.5, 0.5], [1, 0]]])
        assert measures.largest.tolist() == [[0.5, 1]]
        assert measures.perplexity == pytest.approx(np.array([[2, 1]]), rel=1e-15, abs=0)

    @quick
    @given(rows)
    def test_between_one_token_and_all_of_them(self, scores):
        measures = sharpness(softmax(scores))
        n = len(scores)
        assert 1 / n * (1 - 1e-14) <= measures.largest <= 1
        assert 1 - 1e-12 <= measures.perplexity <= n * (1 + 1e-12)

    @quick
    @given(rows)
    def test_undivided_scores_are_never_softer_than_divided_ones(self, scores):
        divided, undivided = sharpness(softmax(scores / 8)), sharpness(softmax(scores))
        assert undivided.entropy <= divided.entropy + 1e-12
        assert undivided.largest >= divided.largest - 1e-12


class TestJacobian:
    def test_two_even_weights(self):
        assert softmax_jacobian([0.5, 0.5]).tolist() == [[0.25, -0.25], [-0.25, 0.25]]
        assert jacobian_norm([0.5, 0.5]) == 0.5

    def test_a_one_hot_row_is_flat(self):
        assert not softmax_jacobian([0, 1, 0]).any()
        assert jacobian_norm([0, 1, 0]) == 0

    @pytest.mark.parametrize("n", [1, 2, 3, 10])
    def test_an_even_row_has_the_norm_of_its_closed_form(self, n):
        """I/n - 11^T/n^2 is 1/n times a projection on n - 1 dimensions."""
        assert jacobian_norm([1 / n] * n) == pytest.approx(math.sqrt(n - 1) / n, rel=1e-14, abs=0)

    @quick
    @given(rows)
    def test_it_is_diag_p_minus_p_p(self, scores):
        p = softmax(scores)
        formula = np.diag(p) - np.outer(p, p)
        # the formula cancels where p is near 1, and p sums to 1 only to rounding
        assert np.allclose(softmax_jacobian(p), formula, rtol=0, atol=gamma(3 * len(p) + 4, FLOAT64.unit))

    @quick
    @given(st.integers(1, 5).flatmap(lambda n: arrays(np.float64, n, elements=st.floats(-4, 4))), st.data())
    def test_it_is_the_slope_of_softmax(self, scores, data):
        """Central differences over h are off by h^2/6 times the third derivative, which is below 1, and by
        the rounding of two weights over 2 h."""
        step = 2.0**-16
        j = data.draw(st.integers(0, len(scores) - 1))
        up, down = scores.copy(), scores.copy()
        up[j] += step
        down[j] -= step
        measured = (softmax(up) - softmax(down)) / (2 * step)
        bound = step**2 / 6 + 40 * FLOAT64.unit / step
        assert np.abs(softmax_jacobian(softmax(scores))[:, j] - measured).max() <= bound

    def test_a_nearly_flat_slope_keeps_its_digits(self):
        """Scores 0 and -40: p = 1 / (1 + e^-40) rounds to 1, and 1 - p would be lost."""
        p = softmax([0, -40])
        tail = math.exp(-40) / (1 + math.exp(-40)) ** 2
        slopes = np.array([[tail, -tail], [-tail, tail]])
        assert softmax_jacobian(p) == pytest.approx(slopes, rel=1e-14, abs=0)
        assert jacobian_norm(p) == pytest.approx(2 * tail, rel=1e-14, abs=0)

    def test_a_norm_far_below_the_root_of_the_smallest_number_is_still_told(self):
        p = softmax([0, -600])
        assert jacobian_norm(p) == pytest.approx(2 * math.exp(-600), rel=1e-12, abs=0)

    def test_every_row_has_a_jacobian_of_its_own(self):
        weights = softmax(np.random.default_rng(0).standard_normal((2, 3, 4)))
        slopes = softmax_jacobian(weights)
        assert slopes.shape == (2, 3, 4, 4)
        assert np.array_equal(slopes[1, 2], softmax_jacobian(weights[1, 2]))
        assert np.array_equal(jacobian_norm(weights)[1, 2], jacobian_norm(weights[1, 2]))


@pytest.mark.parametrize("measure", [sharpness, softmax_jacobian, jacobian_norm])
@pytest.mark.parametrize(
    ("weights", "complaint"),
    [
        ([0.5, -0.5], r"weights\[1\] is -0\.5; a weight cannot be negative"),
        ([50, 50], r"the sum of weights is 100\.0; a row sums to 1"),
        ([[0.5, 0.5], [0.5, 0.4]], r"the sum of weights\[1\] is 0\.9; a row sums to 1"),
        (1.0, r"weights must have shape \(\.\.\., n\), got \(\)"),
        ([np.nan], r"weights\[0\] is nan"),
    ],
)
def test_weights_that_are_none_are_named(measure, weights, complaint):
    with pytest.raises(ValueError, match=complaint):
        measure(weights)
