"""A vector in a line of working: its entries in brackets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scenes.mobjects.number_grid import slots
from scenes.mobjects.text import ELLIPSIS
from scenes.mobjects.working import Working
from scenes.numerals import NumberStyle


def vector(
    line: Working, values: NDArray[np.float64], style: NumberStyle, source: str, colour: str | None = None
) -> Working:
    """Go on with ``line`` by ``values`` ``(d,)`` as [a, b], those left out that a table leaves out as well.

    ``source`` is the path of the entries, with ``{c}`` in it.
    """
    line.sign("[")
    places = slots(len(values))
    for place in places:
        if place is None:
            line.sign(ELLIPSIS)
        else:
            line.number(float(values[place]), style, source.format(c=place), colour)
        line.sign("]" if place == places[-1] else ",", tight=True)
    return line
