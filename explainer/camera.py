"""Manim's camera, faster, with the same pixels: the only place that touches how Manim draws.

What is drawn is settled in ``scenes``, where its pixels go in ``writer``; neither enters here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import starmap
from typing import Any, Self
from weakref import WeakKeyDictionary

import cairo
import numpy as np
import numpy.typing as npt
from manim import Camera, VMobject
from manim.typing import FloatRGBALike_Array, Point3D_Array

_CURVE = 4
_RELATIVE_TOLERANCE = 1e-5


@dataclass
class _Seen:
    """An outline as it was drawn last, and its path once it has been drawn twice."""

    points: Point3D_Array
    path: cairo.Path | None = None


class QuickCamera(Camera):
    """Draws what :class:`manim.Camera` draws, byte for byte.

    It saves work in three places: what has no colour is not prepared, an outline goes to Cairo without a loop
    over its curves in Python, and one that has not changed since it was drawn last goes there as it was kept.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._seen: WeakKeyDictionary[VMobject, _Seen] = WeakKeyDictionary()
        self._seen_by: cairo.Context[Any] | None = None
        super().__init__(*args, **kwargs)

    def display_vectorized(self, vmobject: VMobject, ctx: cairo.Context[Any]) -> Self:
        """Draw one mobject: stroke behind, fill, stroke."""
        behind = _visible(self.get_stroke_rgbas(vmobject, background=True))
        filled = _visible(self.get_fill_rgbas(vmobject))
        stroked = _visible(self.get_stroke_rgbas(vmobject))
        behind = behind and vmobject.get_stroke_width(background=True) > 0
        stroked = stroked and vmobject.get_stroke_width() > 0
        if not (behind or filled or stroked):
            return self
        self.set_cairo_context_path(ctx, vmobject)
        if behind:
            self.apply_stroke(ctx, vmobject, background=True)
        if filled:
            self.apply_fill(ctx, vmobject)
        if stroked:
            self.apply_stroke(ctx, vmobject)
        return self

    def set_cairo_context_path(self, ctx: cairo.Context[Any], vmobject: VMobject) -> Self:
        """Make the mobject's outline the current path."""
        if ctx is not self._seen_by:
            # A path holds the rounding to pixels of the context that it was made in.
            self._seen, self._seen_by = WeakKeyDictionary(), ctx
        seen = self._seen.get(vmobject)
        if seen is None or not np.array_equal(seen.points, vmobject.points):
            self._seen[vmobject] = _Seen(vmobject.points.copy())
            return self._new_path(ctx, vmobject)
        if seen.path is None:
            self._new_path(ctx, vmobject)
            seen.path = ctx.copy_path()
            return self
        ctx.new_path()
        ctx.append_path(seen.path)
        return self

    def set_cairo_context_color(
        self, ctx: cairo.Context[Any], rgbas: FloatRGBALike_Array, vmobject: VMobject
    ) -> Self:
        """Set the colour, or the gradient where there is more than one."""
        if len(rgbas) > 1:
            return super().set_cairo_context_color(ctx, rgbas, vmobject)
        red, green, blue, alpha = np.asarray(rgbas)[0].tolist()
        # Cairo's pixels are BGRA in memory, Manim's are RGBA.
        ctx.set_source_rgba(blue, green, red, alpha)
        return self

    def _new_path(self, ctx: cairo.Context[Any], vmobject: VMobject) -> Self:
        points = vmobject.points
        usual = vmobject.n_points_per_cubic_curve == _CURVE and len(points) % _CURVE == 0 < len(points)
        if not usual or not np.isfinite(points).all():
            return super().set_cairo_context_path(ctx, vmobject)
        ctx.new_path()
        curves = points[:, :2].reshape(-1, 2 * _CURVE)
        starts = np.flatnonzero(_begins(curves, vmobject.tolerance_for_point_equality))
        ends = np.append(starts[1:], len(curves))
        closed = _near(curves[starts, :2], curves[ends - 1, -2:], vmobject.tolerance_for_point_equality)
        first, rest = curves[starts, :2].tolist(), curves[:, 2:].tolist()
        for move_to, start, end, close in zip(
            first, starts.tolist(), ends.tolist(), closed.tolist(), strict=True
        ):
            ctx.move_to(*move_to)
            deque(starmap(ctx.curve_to, rest[start:end]), maxlen=0)
            if close:
                ctx.close_path()
        return self


def _visible(rgbas: FloatRGBALike_Array) -> bool:
    return len(rgbas) != 1 or rgbas[0][3] != 0


def _begins(curves: npt.NDArray[np.float64], tolerance: float) -> npt.NDArray[np.bool_]:
    """Which curves do not start where the one before them ends."""
    begins = np.ones(len(curves), dtype=np.bool_)
    begins[1:] = ~_near(curves[:-1, -2:], curves[1:, :2], tolerance)
    return begins


def _near(
    points: npt.NDArray[np.float64], others: npt.NDArray[np.float64], tolerance: float
) -> npt.NDArray[np.bool_]:
    """Which points are the same as Manim sees it: :func:`numpy.isclose` of both coordinates."""
    apart = np.abs(points - others) > tolerance + _RELATIVE_TOLERANCE * np.abs(others)
    return np.asarray(~apart.any(axis=1))
