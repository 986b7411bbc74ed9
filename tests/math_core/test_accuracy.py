"""Attention against a 50-digit calculation, within the bound that ``reference`` derives from rounding."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from math_core import attend, cross_attention, softmax
from tests.math_core.properties import examples
from tests.math_core.reference import (
    FLOAT64,
    exact_attention,
    gamma,
    output_bound,
    score_bound,
    score_size,
    weight_bound,
    worst_excess,
)

# Sizes of the entries: products of two of them make scores from far below 1 to ±1e5 and beyond.
SCALES = st.sampled_from([1e-170, 1e-9, 1.0, 20.0, 400.0])
VALUE_SCALES = st.sampled_from([1e-300, 1.0, 1e300])
NARROW = st.floats(-1, 1, allow_subnormal=False)


@st.composite
def matrices(draw, rows, columns, scales):
    return draw(arrays(np.float64, (rows, columns), elements=NARROW)) * draw(scales)


@st.composite
def problems(draw):
    n_q, n_k, d_k, d_v = (draw(st.integers(1, top)) for top in (4, 6, 6, 3))
    arguments = {
        "queries": draw(matrices(n_q, d_k, SCALES)),
        "keys": draw(matrices(n_k, d_k, SCALES)),
        "values": draw(matrices(n_k, d_v, VALUE_SCALES)),
    }
    options = {
        "mask": arrays(np.bool_, (n_q, n_k)),
        "bias": matrices(n_q, n_k, SCALES),
        "scale": st.floats(-3, 3, allow_subnormal=False),
    }
    return arguments | {name: draw(st.none() | option) for name, option in options.items()}


def bounds(exact, *, queries, keys, values, mask=None, bias=None, scale=None):
    d = queries.shape[1]
    factor = 1 / math.sqrt(d) if scale is None else scale
    size = score_size(queries, keys, factor, 0.0 if bias is None else bias)
    e = score_bound(size, d + 4, d * abs(factor))
    visible = np.ones(size.shape, bool) if mask is None else np.broadcast_to(mask, size.shape)
    weights = exact.weights.astype(np.float64)
    off = weight_bound(weights, exact.scaled.astype(np.float64), e, visible)
    return e, off, output_bound(weights, off, np.abs(values))


def assert_within_rounding(problem, *, weights_to=1e-8):
    ours, exact = attend(**problem), exact_attention(**problem)
    e, off, out = bounds(exact, **problem)
    assert off.max() < weights_to, "the bound would allow anything"
    assert worst_excess(ours.scaled, exact.scaled, e) <= 1
    assert worst_excess(ours.weights, exact.weights, off) <= 1
    assert worst_excess(ours.output, exact.output, out) <= 1


@examples(300)
@given(problems())
def test_random_and_extreme_inputs_agree_with_fifty_digits_to_float64_rounding(problem):
    assert_within_rounding(problem)


@pytest.mark.parametrize("reach", [1.0, 1e5])
def test_wide_sentences_with_scores_of_any_size_agree_with_fifty_digits(reach):
    stream = np.random.default_rng(7)
    n, d = 48, 64
    queries, keys, values = (stream.standard_normal((n, d)) for _ in range(3))
    largest = np.abs(queries @ keys.T).max()
    assert_within_rounding({"queries": queries * (reach / largest), "keys": keys, "values": values, "scale": 1.0})


def test_a_row_over_two_thousand_keys_agrees_with_fifty_digits():
    stream = np.random.default_rng(11)
    assert_within_rounding(
        {
            "queries": stream.standard_normal((1, 16)) * 3,
            "keys": stream.standard_normal((2048, 16)),
            "values": stream.standard_normal((2048, 2)),
        }
    )


def test_the_bound_is_tight_enough_to_refuse_a_slip_in_the_twelfth_digit():
    """A bound that nothing can break proves nothing: this one must notice what float64 would not do."""
    stream = np.random.default_rng(3)
    problem = {name: stream.standard_normal((4, 4)) for name in ("queries", "keys", "values")}
    exact = exact_attention(**problem)
    _, off, out = bounds(exact, **problem)
    slipped = attend(**problem, scale=0.5 * (1 + 1e-12))
    assert worst_excess(slipped.weights, exact.weights, off) > 1
    assert worst_excess(slipped.output, exact.output, out) > 1
    single = {name: array.astype(np.float32) for name, array in problem.items()}
    rounded = attend(**single)
    assert worst_excess(rounded.weights, exact.weights, off) > 1


@examples(60)
@given(arrays(np.float64, st.integers(1, 8), elements=st.floats(-1e5, 1e5, allow_subnormal=False)))
def test_softmax_of_given_scores_agrees_with_fifty_digits(scores):
    exact = exact_attention(scores[np.newaxis], np.eye(len(scores)), np.eye(len(scores)), scale=1.0)
    shown = np.ones((1, len(scores)), bool)
    none_lost = np.zeros((1, len(scores)))  # the scores themselves are exact here
    off = weight_bound(exact.weights.astype(np.float64), scores[np.newaxis], none_lost, shown)
    assert worst_excess(softmax(scores)[np.newaxis], exact.weights, off) <= 1


def test_projections_with_biases_agree_with_fifty_digits():
    """Each entry of x W + b is a sum of d_model + 1 terms: γ_{d_model+1} (|x| |W| + |b|)."""
    stream = np.random.default_rng(5)
    d_model, n, m = 8, 3, 5
    X, context = stream.standard_normal((n, d_model)), stream.standard_normal((m, d_model))
    W = {name: stream.standard_normal((d_model, 6)) for name in ("W_Q", "W_K", "W_V")}
    b = {name: stream.standard_normal(6) for name in ("b_Q", "b_K", "b_V")}
    trace = cross_attention(X, context, **W, **b)
    stages = {"Q": (X, trace.queries), "K": (context, trace.keys), "V": (context, trace.values)}
    for letter, (tokens, projected) in stages.items():
        matrix, shift = W[f"W_{letter}"], b[f"b_{letter}"]
        # a projection is a grid of unscaled scores between tokens and the columns of the matrix
        exact = exact_attention(tokens, matrix.T, matrix.T, bias=shift[np.newaxis], scale=1.0).scaled
        bound = gamma(d_model + 1, FLOAT64.unit) * (np.abs(tokens) @ np.abs(matrix) + np.abs(shift))
        assert worst_excess(projected[0], exact, bound) <= 1
