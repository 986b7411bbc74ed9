"""The door of the package: what an array must be to come in, and how it is told that it is not.

Every complaint about input is worded here, once. No mathematics of attention enters.
"""

import operator
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Axis = str | tuple[str, int]  # an axis by its name, or by its name and the size that it must have

_Scalar = TypeVar("_Scalar", bound=np.generic)
_KINDS = {"b": "booleans", "c": "complex numbers", "S": "text", "U": "text", "O": "objects"}


def float_array(name: str, value: ArrayLike, layout: tuple[Axis, ...]) -> FloatArray:
    """Return ``value`` as a finite float64 array of this layout; not copied where it already is one.

    ValueError names the argument, the shape expected and got, or the cell that is not finite.
    """
    array = real_array(name, value, layout)
    require_each(name, array, np.isfinite(array), "every entry must be finite")
    return array


def real_array(name: str, value: ArrayLike, layout: tuple[Axis, ...]) -> FloatArray:
    """Return ``value`` as ``float_array`` does, but infinities and NaN come in too.

    A layout that begins with ``"..."`` allows any leading axes; a named axis has one entry or more.
    """
    array = _real_numbers(name, value)
    _require_layout(name, array, layout)
    return array


def bool_array(name: str, value: ArrayLike, layout: tuple[Axis, ...]) -> BoolArray:
    """Return ``value`` as booleans; 0 and 1 are refused, for libraries differ in what they mean by them."""
    array = _rectangular(name, value)
    if array.dtype.kind != "b":
        raise ValueError(f"{name} must hold booleans, got {_kind(array)}")
    _require_layout(name, array, layout)
    return array


def finite_number(name: str, value: ArrayLike) -> float:
    """Return ``value`` as one finite float."""
    array = _real_numbers(name, value)
    if array.ndim != 0 or not np.isfinite(array):
        raise ValueError(f"{name} must be one finite number, got {value!r}")
    return float(array)


def whole_number(name: str, value: SupportsIndex, *, at_least: int) -> int:
    """Return ``value`` as an int of ``at_least`` or more; True and 2.0 do not count as whole numbers."""
    try:
        number = None if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < at_least:
        raise ValueError(f"{name} must be a whole number of {at_least} or more, got {value!r}")
    return number


def require_each(name: str, array: FloatArray, good: BoolArray, rule: str) -> None:
    """Raise ValueError that names the first cell of ``array`` that is not ``good`` and the rule it breaks."""
    if not good.all():
        cell = np.unravel_index(np.argmin(good), good.shape)
        place = f"[{', '.join(map(str, cell))}]" if cell else ""
        raise ValueError(f"{name}{place} is {array[cell]}; {rule}")


def broadcast(name: str, array: NDArray[_Scalar], axes: str, shape: tuple[int, ...]) -> NDArray[_Scalar]:
    """Return a read-only view of ``array`` in ``shape``; ``axes`` names its axes in the complaint."""
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name} must broadcast to {axes} = {shape}, got {array.shape}") from None


def _real_numbers(name: str, value: ArrayLike) -> FloatArray:
    """Take integers and floats of any width to float64; refuse all else."""
    array = _rectangular(name, value)
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{name} must hold real numbers, got {_kind(array)}")
    with np.errstate(over="ignore"):  # a wider float may become infinite, and is judged as that
        return array.astype(np.float64, copy=False)


def _rectangular(name: str, value: ArrayLike) -> NDArray[Any]:
    try:
        return np.asarray(value)
    except ValueError:
        raise ValueError(f"{name} must be a rectangular array, got rows of different lengths") from None


def _kind(array: NDArray[Any]) -> str:
    return _KINDS.get(array.dtype.kind, str(array.dtype))


def _require_layout(name: str, array: NDArray[Any], layout: tuple[Axis, ...]) -> None:
    if not _fits(array.shape, layout):
        raise ValueError(f"{name} must have shape {_spelled(layout)}, got {array.shape}")


def _fits(shape: tuple[int, ...], layout: tuple[Axis, ...]) -> bool:
    if layout[0] == "...":
        layout = layout[1:]
        shape = shape[max(0, len(shape) - len(layout)) :]
    return len(shape) == len(layout) and all(
        size >= 1 if isinstance(axis, str) else size == axis[1] for size, axis in zip(shape, layout, strict=True)
    )


def _spelled(layout: tuple[Axis, ...]) -> str:
    axes = [axis if isinstance(axis, str) else f"{axis[0]}={axis[1]}" for axis in layout]
    return f"({', '.join(axes)}{',' if len(axes) == 1 else ''})"
