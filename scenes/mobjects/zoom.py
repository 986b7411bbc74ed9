"""From one plane to another at another scale, as if a camera came nearer or stepped back.

Lines and arrows stay on the vectors that they stand for in every frame; only what one of the two planes does not have
fades.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from manim import Animation, Scene, VMobject
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane, GridLine
from scenes.mobjects.number import Number

_LINES, _TICKS = (0.6, 0.4), (0.3, 0.7)
"""The share of a zoom by which what goes has gone, and from which on what comes appears: numbers never meet."""


class View:
    """What the plane is like on the way from ``plane`` to ``target``: at share 0 the one, at 1 the other.

    The scale changes by the same factor in the same time, around one point of the plane that stays where it is.
    """

    def __init__(self, plane: ArrowPlane, target: ArrowPlane) -> None:
        self.plane, self.target = plane, target

    def point(self, vector: NDArray[np.float64], share: float) -> Point3D:
        """Where the tip of a vector lies."""
        unit, before, after = self._unit(share), self.plane.unit, self.target.unit
        moved = share if np.isclose(before, after) else (unit - before) / (after - before)
        origin = self.plane.origin + moved * (self.target.origin - self.plane.origin)
        return np.asarray(origin + np.array([*vector, 0.0]) * unit)

    def zone(self, share: float) -> Zone:
        """What the plane fills."""
        a, b = self.plane.zone, self.target.zone
        sides = ((a.left, b.left), (a.right, b.right), (a.bottom, b.bottom), (a.top, b.top))
        return Zone(*(first + share * (last - first) for first, last in sides))

    def ride(self, arrow: Arrow, *labels: VMobject, **timing: Any) -> Ride:
        """The arrow, and with it its labels, stay on their vector."""
        return Ride(self, arrow, *labels, **timing)

    def _unit(self, share: float) -> float:
        return float(self.plane.unit ** (1 - share) * self.target.unit**share)


class Zoom(Animation):
    """Turns the plane of a view into its target, in whose place it then stands on the screen.

    The plane's lines are used up. What stands on it moves along by :meth:`View.ride`, in the same play.
    """

    def __init__(self, view: View, **timing: Any) -> None:
        self.view = view
        super().__init__(view.plane, **timing)

    def begin(self) -> None:
        plane, target = self.view.plane, self.view.target
        finest = min(plane.step, target.step)
        mine, theirs = ({(line.axis, round(line.value / finest)): line for line in p.lines} for p in (plane, target))
        lines = [*mine.values(), *(line.copy() for place, line in theirs.items() if place not in mine)]
        # A line that the other plane would have too, were it as large as this one, only leaves the zone or enters it.
        self._lines = [_Passing(line, not _has(target, line), not _has(plane, line)) for line in lines]
        stays = {_writing(tick) for tick in plane.ticks} & {_writing(tick) for tick in target.ticks}
        arriving = [tick.copy() for tick in target.ticks if _writing(tick) not in stays]
        self._ticks = [
            *((_Passing(tick, _writing(tick) not in stays, False), _nudge(tick, plane)) for tick in plane.ticks),
            *((_Passing(tick, False, True), _nudge(tick, target)) for tick in arriving),
        ]
        plane.lines.submobjects = sorted(lines, key=lambda line: line.stroke_width)
        plane.add(*arriving)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        zone = self.view.zone(share)
        for passing in self._lines:
            self._lay(passing.what, share, zone, passing.opacity(share, *_LINES))
        for passing, nudge in self._ticks:
            tick = passing.what.move_to(self.view.point(_vector(passing.what), share) + nudge)
            tick.set_fill(opacity=passing.opacity(share, *_TICKS))

    def clean_up_from_scene(self, scene: Scene) -> None:
        super().clean_up_from_scene(scene)
        scene.replace(self.view.plane, self.view.target)

    def _lay(self, line: GridLine, share: float, zone: Zone, opacity: float) -> None:
        """Draw a line right across the zone; outside of it there is nothing to be seen."""
        across, along = ((zone.left, zone.right), (zone.bottom, zone.top))[:: -1 if line.axis else 1]
        at = float(self.view.point(line.value * np.eye(2)[line.axis], share)[line.axis])
        ends = [[at, end, 0.0] if line.axis == 0 else [end, at, 0.0] for end in along]
        line.put_start_and_end_on(*map(np.array, ends))
        line.set_stroke(opacity=opacity if across[0] <= at <= across[1] else 0.0)


@dataclass(frozen=True)
class _Passing:
    """Something that is ``going`` with the one plane, or ``coming`` with the other; what both have is neither."""

    what: Any
    going: bool
    coming: bool

    def opacity(self, share: float, out: float, into: float) -> float:
        gone = min(1.0, share / out) if self.going else 0.0
        come = max(0.0, (share - into) / (1 - into)) if self.coming else 1.0
        return (1.0 - gone) * come


class Ride(Animation):
    """Keeps an arrow on its vector while the plane under it zooms, and labels as far from its tip as they are."""

    def __init__(self, view: View, arrow: Arrow, *labels: VMobject, **timing: Any) -> None:
        self.view, self.labels = view, labels
        super().__init__(arrow, **timing)

    def begin(self) -> None:
        plane, arrow = self.view.plane, self.mobject
        self._start, self._tip = plane.vector(arrow.start_point), plane.vector(arrow.tip)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share, arrow, before = self.rate_func(alpha), self.mobject, self.mobject.tip
        arrow.point_to(self.view.point(self._tip, share), self.view.point(self._start, share))
        for label in self.labels:
            label.shift(arrow.tip - before)


def _has(plane: ArrowPlane, line: GridLine) -> bool:
    """Whether a plane that went on for ever would have this line."""
    return bool(np.isclose(line.value / plane.step, round(line.value / plane.step), atol=1e-6))


def _writing(tick: Number) -> tuple[str, str]:
    return tick.source, tick.shown_text()


def _vector(tick: Number) -> NDArray[np.float64]:
    """The vector whose tip lies where a tick stands."""
    return np.asarray(tick.value * np.eye(2)["xy".index(tick.source[-1])])


def _nudge(tick: Number, plane: ArrowPlane) -> Point3D:
    """How far beside its place a tick is written."""
    return np.asarray(tick.get_center() - plane.point(_vector(tick)))
