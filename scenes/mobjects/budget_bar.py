"""Bars of a budget: how much of a whole something gets."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Animation, ManimColor, Rectangle, VGroup, VMobject
from manim.typing import Point3D, Point3D_Array

from scenes.theme import Theme


class BudgetBar(VGroup):
    """A track as long as the whole budget, and a fill as long as a share of it."""

    def __init__(self, share: float, width: float, height: float, theme: Theme, colour: ManimColor) -> None:
        super().__init__()
        self.track = Rectangle(
            width=width, height=height, fill_color=theme.colours.grid, fill_opacity=1.0, stroke_width=0.0
        )
        self.fill = Rectangle(width=width, height=height, fill_color=colour, fill_opacity=1.0, stroke_width=0.0)
        self.add(self.track, self.fill)
        self._share = share
        self.set_share(share)

    @property
    def share(self) -> float:
        """The share of the track that is filled, 0 to 1."""
        return self._share

    def set_share(self, share: float) -> Self:
        """Fill ``share`` of the track from its left; of a share of exactly 0 nothing is seen."""
        self._share = share
        self.fill.points = part_of(self.track, 0.0, share)
        return self

    def put(self, left: Point3D) -> Self:
        """Move so that the track begins at ``left``."""
        return self.shift(left - self.track.get_left())

    def grow_to(self, share: float, **timing: Any) -> GrowTo:
        """Fill or empty evenly to ``share``."""
        return GrowTo(self, share, **timing)


class GrowTo(Animation):
    """Moves the end of a :class:`BudgetBar`'s fill; every frame shows the share it has then."""

    def __init__(self, bar: BudgetBar, share: float, **timing: Any) -> None:
        self._first, self._last = bar.share, share
        super().__init__(bar, **timing)

    def begin(self) -> None:
        self._first = self.mobject.share
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.set_share(self._first + share * (self._last - self._first))


def part_of(track: VMobject, start: float, end: float) -> Point3D_Array:
    """The outline of a track from ``start`` to ``end``, shares of its length: straight cubic curves ``(16, 3)``."""
    (left, top, _), (right, bottom, _) = track.get_corner(UP + LEFT), track.get_corner(DOWN + RIGHT)
    a, b = (left + share * (right - left) for share in (start, end))
    corners = np.array([[b, top, 0.0], [a, top, 0.0], [a, bottom, 0.0], [b, bottom, 0.0]])
    return np.concatenate([np.linspace(p, q, 4) for p, q in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
