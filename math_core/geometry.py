"""Lengths and angles of arrows, and their shadow on a plane where they have more than two dimensions.

What the words "how well do two arrows match" mean in numbers. Nothing here knows of attention.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from math_core._arrays import FloatArray, float_array, require_each
from math_core._records import Record, frozen

Measure = FloatArray | np.float64  # one number for each vector or pair: a plain number for a single one


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Shadow(Record):
    """Vectors seen on the plane that keeps the most of them. All arrays are read-only."""

    points: FloatArray  # (n, 2)  vectors @ basis.T
    basis: FloatArray  # (2, d)  orthonormal rows: the plane's axes
    share: float  # 0 to 1: the part of the squared lengths that the plane keeps


@np.errstate(over="ignore", under="ignore")
def length(vectors: ArrayLike) -> Measure:
    """Return the Euclidean lengths (...) of ``vectors`` (..., d), however huge or tiny."""
    return _finite("length", _length(float_array("vectors", vectors, ("...", "d"))))


@np.errstate(over="ignore", invalid="ignore", under="ignore")
def dot(a: ArrayLike, b: ArrayLike) -> Measure:
    """Return the dot products (...) of ``a`` and ``b`` (..., d), whose leading axes broadcast."""
    return _finite("dot", _dot(*_pair(a, b)))


@np.errstate(under="ignore")
def cosine(a: ArrayLike, b: ArrayLike) -> Measure:
    """Return the cosine (...) of ``angle(a, b)``, always within ±1; NaN where the angle is."""
    along, across = _components(a, b)
    size = np.hypot(along, across)
    measure: Measure = np.divide(along, size, out=np.full_like(size, np.nan), where=size > 0)[()]
    return measure


@np.errstate(under="ignore")
def angle(a: ArrayLike, b: ArrayLike, *, degrees: bool = False) -> Measure:
    """Return the angle (...) between ``a`` and ``b`` (..., d): 0 to pi, or 0 to 180 in ``degrees``.

    NaN where one of the two is a zero vector, which has no direction. Leading axes broadcast.

    The angle is atan2(|a ∧ b|, a · b), where |a ∧ b| is the area of the parallelogram between the two, in
    any number of dimensions. Unlike the arc cosine, this keeps its digits near 0 and 180 degrees, and right,
    straight and zero angles come out exactly wherever the products of entries are exact, as those of integers
    up to 2^26 are. The cost grows with d^2.
    """
    along, across = _components(a, b)
    radians: Measure = np.where((along == 0) & (across == 0), np.nan, np.arctan2(across, along))[()]
    return np.degrees(radians) if degrees else radians


@np.errstate(under="ignore")
def planar_shadow(vectors: ArrayLike) -> Shadow:
    """Project ``vectors`` (n, d), arrows from the origin, on the plane that keeps the most of them.

    The plane goes through the origin and is spanned by the first two right singular vectors; the vectors are
    not centred, for arrows start at the origin. The largest entry of each axis is positive, so that no
    picture flips between machines. One- and two-dimensional vectors are their own shadow.

    Eckart and Young 1936, "The approximation of one matrix by another of lower rank".
    """
    array = float_array("vectors", vectors, ("n", "d"))
    basis = _best_plane(array)
    fractions = _normal(array.ravel())[0].reshape(array.shape)
    whole = (fractions**2).sum()
    share = min(1.0, ((fractions @ basis.T) ** 2).sum() / whole) if whole else 1.0
    return Shadow(frozen(array @ basis.T), frozen(basis), float(share))


def _best_plane(vectors: FloatArray) -> FloatArray:
    n, d = vectors.shape
    if d <= 2:
        return np.eye(2, d)
    fractions = _normal(vectors.ravel())[0].reshape(n, d)
    axes = np.linalg.svd(fractions, full_matrices=n < 2).Vh[:2]
    # Rounded, so that of two entries that only rounding tells apart the first decides on every machine.
    largest = np.abs(axes).round(8).argmax(axis=1, keepdims=True)
    upright: FloatArray = axes * np.sign(np.take_along_axis(axes, largest, axis=1))
    return upright


def _pair(a: ArrayLike, b: ArrayLike) -> tuple[FloatArray, FloatArray]:
    first = float_array("a", a, ("...", "d"))
    second = float_array("b", b, ("...", ("d", first.shape[-1])))
    try:
        np.broadcast_shapes(first.shape, second.shape)
    except ValueError:
        raise ValueError(
            f"the leading axes of a and b must broadcast, got shapes {first.shape} and {second.shape}"
        ) from None
    return first, second


def _components(a: ArrayLike, b: ArrayLike) -> tuple[Measure, Measure]:
    """Return what lies along and across of each pair: |a||b| cos and |a||b| sin, up to one common factor."""
    first, second = (_normal(vectors)[0] for vectors in _pair(a, b))
    i, j = np.triu_indices(first.shape[-1], k=1)
    across = first[..., i] * second[..., j] - first[..., j] * second[..., i]
    return _dot(first, second), _length(across)


def _dot(a: FloatArray, b: FloatArray) -> Measure:
    # Not a matrix product: its fused multiply-adds round the two halves of a zero sum differently.
    measure: Measure = (a * b).sum(axis=-1)
    return measure


def _length(vectors: FloatArray) -> Measure:
    fractions, exponent = _normal(vectors)
    measure: Measure = np.ldexp(np.sqrt((fractions**2).sum(axis=-1)), exponent)
    return measure


def _normal(vectors: FloatArray) -> tuple[FloatArray, NDArray[np.int32]]:
    """Scale each vector by a power of two, which rounds nothing, so that its largest entry is in [1/2, 1)."""
    exponent = np.frexp(np.abs(vectors).max(axis=-1, initial=0.0))[1]
    return np.ldexp(vectors, -exponent[..., np.newaxis]), exponent


def _finite(name: str, measure: Measure) -> Measure:
    require_each(name, np.asarray(measure), np.isfinite(measure), "the vectors are too long for float64")
    return measure
