"""A blend as arrows: the values, on each of them the part that is taken of it, and the sum of the parts."""

from __future__ import annotations

from typing import Self

import numpy as np
from manim import ManimColor, VGroup
from numpy.typing import NDArray

from scenes.mobjects.arrow_plane import Arrow, ArrowPlane
from scenes.theme import Theme

Points = NDArray[np.float64]

_STOUT = 1.8
_FAINT = 0.55
"""Opacity of the values: dim, but so that the parts on them are seen to be parts of something."""


class BlendArrows(VGroup):
    """``n`` values from the origin of a plane, dim; on them their parts, at full strength; and the ``total`` of those.

    ``values`` are where the values' tips are drawn, ``(n, 2)``. Nothing is taken of any of them at first. ``total``
    may be an arrow that stands on the plane already; left out, a new one is made.
    """

    def __init__(self, plane: ArrowPlane, values: Points, theme: Theme, total: Arrow | None = None) -> None:
        super().__init__()
        self.plane = plane
        colour = ManimColor(theme.colours.value)
        self.wholes = plane.arrows(values, colour)
        # Stout, so that a part that is all of the total is seen under it.
        self.parts = tuple(plane.arrow((0, 0), colour, weight=_STOUT) for _ in values)
        for whole in self.wholes:
            whole.set_fill(opacity=_FAINT)
        self.total = plane.arrow((0, 0), ManimColor(theme.colours.ink)) if total is None else total
        self.add(*self.wholes, *self.parts, self.total)

    def show(self, parts: Points) -> Self:
        """Draw ``parts`` ``(n, 2)`` and their sum at once."""
        for arrow, part in zip(self.parts, parts, strict=True):
            arrow.point_to(self.plane.point(part))
        self.total.point_to(self.plane.point(parts.sum(axis=0)))
        return self

    def drawn_parts(self) -> Points:
        """What is drawn of the parts, ``(n, 2)``."""
        return np.array([self.plane.vector(arrow.tip) for arrow in self.parts])

    def drawn_total(self) -> Points:
        """Where the total's tip is drawn, ``(2,)``."""
        return self.plane.vector(self.total.tip)
