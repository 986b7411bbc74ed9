"""Self- and cross-attention: projections, heads, and the record of every stage."""

import numpy as np
import pytest

from math_core import Attention, as_dict, causal_mask, cross_attention, padding_mask, self_attention

EYE = np.eye(2)
X = np.array([[2.0, 0.0], [1.0, 2.0], [2.0, 0.0]])
CONTEXT = np.array([[1.0, 1.0], [0.0, 3.0], [2.0, 2.0], [5.0, 0.0]])

FIELDS = [
    "embeddings",
    "context",
    "W_Q",
    "W_K",
    "W_V",
    "W_O",
    "b_Q",
    "b_K",
    "b_V",
    "b_O",
    "queries",
    "keys",
    "values",
    "attention",
    "concatenated",
    "output",
]


class TestStages:
    def test_tokens_are_rows_that_are_multiplied_from_the_right(self):
        trace = self_attention(X, [[0, 1], [1, 0]], [[1, 2], [3, 4]], [[1], [-1]])
        assert trace.queries.tolist() == [[[0, 2], [2, 1], [0, 2]]]
        assert trace.keys.tolist() == [[[2, 4], [7, 10], [2, 4]]]
        assert trace.values.tolist() == [[[2], [-1], [2]]]

    def test_biases_are_added_to_every_token(self):
        trace = self_attention(X, EYE, EYE, EYE, b_Q=[1, 0], b_K=[0, 1], b_V=[10, 20])
        assert trace.queries[0].tolist() == [[3, 0], [2, 2], [3, 0]]
        assert trace.keys[0].tolist() == [[2, 1], [1, 3], [2, 1]]
        assert trace.values[0].tolist() == [[12, 20], [11, 22], [12, 20]]

    def test_each_head_owns_its_block_of_columns(self):
        W = np.arange(8).reshape(2, 4)
        trace = self_attention(X, W, W, W, heads=2)
        assert np.array_equal(trace.queries[0], X @ W[:, :2])
        assert np.array_equal(trace.queries[1], X @ W[:, 2:])
        assert np.array_equal(trace.concatenated[:, :2], trace.attention.output[0])
        assert np.array_equal(trace.concatenated[:, 2:], trace.attention.output[1])

    def test_without_an_output_projection_the_heads_stand_side_by_side(self):
        trace = self_attention(X, EYE, EYE, EYE, heads=2)
        assert trace.W_O is None
        assert np.array_equal(trace.output, trace.concatenated)

    def test_the_output_projection_mixes_the_heads(self):
        trace = self_attention(X, EYE, EYE, EYE, heads=2, W_O=[[1, 0, 1], [0, 1, 1]], b_O=[100, 0, 0])
        first, second = trace.concatenated.T
        assert np.array_equal(trace.output, np.stack([first + 100, second, first + second], axis=1))

    def test_cross_attention_asks_of_another_sentence(self):
        trace = cross_attention(X, CONTEXT, EYE, EYE, EYE)
        assert np.array_equal(trace.attention.scores[0], X @ CONTEXT.T)
        assert np.array_equal(trace.values[0], CONTEXT)
        assert trace.output.shape == (3, 2)

    def test_self_attention_is_cross_attention_to_the_same_sentence(self):
        alone, other = self_attention(X, EYE, EYE, EYE), cross_attention(X, X, EYE, EYE, EYE)
        assert alone.context is alone.embeddings
        assert np.array_equal(alone.output, other.output)

    def test_a_mask_holds_for_every_head(self):
        trace = self_attention(X, EYE, EYE, EYE, heads=2, mask=causal_mask(3) & padding_mask([True, False, True]))
        assert (trace.attention.weights[:, ~causal_mask(3)] == 0).all()
        assert (trace.attention.weights[:, :, 1] == 0).all()

    def test_each_head_may_have_its_own_mask(self):
        masks = np.stack([causal_mask(3), np.ones((3, 3), bool)])
        trace = self_attention(X, EYE, EYE, EYE, heads=2, mask=masks)
        assert trace.attention.weights[0, 0].tolist() == [1, 0, 0]
        assert trace.attention.weights[1, 0, 1] > 0

    def test_contributions_are_the_weighted_values_that_add_up_to_the_output(self):
        trace = cross_attention(X, CONTEXT, EYE, EYE, 3 * EYE, heads=2)
        assert trace.contributions.shape == (2, 3, 4, 1)
        assert trace.contributions[1, 0, 2, 0] == trace.attention.weights[1, 0, 2] * trace.values[1, 2, 0]
        assert trace.contributions.sum(axis=2) == pytest.approx(trace.attention.output, rel=1e-14, abs=0)

    def test_the_plain_average_counts_every_token_the_same(self):
        assert self_attention(X, EYE, EYE, EYE).plain_average == pytest.approx([5 / 3, 2 / 3], rel=1e-15, abs=0)

    def test_a_scale_of_one_leaves_the_scores_as_they_are(self):
        trace = self_attention(X, EYE, EYE, EYE, scale=1.0)
        assert np.array_equal(trace.attention.scaled, trace.attention.scores)

    def test_the_head_width_decides_the_default_scale(self):
        trace = self_attention(np.eye(8), np.eye(8), np.eye(8), np.eye(8), heads=2)
        assert trace.attention.scale == 0.5


class TestRecord:
    def test_it_has_a_field_for_every_stage(self):
        trace = self_attention(X, EYE, EYE, EYE)
        assert list(as_dict(trace)) == FIELDS

    def test_it_knows_its_sizes(self):
        trace = cross_attention(X, CONTEXT, np.ones((2, 6)), np.ones((2, 6)), np.ones((2, 3)), heads=3)
        assert (trace.n, trace.d_model, trace.heads, trace.d_k, trace.d_v) == (3, 2, 3, 2, 1)
        assert trace.queries.shape == (3, 3, 2)
        assert trace.keys.shape == (3, 4, 2)
        assert trace.values.shape == (3, 4, 1)
        assert trace.concatenated.shape == (3, 3)

    def test_as_a_dict_it_nests_attention_by_its_own_fields(self):
        trace = self_attention(X, EYE, EYE, EYE, mask=causal_mask(3))
        attention = as_dict(trace)["attention"]
        assert list(attention) == ["scores", "scaled", "masked", "weights", "output", "scale", "mask"]
        assert attention["weights"] is trace.attention.weights
        assert isinstance(trace.attention, Attention)

    def test_every_number_is_float64(self):
        trace = self_attention(X.astype(np.float32), EYE.astype(int), EYE, EYE, heads=2)
        arrays = [value for value in as_dict(trace).values() if isinstance(value, np.ndarray)]
        assert {array.dtype for array in arrays} == {np.dtype(np.float64)}


class TestComplaints:
    @pytest.mark.parametrize(
        ("changed", "complaint"),
        [
            ({"X": [1, 2]}, r"embeddings X must have shape \(n, d_model\), got \(2,\)"),
            ({"X": [[1, 2], [np.nan, 2]]}, r"embeddings X\[1, 0\] is nan; every entry must be finite"),
            ({"X": [[1, 2], [3]]}, "embeddings X must be a rectangular array"),
            ({"X": []}, r"embeddings X must have shape"),
            ({"W_Q": np.eye(3)}, r"W_Q must have shape \(d_model=2, heads\*d_k\), got \(3, 3\)"),
            ({"W_K": np.ones((2, 3))}, r"W_K must have shape \(d_model=2, heads\*d_k=2\), got \(2, 3\)"),
            ({"W_V": [["a", "b"]]}, "W_V must hold real numbers, got text"),
            ({"W_O": np.eye(3)}, r"W_O must have shape \(heads\*d_v=2, d_out\), got \(3, 3\)"),
            ({"b_Q": [1, 2, 3]}, r"b_Q must have shape \(columns of W_Q=2,\), got \(3,\)"),
            ({"b_V": [1, np.inf]}, r"b_V\[1\] is inf"),
            ({"b_O": [1, 2]}, "b_O is the bias of W_O, which is not given"),
            ({"heads": 3}, "W_Q has 2 columns, which cannot be shared equally by heads = 3"),
            ({"heads": 2, "W_V": np.ones((2, 3))}, "W_V has 3 columns, which cannot be shared equally"),
            ({"heads": 0}, "heads must be a whole number of 1 or more, got 0"),
            ({"heads": 1.0}, r"heads must be a whole number of 1 or more, got 1\.0"),
            ({"mask": np.ones((2, 2), bool)}, r"mask must broadcast to .* = \(1, 3, 3\), got \(2, 2\)"),
            ({"mask": np.eye(3)}, "mask must hold booleans, got float64"),
            ({"scale": np.inf}, "scale must be one finite number, got inf"),
            ({"W_Q": 1e308 * np.ones((2, 2))}, r"queries\[0, 0\] is inf; the projection leaves the range"),
        ],
    )
    def test_input_that_does_not_fit_is_named(self, changed, complaint):
        with pytest.raises(ValueError, match=complaint):
            self_attention(**{"X": X, "W_Q": EYE, "W_K": EYE, "W_V": EYE} | changed)

    def test_a_context_of_another_width_is_named(self):
        with pytest.raises(ValueError, match=r"context must have shape \(m, d_model=2\), got \(4, 3\)"):
            cross_attention(X, np.ones((4, 3)), EYE, EYE, EYE)

    def test_an_output_beyond_float64_is_named(self):
        with pytest.raises(ValueError, match=r"output\[0, 0\] is inf"):
            self_attention(X, EYE, EYE, 1e307 * EYE, W_O=1e10 * EYE)
