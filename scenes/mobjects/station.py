"""A station of a pipeline: a card with a title, and room for a small picture of what happens there."""

from __future__ import annotations

import numpy as np
from manim import ManimColor, RoundedRectangle, VGroup

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.text import Label
from scenes.theme import Theme

_PAD = 0.16
_TITLE = 1.5
"""Height of the title's line in ems."""


class Station(VGroup):
    """A card that fills ``zone``; its ``title`` stands at the top left, ``inside`` is what it leaves free
    below it, ``beside`` at its right."""

    def __init__(self, title: str, zone: Zone, theme: Theme) -> None:
        super().__init__()
        em = theme.type.note * 0.9
        self.zone = zone
        self.card = RoundedRectangle(
            width=zone.width,
            height=zone.height,
            corner_radius=2 * theme.space.corner,
            fill_opacity=0.0,
            stroke_color=ManimColor(theme.colours.axis),
            stroke_width=theme.stroke.cell,
        ).move_to(zone.centre)
        self.title = Label(title, em=em, colour=ManimColor(theme.colours.quiet))
        head = _PAD / 2 + _TITLE * em
        left = zone.left + _PAD + self.title.advance / 2
        self.title.set_middle(np.array([left, zone.top - (_PAD + head) / 2, 0.0]))
        self.inside = zone.inset(left=_PAD, right=_PAD, bottom=_PAD, top=head)
        self.beside = zone.inset(left=2 * _PAD + self.title.advance, right=_PAD, bottom=_PAD, top=_PAD / 2)
        self.add(self.card, self.title)


def link(first: Zone, second: Zone, theme: Theme) -> Arrow:
    """The arrow from one station to the next, which stands beside it or below it."""
    shared_left, shared_right = max(first.left, second.left), min(first.right, second.right)
    if shared_left < shared_right:
        x = (shared_left + shared_right) / 2
        ends = [(x, first.bottom), (x, second.top)]
    else:
        y = first.centre[1]
        ends = (
            [(first.right, y), (second.left, y)] if first.right < second.left else [(first.left, y), (second.right, y)]
        )
    start, end = (np.array([*point, 0.0]) for point in ends)
    return Arrow(start, end, ManimColor(theme.colours.quiet), theme.stroke.arrow / 100)
