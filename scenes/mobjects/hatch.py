"""What is masked: a hatch over the place that is not to be seen, and a padlock that says so in small."""

from __future__ import annotations

from typing import Self

import numpy as np
from manim import PI, Arc, ManimColor, RoundedRectangle, VGroup, VMobject
from numpy.typing import NDArray

from scenes.mobjects.overlaps import as_ground
from scenes.theme import Theme

_PITCH = 0.15
"""From one line of the hatch to the next, along the sides of the box, in units."""
_AIR = 0.05
"""How far the lines keep away from the sides of the box, in units."""


class Hatch(VMobject):
    """Slanting lines that fill a box of ``width`` and ``height`` units around the origin, clipped to it.

    Quiet enough to be written on: a masked cell still holds its −∞.
    """

    def __init__(self, width: float, height: float, theme: Theme, pitch: float = _PITCH) -> None:
        super().__init__(
            fill_opacity=0.0, stroke_color=ManimColor(theme.colours.masked), stroke_width=theme.stroke.grid
        )
        as_ground(self)
        self.pitch = pitch
        self.points = _slanting_lines(width, height, pitch)

    @classmethod
    def over(cls, box: VMobject, theme: Theme) -> Self:
        """A hatch that covers ``box``."""
        return cls(box.width, box.height, theme).lay_over(box)

    def lay_over(self, box: VMobject, share: float = 1.0) -> Self:
        """Cover ``box`` as it is now, or only the ``share`` of its height that begins at its bottom."""
        height = share * box.height
        middle = box.get_bottom() + np.array([0.0, height / 2, 0.0])
        self.points = _slanting_lines(box.width, height, self.pitch) + middle
        return self

    def segments(self) -> NDArray[np.float64]:
        """The ends of the lines as they are drawn, ``(m, 2, 2)``."""
        return np.asarray(self.points.reshape(-1, 4, 3)[:, [0, 3], :2])


class Padlock(VGroup):
    """A small closed padlock, drawn as an outline, ``height`` units high, around the origin."""

    def __init__(self, height: float, theme: Theme) -> None:
        super().__init__()
        line = {"stroke_color": ManimColor(theme.colours.masked), "stroke_width": 100 * height * 0.075}
        body = RoundedRectangle(
            width=0.74 * height,
            height=0.52 * height,
            corner_radius=0.09 * height,
            fill_color=ManimColor(theme.colours.ground),
            fill_opacity=1.0,
            **line,
        )
        radius = 0.22 * height
        bow = Arc(radius=radius, start_angle=0, angle=PI, **line)
        legs = np.array([[side * radius, y, 0.0] for side in (-1, 1) for y in (0.0, -0.2 * height)])
        bow.points = np.concatenate([np.linspace(legs[3], legs[2], 4), bow.points, np.linspace(legs[0], legs[1], 4)])
        keyhole = VMobject(fill_opacity=0.0, **line)
        keyhole.points = np.linspace([0.0, 0.06 * height, 0.0], [0.0, -0.08 * height, 0.0], 4)
        self.add(bow.shift([0.0, 0.24 * height, 0.0]), body.shift([0.0, -0.2 * height, 0.0]))
        self.add(keyhole.shift([0.0, -0.2 * height, 0.0]))
        self.scale_to_fit_height(height).center()


def _slanting_lines(width: float, height: float, pitch: float) -> NDArray[np.float64]:
    """Lines of slope 1 that fill a box around the origin, as straight cubic curves, ``(4 m, 3)``."""
    air = min(_AIR, width / 8, height / 8)
    width, height = width - 2 * air, height - 2 * air
    # A line y = x + c cuts the box where |c| is less than half of both sides together; c = 0 goes through its middle.
    reach = (width + height) / 2
    steps = int(np.ceil(reach / pitch)) - 1
    c = pitch * np.arange(-steps, steps + 1)
    left = np.maximum(-width / 2, -height / 2 - c)
    right = np.minimum(width / 2, height / 2 - c)
    share = np.linspace(0.0, 1.0, 4)
    x = left[:, np.newaxis] + share * (right - left)[:, np.newaxis]
    lines = np.stack([x, x + c[:, np.newaxis], np.zeros_like(x)], axis=-1)
    return np.asarray(lines[right - left > 1e-9].reshape(-1, 3))
