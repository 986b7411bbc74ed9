"""Attention over sentences: embeddings through projections and heads to the output, every stage kept.

A trace is what a picture may show. Nothing here knows of pictures, words or files.
"""

from dataclasses import dataclass
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from math_core._arrays import Axis, FloatArray, float_array, require_each, whole_number
from math_core._records import Record, frozen
from math_core.attention import Attention, attend


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Trace(Record):
    """Every stage of (multi-head) attention, from the embeddings to the output. All arrays are read-only."""

    embeddings: FloatArray  # (n, d_model)  who asks
    context: FloatArray  # (m, d_model)  who is asked; the embeddings themselves in self-attention
    W_Q: FloatArray  # (d_model, heads * d_k)
    W_K: FloatArray  # (d_model, heads * d_k)
    W_V: FloatArray  # (d_model, heads * d_v)
    W_O: FloatArray | None  # (heads * d_v, d_out)
    b_Q: FloatArray | None  # (heads * d_k,)
    b_K: FloatArray | None  # (heads * d_k,)
    b_V: FloatArray | None  # (heads * d_v,)
    b_O: FloatArray | None  # (d_out,)
    queries: FloatArray  # (heads, n, d_k)
    keys: FloatArray  # (heads, m, d_k)
    values: FloatArray  # (heads, m, d_v)
    attention: Attention  # its arrays lead with the axis of heads
    concatenated: FloatArray  # (n, heads * d_v)  the heads' outputs side by side
    output: FloatArray  # (n, d_out)  concatenated W_O + b_O; concatenated itself without W_O

    @property
    def n(self) -> int:
        """Tokens that ask."""
        return int(self.embeddings.shape[0])

    @property
    def d_model(self) -> int:
        """Width of an embedding."""
        return int(self.embeddings.shape[1])

    @property
    def heads(self) -> int:
        """Attentions side by side."""
        return int(self.queries.shape[0])

    @property
    def d_k(self) -> int:
        """Width of one head's query and key."""
        return int(self.queries.shape[2])

    @property
    def d_v(self) -> int:
        """Width of one head's value."""
        return int(self.values.shape[2])

    @property
    def contributions(self) -> FloatArray:
        """What each value adds to each output of its head, weight times value: (heads, n, m, d_v)."""
        return frozen(self.attention.weights[..., None] * self.values[:, None])

    @property
    def plain_average(self) -> FloatArray:
        """The mean of the embeddings (d_model,): a blend in which every token counts the same."""
        return frozen(self.embeddings.mean(axis=0))


def self_attention(
    X: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    *,
    heads: SupportsIndex = 1,
    W_O: ArrayLike | None = None,
    b_Q: ArrayLike | None = None,
    b_K: ArrayLike | None = None,
    b_V: ArrayLike | None = None,
    b_O: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> Trace:
    """Let the tokens of one sentence attend to each other: Concat(head_1, ..., head_h) W_O.

    Parameters
    ----------
    X
        Embeddings (n, d_model), one row a token.
    W_Q, W_K, W_V
        Projections (d_model, heads * d_k), the same, and (d_model, heads * d_v). Head i owns the i-th of
        ``heads`` equal blocks of columns.
    W_O
        Output projection (heads * d_v, d_out); None leaves the heads' outputs side by side, unmixed.
    b_Q, b_K, b_V, b_O
        Biases of the projections, one number a column.
    mask, scale
        As for ``attend``; the mask broadcasts to (heads, n, n).

    Raises
    ------
    ValueError
        Input that is not real, not finite or does not fit together. The message names the argument with its
        shape, or the cell.

    Notes
    -----
    Vaswani et al. 2017, section 3.2.2. Token vectors are rows, so that q = x W_Q.
    """
    projections = (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O)
    return _trace(X, None, *projections, heads=heads, mask=mask, scale=scale)


def cross_attention(
    X: ArrayLike,
    context: ArrayLike,
    W_Q: ArrayLike,
    W_K: ArrayLike,
    W_V: ArrayLike,
    *,
    heads: SupportsIndex = 1,
    W_O: ArrayLike | None = None,
    b_Q: ArrayLike | None = None,
    b_K: ArrayLike | None = None,
    b_V: ArrayLike | None = None,
    b_O: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    scale: float | None = None,
) -> Trace:
    """Let the tokens of one sentence attend to another: queries from ``X``, keys and values from ``context``.

    ``context`` holds embeddings (m, d_model); the mask broadcasts to (heads, n, m). All else is as for
    ``self_attention``. Vaswani et al. 2017, section 3.2.3, "encoder-decoder attention".
    """
    projections = (W_Q, W_K, W_V, W_O), (b_Q, b_K, b_V, b_O)
    return _trace(X, context, *projections, heads=heads, mask=mask, scale=scale)


_Matrices = tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike | None]
_Biases = tuple[ArrayLike | None, ArrayLike | None, ArrayLike | None, ArrayLike | None]


def _trace(
    X: ArrayLike,
    other: ArrayLike | None,
    matrices: _Matrices,
    biases: _Biases,
    *,
    heads: SupportsIndex,
    mask: ArrayLike | None,
    scale: float | None,
) -> Trace:
    embeddings = _kept("embeddings X", X, "n", "d_model")
    width = ("d_model", embeddings.shape[1])
    context = embeddings if other is None else _kept("context", other, "m", width)
    W_Q = _kept("W_Q", matrices[0], width, "heads*d_k")
    W_K = _kept("W_K", matrices[1], width, ("heads*d_k", W_Q.shape[1]))
    W_V = _kept("W_V", matrices[2], width, "heads*d_v")
    W_O = None if matrices[3] is None else _kept("W_O", matrices[3], ("heads*d_v", W_V.shape[1]), "d_out")
    b_Q, b_K, b_V, b_O = map(_bias, "QKVO", biases, (W_Q, W_K, W_V, W_O))
    h = whole_number("heads", heads, at_least=1)

    queries = _split("W_Q", _project("queries", embeddings, W_Q, b_Q), h)
    keys = _split("W_K", _project("keys", context, W_K, b_K), h)
    values = _split("W_V", _project("values", context, W_V, b_V), h)
    attention = attend(queries, keys, values, mask=mask, scale=scale)
    concatenated = frozen(np.concatenate(attention.output, axis=-1))
    output = concatenated if W_O is None else _project("output", concatenated, W_O, b_O)
    return Trace(
        embeddings=embeddings,
        context=context,
        W_Q=W_Q,
        W_K=W_K,
        W_V=W_V,
        W_O=W_O,
        b_Q=b_Q,
        b_K=b_K,
        b_V=b_V,
        b_O=b_O,
        queries=queries,
        keys=keys,
        values=values,
        attention=attention,
        concatenated=concatenated,
        output=output,
    )


def _kept(name: str, value: ArrayLike, *layout: Axis) -> FloatArray:
    return frozen(float_array(name, value, layout).copy())


def _bias(letter: str, value: ArrayLike | None, W: FloatArray | None) -> FloatArray | None:
    if value is None:
        return None
    if W is None:
        raise ValueError(f"b_{letter} is the bias of W_{letter}, which is not given")
    return _kept(f"b_{letter}", value, (f"columns of W_{letter}", W.shape[1]))


@np.errstate(over="ignore", invalid="ignore")
def _project(name: str, tokens: FloatArray, W: FloatArray, b: FloatArray | None) -> FloatArray:
    projected = tokens @ W if b is None else tokens @ W + b
    require_each(name, projected, np.isfinite(projected), "the projection leaves the range of float64")
    return frozen(projected)


def _split(name: str, projected: FloatArray, heads: int) -> FloatArray:
    """Cut the columns into equal blocks, one a head: (n, heads * d) to (heads, n, d)."""
    n, columns = projected.shape
    if columns % heads:
        raise ValueError(f"{name} has {columns} columns, which cannot be shared equally by heads = {heads}")
    return projected.reshape(n, heads, columns // heads).swapaxes(0, 1)
