"""What one matrix makes of a word, in short: symbol, numbers, the question that it answers, and the matrix itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import RIGHT, UP, ManimColor, Rectangle, VGroup
from numpy.typing import NDArray

from scenes.layout import Zone
from scenes.mobjects.number_grid import NumberGrid
from scenes.mobjects.text import Label, Row, fitted_label
from scenes.mobjects.working import Working
from scenes.numerals import NumberStyle, relation
from scenes.theme import Theme
from scenes.workings.vector import vector

_BAR = 0.1
_BESIDE_BAR = 0.28
_TALL = 0.86
"""The bar's share of the height of its card."""


@dataclass(frozen=True)
class Role:
    """A role of a word: its ``symbol`` and ``letter`` (q and Q), its ``colour``, and the ``question`` it answers."""

    symbol: str
    letter: str
    colour: str
    question: str


class RoleCard(VGroup):
    """A bar in the colour of the role, beside it q = x W_Q = [...] over the question, and the matrix at the right.

    ``values`` ``(d,)`` are the numbers of ``word`` in this role, ``source`` their path with ``{c}`` in it. The card
    fills ``zone``, ``matrix`` at its right.
    """

    def __init__(
        self,
        role: Role,
        word: str,
        values: NDArray[np.float64],
        style: NumberStyle,
        source: str,
        matrix: NumberGrid,
        zone: Zone,
        theme: Theme,
    ) -> None:
        super().__init__()
        self.role, self.matrix = role, matrix
        colour = ManimColor(role.colour)
        self.bar = Rectangle(
            width=_BAR, height=_TALL * zone.height, fill_color=colour, fill_opacity=1.0, stroke_width=0.0
        ).move_to(zone.centre + RIGHT * (zone.left + _BAR / 2 - zone.centre[0]))
        matrix.move_to(zone.centre + RIGHT * (zone.right - matrix.width / 2 - zone.centre[0]))
        left = zone.left + _BAR + _BESIDE_BAR
        room = zone.right - matrix.width - _BESIDE_BAR - left
        line = self._line(word, values, style, source, theme)
        self.line: Row = line.row()
        self.numbers = line.numbers
        upper, lower = (zone.centre + UP * share * zone.height for share in (0.23, -0.25))
        self.line.place(upper, room)
        self.line.shift(RIGHT * (left - self.line.pieces[0].pen[0]))
        ink, kind = ManimColor(theme.colours.ink), theme.type
        self.question: Label = fitted_label(role.question, room, em=kind.word, colour=ink, smallest=kind.readable)
        self.question.set_middle(lower)
        self.question.shift(RIGHT * (left - self.question.pen[0]))
        self.add(self.bar, self.line, self.question, matrix)

    def _line(self, word: str, values: NDArray[np.float64], style: NumberStyle, source: str, theme: Theme) -> Working:
        colour = self.role.colour
        line = Working(theme).symbol(self.role.symbol, colour, word=word).sign("=")
        line.symbol("bold(x)", theme.colours.ink).symbol(f"W_{self.role.letter}", colour)
        line.sign(relation(all(map(style.is_exact, values))))
        return vector(line, values, style, source, colour)
