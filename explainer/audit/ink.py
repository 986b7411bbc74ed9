"""What ink two outlines share, found by filling both: boxes that meet are only where to look.

A label beside the corner of a slanted arrow has a box that the arrow crosses, and ink that it does not touch.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from itertools import starmap

import cairo
import numpy as np

from explainer.audit.picture import SEEN, Array, Box, Outline, Paint

SHARP = 64.0
"""Pixels a unit of what is filled: the thinnest stem is more than one of them wide."""


@dataclass(frozen=True)
class Meeting:
    """How much of a text's ink lies on a mark: on its fill and on its stroke, as shares of all its ink.

    ``place`` is the box around what lies on the stroke, or on the fill where nothing lies on the stroke.
    """

    on_fill: float
    on_stroke: float
    place: Box


class Ink:
    """The ink of a text as pixels of its own box, against which marks are laid."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self._low = outline.box.low - 1 / SHARP
        width, height = np.ceil(SHARP * outline.box.size).astype(int) + 2
        self._size = int(width), int(height)

    def meeting(self, other: Outline, paint: Paint) -> Meeting:
        """What a mark, painted as it is, has in common with the text."""
        fill, stroke = (np.zeros_like(self._pixels) for _ in range(2))
        if paint.fill_opacity > SEEN:
            fill = self._pixels * self._painted(other, 0.0)
        if paint.stroke_opacity > SEEN and paint.stroke_width > 0:
            stroke = self._pixels * self._painted(other, paint.stroke_width)
        whole = max(float(self._pixels.sum()), 1e-9)
        seen = stroke if stroke.any() else fill
        return Meeting(float(fill.sum()) / whole, float(stroke.sum()) / whole, self._box(seen))

    @cached_property
    def _pixels(self) -> Array:
        return self._painted(self.outline, 0.0)

    def _painted(self, outline: Outline, stroke_width: float) -> Array:
        """The fill of an outline, or its stroke if it has a width, from 0 to 1 a pixel, the lowest row first."""
        width, height = self._size
        surface = cairo.ImageSurface(cairo.FORMAT_A8, width, height)
        context = cairo.Context(surface)
        context.scale(SHARP, SHARP)
        context.translate(*(-self._low).tolist())
        _trace(context, outline)
        if stroke_width:
            context.set_line_width(stroke_width)
            context.stroke()
        else:
            context.fill()
        surface.flush()
        rows = np.frombuffer(surface.get_data(), dtype=np.uint8).reshape(height, surface.get_stride())
        return rows[:, :width] / 255

    def _box(self, pixels: Array) -> Box:
        inked = np.argwhere(pixels > 0.5)
        if not len(inked):
            return self.outline.box
        low, high = inked.min(axis=0)[::-1], inked.max(axis=0)[::-1] + 1
        return Box(self._low + low / SHARP, self._low + high / SHARP)


def _trace(context: cairo.Context[cairo.ImageSurface], outline: Outline) -> None:
    """Make an outline the current path; an outline that ends where it began is closed."""
    curves, starts = outline.curves, outline.starts
    ends = np.append(starts[1:], len(curves))
    closed = np.abs(curves[starts, 0] - curves[ends - 1, 3]).max(axis=1) < 1e-6
    rest = curves[:, 1:].reshape(-1, 6).tolist()
    first = curves[starts, 0].tolist()
    for move_to, start, end, close in zip(first, starts.tolist(), ends.tolist(), closed.tolist(), strict=True):
        context.move_to(*move_to)
        deque(starmap(context.curve_to, rest[start:end]), maxlen=0)
        if close:
            context.close_path()
