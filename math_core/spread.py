"""Why scores are divided by sqrt(d_k): the spread of dot products, and softmax going sharp and flat.

Random numbers enter here and nowhere else in the package, and only from a seed. No embeddings enter.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Self, SupportsIndex

import numpy as np
import scipy.special
from numpy.typing import ArrayLike

from math_core._arrays import FloatArray, float_array, require_each, whole_number
from math_core._records import Record, frozen
from math_core.geometry import Measure, length

_SUM_SLACK = 1e-6  # catches percentages and scores taken for weights, and lets float32 weights pass


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Spread(Record):
    """Dot products of random queries and keys, and how widely they spread. The array is read-only."""

    d_k: int
    samples: FloatArray  # (count,)
    predicted: float  # sqrt(d_k)
    measured: float  # standard deviation of the samples
    standard_error: float  # how far from predicted the measured one is typically off

    def divided_by(self, divisor: float) -> Self:
        """Return the spread of the same samples, each divided by ``divisor``. ValueError unless it is above 0."""
        if not 0 < divisor < math.inf:
            raise ValueError(f"divisor must be a finite number above 0, got {divisor}")
        predicted, measured, error = (x / divisor for x in (self.predicted, self.measured, self.standard_error))
        return type(self)(self.d_k, frozen(self.samples / divisor), predicted, measured, error)


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Sharpness(Record):
    """How few tokens a row of weights is spent on. All arrays are read-only."""

    largest: FloatArray  # (...)  the largest weight: 1/n for an even row, 1 for a one-hot one
    entropy: FloatArray  # (...)  Shannon entropy in nats: log(n) for an even row, 0 for a one-hot one
    perplexity: FloatArray  # (...)  exp(entropy): the number of tokens that the row is in effect spent on


def dot_product_spread(d_k: SupportsIndex, count: SupportsIndex, seed: SupportsIndex) -> Spread:
    """Return ``count`` dot products of independent standard normal vectors of ``d_k`` entries.

    A product of two such entries has mean 0, variance 1 and fourth moment 3 * 3 = 9, so the sum of d_k of
    them has variance d_k and fourth moment 9 d_k + 3 d_k (d_k - 1) = 3 d_k^2 + 6 d_k. The sample variance is
    then off by sqrt((2 d_k^2 + 6 d_k) / count), and its root by that over 2 sqrt(d_k), which makes the
    standard error sqrt((d_k + 3) / (2 count)) to first order in 1/count.

    Samples of different ``d_k`` are independent of each other under the same seed. Vaswani et al. 2017,
    section 3.2.1, footnote 4.
    """
    d, n = whole_number("d_k", d_k, at_least=1), whole_number("count", count, at_least=2)
    samples = np.zeros(n)
    for products in _products(d, n, seed):
        samples += products
    return Spread(
        d_k=d,
        samples=frozen(samples),
        predicted=math.sqrt(d),
        measured=float(samples.std(ddof=1)),
        standard_error=math.sqrt((d + 3) / (2 * n)),
    )


def running_sums(d_k: SupportsIndex, count: SupportsIndex, seed: SupportsIndex, *, first: SupportsIndex) -> FloatArray:
    """Return how samples of ``dot_product_spread(d_k, count, seed)`` add up, product by product.

    (m, d_k + 1) for the ``first`` m samples, or all of them where there are fewer: from 0 to the sample itself.
    """
    d, n = whole_number("d_k", d_k, at_least=1), whole_number("count", count, at_least=2)
    m = min(n, whole_number("first", first, at_least=1))
    return np.column_stack(list(accumulate((products[:m] for products in _products(d, n, seed)), initial=np.zeros(m))))


def _products(d_k: int, count: int, seed: SupportsIndex) -> Iterator[FloatArray]:
    """The products (count,) of an entry of a query and one of a key: for each entry those of all samples.

    Entry by entry, for count x d_k numbers at once could fill the memory.
    """
    stream = np.random.default_rng([whole_number("seed", seed, at_least=0), d_k])
    return (stream.standard_normal(count) * stream.standard_normal(count) for _ in range(d_k))


@np.errstate(under="ignore")
def sharpness(weights: ArrayLike) -> Sharpness:
    """Return how sharp each row of ``weights`` (..., n) is.

    A row of zeros, which is spent on nothing, has largest weight, entropy and perplexity 0.
    """
    array = _weights(weights)
    entropy = scipy.special.entr(array).sum(axis=-1)
    perplexity = np.where(array.any(axis=-1), np.exp(entropy), 0.0)
    return Sharpness(*(frozen(np.asarray(measure)) for measure in (array.max(axis=-1), entropy, perplexity)))


@np.errstate(under="ignore")
def softmax_jacobian(weights: ArrayLike) -> FloatArray:
    """Return the slopes (..., n, n) of softmax where it gives ``weights`` (..., n): diag(p) - p p^T.

    Entry [i, j] is how fast weight i moves with score j. Since the weights sum to 1, the diagonal is
    p_i - p_i^2 = p_i * (sum of the others): computed so, a slope that is nearly flat keeps its digits.
    """
    array = _weights(weights)
    products = array[..., :, np.newaxis] * array[..., np.newaxis, :]
    diagonal = np.eye(array.shape[-1], dtype=np.bool_)
    others = np.where(diagonal, 0.0, products)
    return np.where(diagonal, others.sum(axis=-1, keepdims=True), -others)


def jacobian_norm(weights: ArrayLike) -> Measure:
    """Return the Frobenius norm (...) of ``softmax_jacobian``: the root of the sum of all squared slopes.

    sqrt(n - 1) / n for an even row; 0 for a one-hot one, through which no gradient passes.
    """
    slopes = softmax_jacobian(weights)
    return length(slopes.reshape(*slopes.shape[:-2], -1))


def _weights(value: ArrayLike) -> FloatArray:
    array = float_array("weights", value, ("...", "n"))
    require_each("weights", array, array >= 0, "a weight cannot be negative")
    totals = array.sum(axis=-1)
    whole = (np.abs(totals - 1) <= _SUM_SLACK) | (totals == 0)
    require_each("the sum of weights", totals, whole, "a row sums to 1, or to 0 where it sees nothing")
    return array
