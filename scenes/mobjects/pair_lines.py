"""Lines between two columns of things: one for each pair, drawn one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from manim import RIGHT, Animation, Line, ManimColor, VGroup
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.theme import Theme


class PairLines(VGroup):
    """A line from each of ``starts`` to each of ``ends``; at first none is drawn.

    Parameters
    ----------
    starts, ends
        Points, ``(n, 3)`` and ``(m, 3)``.
    order
        Pairs (start, end) in the order in which they are drawn; left out, start by start.
    """

    def __init__(
        self,
        starts: Sequence[Point3D],
        ends: Sequence[Point3D],
        theme: Theme,
        order: Sequence[tuple[int, int]] | None = None,
    ) -> None:
        super().__init__()
        self.pairs = tuple(order or np.ndindex(len(starts), len(ends)))
        self._ends: NDArray[np.float64] = np.array([(starts[i], ends[j]) for i, j in self.pairs])
        # From what asks to what is asked.
        colours = [ManimColor(theme.colours.query), ManimColor(theme.colours.key)]
        for start, end in self._ends:
            line = Line(start, end, stroke_width=theme.stroke.axis).set_color(colours)
            self.add(line.set_sheen_direction(RIGHT))
        self.draw(0)

    @property
    def count(self) -> int:
        """How many lines are drawn to their end."""
        return int(self._drawn + 1e-9)

    def line(self, i: int, j: int) -> Line:
        """The line of a pair."""
        return self.submobjects[self.pairs.index((i, j))]

    def draw(self, count: float) -> Self:
        """Draw the first ``count`` lines; of a fraction, that share of the last one."""
        self._drawn = float(count)
        for k, (line, (start, end)) in enumerate(zip(self.submobjects, self._ends, strict=True)):
            share = min(1.0, max(0.0, count - k))
            line.set_stroke(opacity=float(share > 0))
            line.set_points_as_corners([start, start + max(share, 1e-3) * (end - start)])
        return self

    def draw_to(self, count: float, **timing: Any) -> Animation:
        """Go on drawing, evenly, until ``count`` lines are there."""
        return _Draw(self, count, **timing)


class _Draw(Animation):
    """Draws more of some :class:`PairLines`."""

    def __init__(self, lines: PairLines, count: float, **timing: Any) -> None:
        self._last = float(count)
        super().__init__(lines, **timing)

    def begin(self) -> None:
        self._first = float(self.mobject.count)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        self.mobject.draw(self._first + self.rate_func(alpha) * (self._last - self._first))
