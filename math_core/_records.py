"""Records that nobody can alter: the form in which the package hands out results. No mathematics enters."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)


def frozen(array: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """Make an array that nobody else holds read-only for good, without copying it.

    What is returned is a view, for the owner of the memory could switch writing on again.
    """
    array.setflags(write=False)
    return array.view()


class Record:
    """Base of the frozen dataclasses of the package: their arrays are read-only, however they were made.

    An array that could still be written to is copied on the way in. A copy of a record is the record itself,
    and one that went through pickle, to another process say, is made anew and so is read-only again.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, value in _entries(self):
            if isinstance(value, np.ndarray) and _writable(value):
                object.__setattr__(self, name, frozen(value.copy()))

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), tuple(value for _, value in _entries(self))

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __repr__(self) -> str:
        shown = (
            f"{name}: {value.shape}" if isinstance(value, np.ndarray) else f"{name}={value!r}"
            for name, value in _entries(self)
        )
        return f"{type(self).__name__}({', '.join(shown)})"


def as_dict(record: Record) -> dict[str, Any]:
    """Return the fields of ``record`` by name, in order, with the records inside it as dicts of their own."""
    return {name: as_dict(value) if isinstance(value, Record) else value for name, value in _entries(record)}


def _entries(record: Record) -> list[tuple[str, Any]]:
    return [(field.name, getattr(record, field.name)) for field in fields(record)]  # type: ignore[arg-type]


def _writable(array: NDArray[Any]) -> bool:
    base = array.base
    return array.flags.writeable or (isinstance(base, np.ndarray) and _writable(base))
