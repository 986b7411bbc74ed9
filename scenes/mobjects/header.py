"""The header: which step this is, and what it is called."""

from __future__ import annotations

from manim import LEFT, RIGHT, ManimColor, RoundedRectangle, VGroup

from scenes.layout import Zone
from scenes.mobjects.number import Number
from scenes.mobjects.text import fitted_label
from scenes.numerals import COUNT
from scenes.theme import Theme


class Header(VGroup):
    """A badge with the step's number and the step's title beside it, at the left of the header zone."""

    def __init__(self, step: int | None, title: str, zone: Zone, theme: Theme) -> None:
        super().__init__()
        ink, ground = ManimColor(theme.colours.ink), ManimColor(theme.colours.ground)
        em = theme.type.title
        left = zone.centre + LEFT * zone.width / 2
        if step is not None:
            size = zone.height * 0.86
            badge = RoundedRectangle(
                corner_radius=theme.space.corner * 1.4,
                width=size,
                height=size,
                fill_color=ink,
                fill_opacity=1.0,
                stroke_width=0.0,
            ).move_to(left + RIGHT * size / 2)
            number = Number(
                step,
                COUNT,
                face=theme.figures_strong,
                em=em,
                colour=ground,
                source=f"step {step}",
                truth=lambda: float(step),
            ).set_middle(badge.get_center())
            self.add(badge, number)
            left = left + RIGHT * (size + theme.space.gap)
        room = zone.right - left[0]
        label = fitted_label(title, room, em=em, colour=ink, semibold=True, smallest=theme.type.note)
        self.title = title
        self.label = label
        label.set_middle(left + RIGHT * label.advance / 2)
        self.add(label)
