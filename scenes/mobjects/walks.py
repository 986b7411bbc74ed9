"""Sums of many terms as walks: each term pushes its sum a step to the right or to the left, line by line downwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from manim import DOWN, Animation, Dot, Line, ManimColor, VGroup, VMobject, linear
from manim.typing import Point3D
from numpy.typing import ArrayLike, NDArray

from scenes.layout import Zone
from scenes.mobjects.histogram import straight
from scenes.mobjects.number import Number
from scenes.mobjects.overlaps import as_ground
from scenes.numerals import COUNT
from scenes.theme import Theme

Sums = NDArray[np.float64]

_DOT = 0.08
_TICK = 0.12
_FAINT = 0.75
"""The width of a walk among many, in axes."""
_DASHES = 24


class Walks(VGroup):
    """Walks that begin at 0 at the top of a zone and end on an axis at its bottom.

    Two things go with them, to be brought on by themselves: ``predicted`` is how far they should spread, ``±√t`` after
    ``t`` steps of variance 1; ``straight`` is where a walk would go whose steps, of length 1, were all to the right.
    The first walk is told from the others, and its tip shows where it begins.

    Parameters
    ----------
    sums
        The running sums of each walk, ``(m, d + 1)``, from 0 on.
    zone
        Its width is the axis; the figures of the axis have their room at its bottom.
    reach
        Where the axis begins and ends.
    """

    def __init__(self, sums: ArrayLike, zone: Zone, theme: Theme, *, reach: tuple[float, float]) -> None:
        super().__init__()
        self.theme, self.reach = theme, reach
        self._sums = np.array(sums, dtype=np.float64)
        self._passed = np.zeros(len(self._sums))
        colours, stroke = theme.colours, theme.stroke
        floor = zone.bottom + theme.type.note + theme.space.tight
        ends = np.array([zone.left, floor, 0.0]), np.array([zone.right, floor, 0.0])
        self.axis = as_ground(Line(*ends, stroke_color=ManimColor(colours.axis), stroke_width=stroke.axis))
        # The upright measure moves with the rest, so that what has been passed can be read back from the screen.
        self._measure = VMobject(fill_opacity=0.0, stroke_width=0.0)
        self._measure.points = np.linspace(ends[0], [zone.left, zone.top, 0.0], 4)
        self.add(self._measure, self.axis)
        self.straight = self._line(np.arange(self.steps + 1.0), colours.quiet, stroke.axis)
        self.predicted = VGroup(*(self._spread(side) for side in (-1, 1)), self._band())
        self.lines = tuple(
            VMobject(
                fill_opacity=0.0,
                stroke_color=ManimColor(colours.quiet if k else colours.ink),
                stroke_width=_FAINT * stroke.axis if k else stroke.focus,
            )
            for k in range(len(self._sums))
        )
        self.tips = tuple(
            Dot(radius=_DOT, color=ManimColor(colours.quiet if k else colours.ink)) for k in range(len(self._sums))
        )
        self.add(*self.lines[1:], *self.tips[1:], self.lines[0], self.tips[0])
        self.show(self._passed)

    # Readers

    @property
    def steps(self) -> int:
        """How many steps each walk has."""
        return self._sums.shape[1] - 1

    @property
    def right(self) -> float:
        """How many units wide 1 is on the axis."""
        low, high = self.reach
        return float(self.axis.width / (high - low))

    def place(self, x: float, passed: float) -> Point3D:
        """Where a sum of ``x`` lies after so many steps."""
        return self._places([x], [passed])[0]

    def sum_now(self, walk: int) -> float:
        """What a walk has come to, read from the place of its tip."""
        return float((self.tips[walk].get_x() - self._zero) / self.right)

    def passed_now(self, walk: int) -> float:
        """How many steps a walk has made, read from the place of its tip."""
        return float((self._top - self.tips[walk].get_y()) / self._down)

    def ticks(self, *places: float) -> VGroup:
        """Labels for some places on the axis, to be brought on by themselves."""
        return VGroup(*map(self._tick, places))

    # Verbs

    def fall(self, walks: Sequence[int], **timing: Any) -> Animation:
        """Let some walks go, step after step, from where they are to the axis."""
        return _Fall(self, walks, **{"rate_func": linear, **timing})

    def show(self, passed: ArrayLike) -> Self:
        """Draw each walk as far as the steps that it has ``passed``, ``(m,)``; between two steps in proportion."""
        self._passed = np.array(passed, dtype=np.float64)
        whole = np.arange(self.steps + 1.0)
        for sums, line, tip, until in zip(self._sums, self.lines, self.tips, self._passed, strict=True):
            t = np.append(whole[whole < until], until)
            places = self._places(np.interp(t, whole, sums), t)
            line.points = straight(places[np.newaxis, :, :2]) if len(t) > 1 else np.zeros((0, 3))
            tip.move_to(places[-1])
        for tip, until in zip(self.tips[1:], self._passed[1:], strict=True):
            tip.set_fill(opacity=float(until > 0))
        return self

    # Setting out

    @property
    def _zero(self) -> float:
        return float(self.axis.get_left()[0] - self.reach[0] * self.right)

    @property
    def _top(self) -> float:
        return float(self._measure.points[-1, 1])

    @property
    def _down(self) -> float:
        """How many units high a step is."""
        return float((self._measure.points[-1, 1] - self._measure.points[0, 1]) / self.steps)

    def _places(self, x: ArrayLike, passed: ArrayLike) -> Sums:
        right, down = np.asarray(x) * self.right, np.asarray(passed) * self._down
        return np.column_stack([self._zero + right, self._top - down, np.zeros(len(right))])

    def _line(self, sums: Sums, colour: str, width: float) -> VMobject:
        line = VMobject(fill_opacity=0.0, stroke_color=ManimColor(colour), stroke_width=width)
        line.points = straight(self._places(sums, np.arange(len(sums)) * 1.0)[np.newaxis, :, :2])
        return line

    def _spread(self, side: int) -> VMobject:
        passed = self.steps * np.arange(2.0 * _DASHES) / (2 * _DASHES - 1)
        dashes = self._places(side * np.sqrt(passed), passed)[:, :2].reshape(_DASHES, 2, 2)
        ink = ManimColor(self.theme.colours.ink)
        curve = VMobject(fill_opacity=0.0, stroke_color=ink, stroke_width=self.theme.stroke.focus)
        curve.points = straight(dashes)
        return curve

    def _band(self) -> Line:
        """How far the walks should spread in the end, as a stout line below the axis."""
        ends = (self.place(side * np.sqrt(self.steps), self.steps) + DOWN * _TICK for side in (-1, 1))
        return Line(*ends, stroke_color=ManimColor(self.theme.colours.ink), stroke_width=self.theme.stroke.focus)

    def _tick(self, value: float) -> VGroup:
        theme, quiet = self.theme, ManimColor(self.theme.colours.quiet)
        foot = self.place(value, self.steps)
        mark = Line(foot, foot + DOWN * _TICK, stroke_color=quiet, stroke_width=theme.stroke.axis)
        number = Number(value, COUNT, face=theme.figures, em=theme.type.note, colour=quiet, source="axis x")
        number.truth = lambda: float((mark.get_x() - self._zero) / self.right)
        number.set_middle(foot + DOWN * (theme.space.tight + 0.5 * theme.type.note))
        return VGroup(as_ground(mark), number)


class _Fall(Animation):
    """Takes some of the walks of :class:`Walks` down to the axis, all at one pace."""

    def __init__(self, walks: Walks, which: Sequence[int], **timing: Any) -> None:
        self._which = list(which)
        super().__init__(walks, **timing)

    def begin(self) -> None:
        self._first = self.mobject._passed.copy()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        passed = self._first.copy()
        share = self.rate_func(alpha)
        passed[self._which] += share * (self.mobject.steps - passed[self._which])
        self.mobject.show(passed)
