"""What attention is compared with: a 50-digit calculation, and how far float arithmetic may be from it.

The bound is derived, not tuned. Notation as in Higham 2002, "Accuracy and Stability of Numerical Algorithms":
u is the unit roundoff (2^-53 for float64); every operation returns (x op y)(1 + δ) with |δ| <= u; a term that
passes through k roundings comes out with a factor 1 + θ, |θ| <= γ_k = k u / (1 - k u) (lemma 3.1); a product
that underflows is off by no more than the smallest normal number ω (section 2.1).

**Scaled scores.** t = c q·k + b. Each of the d terms q_i k_i passes one multiplication and at most d - 1
additions, in whatever order and with or without fused multiply-adds (section 3.1). The factor c = 1/√d costs
two roundings, the multiplication with it one, the addition of b one. So the computed t is off by at most

    e = γ_{d+4} (|c| Σ |q_i||k_i| + |b|) + (2 + 2 d |c|) ω.

**Shifted scores.** Softmax takes off the largest computed score m, the same number for the whole row, which
drops out of the quotient whatever it is. The subtraction itself rounds: u |t - m|, where |t - m| <= D + 2E, D
the distance of the true score from the row's largest one and E the largest e among the visible scores of the
row. The argument of exp is thus off by at most ρ = e + u (D + 2E).

**Weights.** exp is taken to be within one unit in the last place, a factor 1 + 2u, or ω where it underflows.
A perturbation ρ of its argument is a factor of at most e^ρ. The row's sum, in which the term of m is 1, moves
by a factor within 1 ± κ, κ = Σ w (e^ρ - 1), by its n - 1 additions (γ_n is more than enough) and by n ω; the
division rounds once more. So w = exp(t) / Σ exp(t) comes out within

    B = w [ e^ρ (1 + 2u)(1 + u) / ((1 - κ)(1 - 2u)(1 - γ_n)) - 1 ] + (n + 2) ω,

and never off by more than 1, for it lies in [0, 1] like the true one. (The deviation below is the smaller
one, since 1 - 1/A <= A - 1.)

**Output.** o = Σ w v is a dot product of n terms: it inherits B |v| from each weight and rounds by
γ_n (w + B) |v|.

Lower precisions differ in u and ω only, and other routes to the same formula in the number of roundings.
"""

from dataclasses import dataclass

import mpmath
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DIGITS = 50
COUNTING_SLACK = 1.0 + 1e-9  # the bounds are themselves computed in float64


@dataclass(frozen=True)
class Exact:
    """Attention in 50 digits: arrays of mpmath numbers."""

    scores: NDArray[np.object_]
    scaled: NDArray[np.object_]
    weights: NDArray[np.object_]
    output: NDArray[np.object_]


def exact_attention(queries, keys, values, *, mask=None, bias=None, scale=None) -> Exact:
    """Return softmax(c Q K^T + b) V of two-dimensional float64 arrays, in 50 digits."""
    with mpmath.workdps(DIGITS):
        Q, K, V = (_exact(array) for array in (queries, keys, values))
        c = 1 / mpmath.sqrt(Q.shape[1]) if scale is None else mpmath.mpf(scale)
        scores = Q @ K.T
        scaled = scores * c + (0 if bias is None else _exact(bias))
        visible = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
        weights = np.array([_softmax(row, seen) for row, seen in zip(scaled, visible, strict=True)])
        return Exact(scores, scaled, weights, weights @ V)


def worst_excess(actual: Floats, exact: NDArray[np.object_], bound: Floats) -> float:
    """Return the largest ratio of error to allowed error, up to 1 of which all is well."""
    with mpmath.workdps(DIGITS):
        errors = abs(_exact(actual) - exact).ravel()
        allowed = [mpmath.mpf(float(limit)) for limit in np.ravel(bound)]
        return max(
            float(error / limit) if limit else (0.0 if error == 0 else np.inf)
            for error, limit in zip(errors, allowed, strict=True)
        )


def gamma(roundings: int, unit: float) -> float:
    return roundings * unit / (1 - roundings * unit)


@dataclass(frozen=True)
class Arithmetic:
    """A floating-point format: unit roundoff and smallest normal number."""

    unit: float
    tiny: float


FLOAT64 = Arithmetic(2.0**-53, 2.0**-1022)
FLOAT32 = Arithmetic(2.0**-24, 2.0**-126)
FLOAT16 = Arithmetic(2.0**-11, 2.0**-14)
BFLOAT16 = Arithmetic(2.0**-8, 2.0**-126)


def score_size(queries: Floats, keys: Floats, factor: float, bias: Floats | float = 0.0) -> Floats:
    """Return |c| Σ |q_i||k_i| + |b|, what the rounding of a scaled score is measured by."""
    return abs(factor) * (np.abs(queries) @ np.abs(keys).mT) + np.abs(bias)


def score_bound(size: Floats, roundings: int, depth: float, arithmetic: Arithmetic = FLOAT64) -> Floats:
    """Return e; ``depth`` is d |c|, by which underflow in the products is multiplied."""
    return gamma(roundings, arithmetic.unit) * size + (2 + 2 * depth) * arithmetic.tiny


def weight_bound(
    weights: Floats, scaled: Floats, e: Floats, visible: NDArray[np.bool_], arithmetic: Arithmetic = FLOAT64
) -> Floats:
    """Return B for the true ``weights`` of the true ``scaled`` scores, which are off by ``e``."""
    u, n = arithmetic.unit, weights.shape[-1]
    top = np.max(scaled, axis=-1, keepdims=True, where=visible, initial=-np.inf)
    largest_e = np.max(e, axis=-1, keepdims=True, where=visible, initial=0.0)
    distance = np.where(visible, top - np.where(visible, scaled, 0.0), 0.0)
    rho = np.where(visible, e + u * (distance + 2 * largest_e), 0.0)
    growth = np.expm1(np.minimum(rho, 700.0))
    kappa = np.minimum((weights * growth).sum(axis=-1, keepdims=True), 1 - u)
    factors = (1 + 2 * u) * (1 + u) / ((1 - 2 * u) * (1 - gamma(n, u)))
    # e^ρ f / (1 - κ) - 1, written without cancellation
    excess = (growth * factors + (factors - 1) + kappa) / (1 - kappa)
    bound = np.minimum(1.0, weights * excess + (n + 2) * arithmetic.tiny)
    return np.where(visible, bound * COUNTING_SLACK, 0.0)


def output_bound(
    weights: Floats, off: Floats, value_size: Floats, extra: int = 0, arithmetic: Arithmetic = FLOAT64
) -> Floats:
    """Return the bound on o = Σ w v whose weights are ``off`` and whose values passed ``extra`` roundings."""
    n = weights.shape[-1]
    rounded = gamma(n + extra, arithmetic.unit) * (weights + off) + off
    return (rounded @ value_size + n * arithmetic.tiny) * COUNTING_SLACK


def _exact(array) -> NDArray[np.object_]:
    return np.frompyfunc(lambda x: mpmath.mpf(float(x)), 1, 1)(np.asarray(array))


def _softmax(row, visible):
    # A query that sees nothing has no largest score, and all its weights are zero.
    top = max((score for score, seen in zip(row, visible, strict=True) if seen), default=mpmath.mpf(0))
    terms = [mpmath.exp(s - top) if seen else mpmath.mpf(0) for s, seen in zip(row, visible, strict=True)]
    total = mpmath.fsum(terms)
    return [term / total if total else term for term in terms]
