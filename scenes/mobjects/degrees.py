"""An angle in figures: a number with its sign of degrees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from manim import ManimColor
from manim.typing import Point3D

from scenes.mobjects.number import Number
from scenes.mobjects.text import Label, Row
from scenes.numerals import NumberStyle
from scenes.theme import Theme

DEGREES = NumberStyle(decimals=1)
"""How an angle is written; :class:`Degrees` and lines of working set "°" behind it."""


class Degrees(Row):
    """An angle of ``value`` degrees, which comes from ``source`` or follows something that moves."""

    def __init__(self, value: float, theme: Theme, em: float, *, source: str = "") -> None:
        ink = ManimColor(theme.colours.ink)
        self.number = Number(value, DEGREES, face=theme.figures, em=em, colour=ink, align="right", source=source)
        super().__init__([self.number, Label("°", em=em, colour=ink)], em=em, gaps=0.0)

    def follow(self, angle: Callable[[], float], place: Callable[[float, float], Point3D]) -> Self:
        """In every frame show ``angle()`` and stand where ``place(width, height)`` says."""
        self.number.truth = angle

        def update(degrees: Degrees) -> None:
            degrees.number.set_value(angle())
            degrees.place(place(degrees.advance, degrees.em), degrees.advance)

        update(self)
        self.add_updater(update)
        return self

    def rest(self, source: str) -> Self:
        """Stay as it is; from now on the angle comes from ``source``."""
        self.clear_updaters()
        self.number.truth, self.number.source = None, source
        return self
