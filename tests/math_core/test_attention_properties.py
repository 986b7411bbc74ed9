"""What holds for attention over any input: the properties that the films explain.

Where a property is an identity of real numbers, the input is made of small integers and powers of two, so
that all that it takes is exact in float64 and the comparison can be, too. Elsewhere the tolerance counts
roundings.
"""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from math_core import attend, self_attention, softmax, softmax_steps
from tests.math_core.properties import examples
from tests.math_core.reference import FLOAT64, gamma

UNIT = FLOAT64.unit
SMALL = st.integers(-8, 8).map(float)
WIDE = st.floats(-1e5, 1e5, allow_subnormal=False)

quick = examples(60)


@st.composite
def attentions(draw, elements=SMALL):
    n_q, n_k, d_k, d_v = (draw(st.integers(1, top)) for top in (4, 6, 4, 3))
    shapes = {"queries": (n_q, d_k), "keys": (n_k, d_k), "values": (n_k, d_v)}
    problem = {name: draw(arrays(np.float64, shape, elements=elements)) for name, shape in shapes.items()}
    return problem | {"mask": draw(st.none() | arrays(np.bool_, (n_q, n_k)))}


@quick
@given(attentions(WIDE))
def test_weights_are_shares_of_one_budget(problem):
    attention = attend(**problem)
    n = attention.weights.shape[-1]
    sees = np.ones(len(attention.weights)) if problem["mask"] is None else problem["mask"].any(axis=-1)
    assert (attention.weights >= 0).all()
    assert (attention.weights <= 1).all()
    # n quotients and the sum that they share round, then their own sum does
    assert (np.abs(attention.weights.sum(axis=-1) - sees) <= gamma(2 * n + 2, UNIT)).all()


@quick
@given(attentions(WIDE))
def test_hidden_cells_weigh_exactly_nothing(problem):
    attention = attend(**problem)
    if problem["mask"] is not None:
        assert (attention.weights[~problem["mask"]] == 0).all()


@quick
@given(attentions(), st.data())
def test_what_is_hidden_from_all_changes_nothing(problem, data):
    hidden = data.draw(arrays(np.bool_, len(problem["keys"])))
    problem["mask"] = ~hidden
    before = attend(**problem)
    changed = {name: problem[name].copy() for name in ("keys", "values")}
    for array in changed.values():
        array[hidden] = data.draw(WIDE)
    after = attend(**problem | changed)
    assert np.array_equal(before.weights, after.weights)
    assert np.array_equal(before.output, after.output)


@quick
@given(attentions(WIDE))
def test_every_output_lies_between_the_values_that_it_blends(problem):
    attention = attend(**problem)
    V = problem["values"]
    slack = gamma(3 * len(V) + 2, UNIT) * np.abs(V).max(axis=0)
    for i, row in enumerate(attention.output):
        seen = V if problem["mask"] is None else V[problem["mask"][i]]
        if len(seen):
            assert (row >= seen.min(axis=0) - slack).all()
            assert (row <= seen.max(axis=0) + slack).all()
        else:
            assert (row == 0).all()


@quick
@given(attentions(), st.data())
def test_the_order_of_the_keys_does_not_matter(problem, data):
    n = len(problem["keys"])
    order = data.draw(st.permutations(range(n)))
    moved = {name: problem[name][order] for name in ("keys", "values")}
    if problem["mask"] is not None:
        moved["mask"] = problem["mask"][:, order]
    before, after = attend(**problem), attend(**problem | moved)
    # the scores are exact, so only the order of the sums differs
    assert np.allclose(after.weights, before.weights[:, order], rtol=2 * gamma(n, UNIT), atol=0)
    slack = 4 * gamma(n, UNIT) * (before.weights @ np.abs(problem["values"]))
    assert (np.abs(after.output - before.output) <= slack).all()


@quick
@given(st.integers(1, 6), st.integers(1, 4), st.data())
def test_self_attention_moves_with_its_tokens(n, d, data):
    """Permuting the words permutes the output and nothing else: attention alone knows no word order."""
    X, *W = (data.draw(arrays(np.float64, shape, elements=SMALL)) for shape in [(n, d), *[(d, d)] * 3])
    order = data.draw(st.permutations(range(n)))
    before, after = self_attention(X, *W), self_attention(X[order], *W)
    assert np.array_equal(after.attention.scores[0], before.attention.scores[0][np.ix_(order, order)])
    slack = 4 * gamma(n, UNIT) * (before.attention.weights[0] @ np.abs(before.values[0]))[order]
    assert (np.abs(after.output - before.output[order]) <= slack).all()


@quick
@given(arrays(np.float64, st.integers(1, 8), elements=SMALL), st.integers(-1000, 1000))
def test_softmax_knows_only_differences_between_scores(scores, shift):
    assert np.array_equal(softmax(scores + shift), softmax(scores))


@quick
@given(arrays(np.float64, st.integers(1, 8), elements=WIDE))
def test_a_larger_score_never_gets_a_smaller_share(scores):
    shares = softmax(scores)
    order = np.argsort(scores, kind="stable")
    assert (np.diff(shares[order]) >= 0).all()


@quick
@given(arrays(np.float64, (3, 5), elements=st.floats(-40, 40) | st.just(-np.inf)))
def test_the_steps_by_hand_end_at_the_shares(scores):
    """exponentials / totals against softmax: each of the two shifts (u times up to 80, above and below the
    line), takes exp (2 u), sums five terms and divides."""
    steps = softmax_steps(scores)
    by_hand = steps.exponentials / np.where(steps.totals > 0, steps.totals, 1)
    assert np.allclose(by_hand, steps.shares, rtol=(4 * 80 + 8 + 4 * 5 + 4) * UNIT, atol=0)


@quick
@given(attentions(), st.integers(-6, 6))
def test_output_is_linear_in_the_values(problem, power):
    doubled = problem | {"values": problem["values"] * 2.0**power}
    assert np.array_equal(attend(**doubled).output, attend(**problem).output * 2.0**power)


@quick
@given(attentions(), st.integers(-6, 6))
def test_scaling_the_queries_is_scaling_the_scores(problem, power):
    factor = 2.0**power
    longer = problem | {"queries": problem["queries"] * factor}
    assert np.array_equal(
        attend(**longer, scale=1.0).weights,
        attend(**problem, scale=factor).weights,
    )


@quick
@given(attentions(), st.data())
def test_one_bias_for_a_whole_row_changes_no_weight(problem, data):
    bias = data.draw(arrays(np.float64, (len(problem["queries"]), 1), elements=SMALL))
    assert np.array_equal(
        attend(**problem, bias=bias, scale=1.0).weights,
        attend(**problem, scale=1.0).weights,
    )


@quick
@given(attentions(WIDE))
def test_a_larger_scale_never_makes_the_favourite_weaker(problem):
    weights = [attend(**problem, scale=scale).weights.max(axis=-1) for scale in (2.0**-20, 2.0**-10, 1.0)]
    for softer, sharper in itertools.pairwise(weights):
        assert (sharper >= softer * (1 - gamma(4 * len(problem["keys"]) + 8, UNIT))).all()


@quick
@given(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3), st.data())
def test_heads_are_attentions_of_their_own_side_by_side(n, d_k, d_v, heads, data):
    X, W_Q, W_K, W_V = (
        data.draw(arrays(np.float64, shape, elements=SMALL))
        for shape in [(n, 3), (3, heads * d_k), (3, heads * d_k), (3, heads * d_v)]
    )
    together = self_attention(X, W_Q, W_K, W_V, heads=heads)
    slices = (np.split(W, heads, axis=1) for W in (W_Q, W_K, W_V))
    for i, parts in enumerate(zip(*slices, strict=True)):
        alone = self_attention(X, *parts)
        assert np.array_equal(together.attention.weights[i], alone.attention.weights[0])
        slack = 2 * gamma(n, UNIT) * (alone.attention.weights[0] @ np.abs(alone.values[0]))
        side = together.concatenated[:, i * d_v : (i + 1) * d_v]
        assert (np.abs(side - alone.output) <= slack).all()
