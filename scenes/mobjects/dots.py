"""Three dots: what stands for the entries of a long vector, or the rows of a long table, that are left out."""

from __future__ import annotations

import numpy as np
from manim import Dot, ManimColor, VGroup
from manim.typing import Vector3D

_COUNT = 3
_ROUND = 0.15
"""A dot's width, as a share of the whole."""


class Dots(VGroup):
    """Three round dots in a line, around the origin.

    ``direction`` is the way in which the left-out entries go on (``RIGHT``, ``DOWN``, ``DOWN + RIGHT``, ...), ``size``
    the length of the whole in units. Raises :class:`ValueError` for a direction of no length.
    """

    def __init__(self, direction: Vector3D, size: float, colour: ManimColor) -> None:
        super().__init__()
        length = float(np.linalg.norm(direction))
        if length == 0:
            raise ValueError("dots need a direction, and this one has no length")
        across = size * _ROUND
        forward = np.asarray(direction, dtype=np.float64) / length * (size - across)
        self.dots = tuple(
            Dot(share * forward, radius=across / 2, color=colour) for share in np.linspace(-0.5, 0.5, _COUNT)
        )
        self.add(*self.dots)
