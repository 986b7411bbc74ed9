"""Worked examples that others have published with their input and output, at the precision that they print.

Each was recomputed before it was believed, for published pages are often wrong: among those left out, one
takes softmax over the columns and several round the weights before they use them. Where a page departs from
the paper (no division by √d_k, projections from the left), its test says so.
"""

import numpy as np
import pytest

from math_core import attend, causal_mask, padding_mask, self_attention, softmax
from tests.math_core.reference import (
    FLOAT32,
    gamma,
    output_bound,
    score_bound,
    score_size,
    weight_bound,
)


def assert_prints_as(actual, published, *, decimals, slack=0.0):
    """``published`` was rounded to ``decimals``; ``slack`` is what the publisher's own arithmetic may add."""
    published = np.array(published, dtype=np.float64)
    assert actual.shape == published.shape
    # the last term is how exactly float64 holds the printed decimals themselves
    allowed = 0.5 * 10.0**-decimals + slack + 1e-15 * np.abs(published)
    assert (np.abs(actual - published) <= allowed).all(), f"{actual} is not {published}"


def float32_slack(values):
    """Results of order one in float32 that pass some ten roundings; well below any printed digit here."""
    return gamma(16, FLOAT32.unit) * np.abs(values).max()


def test_illustrated_self_attention_by_raimi_karim():
    """Raimi Karim, "Illustrated: Self-Attention", Towards Data Science 2019. Scores are not divided."""
    trace = self_attention(
        [[1, 0, 1, 0], [0, 2, 0, 2], [1, 1, 1, 1]],
        W_Q=[[1, 0, 1], [1, 0, 0], [0, 0, 1], [0, 1, 1]],
        W_K=[[0, 0, 1], [1, 1, 0], [0, 1, 0], [1, 1, 0]],
        W_V=[[0, 2, 0], [0, 3, 0], [1, 0, 3], [1, 1, 0]],
        scale=1.0,
    )
    assert trace.queries[0].tolist() == [[1, 0, 2], [2, 2, 2], [2, 1, 3]]
    assert trace.keys[0].tolist() == [[0, 1, 1], [4, 4, 0], [2, 3, 1]]
    assert trace.values[0].tolist() == [[1, 2, 3], [2, 8, 0], [2, 6, 3]]
    assert trace.attention.scores[0].tolist() == [[2, 4, 4], [4, 16, 12], [4, 12, 10]]
    weights = trace.attention.weights[0]
    # torch prints five significant digits here
    assert_prints_as(weights[0], [6.3379e-02, 4.6831e-01, 4.6831e-01], decimals=5)
    assert_prints_as(weights[0, 0] * 1e2, 6.3379, decimals=4)
    assert_prints_as(weights[1], [6.0337e-06, 9.8201e-01, 1.7986e-02], decimals=5)
    assert_prints_as(weights[1, 0] * 1e6, 6.0337, decimals=4)
    assert_prints_as(weights[2] * [1e4, 10, 10], [2.9539, 8.8054, 1.1917], decimals=4)
    assert_prints_as(
        trace.output,
        [[1.9366, 6.6831, 1.5951], [2.0000, 7.9640, 0.0540], [1.9997, 7.7599, 0.3584]],
        decimals=4,
        slack=float32_slack(trace.values),
    )


def test_attention_from_scratch_by_stefania_cristina():
    """Stefania Cristina, "The Attention Mechanism from Scratch", Machine Learning Mastery 2022.

    Its matrices come from ``random.seed(42)`` and are written out here.
    """
    trace = self_attention(
        [[1, 0, 0], [0, 1, 0], [1, 1, 0], [0, 0, 1]],
        W_Q=[[2, 0, 2], [2, 0, 0], [2, 1, 2]],
        W_K=[[2, 2, 2], [0, 2, 1], [0, 1, 1]],
        W_V=[[1, 1, 0], [0, 1, 1], [0, 0, 0]],
    )
    assert trace.attention.scores[0].tolist() == [[8, 2, 10, 2], [4, 0, 4, 0], [12, 2, 14, 2], [10, 4, 14, 3]]
    assert_prints_as(
        trace.output,
        [
            [0.98522025, 1.74174051, 0.75652026],
            [0.90965265, 1.40965265, 0.5],
            [0.99851226, 1.75849334, 0.75998108],
            [0.99560386, 1.90407309, 0.90846923],
        ],
        decimals=8,
    )


JOURNEY = [  # "Your journey starts with one step"
    [0.43, 0.15, 0.89],
    [0.55, 0.87, 0.66],
    [0.57, 0.85, 0.64],
    [0.22, 0.58, 0.33],
    [0.77, 0.25, 0.10],
    [0.05, 0.80, 0.55],
]


def test_simple_self_attention_by_sebastian_raschka():
    """Sebastian Raschka, "Build a Large Language Model (From Scratch)", section 3.3.2, printed by PyTorch.

    Queries, keys and values are the embeddings; scores are not divided.
    """
    attention = attend(JOURNEY, JOURNEY, JOURNEY, scale=1.0)
    slack = float32_slack(attention.scores)
    assert_prints_as(
        attention.scores,
        [
            [0.9995, 0.9544, 0.9422, 0.4753, 0.4576, 0.6310],
            [0.9544, 1.4950, 1.4754, 0.8434, 0.7070, 1.0865],
            [0.9422, 1.4754, 1.4570, 0.8296, 0.7154, 1.0605],
            [0.4753, 0.8434, 0.8296, 0.4937, 0.3474, 0.6565],
            [0.4576, 0.7070, 0.7154, 0.3474, 0.6654, 0.2935],
            [0.6310, 1.0865, 1.0605, 0.6565, 0.2935, 0.9450],
        ],
        decimals=4,
        slack=slack,
    )
    assert_prints_as(
        attention.weights,
        [
            [0.2098, 0.2006, 0.1981, 0.1242, 0.1220, 0.1452],
            [0.1385, 0.2379, 0.2333, 0.1240, 0.1082, 0.1581],
            [0.1390, 0.2369, 0.2326, 0.1242, 0.1108, 0.1565],
            [0.1435, 0.2074, 0.2046, 0.1462, 0.1263, 0.1720],
            [0.1526, 0.1958, 0.1975, 0.1367, 0.1879, 0.1295],
            [0.1385, 0.2184, 0.2128, 0.1420, 0.0988, 0.1896],
        ],
        decimals=4,
        slack=slack,
    )
    assert_prints_as(
        attention.output,
        [
            [0.4421, 0.5931, 0.5790],
            [0.4419, 0.6515, 0.5683],
            [0.4431, 0.6496, 0.5671],
            [0.4304, 0.6298, 0.5510],
            [0.4671, 0.5910, 0.5266],
            [0.4177, 0.6503, 0.5645],
        ],
        decimals=4,
        slack=slack,
    )


def test_causal_mask_by_sebastian_raschka():
    """The same book, section 3.5.1: PyTorch's masked scores and the weights that it makes of them, d_k = 2.

    The scores are known to four decimals. A weight moves by at most half of what its scores move by, for the
    slopes p_i (δ_ij - p_j) of softmax add up to 2 p_i (1 - p_i) <= 1/2 in absolute value.
    """
    scores = np.array(
        [
            [0.2899, 0, 0, 0, 0, 0],
            [0.4656, 0.1723, 0, 0, 0, 0],
            [0.4594, 0.1703, 0.1731, 0, 0, 0],
            [0.2642, 0.1024, 0.1036, 0.0186, 0, 0],
            [0.2183, 0.0874, 0.0882, 0.0177, 0.0786, 0],
            [0.3408, 0.1270, 0.1290, 0.0198, 0.1290, 0.0078],
        ]
    )
    columns = np.eye(6)
    attention = attend(scores, columns, columns, mask=causal_mask(6), scale=0.5**0.5)
    assert np.array_equal(attention.scores, scores)
    assert_prints_as(
        attention.weights,
        [
            [1.0000, 0.0000, 0.0000, 0.0000, 0.0000, 0.0000],
            [0.5517, 0.4483, 0.0000, 0.0000, 0.0000, 0.0000],
            [0.3800, 0.3097, 0.3103, 0.0000, 0.0000, 0.0000],
            [0.2758, 0.2460, 0.2462, 0.2319, 0.0000, 0.0000],
            [0.2175, 0.1983, 0.1984, 0.1888, 0.1971, 0.0000],
            [0.1935, 0.1663, 0.1666, 0.1542, 0.1666, 0.1529],
        ],
        decimals=4,
        slack=0.5 * 0.5e-4 * 0.5**0.5,
    )


def test_transformer_tutorial_of_tensorflow():
    """TensorFlow, "Transformer model for language understanding" (2019-2022), scaled_dot_product_attention.

    It prints 0 and 0.5 for weights that differ from them by exp(-100/√3), about 1e-25.
    """
    attention = attend(
        [[0, 0, 10], [0, 10, 0], [10, 10, 0]],
        [[10, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]],
        [[1, 0], [10, 0], [100, 5], [1000, 6]],
    )
    assert_prints_as(attention.weights, [[0, 0, 0.5, 0.5], [0, 1, 0, 0], [0.5, 0.5, 0, 0]], decimals=8)
    assert_prints_as(attention.output, [[550, 5.5], [10, 0], [5.5, 0]], decimals=8)


def test_the_cat_sat_by_unfold_data_science():
    """Unfold Data Science, notebook "Attention" of the series on language models, 2025."""
    trace = self_attention(
        [[1, 0, 0.5], [0, 1, 0.3], [1, 1, 0.2]],
        W_Q=[[1, 0, 0.5], [0, 1, 0.5], [0, 1, 0.5]],
        W_K=[[1, 0, 0.5], [0, 1, 0.5], [0, 1, 0.5]],
        W_V=[[0.5, 1, 0.2], [1, 0.5, 0.3], [1, 0.5, 0.1]],
    )
    assert_prints_as(
        trace.attention.scaled[0],
        [
            [1.04644736, 0.65673593, 1.4000744],
            [0.65673593, 1.21965244, 1.31347186],
            [1.4000744, 1.31347186, 2.10732848],
        ],
        decimals=8,
    )
    assert_prints_as(
        trace.attention.weights[0],
        [
            [0.32242711, 0.21836449, 0.4592084],
            [0.21348029, 0.37482567, 0.41169404],
            [0.25345618, 0.23242983, 0.51411399],
        ],
        decimals=8,
    )
    assert_prints_as(
        trace.output,
        [
            [1.38695523, 1.27970424, 0.39145543],
            [1.40063353, 1.16919751, 0.39114344],
            [1.42960874, 1.290482, 0.40740516],
        ],
        decimals=8,
    )


def test_the_cat_sat_with_a_causal_mask_by_unfold_data_science():
    """The same notebook, second part: identity projections, the future hidden."""
    X = [[1, 0, 1], [0, 1, 1], [1, 1, 0]]
    attention = attend(X, X, X, mask=causal_mask(3))
    visible = causal_mask(3)
    assert np.isneginf(attention.masked[~visible]).all()
    assert_prints_as(
        attention.masked[visible],
        [1.15470054, 0.57735027, 1.15470054, 0.57735027, 0.57735027, 1.15470054],
        decimals=8,
    )
    assert_prints_as(
        attention.weights,
        [[1, 0, 0], [0.35954252, 0.64045748, 0], [0.26445846, 0.26445846, 0.47108308]],
        decimals=8,
    )
    assert_prints_as(
        attention.output,
        [[1, 0, 1], [0.35954252, 0.64045748, 1], [0.73554154, 0.73554154, 0.52891692]],
        decimals=8,
    )


def test_i_am_batman_by_vikram_taviti():
    """Vikram Taviti, notebook "self attention" of tutorials on transformers, 2025. It multiplies by W^T."""
    trace = self_attention(
        [[1, 0], [0, 0], [0, 1]],
        W_Q=np.transpose([[1, 2], [3, 4]]),
        W_K=np.transpose([[0.5, 1], [1.5, 1]]),
        W_V=np.transpose([[1, 0.5], [0.5, 1]]),
    )
    assert trace.attention.scores[0].tolist() == [[5, 0, 4], [0, 0, 0], [7, 0, 6]]
    assert_prints_as(
        trace.attention.weights[0],
        [
            [0.65693877, 0.01914529, 0.32391594],
            [0.33333333, 0.33333333, 0.33333333],
            [0.66659828, 0.00472298, 0.32867874],
        ],
        decimals=8,
    )
    assert_prints_as(
        trace.output,
        [[0.81889674, 0.65238532], [0.5, 0.5], [0.83093765, 0.66197788]],
        decimals=8,
    )


def test_two_heads_side_by_side_by_ali_muhammad_asad():
    """Ali Muhammad Asad, "Grad-Chronicles", notebook on multi-head attention: two heads, concatenated."""
    trace = self_attention(
        [[1, 2], [3, 4]],
        W_Q=np.hstack([[[1, 0], [0, 1]], [[0, 1], [1, 0]]]),
        W_K=np.hstack([[[0, 1], [1, 0]], [[1, 0], [0, 1]]]),
        W_V=np.hstack([[[1, 0], [0, -1]], [[0, 1], [-1, 0]]]),
        heads=2,
        W_O=[[1, 0], [0, 1], [-1, 0], [0, -1]],
    )
    assert_prints_as(
        trace.concatenated,
        [
            [2.97166793, -3.97166793, -3.97166793, 2.97166793],
            [2.9998996, -3.9998996, -3.9998996, 2.9998996],
        ],
        decimals=8,
    )
    # W_O takes the second head off the first; the page prints 6.94333586 first
    assert_prints_as(trace.output[0], [6.94333586, -6.94333586], decimals=8)


def test_scores_and_shares_of_the_illustrated_transformer():
    """Jay Alammar, "The Illustrated Transformer", 2018: q1·k1 = 112 and q1·k2 = 96, d_k = 64."""
    assert_prints_as(softmax(np.array([112, 96]) / 8), [0.88, 0.12], decimals=2)


class TestKeras:
    """Keras, layers/attention/attention_test.py and multi_head_attention_test.py (its own references)."""

    def test_dot_scores_without_division(self):
        attention = attend([[1, 0], [0, 1]], [[0, 1], [1, 0]], [[1, 2], [3, 4]], scale=1.0)
        assert_prints_as(attention.weights, [[0.269, 0.731], [0.731, 0.269]], decimals=3)
        assert_prints_as(attention.output, [[2.462, 3.462], [1.538, 2.538]], decimals=3)

    def test_a_masked_value_gets_no_weight(self):
        """Its query mask zeroes the second output afterwards, which is no part of the formula."""
        Q, V = [[1, 0], [0, 1]], [[1, 1], [1, 1]]
        attention = attend(Q, V, V, mask=padding_mask([True, False]), scale=1.0)
        assert attention.weights.tolist() == [[1, 0], [1, 0]]
        assert attention.output[0].tolist() == [1, 1]

    def test_eight_heads_over_identity_matrices(self):
        """Printed to four decimals, computed in float16: one unit of it in [1/8, 1/4) is 2^-13."""
        eye = np.eye(8)
        every_head = np.tile(eye, 8)
        trace = self_attention(eye, every_head, every_head, every_head, heads=8)
        expected = np.full((8, 8), 0.1187) + np.diag(np.full(8, 0.1691 - 0.1187))
        assert_prints_as(trace.attention.weights, np.tile(expected, (8, 1, 1)), decimals=4, slack=2.0**-13)


def _float32(*rows):
    return np.array(rows, dtype=np.float32).astype(np.float64)


class TestOnnxRuntime:
    """ONNX Runtime, onnxruntime/test/contrib_ops/attention_op_test.cc: two heads of two, with biases.

    The published outputs carry float32 rounding of every stage. Each entry of a projection is a sum of
    d_model + 1 terms, so that queries and keys bring 2 (d_model + 1) more roundings to a score than
    ``reference`` counts, and values bring d_model + 1 to the output.
    """

    X = _float32([0.8, -0.5, 0.0, 1.0], [0.5, 0.2, 0.3, -0.6])
    W = _float32(
        [0.1, -0.2, 0.3, 1.0, 1.1, 0.3, 0.5, 0.2, 0.3, -0.6, 1.5, 2.0],
        [0.5, 0.1, 0.4, 1.6, 1.0, 2.0, 0.4, 0.8, 0.9, 0.1, -1.3, 0.7],
        [0.3, 0.2, 4.0, 2.2, 1.6, 1.1, 0.7, 0.2, 0.4, 1.0, 1.2, 0.5],
        [0.2, 0.1, 0.4, 1.6, 2.4, 3.3, 2.1, 4.2, 8.4, 0.0, 2.1, 3.2],
    )
    b = _float32([-0.5, 0.6, 1.2, 2.1, 0.5, 0.7, 0.2, 1.2, 0.5, 0.4, 0.3, 1.2])[0]

    def trace(self, mask=None):
        W_Q, W_K, W_V = np.hsplit(self.W, 3)
        b_Q, b_K, b_V = np.split(self.b, 3)
        return self_attention(self.X, W_Q, W_K, W_V, heads=2, b_Q=b_Q, b_K=b_K, b_V=b_V, mask=mask)

    def bound(self, attention, bias=0.0):
        d_model = len(self.W)
        sizes = np.abs(self.X) @ np.abs(self.W) + np.abs(self.b)
        Q, K, V = (part.reshape(2, 2, 2).swapaxes(0, 1) for part in np.hsplit(sizes, 3))
        d = Q.shape[-1]
        size = score_size(Q, K, attention.scale, bias)
        e = score_bound(size, d + 4 + 2 * (d_model + 1), d, FLOAT32)
        off = weight_bound(attention.weights, attention.scaled, e, np.isfinite(attention.masked), FLOAT32)
        per_head = output_bound(attention.weights, off, V, d_model + 1, FLOAT32)
        return np.concatenate(per_head, axis=-1)

    def assert_within(self, output, published, bound):
        assert bound.max() < 1e-3, "the bound would allow anything"
        assert (np.abs(output - np.array(published)) <= bound).all()

    def test_two_heads_with_biases(self):
        trace = self.trace()
        published = [
            [3.1495983600616455, 0.10843668878078461, 4.25, 5.6499996185302734],
            [3.9696791172027588, 0.073143675923347473, 4.2499995231628418, 5.6499991416931152],
        ]
        self.assert_within(trace.output, published, self.bound(trace.attention))

    def test_a_filler_at_the_end_is_hidden(self):
        trace = self.trace(mask=padding_mask([True, False]))
        published = [
            [8.6899995803833008, -0.13000002503395081, 4.25, 5.6499996185302734],
            [8.6899995803833008, -0.13000002503395081, 4.2499995231628418, 5.6499991416931152],
        ]
        self.assert_within(trace.output, published, self.bound(trace.attention))

    def test_a_bias_on_the_scores(self):
        bias = _float32([0.2, -0.1, 0.4, 2.5, 1.6, -1.1, 0.4, -2.5]).reshape(2, 2, 2)
        trace = self.trace()
        attention = attend(trace.queries, trace.keys, trace.values, bias=bias)
        published = [
            [4.066014289855957, 0.068997815251350403, 4.25, 5.6499996185302734],
            [-1.8799558877944946, 0.32488855719566345, 4.25, 5.6499996185302734],
        ]
        output = np.concatenate(attention.output, axis=-1)
        self.assert_within(output, published, self.bound(attention, bias))


@pytest.mark.parametrize(
    ("length", "published"),
    [(2, [2, 3, 4, 5]), (6, [10, 11, 12, 13])],
)
def test_valid_lengths_of_dive_into_deep_learning(length, published):
    """Zhang et al., "Dive into Deep Learning", section 11.3: equal keys, so visible values are averaged."""
    values = np.arange(40.0).reshape(10, 4)
    queries = np.random.default_rng(0).standard_normal((1, 20))  # any query will do
    real = np.arange(10) < length
    attention = attend(queries, np.ones((10, 20)), values, mask=padding_mask(real))
    assert_prints_as(attention.output, [published], decimals=4)
