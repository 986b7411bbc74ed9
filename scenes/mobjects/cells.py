"""The cell: the box that a number of a table lives in."""

from __future__ import annotations

from typing import Any

from manim import Animation, ManimColor, RoundedRectangle, interpolate_color

from scenes.theme import Theme


class Cell(RoundedRectangle):
    """A box with rounded corners. Its fill says what its number is worth, its rim whose it is."""

    def __init__(self, width: float, height: float, theme: Theme, rim: ManimColor | None = None) -> None:
        super().__init__(
            width=width,
            height=height,
            corner_radius=min(theme.space.corner, width / 4, height / 4),
            fill_color=theme.colours.cell,
            fill_opacity=1.0,
            stroke_color=rim if rim is not None else theme.colours.cell,
            stroke_width=theme.stroke.cell,
        )


def shade(value: float, largest: float, theme: Theme) -> ManimColor:
    """The fill of a cell that holds ``value`` where ``largest`` is the table's greatest magnitude."""
    ground = ManimColor(theme.colours.cell)
    if largest <= 0 or value == 0:
        return ground
    full = ManimColor(theme.colours.positive if value > 0 else theme.colours.negative)
    return interpolate_color(ground, full, min(1.0, abs(value) / largest))


class Shade(Animation):
    """Brings a cell's fill to another colour."""

    def __init__(self, cell: Cell, colour: ManimColor, **timing: Any) -> None:
        self._colour = colour
        super().__init__(cell, **timing)

    def begin(self) -> None:
        self._first = self.mobject.get_fill_color()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        colour = interpolate_color(self._first, self._colour, self.rate_func(alpha))
        self.mobject.set_fill(colour, family=False)
