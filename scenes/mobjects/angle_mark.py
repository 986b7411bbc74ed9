"""The mark of the angle between two arrows."""

from __future__ import annotations

from typing import Self

import numpy as np
from manim import ManimColor, VMobject
from manim.typing import Point3D, Point3D_Array, Vector3D
from numpy.typing import NDArray

from scenes.mobjects.arrow_plane import Arrow
from scenes.theme import Theme

_SHARE_OF_SHORTER = 0.42
"""How far out the mark lies on the shorter arrow: clear of its head."""
_SQUARE = 0.62
"""The side of the right angle's square, as a share of the arc's radius."""
_CURVES = 12
_NOTHING = 1e-9
_SAME_ANGLE = 1e-9
"""Angles in radians that differ by less are the same: float64 arrows of 90° come no closer."""


class AngleMark(VMobject):
    """The arc between two arrows that start at one point, the shorter way round.

    At exactly 90° it is the right angle's square, at 180° a half circle, at 0° nothing to be seen; where an arrow has
    no length there is no angle and nothing is drawn. ``largest`` is the greatest radius in units; in front of a
    shorter arrow the mark draws in, to stay clear of its head.
    """

    def __init__(
        self, first: Arrow, second: Arrow, theme: Theme, *, colour: ManimColor | None = None, largest: float = 0.9
    ) -> None:
        super().__init__(
            fill_opacity=0.0,
            stroke_color=ManimColor(theme.colours.ink) if colour is None else colour,
            stroke_width=theme.stroke.focus * 0.7,
        )
        self.first, self.second, self.largest = first, second, largest
        self._turn = 0.0
        self.redraw()

    # Verbs

    def redraw(self) -> Self:
        """Lie between the arrows as they are now."""
        a, b = _along(self.first), _along(self.second)
        lengths = [float(np.linalg.norm(v)) for v in (a, b)]
        self._vertex = self.first.start_point
        if min(lengths) < _NOTHING:
            self.radius, self._turn = 0.0, 0.0
            self.points = np.zeros((0, 3))
            return self
        self.radius = min(self.largest, _SHARE_OF_SHORTER * min(lengths))
        self._from = float(np.arctan2(a[1], a[0]))
        self._turn = _shorter_turn(a, b, self._turn)
        self.points = self._vertex + self.radius * self._outline()
        return self

    def follow(self) -> Self:
        """From now on redraw in every frame, while the arrows swing."""
        self.clear_updaters()
        self.add_updater(lambda mark: mark.redraw())
        return self

    def rest(self) -> Self:
        """Follow no longer."""
        self.clear_updaters()
        return self

    # Readers

    def degrees(self) -> float | None:
        """The angle that is drawn, read from the outline's ends: 0 to 180, or None where there is none."""
        if not len(self.points):
            return None
        a, b = (self.points[end] - self._vertex for end in (0, -1))
        return float(np.degrees(np.arctan2(abs(_cross(a, b)), a @ b)))

    def is_right(self) -> bool:
        """Whether the right angle's square is drawn."""
        return _is_right(self._turn)

    def label_place(self, width: float = 0.0, height: float = 0.0, air: float = 0.12) -> Point3D:
        """Where the middle of a label of that size belongs.

        Beyond the arc in the middle of the angle, as far out as the label clears both arrows by ``air`` units; where
        it would have to go farther than the longer arrow reaches, beside the first arrow, on its outer side.
        """
        room = float(np.hypot(width, height)) / 2 + air
        if not len(self.points):
            return np.asarray(self._vertex + np.array([0.0, -room, 0.0]))
        half = abs(self._turn) / 2
        reach = max(float(np.linalg.norm(_along(arrow))) for arrow in (self.first, self.second))
        clear = self._clear_of_shafts(room)
        out = max(self.radius + room, clear / max(np.sin(half), _NOTHING) if half < np.pi / 2 else 0.0)
        if out <= reach or half > np.pi / 4:
            return np.asarray(self._vertex + out * _direction(self._from + self._turn / 2))
        side = -np.sign(self._turn) if self._turn else -1.0
        beside = _direction(self._from + side * np.pi / 2)
        return np.asarray(self._vertex + reach / 2 * _direction(self._from) + clear * beside)

    # Drawing

    def _clear_of_shafts(self, room: float) -> float:
        return room + max(self.first.width_of_shaft, self.second.width_of_shaft) / 2

    def _outline(self) -> NDArray[np.float64]:
        """The mark around the origin at radius 1, from the first arrow to the second."""
        if self.is_right():
            a, b = (_SQUARE * _direction(self._from + turn) for turn in (0.0, self._turn))
            return np.concatenate([np.linspace(a, a + b, 4), np.linspace(a + b, b, 4)])
        return _arc(self._from, self._turn)


def _along(arrow: Arrow) -> Vector3D:
    return np.asarray(arrow.tip - arrow.start_point)


def _direction(angle: float) -> Vector3D:
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _cross(a: Vector3D, b: Vector3D) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def _shorter_turn(a: Vector3D, b: Vector3D, before: float) -> float:
    """The angle from ``a`` to ``b`` in radians, counted against the clock, -π to π.

    A half turn has no shorter way: it goes round on the side on which the angle was ``before``, and not on the side
    that rounding happens to choose.
    """
    turn = float(np.arctan2(_cross(a, b), a @ b))
    if np.pi - abs(turn) < _SAME_ANGLE:
        return -np.pi if before < 0 else np.pi
    return turn


def _is_right(turn: float) -> bool:
    return abs(abs(turn) - np.pi / 2) < _SAME_ANGLE


def _arc(start: float, turn: float) -> Point3D_Array:
    """An arc of radius 1 around the origin as cubic curves, ``(4 m, 3)``, its ends exactly at its angles."""
    angles = start + turn * np.linspace(0.0, 1.0, _CURVES + 1)
    handle = 4 / 3 * np.tan(turn / _CURVES / 4)
    on = np.stack([np.cos(angles), np.sin(angles), np.zeros_like(angles)], axis=-1)
    forward = handle * np.stack([-np.sin(angles), np.cos(angles), np.zeros_like(angles)], axis=-1)
    curves = np.stack([on[:-1], on[:-1] + forward[:-1], on[1:] - forward[1:], on[1:]], axis=1)
    return np.asarray(curves.reshape(-1, 3))
