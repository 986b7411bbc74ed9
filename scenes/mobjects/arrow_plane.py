"""A plane with axes and ticks, and the arrows that live on it. Tips are where the numbers say, always."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from manim import DOWN, LEFT, Animation, Circle, Line, ManimColor, VGroup, VMobject, interpolate_color
from manim.typing import Point3D
from numpy.typing import ArrayLike, NDArray

from scenes.layout import Zone
from scenes.mobjects.number import Number
from scenes.numerals import NumberStyle
from scenes.theme import Theme

_STEPS = (1, 2, 5)
_TIP_ROOM = np.array([0.95, 0.5])
"""Room for the labels beside the tips, at each side of the plane, in units."""
_RINGS = (0.0, 0.2, 0.4, 0.7, 1.0, 1.4)
"""How much farther from its tip a label may stand when there is no room beside it, in units."""
_FADED = 0.5
_FAR = 0.7
"""From this distance on a thin line leads from the label to its tip."""
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


class ArrowPlane(VGroup):
    """Axes, grid lines and ticks for two-dimensional vectors that all fit into a zone at one scale.

    ``reach`` are the vectors that will ever be drawn, ``(m, 2)``. Without ``ticks`` no line of it is numbered: the
    axes of a shadow are no coordinates of anything.
    """

    def __init__(self, zone: Zone, reach: ArrayLike, theme: Theme, *, ticks: bool = True) -> None:
        super().__init__()
        self.theme, self.zone = theme, zone
        vectors = np.vstack([np.asarray(reach, dtype=np.float64).reshape(-1, 2), np.zeros((1, 2))])
        if not np.any(vectors):
            vectors = np.array([[-1.0, -1.0], [1.0, 1.0]])  # zero arrows alone give no measure
        low, high = vectors.min(axis=0), vectors.max(axis=0)
        span = float(np.max(high - low))
        # Whole ticks where there are any: halves on a plane of small whole numbers only distract.
        step = nice_step(span, 5) if span < 1.5 else max(1.0, nice_step(span, 5))
        sides = np.minimum(_TIP_ROOM, 0.24 * np.array([zone.width, zone.height]))
        room = np.array([zone.width, zone.height]) - 2 * sides
        self.unit = float(np.min(room / np.maximum(high - low, 0.25 * span)))
        low, high = low - sides / self.unit, high + sides / self.unit
        # What is left of the zone shows more of the plane, evenly on both sides.
        size = np.array([zone.width, zone.height]) / self.unit
        rest = size - (high - low)
        self.low, self.high = low - rest / 2, high + rest / 2
        self._origin = np.array([zone.left, zone.bottom, 0.0]) - np.array([*self.low, 0.0]) * self.unit
        self.ticks: list[Number] = []
        self._draw(step, ticks)

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

    @property
    def _shaft(self) -> float:
        return self.theme.stroke.arrow / 100

    @property
    def _ground(self) -> ManimColor:
        return ManimColor(self.theme.colours.ground)

    def _draw(self, step: float, ticks: bool) -> None:
        colours, stroke = self.theme.colours, self.theme.stroke
        lines = VGroup()
        strides = self._strides(step)
        for axis in (0, 1):
            first, last = np.ceil(self.low[axis] / step), np.floor(self.high[axis] / step)
            for k in np.arange(first, last + 1):
                is_axis = k == 0
                ends = [self._at(axis, k * step, bound) for bound in (self.low, self.high)]
                lines.add(
                    Line(
                        *ends,
                        stroke_color=colours.axis if is_axis else colours.grid,
                        stroke_width=stroke.axis if is_axis else stroke.grid,
                    )
                )
                if ticks and k % strides[axis] == 0 and not is_axis:
                    self._tick(axis, float(k * step), step)
        lines.submobjects.sort(key=lambda line: line.stroke_width)
        self.lines = lines
        self.add(lines, *self.ticks)

    def _at(self, axis: int, value: float, bound: NDArray[np.float64]) -> Point3D:
        vector = bound.copy()
        vector[axis] = value
        return self.point(vector)

    def _strides(self, step: float) -> tuple[int, int]:
        """Every how many ticks of each axis one is labelled, for the labels not to touch."""
        ends = [float(bound[0]) for bound in (self.low, self.high)]
        widest = max(self._tick_label(0, step * np.trunc(end / step), step).advance for end in ends)
        between = step * self.unit
        return max(1, int(np.ceil(1.25 * widest / between))), max(1, int(np.ceil(0.4 / between)))

    def _tick_label(self, axis: int, value: float, step: float) -> Number:
        decimals = max(0, -int(np.floor(np.log10(step) + 1e-9)))
        return Number(
            value,
            NumberStyle(decimals),
            face=self.theme.figures,
            em=self.theme.type.smallest,
            colour=ManimColor(self.theme.colours.quiet),
            source=f"axis {'xy'[axis]}",
        )

    def _tick(self, axis: int, value: float, step: float) -> None:
        number = self._tick_label(axis, value, step)
        place = self.point((value, 0) if axis == 0 else (0, value))
        nudge = DOWN * 0.21 if axis == 0 else LEFT * (0.14 + number.advance / 2)
        number.set_middle(place + nudge)
        number.truth = lambda: float(self.vector(place)[axis])
        inside = self.zone.left + 0.1 < number.get_left()[0] and number.get_right()[0] < self.zone.right - 0.1
        if inside and self.zone.bottom < number.get_bottom()[1] and number.get_top()[1] < self.zone.top:
            self.ticks.append(number)


def place_at_tips(
    labels: Sequence[VMobject],
    arrows: Sequence[Arrow],
    zone: Zone,
    *,
    avoid: Iterable[VMobject] = (),
    axes: Iterable[tuple[Point3D, Point3D]] = (),
    distance: float = 0.16,
) -> None:
    """Put each label beside its arrow's tip, where it covers neither a label, an arrow nor the zone's edge.

    ``avoid`` are other texts and arrows that stand there, ``axes`` the ends of lines that should stay free.
    """
    others = list(avoid)
    taken = [_box(mobject) for mobject in others if not isinstance(mobject, Arrow)]
    drawn = [*arrows, *(mobject for mobject in others if isinstance(mobject, Arrow))]
    shafts = [np.linspace(arrow.start_point, arrow.tip, 30)[:, :2] for arrow in drawn]
    shafts += [np.linspace(*axis, 40)[:, :2] for axis in axes]
    for label, arrow in zip(labels, arrows, strict=True):
        outward = arrow.tip - arrow.start_point
        angle = float(np.arctan2(outward[1], outward[0])) if np.any(outward) else np.pi / 4
        spots = [(far, angle + turn) for far in _RINGS for turn in np.linspace(-np.pi, np.pi, 25)[:-1]]
        far, best = min(
            spots,
            key=lambda spot: (
                _crowding(_beside(label, arrow.tip, spot[1], distance + spot[0]), taken, shafts, zone) + 3.0 * spot[0],
                round(abs(spot[1] - angle), 6),
            ),
        )
        box = _beside(label, arrow.tip, best, distance + far)
        label.shift(np.array([*box[0], 0.0]) - np.array([label.get_left()[0], label.get_bottom()[1], 0.0]))
        taken.append(box)
        if far >= _FAR:
            label.add(_leader(label, box, arrow.tip))


def _leader(label: VMobject, box: Box, tip: Point3D) -> Line:
    """A thin line from a label that stands apart to the tip that it names."""
    near = np.array([*np.clip(tip[:2], *box), 0.0])
    along = tip - near
    colour = next(part for part in label.family_members_with_points() if part.get_fill_opacity()).get_fill_color()
    return Line(near + 0.12 * along, tip - 0.12 * along, stroke_color=colour, stroke_width=1.5)


Box = tuple[NDArray[np.float64], NDArray[np.float64]]


def _box(mobject: VMobject) -> Box:
    return (
        np.array([mobject.get_left()[0], mobject.get_bottom()[1]]),
        np.array([mobject.get_right()[0], mobject.get_top()[1]]),
    )


def _beside(label: VMobject, tip: Point3D, angle: float, distance: float) -> Box:
    """The box of ``label`` if it lay in the direction ``angle`` from ``tip``, touching a circle around it."""
    half = np.array([label.width, label.height]) / 2
    direction = np.array([np.cos(angle), np.sin(angle)])
    # How far the box's own edge is from its middle in that direction.
    own = min(half[k] / abs(direction[k]) for k in (0, 1) if abs(direction[k]) > 1e-9)
    middle = tip[:2] + direction * (distance + own)
    return middle - half, middle + half


def _crowding(box: Box, taken: Sequence[Box], shafts: Sequence[NDArray[np.float64]], zone: Zone) -> float:
    low, high = box[0] - 0.07, box[1] + 0.07
    shared = [float(np.prod(np.clip(np.minimum(high, b) - np.maximum(low, a), 0, None))) for a, b in taken]
    over_labels = sum(10.0 + 40.0 * area for area in shared if area > 0)
    over_arrows = sum(int(np.all((s > low) & (s < high), axis=1).sum()) for s in shafts)
    edge = np.array([zone.left, zone.bottom]), np.array([zone.right, zone.top])
    outside = float(np.clip(edge[0] - low, 0, None).sum() + np.clip(high - edge[1], 0, None).sum())
    return over_labels + 0.8 * over_arrows + 400 * outside
