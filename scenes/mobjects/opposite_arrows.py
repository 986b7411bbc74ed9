"""A query and a key that point exactly against each other: the better they mismatch, the longer they are."""

from __future__ import annotations

from typing import Self

import numpy as np
from manim import LEFT, RIGHT, ManimColor, VGroup

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.working import Working
from scenes.theme import Theme


class OppositeArrows(VGroup):
    """Two arrows on one line through the middle of ``zone``, at most ``longest`` long; their names go with the tips."""

    def __init__(self, zone: Zone, longest: float, word: str, theme: Theme) -> None:
        super().__init__()
        colours = theme.colours
        self.query_name = Working(theme, theme.type.word).symbol("q", colours.query).row()
        self.key_name = Working(theme, theme.type.word, longest_word=6).symbol("k", colours.key, word=word).row()
        self._air = theme.space.tight
        room = zone.width - self.query_name.advance - self.key_name.advance - 2 * self._air
        self.unit = room / 2 / longest
        self.start = np.array([zone.left + self.key_name.advance + self._air + room / 2, zone.centre[1], 0.0])
        shaft = theme.stroke.arrow / 100
        self.query = Arrow(self.start, self.start, ManimColor(colours.query), shaft)
        self.key = Arrow(self.start, self.start, ManimColor(colours.key), shaft)
        self.add(self.key, self.query, self.key_name, self.query_name)
        self.show(longest)

    @property
    def length(self) -> float:
        """How long both are."""
        return float((self.query.tip - self.start)[0] / self.unit)

    def show(self, length: float) -> Self:
        """Draw both ``length`` long."""
        reach = RIGHT * length * self.unit
        self.query.point_to(self.start + reach)
        self.key.point_to(self.start - reach)
        for name, tip, side in ((self.query_name, self.query.tip, RIGHT), (self.key_name, self.key.tip, LEFT)):
            name.place(tip + side * (self._air + name.advance / 2), name.advance + 1.0)
        return self
