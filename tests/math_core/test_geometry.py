"""Lengths, angles and shadows of arrows."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from math_core import angle, cosine, dot, length, planar_shadow
from tests.math_core.properties import examples
from tests.math_core.reference import FLOAT64, gamma

UNIT = FLOAT64.unit
whole = st.integers(-1000, 1000).map(float)
vectors_of_whole_numbers = st.integers(1, 12).flatmap(lambda d: arrays(np.float64, d, elements=whole))
sizes = st.integers(-300, 300).map(lambda power: 10.0**power)

quick = examples(80)


class TestLength:
    @pytest.mark.parametrize(("vector", "expected"), [([3, 4], 5), ([-7], 7), ([2, 3, 6], 7), ([0, 0], 0)])
    def test_it_is_that_of_pythagoras(self, vector, expected):
        assert length(vector) == expected

    @pytest.mark.parametrize("size", [2.0**-1000, 2.0**-500, 2.0**500, 2.0**1000])
    def test_huge_and_tiny_arrows_neither_overflow_nor_vanish(self, size):
        assert length([3 * size, 4 * size]) == 5 * size

    def test_it_is_taken_of_each_vector(self):
        assert length([[3, 4], [5, 12]]).tolist() == [5, 13]


class TestDot:
    def test_it_multiplies_and_adds(self):
        assert dot([1, 2, 3], [4, -5, 6]) == 12

    def test_leading_axes_broadcast(self):
        assert dot([[[1, 0]], [[0, 1]]], [[3, 4], [5, 6]]).tolist() == [[3, 5], [4, 6]]


class TestAngle:
    @pytest.mark.parametrize(
        ("a", "b", "degrees"),
        [
            ([1, 1], [1, -1], 90),
            ([0, 2], [0, -1], 180),
            ([1, 1], [3, 3], 0),
            ([1, 2, 3], [3, 6, 9], 0),
            ([1, 2, 3], [-7, -14, -21], 180),
            ([1, 2, 3], [3, 0, -1], 90),
            ([0.1, 0.3], [-0.3, 0.1], 90),
            ([0.1, 0.7], [-0.2, -1.4], 180),
            ([5], [7], 0),
            ([5], [-7], 180),
            ([1, 0], [1, 1], 45),
            ([1, 0], [-1, 1], 135),
        ],
    )
    def test_round_angles_come_out_exactly(self, a, b, degrees):
        assert angle(a, b, degrees=True) == degrees

    def test_it_is_given_in_radians_unless_asked_otherwise(self):
        assert angle([1, 0], [0, 3]) == math.pi / 2
        assert angle([1, 0], [-2, 0]) == math.pi

    @quick
    @given(vectors_of_whole_numbers, st.integers(1, 1000), sizes, sizes)
    def test_parallel_arrows_of_any_length_are_exactly_at_0_and_180(self, a, factor, size_a, size_b):
        assume(a.any())
        scale_a, scale_b = 2.0 ** round(math.log2(size_a)), 2.0 ** round(math.log2(size_b))
        assert angle(a * scale_a, a * factor * scale_b, degrees=True) == 0
        assert angle(a * scale_a, -a * factor * scale_b, degrees=True) == 180

    @quick
    @given(st.integers(1, 6), st.data())
    def test_perpendicular_arrows_in_any_dimension_are_exactly_at_90(self, half, data):
        a = data.draw(arrays(np.float64, 2 * half, elements=whole))
        assume(a.any())
        b = np.concatenate([-a[half:], a[:half]])  # each pair of entries turned by 90 degrees
        assert angle(a, b, degrees=True) == 90

    @quick
    @given(
        st.integers(1, 8).flatmap(lambda d: st.tuples(*[arrays(np.float64, d, elements=st.floats(-1, 1))] * 2)),
        sizes,
        sizes,
    )
    def test_any_angle_agrees_with_fifty_digits(self, pair, size_a, size_b):
        """Along and across each carry γ of their terms times |a||b|. A point at distance r that moves by γ r
        turns by about γ at most, so the angle does; atan2 itself adds a few roundings of up to pi."""
        a, b = pair[0] * size_a, pair[1] * size_b
        assume(np.isfinite(a).all() and np.isfinite(b).all())
        # entries this far below the largest may be lost when an arrow is brought to size
        assume(all(np.abs(v).max() > 1e-305 for v in (a, b)))
        d = len(a)
        with mpmath.workdps(50):
            A, B = ([mpmath.mpf(float(x)) for x in v] for v in (a, b))
            along = mpmath.fdot(A, B)
            across = mpmath.sqrt(max(0, mpmath.fdot(A, A) * mpmath.fdot(B, B) - along**2))
            # 50 digits less those that the difference of squares cancels leave 25 in the root
            exact = mpmath.atan2(across, along)
            error = abs(mpmath.mpf(float(angle(a, b))) - exact)
        assert error <= 2 * gamma(d * d + 8, UNIT) + 4 * math.pi * UNIT + 1e-22

    @pytest.mark.parametrize("tilt", [1e-3, 1e-8, 1e-15, 1e-100, 1e-300])
    def test_small_angles_keep_their_digits(self, tilt):
        assert angle([1, 0], [1, tilt]) == pytest.approx(math.atan(tilt), rel=1e-15, abs=0)
        assert angle([1, 0, 0], [1, tilt, 0]) == pytest.approx(math.atan(tilt), rel=1e-15, abs=0)

    @pytest.mark.parametrize(("a", "b"), [([0, 0], [1, 2]), ([1, 2], [0, 0]), ([0, 0], [0, 0])])
    def test_a_zero_arrow_has_no_direction(self, a, b):
        assert math.isnan(angle(a, b))
        assert math.isnan(angle(a, b, degrees=True))
        assert math.isnan(cosine(a, b))

    def test_every_query_is_compared_with_every_key(self):
        queries, keys = np.array([[1, 1], [1, -1]]), np.array([[1, 0], [0, 0], [2, 2]])
        degrees = angle(queries[:, np.newaxis], keys, degrees=True)
        assert degrees[:, 0].tolist() == [45, 45]
        assert np.isnan(degrees[:, 1]).all()
        assert degrees[:, 2].tolist() == [0, 90]


class TestCosine:
    @pytest.mark.parametrize(
        ("a", "b", "expected"),
        [([1, 1], [2, 2], 1), ([1, 2], [-3, -6], -1), ([1, 2], [-2, 1], 0), ([3, 4], [5, 0], 0.6)],
    )
    def test_round_values_come_out_exactly(self, a, b, expected):
        assert cosine(a, b) == pytest.approx(expected, rel=0 if expected in (0, 1, -1) else 1e-15, abs=0)

    @quick
    @given(st.tuples(*[arrays(np.float64, 4, elements=st.floats(-1e300, 1e300))] * 2))
    def test_it_never_leaves_one(self, pair):
        assume(all(v.any() for v in pair))
        assert -1 <= cosine(*pair) <= 1

    def test_score_is_length_times_length_times_cosine(self):
        q, k = [1, 2, 2], [4, 0, 3]
        assert length(q) * length(k) * cosine(q, k) == pytest.approx(dot(q, k), rel=1e-15, abs=0)


class TestPlanarShadow:
    def test_two_dimensions_are_their_own_shadow(self):
        shadow = planar_shadow([[1, 2], [3, 4], [5, 6]])
        assert shadow.points.tolist() == [[1, 2], [3, 4], [5, 6]]
        assert shadow.basis.tolist() == [[1, 0], [0, 1]]
        assert shadow.share == 1

    def test_one_dimension_lies_on_the_first_axis(self):
        shadow = planar_shadow([[3], [-2]])
        assert shadow.points.tolist() == [[3, 0], [-2, 0]]
        assert shadow.basis.tolist() == [[1], [0]]
        assert shadow.share == 1

    def test_the_axes_with_most_in_them_are_kept(self):
        shadow = planar_shadow([[0, 5, 0, 0], [0, 0, 0, 4], [3, 0, 0, 0]])
        assert np.allclose(np.abs(shadow.basis), [[0, 1, 0, 0], [0, 0, 0, 1]], atol=1e-15)
        assert shadow.share == pytest.approx((25 + 16) / (25 + 16 + 9), rel=1e-14, abs=0)

    def test_vectors_that_lie_in_a_plane_keep_their_lengths_and_angles(self):
        flat = np.array([[1, 2, 2], [2, 1, -2], [3, 3, 0]])
        shadow = planar_shadow(flat)
        assert shadow.share == pytest.approx(1, rel=1e-14, abs=0)
        assert length(shadow.points) == pytest.approx(length(flat), rel=1e-14, abs=0)
        assert angle(shadow.points[0], shadow.points[1]) == pytest.approx(angle(flat[0], flat[1]), rel=1e-14, abs=0)

    def test_arrows_start_at_the_origin_so_they_are_not_centred(self):
        """Centred, these three would be a line along the second axis; from the origin, the first counts."""
        shadow = planar_shadow([[10, 1, 0], [10, 0, 0], [10, -1, 0]])
        assert np.allclose(shadow.points, [[10, 1], [10, 0], [10, -1]], atol=1e-14)

    def test_a_single_vector_lies_on_the_first_axis_at_full_length(self):
        shadow = planar_shadow([[2, 3, 6]])
        assert shadow.points == pytest.approx(np.array([[7, 0]]), abs=1e-14)

    def test_nothing_but_zeros_loses_nothing(self):
        shadow = planar_shadow(np.zeros((3, 5)))
        assert shadow.share == 1
        assert not shadow.points.any()

    @pytest.mark.parametrize("size", [1e-300, 1e300])
    def test_share_and_directions_do_not_depend_on_size(self, size):
        vectors = np.random.default_rng(0).standard_normal((5, 4))
        small, large = planar_shadow(vectors), planar_shadow(vectors * size)
        assert large.share == pytest.approx(small.share, rel=1e-13, abs=0)
        assert large.points == pytest.approx(small.points * size, rel=1e-11, abs=0)

    @quick
    @given(st.integers(1, 6), st.integers(3, 9), st.data())
    def test_it_is_an_orthogonal_projection_that_never_lengthens(self, n, d, data):
        vectors = data.draw(arrays(np.float64, (n, d), elements=whole))
        shadow = planar_shadow(vectors)
        assert np.allclose(shadow.basis @ shadow.basis.T, np.eye(2), atol=1e-13)
        assert np.array_equal(shadow.points, vectors @ shadow.basis.T)
        assert 0 <= shadow.share <= 1
        assert (length(shadow.points) <= length(vectors) * (1 + 1e-13) + 1e-10).all()
        for axis in shadow.basis:
            assert axis[np.abs(axis).round(8).argmax()] > 0

    @quick
    @given(st.integers(2, 6), st.integers(3, 6), st.data())
    def test_no_other_plane_keeps_more(self, n, d, data):
        vectors = data.draw(arrays(np.float64, (n, d), elements=whole))
        assume(vectors.any())
        tilted = np.linalg.qr(data.draw(arrays(np.float64, (d, 2), elements=st.floats(-1, 1))))[0].T
        kept = ((vectors @ tilted.T) ** 2).sum() / (vectors**2).sum()
        assert planar_shadow(vectors).share >= kept - 1e-12


class TestComplaints:
    @pytest.mark.parametrize(
        ("call", "complaint"),
        [
            (lambda: length(3), r"vectors must have shape \(\.\.\., d\), got \(\)"),
            (lambda: length([np.inf]), r"vectors\[0\] is inf; every entry must be finite"),
            (lambda: length([1e308] * 16), "length is inf; the vectors are too long for float64"),
            (lambda: dot([1e200], [1e200]), "dot is inf; the vectors are too long for float64"),
            (lambda: dot([1, 2], [1, 2, 3]), r"b must have shape \(\.\.\., d=2\), got \(3,\)"),
            (lambda: angle([["a"]], [[1]]), "a must hold real numbers, got text"),
            (
                lambda: angle(np.ones((2, 3)), np.ones((5, 3))),
                r"the leading axes of a and b must broadcast, got shapes \(2, 3\) and \(5, 3\)",
            ),
            (lambda: cosine([1], [np.nan]), r"b\[0\] is nan"),
            (lambda: planar_shadow([1, 2]), r"vectors must have shape \(n, d\), got \(2,\)"),
        ],
    )
    def test_input_that_does_not_fit_is_named(self, call, complaint):
        with pytest.raises(ValueError, match=complaint):
            call()
