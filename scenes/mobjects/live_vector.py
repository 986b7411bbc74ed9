"""A vector written out in brackets, and one whose numbers change in their places."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import Any, Self

import numpy as np
from manim import RIGHT, Animation, VGroup, linear
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.mobjects.glyphs import figures
from scenes.mobjects.number import all_exact
from scenes.mobjects.number_grid import Slots, shown, slots
from scenes.mobjects.text import ELLIPSIS, Label
from scenes.mobjects.working import Working
from scenes.numerals import NumberStyle
from scenes.theme import Theme

Vectors = NDArray[np.float64]


def bracketed(
    line: Working,
    vector: Vectors,
    style: NumberStyle,
    source: str,
    *,
    places: Slots = (),
) -> Working:
    """Go on with ``line``: ``vector`` ``(d,)`` as [a, b], or as [a, …, b] from four entries on.

    ``source`` is a path with ``{c}`` for the entry; ``places`` are the entries that are shown and None for a gap, left
    out: as :func:`slots` has it.
    """
    line.sign("[")
    places = places or slots(len(vector))
    for k, place in enumerate(places):
        if place is None:
            line.sign(ELLIPSIS)
        else:
            line.number(float(vector[place]), style, source.format(c=place))
        line.sign("]" if k == len(places) - 1 else ",", tight=True)
    return line


class LiveVector(VGroup):
    """``symbol`` = [a, b], or ≈ where its figures do not say all of its numbers; of a long one the first and the last.

    ``room`` ``(m, d)`` are vectors that it will show. Until :meth:`show` is called, it is as wide as it ever becomes.
    The numbers come from :meth:`rest`'s source, or are held against what :meth:`follow` is given.
    """

    def __init__(self, symbol: str, colour: str, room: Vectors, style: NumberStyle, theme: Theme) -> None:
        super().__init__()
        self.shown = shown(slots(room.shape[1]))
        widest = [max(column, key=lambda value: figures(theme.figures, style.text(value)).advance) for column in room.T]
        self.vector = np.array(widest)
        line = Working(theme).symbol(symbol, colour).sign("≈")
        self.row = bracketed(line, self.vector, style, "").row()
        self.numbers = line.numbers
        self.roughly = self.row.pieces[1]
        self.exactly = Label("=", em=self.roughly.em, colour=self.roughly.get_fill_color())
        self.exactly.set_pen(self.roughly.pen).set_fill(opacity=0.0)
        self._gaps = [float((b.pen - a.pen_end)[0]) / self.row.em for a, b in pairwise(self.row.pieces)]
        self.add(self.row, self.exactly)

    def place(self, middle: Point3D, width: float) -> Self:
        """Centre on ``middle``, made smaller where it is wider than ``width``."""
        self.row.place(middle, width)
        self.exactly.set_em(self.roughly.em).set_pen(self.roughly.pen)
        return self

    def show(self, vector: Vectors) -> Self:
        """Show ``vector`` ``(d,)`` at once, beginning where it began before."""
        self.vector = np.array(vector)
        for number, place in zip(self.numbers, self.shown, strict=True):
            number.set_value(float(vector[place]))
        for (before, piece), gap in zip(pairwise(self.row.pieces), self._gaps, strict=True):
            piece.set_pen(before.pen_end + RIGHT * gap * self.row.em)
        exact = all_exact(self.numbers)
        self.exactly.set_fill(opacity=float(exact))
        self.roughly.set_fill(opacity=float(not exact))
        return self

    def follow(self, vector: Callable[[], Vectors]) -> Self:
        """From now on the numbers are held against ``vector`` ``(d,)``; :meth:`show` shows them."""
        for number, place in zip(self.numbers, self.shown, strict=True):
            number.truth = partial(_entry, vector, place)
        return self

    def rest(self, source: str) -> Self:
        """From now on the numbers come from ``source``, a path with ``{c}``."""
        for number, place in zip(self.numbers, self.shown, strict=True):
            number.truth, number.source = None, source.format(c=place)
        return self

    def count_to(self, vector: Vectors, source: str, **timing: Any) -> Animation:
        """Count evenly to ``vector`` ``(d,)``, which from then on comes from ``source``."""
        return _Count(self, vector, source, **timing)


class _Count(Animation):
    """Counts all numbers of a :class:`LiveVector` together."""

    def __init__(self, live: LiveVector, vector: Vectors, source: str, **timing: Any) -> None:
        self._last, self._source = np.array(vector), source
        super().__init__(live, **{"rate_func": linear, **timing})

    def begin(self) -> None:
        self._first = self._now = self.mobject.vector
        self.mobject.follow(lambda: self._now)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        self._now = self._first + self.rate_func(alpha) * (self._last - self._first)
        self.mobject.show(self._now)

    def finish(self) -> None:
        super().finish()
        self.mobject.show(self._last).rest(self._source)


def _entry(vector: Callable[[], Vectors], place: int) -> float:
    return float(vector()[place])
