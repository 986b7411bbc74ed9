"""A published figure in a line of working: no story and no trace has it."""

from __future__ import annotations

from scenes.mobjects.working import Working
from scenes.numerals import COUNT


def fact(line: Working, value: int) -> Working:
    """Go on with ``line`` by a whole number that is true for ever, such as a size of :mod:`scenes.paper`."""
    line.number(value, COUNT, "")
    line.numbers[-1].truth = lambda: float(value)
    return line
