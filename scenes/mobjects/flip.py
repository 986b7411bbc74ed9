"""A table that is flipped over its diagonal like a sheet of paper: edge-on halfway, then seen from its other side."""

from __future__ import annotations

from typing import Any

import numpy as np
from manim import Animation, VMobject
from manim.typing import Point3D
from numpy.typing import NDArray

_TOWARDS_US = 0.16
"""How much larger a part looks while it stands straight up from the sheet, for each unit that it is off the axis."""


class Flip(Animation):
    """Turns ``old``, a part of a sheet, over to the place and size of ``new``, which then stands for it.

    Parameters
    ----------
    old, new
        Outlines of as many points. ``old`` is taken off the screen by whoever plays this.
    axis
        The direction that the sheet is turned about, in the plane, of any length.
    upright
        Whether the part only shrinks and grows instead of being seen from the side, and fades where it is too small to
        be read, as writing does that must stay writing.
    """

    def __init__(self, old: VMobject, new: VMobject, axis: Point3D, *, upright: bool = False, **timing: Any) -> None:
        self._old_centre, self._new_centre = old.get_center(), new.get_center()
        self._old = _offsets(old, self._old_centre)
        self._new = _offsets(new, self._new_centre)
        self._axis = np.asarray(axis) / np.linalg.norm(axis)
        self._upright = upright
        super().__init__(new, introducer=True, **timing)

    def interpolate_mobject(self, alpha: float) -> None:
        turned = np.pi * self.rate_func(alpha)
        lying, standing = float(np.cos(turned)), float(np.sin(turned))
        middle, half = (self._old_centre + self._new_centre) / 2, (self._old_centre - self._new_centre) / 2
        # One side of the axis comes up to us while the other goes down.
        side = float(half[0] * self._axis[1] - half[1] * self._axis[0])
        near = 1.0 + _TOWARDS_US * side * standing
        shape = self._old if lying > 0 else self._new
        offsets = self._seen(shape, abs(lying)) * near
        centre = middle + half * lying
        start = 0
        for leaf in self.mobject.family_members_with_points():
            end = start + len(leaf.points)
            leaf.points = centre + offsets[start:end]
            if self._upright:
                leaf.set_fill(opacity=lying**2, family=False)
            start = end

    def _seen(self, offsets: NDArray[np.float64], share: float) -> NDArray[np.float64]:
        """Offsets from the middle, ``share`` as wide across the axis."""
        if self._upright:
            return offsets * max(share, 1e-3)
        along = np.outer(offsets @ self._axis, self._axis)
        return np.asarray(along + (offsets - along) * share)


def _offsets(mobject: VMobject, centre: Point3D) -> NDArray[np.float64]:
    return np.concatenate([leaf.points for leaf in mobject.family_members_with_points()]) - centre
