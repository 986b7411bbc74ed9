"""The line in which a score is divided: by the root of d_k, or by the divisor that a story has chosen."""

from __future__ import annotations

from math_core import Trace
from scenes.mobjects.number import Number
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle, relation
from scenes.theme import Theme
from scenes.wording import divisor_style


def division(
    theme: Theme, trace: Trace, cell: Number, place: tuple[int, int, int], style: NumberStyle, *, by_root: bool
) -> Working:
    """Write s / √d_k ≈ s / 1.414 ≈ s′ for the score in ``cell``, or s / c = s′ where the story has its own divisor.

    ``place`` is the score's (head, row, column) in the trace, ``style`` how its quotient is written. The line's
    ``numbers`` begin with the score and end with the quotient.
    """
    attention = trace.attention
    divisor, quotient = attention.divisor, float(attention.scaled[place])
    of_divisor = divisor_style(divisor)
    line = Working(theme).number(cell.value, cell.style, cell.source).sign("/")
    if by_root:
        line.sign("√").number(trace.d_k, COUNT, "d_k").sign(relation(of_divisor.is_exact(divisor)))
        line.number(cell.value, cell.style, cell.source).sign("/")
    line.number(divisor, of_divisor, "attention.divisor")
    shown = ((of_divisor, divisor), (style, quotient), (cell.style, cell.value))
    line.sign(relation(all(one.is_exact(value) for one, value in shown)))
    head, i, j = place
    return line.number(quotient, style, f"attention.scaled[{head}, {i}, {j}]")
