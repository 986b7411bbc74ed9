"""A dot that runs from where something is to where it is needed, and is gone."""

from __future__ import annotations

from typing import Any

from manim import Animation, Dot, ManimColor
from manim.typing import Point3D

from scenes.theme import Theme

_RADIUS = 0.075


class Run(Animation):
    """A dot of ``colour`` runs from ``start`` to ``end``; before and after it cannot be seen."""

    def __init__(self, start: Point3D, end: Point3D, colour: ManimColor, theme: Theme, **timing: Any) -> None:
        self._start, self._end = start, end
        dot = Dot(start, radius=_RADIUS, color=colour)
        super().__init__(dot, introducer=True, remover=True, **timing)

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.move_to(self._start + share * (self._end - self._start))
        self.mobject.set_fill(opacity=float(0.0 < alpha < 1.0))
