"""The header: which step this is, what it is called, and the formula that the steps add up to."""

from __future__ import annotations

from manim import LEFT, RIGHT, ManimColor, RoundedRectangle, VGroup, VMobject

from scenes.layout import Zone
from scenes.mobjects.number import Number
from scenes.mobjects.text import Formula, fitted_label
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


class HeaderFormula(Formula):
    """The formula of attention at the right of the header zone; ``letters`` are its parts by their names, in order.

    Where scores are not divided by the root of d_k, the divisor is called c.
    """

    def __init__(self, zone: Zone, theme: Theme, *, by_root: bool) -> None:
        colours = theme.colours
        parts = {
            "softmax": (r'upright("softmax")(', colours.weight),
            "Q": ("Q", colours.query),
            "K": ("K", colours.key),
            "T": ('""^upright(T)', colours.key),
            "divide": (rf"thin \/ {'sqrt(d_k)' if by_root else 'c'}", colours.ink),
            "close": (")", colours.weight),
            "V": ("thin V", colours.value),
        }
        super().__init__([(source, ManimColor(colour)) for source, colour in parts.values()], em=theme.type.formula)
        self.letters: dict[str, VMobject] = dict(zip(parts, self.submobjects, strict=True))
        self.set_middle(zone.centre)
        self.shift(RIGHT * (zone.right - self.pen_end[0]))
