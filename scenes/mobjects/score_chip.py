"""A score by itself: a number in a cell of the colour that it has in the grid of all scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self

import numpy as np
from manim import RIGHT, ManimColor, VGroup
from manim.typing import Point3D

from scenes.mobjects.cells import Cell, shade
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import widest
from scenes.mobjects.text import Label
from scenes.numerals import NumberStyle
from scenes.theme import Theme

_AIR = 0.84
_SHARE_OF_HEIGHT = 0.94
"""The largest em as a share of the cell's height."""
_SIGN_GAP = 0.03


class ScoreChip(VGroup):
    """A cell and a score.

    Parameters
    ----------
    value, style, source, truth
        Those of the :class:`Number`.
    largest
        The greatest magnitude of the scores that the colour is measured by.
    width, height
        The size of the cell in units.
    signed
        Whether a positive score gets a plus sign. Such a chip keeps its value.
    later
        What it will show later on: the figures are small enough for that from the start.
    """

    def __init__(
        self,
        value: float,
        style: NumberStyle,
        theme: Theme,
        *,
        largest: float,
        width: float,
        height: float,
        source: str = "",
        truth: Callable[[], float] | None = None,
        signed: bool = False,
        later: Iterable[str] = (),
    ) -> None:
        super().__init__()
        self.theme, self.largest = theme, largest
        ink = ManimColor(theme.colours.on_cell)
        self.cell = Cell(width, height, theme, ManimColor(theme.colours.axis))
        texts = [("+" if signed else "") + style.text(value), *later]
        em = min(_SHARE_OF_HEIGHT * height, _AIR * width / widest(texts, theme))
        self.number = Number(value, style, face=theme.figures, em=em, colour=ink, source=source, truth=truth)
        plus = [Label("+", em=em, colour=ink)] if signed and self.number.value > 0 else []
        self.figures = VGroup(*plus, self.number)
        pen = np.zeros(3)
        for piece in (*plus, self.number):
            piece.set_pen(pen)
            pen = piece.pen_end + RIGHT * _SIGN_GAP * em
        self.figures.shift(-np.array([self.number.pen_end[0] / 2, 0.33 * em, 0.0]))
        self.add(self.cell, self.figures)

    def place(self, middle: Point3D) -> Self:
        """Put the middle of the cell at ``middle``."""
        return self.shift(middle - self.cell.get_center())

    def shaded(self) -> Self:
        """Colour the cell by the score at once."""
        self.cell.set_fill(self.colour, family=False)
        return self

    @property
    def colour(self) -> ManimColor:
        """What the cell's fill is for the score that is shown."""
        return shade(self.number.value, self.largest, self.theme)

    def show(self, value: float) -> Self:
        """Show another score, and its colour."""
        self.number.set_value(value)
        return self.shaded()
