"""Scaled dot-product attention: pure functions from arrays to a record of every stage.

This is the formula that all films are about: equation 1 of Vaswani et al. 2017, "Attention Is All You Need".
Projections, heads and sentences live in ``trace``; masks are made in ``masks``.
"""

import math
from dataclasses import dataclass

import numpy as np
import scipy.special
from numpy.typing import ArrayLike

from math_core._arrays import (
    BoolArray,
    FloatArray,
    bool_array,
    broadcast,
    finite_number,
    float_array,
    real_array,
    require_each,
)
from math_core._records import Record, frozen

_DIRECT_LIMIT = 10.0  # exp(10) = 22026 can still be read in a picture, exp(100) cannot
_GRID = "(..., n_q, n_k)"
_OVERFLOW = "the input is too large for float64"


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Attention(Record):
    """Every stage of attention, in the order in which it is computed. All arrays are read-only."""

    scores: FloatArray  # (..., n_q, n_k)  Q K^T
    scaled: FloatArray  # (..., n_q, n_k)  scores * scale + bias
    masked: FloatArray  # (..., n_q, n_k)  scaled, and -inf where hidden
    weights: FloatArray  # (..., n_q, n_k)  softmax of each row; exactly 0 where hidden
    output: FloatArray  # (..., n_q, d_v)  weights V
    scale: float
    mask: BoolArray | None  # (..., n_q, n_k)  True = may attend; None = nothing is hidden

    @property
    def divisor(self) -> float:
        """What the scores are divided by, the inverse of ``scale``: sqrt(d_k) unless told otherwise."""
        if not self.scale:
            return math.inf
        divisor = 1.0 / self.scale
        # Turning a number over twice can miss it by a rounding: 1 / (1 / 49) is not 49.
        whole = float(round(divisor))
        return whole if math.isclose(divisor, whole, rel_tol=2.0**-51) else divisor


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class SoftmaxSteps(Record):
    """Softmax of each row by hand: shares = exponentials / totals, to rounding. All arrays are read-only."""

    shift: FloatArray  # (..., 1)  taken off the scores first; changes no share
    exponentials: FloatArray  # (..., n)  exp(scores - shift); 0 where hidden
    totals: FloatArray  # (..., 1)  sum of the row's exponentials; 0 where all is hidden
    shares: FloatArray  # (..., n)  softmax of the row


@np.errstate(over="ignore", invalid="ignore", under="ignore")
def attend(
    queries: ArrayLike,
    keys: ArrayLike,
    values: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    scale: float | None = None,
) -> Attention:
    """Let every query blend the values by how well it matches their keys: softmax(Q K^T / sqrt(d_k)) V.

    Parameters
    ----------
    queries, keys, values
        (..., n_q, d_k), (..., n_k, d_k) and (..., n_k, d_v). Leading axes broadcast.
    mask
        Booleans that broadcast to (..., n_q, n_k); True = may attend.
    bias
        Finite numbers that broadcast to (..., n_q, n_k), added to the scaled scores.
    scale
        Factor on the scores; None = 1/sqrt(d_k), and 1.0 leaves them as they are.

    Returns
    -------
    Attention
        Every stage in float64. A query that may attend to nothing gets zero weights and a zero output.

    Raises
    ------
    ValueError
        Input that is not real, not finite or does not fit together, or whose scores leave the range of
        float64. The message names the argument with its shape, or the cell.

    Notes
    -----
    Vaswani et al. 2017, section 3.2.1, equation 1. Zeros for a query that sees nothing are what PyTorch's
    ``scaled_dot_product_attention`` and ONNX's ``Attention`` give.
    """
    Q, K, V = _aligned(queries, keys, values)
    grid = (*Q.shape[:-1], K.shape[-2])
    factor = 1.0 / math.sqrt(Q.shape[-1]) if scale is None else finite_number("scale", scale)
    visible = None if mask is None else _visible(mask, grid)

    scores = Q @ K.mT
    scaled = scores * factor
    if bias is not None:
        scaled += broadcast("bias", float_array("bias", bias, ("...",)), _GRID, grid)
    require_each("scaled", scaled, np.isfinite(scaled), _OVERFLOW)
    masked = scaled if visible is None else np.where(visible, scaled, -np.inf)
    weights = _softmax(masked)
    output = weights @ V
    require_each("output", output, np.isfinite(output), _OVERFLOW)

    scores, scaled, masked, weights, output = map(frozen, (scores, scaled, masked, weights, output))
    return Attention(scores, scaled, masked, weights, output, factor, visible)


def softmax(scores: ArrayLike, axis: int = -1) -> FloatArray:
    """Return the shares exp(x) / sum(exp(x)) along ``axis``, in float64.

    A score of -inf gets exactly 0; where all are -inf, all shares are 0. ValueError names a score that is
    NaN or +inf.
    """
    array = real_array("scores", scores, ("...", "n"))
    require_each("scores", array, array < np.inf, "a score is a finite number, or -inf where it is hidden")
    return _softmax(array, axis)


@np.errstate(over="ignore", under="ignore")
def softmax_steps(scores: ArrayLike) -> SoftmaxSteps:
    """Return what it takes to show softmax of each row of ``scores`` (..., n) by hand.

    Rows in which no finite score is beyond ±10 are exponentiated as they are; from the others the row's
    maximum is taken first, as every implementation does to keep exp from overflowing.
    """
    array = real_array("scores", scores, ("...", "n"))
    shares = softmax(array)
    size = np.abs(array).max(axis=-1, keepdims=True, where=np.isfinite(array), initial=0.0)
    shift = np.where(size <= _DIRECT_LIMIT, 0.0, array.max(axis=-1, keepdims=True))
    exponentials = np.exp(array - shift)
    totals = exponentials.sum(axis=-1, keepdims=True)
    return SoftmaxSteps(*map(frozen, (shift, exponentials, totals, shares)))


@np.errstate(over="ignore", invalid="ignore", under="ignore")
def _softmax(scores: FloatArray, axis: int = -1) -> FloatArray:
    shares: FloatArray = scipy.special.softmax(scores, axis=axis)
    # A row of nothing but -inf has no maximum to shift by and comes back as NaN.
    nothing_visible = np.isneginf(scores.max(axis=axis, keepdims=True))
    np.copyto(shares, 0.0, where=nothing_visible)
    return shares


def _visible(mask: ArrayLike, grid: tuple[int, ...]) -> BoolArray:
    """Copy the mask as it came, which may be far smaller than the grid, and spread the copy over it."""
    return broadcast("mask", frozen(bool_array("mask", mask, ("...",)).copy()), _GRID, grid)


def _aligned(queries: ArrayLike, keys: ArrayLike, values: ArrayLike) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Check the three against each other and give them the same leading axes."""
    Q = float_array("queries", queries, ("...", "n_q", "d_k"))
    K = float_array("keys", keys, ("...", "n_k", ("d_k", Q.shape[-1])))
    V = float_array("values", values, ("...", ("n_k", K.shape[-2]), "d_v"))
    leads = [array.shape[:-2] for array in (Q, K, V)]
    try:
        lead = np.broadcast_shapes(*leads)
    except ValueError:
        raise ValueError(
            "the leading axes of queries, keys and values must broadcast, got {}, {} and {}".format(*leads)
        ) from None
    Q, K, V = (np.broadcast_to(array, lead + array.shape[-2:]) for array in (Q, K, V))
    return Q, K, V
