"""A plane with axes and ticks, and the arrows that live on it. Tips are where the numbers say, always."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from manim import RIGHT, UP, Animation, Circle, Line, ManimColor, VGroup, VMobject, interpolate_color
from manim.typing import Point3D
from numpy.typing import ArrayLike, NDArray

from scenes.layout import Zone
from scenes.mobjects.boxes import Boxes, boxes_of, distances, sampled
from scenes.mobjects.number import Number
from scenes.mobjects.overlaps import as_ground
from scenes.numerals import NumberStyle
from scenes.theme import Theme

_STEPS = (1, 2, 5)
_TIP_ROOM = np.array([0.95, 0.5])
"""Room for the labels beside the tips, at each side of the plane, in units."""
_FADED = 0.5
_MOST_NESTED = 3
"""Arrows under another for which numbers of lines make room."""
_TICK_AIR, _FARTHER = 0.06, 0.17
"""What stays free between the number of a line and an arrow, and how much farther from its axis it may stand for that,
in units."""
_WIDEST_TICK = 0.28
"""The share of the width of a plane from which on the number of a line only takes room from names."""
_NEST = 0.11
"""How much wider than the one inside it an arrow is drawn that lies under another, in units."""


class Arrow(VMobject):
    """A straight arrow as one filled outline, whose tip is exactly at its end; a zero arrow is a dot."""

    def __init__(self, start: Point3D, end: Point3D, colour: ManimColor, width: float) -> None:
        super().__init__(fill_color=colour, fill_opacity=1.0, stroke_width=0.0)
        self.own_width, self.own_colour = width, colour
        self.width_of_shaft = width
        self.start_point, self.tip = np.array(start), np.array(end)
        self._draw()

    def point_to(self, end: Point3D, start: Point3D | None = None) -> Self:
        """Point from ``start`` (left out: where it starts now) to ``end``."""
        self.start_point = self.start_point if start is None else np.array(start)
        self.tip = np.array(end)
        self._draw()
        return self

    def swing_to(self, end: Point3D, start: Point3D | None = None, **timing: Any) -> Swing:
        """Turn and stretch to point to ``end``, the shorter way round."""
        return Swing(self, end, start, **timing)

    def become_sheath(self, over: float, ground: ManimColor) -> Self:
        """Widen, and fade by turns, to be seen under ``over`` others that point the same way."""
        self.width_of_shaft = self.own_width + _NEST * over
        self.set_fill(interpolate_color(self.own_colour, ground, _FADED * (1 - abs(over % 2 - 1))))
        self._draw()
        return self

    def edges(self) -> list[tuple[Point3D, Point3D]]:
        """The outline, as straight lines from corner to corner."""
        corners = list(self.points[::4])
        return list(zip(corners, (*corners[1:], corners[0]), strict=True))

    def _draw(self) -> None:
        along = self.tip - self.start_point
        length = float(np.linalg.norm(along))
        if length < 1e-9:
            self.points = Circle(radius=0.8 * self.width_of_shaft).move_to(self.tip).points
            return
        forward = along / length
        side = np.array([-forward[1], forward[0], 0.0])
        # A short arrow keeps its shape: head and shaft shrink with it. What makes it a sheath does not shrink.
        size = min(1.0, 0.6 * length / (0.16 + 1.6 * self.own_width))
        half = (self.own_width * size + self.width_of_shaft - self.own_width) / 2
        head = min(0.16 * size + 3.2 * half, 0.75 * length)
        # The tip stays the sharpest corner, however wide and short the arrow.
        wing = min(0.06 * size + 1.2 * half, 0.55 * head)
        half = min(half, 0.6 * wing)
        neck = self.tip - forward * head
        corners = [
            self.start_point + side * half,
            neck + side * half,
            neck + side * wing,
            self.tip,
            neck - side * wing,
            neck - side * half,
            self.start_point - side * half,
        ]
        edges = zip(corners, (*corners[1:], corners[0]), strict=True)
        self.points = np.concatenate([np.linspace(a, b, 4) for a, b in edges])


class Swing(Animation):
    """Moves an arrow's tip by angle and length, so that it turns instead of shrinking through the origin."""

    def __init__(self, arrow: Arrow, end: Point3D, start: Point3D | None = None, **timing: Any) -> None:
        self._end, self._start = np.array(end), start
        super().__init__(arrow, **timing)

    def begin(self) -> None:
        arrow = self.mobject
        self._from, self._to = arrow.start_point, arrow.start_point if self._start is None else self._start
        before, after = arrow.tip - self._from, self._end - self._to
        self._lengths = float(np.linalg.norm(before)), float(np.linalg.norm(after))
        angles = [float(np.arctan2(v[1], v[0])) for v in (before, after)]
        if min(self._lengths) < 1e-9:
            angles = [max(zip(self._lengths, angles, strict=True))[1]] * 2
        turn = (angles[1] - angles[0] + np.pi) % (2 * np.pi) - np.pi
        # An exact half turn has no shorter way; the sign of −π would depend on rounding.
        self._angles = angles[0], abs(turn) if np.isclose(abs(turn), np.pi) else turn
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        start = self._from + share * (np.asarray(self._to) - self._from)
        if share == 1:
            self.mobject.point_to(self._end, self._to)
            return
        length = self._lengths[0] + share * (self._lengths[1] - self._lengths[0])
        angle = self._angles[0] + share * self._angles[1]
        self.mobject.point_to(start + length * np.array([np.cos(angle), np.sin(angle), 0.0]), start)


class Sheathe(Animation):
    """Widens an arrow to be seen under others."""

    def __init__(self, arrow: Arrow, over: int, ground: ManimColor, **timing: Any) -> None:
        self._over, self._ground = over, ground
        super().__init__(arrow, **timing)

    def begin(self) -> None:
        self._first = (self.mobject.width_of_shaft - self.mobject.own_width) / _NEST
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.become_sheath(self._first + share * (self._over - self._first), self._ground)


def nice_step(span: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10, ... (or 0.1, 0.2, ...) that divides ``span`` into at most ``most`` parts."""
    power = 10.0 ** np.floor(np.log10(span / most))
    return float(next(s * power for s in (*_STEPS, 10, 20) if span / (s * power) <= most))


class GridLine(Line):
    """A line of a plane, on which one coordinate is ``value`` throughout: x where ``axis`` is 0, y where it is 1."""

    def __init__(self, axis: int, value: float, ends: tuple[Point3D, Point3D], theme: Theme) -> None:
        self.axis, self.value = axis, value
        colours, stroke = theme.colours, theme.stroke
        super().__init__(
            *ends,
            stroke_color=colours.axis if value == 0 else colours.grid,
            stroke_width=stroke.axis if value == 0 else stroke.grid,
        )


class ArrowPlane(VGroup):
    """Axes, grid lines and ticks for two-dimensional vectors that all fit into a zone at one scale.

    ``reach`` are the vectors that will ever be drawn, ``(m, 2)``. Without ``ticks`` no line of it is numbered: the
    axes of a shadow are no coordinates of anything. ``room`` is what stays free for labels at its sides, and at its top
    and bottom, in units; left out, as much as labels of the usual size want.
    """

    def __init__(
        self,
        zone: Zone,
        reach: ArrayLike,
        theme: Theme,
        *,
        ticks: bool = True,
        room: tuple[float, float] | None = None,
    ) -> None:
        super().__init__()
        self.theme, self.zone = theme, zone
        vectors = np.vstack([np.asarray(reach, dtype=np.float64).reshape(-1, 2), np.zeros((1, 2))])
        if not np.any(vectors):
            vectors = np.array([[-1.0, -1.0], [1.0, 1.0]])  # zero arrows alone give no measure
        low, high = vectors.min(axis=0), vectors.max(axis=0)
        span = float(np.max(high - low))
        # Whole ticks where there are any: halves on a plane of small whole numbers only distract.
        step = nice_step(span, 5) if span < 1.5 else max(1.0, nice_step(span, 5))
        size = np.array([zone.width, zone.height])
        sides = np.minimum(_TIP_ROOM, 0.24 * size) if room is None else np.array(room)
        self.unit = float(np.min((size - 2 * sides) / np.maximum(high - low, 0.25 * span)))
        low, high = low - sides / self.unit, high + sides / self.unit
        # What is left of the zone shows more of the plane, evenly on both sides.
        rest = size / self.unit - (high - low)
        self.low, self.high = low - rest / 2, high + rest / 2
        self._origin = np.array([zone.left, zone.bottom, 0.0]) - np.array([*self.low, 0.0]) * self.unit
        self.step = step
        self._draw()
        self.ticks = [tick for axis in (0, 1) for tick in self._ticks(axis, vectors)] if ticks else []
        self.add(*self.ticks)

    @property
    def origin(self) -> Point3D:
        """Where the plane's zero lies."""
        return self._origin

    @property
    def axes(self) -> list[tuple[Point3D, Point3D]]:
        """The ends of both axes."""
        return [(self._at(axis, 0.0, self.low), self._at(axis, 0.0, self.high)) for axis in (0, 1)]

    def point(self, vector: ArrayLike) -> Point3D:
        """Where a vector's tip lies."""
        x, y = np.asarray(vector, dtype=np.float64)
        return np.asarray(self._origin + np.array([x, y, 0.0]) * self.unit)

    def vector(self, point: Point3D) -> NDArray[np.float64]:
        """The vector whose tip lies at ``point``."""
        return np.asarray((point - self._origin)[:2] / self.unit)

    def arrow(self, vector: ArrayLike, colour: ManimColor, *, weight: float = 1.0) -> Arrow:
        """An arrow to ``vector``, ``weight`` times as thick as usual."""
        return Arrow(self.origin, self.point(vector), colour, weight * self._shaft)

    def arrows(
        self,
        vectors: NDArray[np.float64],
        colour: ManimColor,
        *,
        weight: float = 1.0,
        order: Sequence[int] | None = None,
    ) -> tuple[Arrow, ...]:
        """An arrow for each row of ``(m, 2)``; of those that coincide, the earlier lie wider under the later.

        ``order`` is the order in which they will be drawn, left out: that of the rows.
        """
        drawn = [self.arrow(vector, colour, weight=weight) for vector in vectors]
        rest = list(range(len(drawn)) if order is None else order)
        while rest:
            i = rest.pop(0)
            over = sum(bool(np.array_equal(vectors[i], vectors[later])) for later in rest)
            drawn[i].become_sheath(over, self._ground)
        return tuple(drawn)

    def make_room(self, arrows: Sequence[Arrow], i: int) -> list[Animation]:
        """Those of ``arrows`` that arrow ``i`` is about to cover widen, so that both are seen."""
        twins = [arrow for arrow in arrows[:i] if np.allclose(arrow.tip, arrows[i].tip, atol=1e-9)]
        return [Sheathe(arrow, len(twins) - k, self._ground) for k, arrow in enumerate(twins)]

    def more_axes(self, count: int) -> VGroup:
        """``count`` axes more, of the many that a plane has no room for."""
        lines = []
        for turn in (np.arange(count) + 0.5) * np.pi / count:
            direction = np.array([np.cos(turn), np.sin(turn), 0.0])
            ends = [self._origin + far * direction for far in self._reach_of(direction)]
            lines.append(Line(*ends, stroke_color=self.theme.colours.axis, stroke_width=self.theme.stroke.grid))
        return as_ground(VGroup(*lines))

    def _reach_of(self, direction: Point3D) -> tuple[float, float]:
        """From where to where a line through the origin is inside the zone, in units along ``direction``."""
        zone = self.zone
        sides = ((zone.left, zone.right), (zone.bottom, zone.top))
        hits = [sorted((side - self._origin[k]) / direction[k] for side in sides[k]) for k in (0, 1)]
        return max(low for low, _ in hits), min(high for _, high in hits)

    @property
    def _shaft(self) -> float:
        return self.theme.stroke.arrow / 100

    @property
    def _ground(self) -> ManimColor:
        return ManimColor(self.theme.colours.ground)

    def _draw(self) -> None:
        self.lines = as_ground(VGroup())
        for axis in (0, 1):
            for value in self._values(axis):
                ends = [self._at(axis, value, bound) for bound in (self.low, self.high)]
                self.lines.add(as_ground(GridLine(axis, value, (ends[0], ends[1]), self.theme)))
        self.lines.submobjects.sort(key=lambda line: line.stroke_width)
        self.add(self.lines)

    def _values(self, axis: int, stride: int = 1) -> list[float]:
        """The values at which lines cross an axis, or at every ``stride``-th of them."""
        step = self.step * stride
        first, last = np.ceil(self.low[axis] / step), np.floor(self.high[axis] / step)
        return [float(k * step) for k in np.arange(first, last + 1)]

    def _ticks(self, axis: int, reach: NDArray[np.float64]) -> list[Number]:
        """The numbers of an axis: on that side of it where arrows to ``reach`` leave room for more of them."""
        rays, breadths = _rays(np.array([self.point(vector) for vector in reach]), self.origin, self._shaft)
        found = []
        for side, farther in ((-1, 0.0), (1, 0.0), (-1, _FARTHER), (1, _FARTHER)):
            values = [value for value in self._values(axis, self._strides[axis]) if value]
            ticks = [self._tick(axis, value, side, farther) for value in values]
            boxes = boxes_of(ticks)
            free = (distances(boxes, rays) > breadths + _TICK_AIR).all(axis=1) & self._holds(boxes)
            free &= np.ptp(boxes[:, :, 0], axis=1) < _WIDEST_TICK * self.zone.width
            found.append([tick for tick, is_free in zip(ticks, free, strict=True) if is_free])
        return max(found, key=len)

    def _holds(self, boxes: Boxes) -> NDArray[np.bool_]:
        """Whether boxes ``(m, 2, 2)`` lie inside the zone, with a little air at its sides."""
        zone, air = self.zone, np.array([0.1, 0.0])
        low, high = np.array([zone.left, zone.bottom]) + air, np.array([zone.right, zone.top]) - air
        return np.asarray((boxes[:, 0] > low).all(axis=-1) & (boxes[:, 1] < high).all(axis=-1))

    def _at(self, axis: int, value: float, bound: NDArray[np.float64]) -> Point3D:
        vector = bound.copy()
        vector[axis] = value
        return self.point(vector)

    @cached_property
    def _strides(self) -> tuple[int, int]:
        """Every how many lines of each axis one is numbered, for the numbers not to touch."""
        ends = [float(bound[0]) for bound in (self.low, self.high)]
        widest = max(self._figures(0, self.step * np.trunc(end / self.step)).advance for end in ends)
        between = self.step * self.unit
        return max(1, int(np.ceil(1.25 * widest / between))), max(1, int(np.ceil(0.4 / between)))

    def _figures(self, axis: int, value: float) -> Number:
        decimals = max(0, -int(np.floor(np.log10(self.step) + 1e-9)))
        return Number(
            value,
            NumberStyle(decimals),
            face=self.theme.figures,
            em=self.theme.type.smallest,
            colour=ManimColor(self.theme.colours.quiet),
            source=f"axis {'xy'[axis]}",
        )

    def _tick(self, axis: int, value: float, side: int, farther: float) -> Number:
        """The number of a line: below its axis, or left of it, where ``side`` is -1, else on the other side."""
        number = self._figures(axis, value)
        place = self.point(value * np.eye(2)[axis])
        nudge = UP * (0.25 + farther) if axis == 0 else RIGHT * (0.14 + farther + number.advance / 2)
        number.set_middle(place + side * nudge)
        number.truth = lambda: float(self.vector(place)[axis])
        return number


def _rays(tips: NDArray[np.float64], origin: Point3D, shaft: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points ``(m, 2)`` along arrows to ``tips`` ``(k, 3)``, and how broad each arrow is there at one side ``(m,)``."""
    different, counts = np.unique(tips.round(9), axis=0, return_counts=True)
    lines = [sampled([(origin, tip)]) for tip in different]
    halves = [shaft / 2 + _NEST / 2 * min(count - 1, _MOST_NESTED) for count in counts]
    return np.concatenate(lines), np.repeat(halves, [len(line) for line in lines])
