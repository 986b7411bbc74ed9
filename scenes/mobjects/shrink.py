"""Something that becomes the corner of something larger."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import LEFT, UP, Animation, Mobject


class ShrinkInto(Animation):
    """Brings ``mobject`` into the upper left corner of ``field``, ``share`` as wide as that.

    Only points move: Manim's own transforms mix an image with itself, pixel by pixel, in every frame.
    """

    def __init__(self, mobject: Mobject, field: Mobject, share: float, **timing: Any) -> None:
        self._corner, self._scale = field.get_corner(UP + LEFT), share * field.width / mobject.width
        super().__init__(mobject, **timing)

    def begin(self) -> None:
        self._leaves = self.mobject.family_members_with_points()
        self._first = [leaf.points.copy() for leaf in self._leaves]
        self._from = self.mobject.get_corner(UP + LEFT)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        # A zoom is even to the eye when the size is divided evenly, not taken away.
        scale = self._scale**share
        way = share if abs(1 - self._scale) < 1e-9 else (1 - scale) / (1 - self._scale)
        corner = self._from + way * (self._corner - self._from)
        for leaf, points in zip(self._leaves, self._first, strict=True):
            leaf.points = np.asarray(corner + scale * (points - self._from))
