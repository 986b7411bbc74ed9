"""Bars of a budget: how much of a whole something gets."""

from __future__ import annotations

from typing import Any, Self

from manim import RIGHT, Animation, ManimColor, Rectangle, VGroup
from manim.typing import Point3D

from scenes.theme import Theme

_THINNEST = 1e-3


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
        """Fill ``share`` of the track from its left."""
        self._share = share
        self.fill.stretch_to_fit_width(max(share * self.track.width, _THINNEST))
        self.fill.stretch_to_fit_height(self.track.height)
        self.fill.move_to(self.track.get_left(), aligned_edge=-RIGHT)
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
