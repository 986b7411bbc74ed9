"""One arrow for two jobs: a word asks with the arrow by which it is found itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from manim import LEFT, Animation, FadeIn, FadeOut, VGroup

from math_core import angle
from scenes.cast import BETWEEN
from scenes.handover.arrows import after_arrows
from scenes.mobjects.angle_mark import AngleMark
from scenes.mobjects.degrees import Degrees
from scenes.mobjects.motion import dim, light
from scenes.walkthrough import Walkthrough


class Asking(Walkthrough):
    """A step of the walkthrough that begins with the words' arrows and lets the focus word ask with its own.

    ``angles`` ``(n,)`` are those from the focus word's arrow to each word's, in degrees; NaN where there is none.
    """

    def open(self) -> None:
        """Begin with the words' arrows."""
        super().open()
        cast = self.cast
        x = cast.trace.embeddings
        self.angles = np.asarray(angle(x[cast.focus], x, degrees=True))
        self.opening = after_arrows(cast)
        self._begin(self.opening)
        self.x_arrow = self.opening.arrows[cast.focus]
        self.measured: dict[int, Degrees] = {}

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and the angles between the focus word and each word."""
        return {**super().sources(), "angles": self.angles}

    @property
    def has_angle(self) -> bool:
        """Whether the focus word's arrow points anywhere."""
        return bool(np.isfinite(self.angles[self.cast.focus]))

    def _only_focus(self) -> list[Animation]:
        opening, f = self.opening, self.cast.focus
        parts = [part for i in self.cast.others for part in (opening.arrows[i], opening.labels[i])]
        return [*dim(*parts), *self._only_word(opening.tokens.tokens, f), *opening.X.light_row(f), *dim(opening.X.name)]

    def _make_room_for_angles(self) -> None:
        """Where the angles would not fit at the right of X, words and X move to the left."""
        em = min(self.theme.type.number, 0.95 * self.cast.pitch)
        self.measured = {
            i: Degrees(float(value), self.theme, em, source=f"angles[{i}]")
            for i, value in enumerate(self.angles)
            if np.isfinite(value)
        }
        widest = max(degrees.advance for degrees in self.measured.values())
        self.right = float(self.opening.X.boxes.get_right()[0]) + BETWEEN + widest
        over = self.right - self.layout.stage.right
        if over > 0:
            self.right -= over
            self.play(VGroup(self.opening.tokens, self.opening.X, self.opening.X.name).animate.shift(LEFT * over))

    def _ask_everybody(self) -> None:
        """A hand goes from the focus word's arrow to every other one, and what it turns is written into their rows."""
        opening, f = self.opening, self.cast.focus
        hand = opening.plane.arrow(opening.plane.vector(self.x_arrow.tip), self._ink, weight=0.5)
        mark = AngleMark(self.x_arrow, hand, self.theme).follow()
        self.add(hand, mark, *opening.labels)
        order = [i for i in self.cast.others if i in self.measured]
        for i in [*order, f]:
            degrees = self.measured[i]
            middle = np.array([self.right - degrees.advance / 2, self.cast.row(i), 0.0])
            degrees.place(middle, degrees.advance)
            lit = light(opening.arrows[i], opening.labels[i], opening.tokens.tokens[i])
            swing = hand.swing_to(opening.arrows[i].tip)
            self.play(swing, *lit, run_time=min(0.8, 2.0 / len(order or [f])))
            origin = mark if len(mark.points) else self.x_arrow.tip
            self.play(FadeIn(degrees, target_position=origin), run_time=min(0.4, 1.2 / len(order or [f])))
        self.play(FadeOut(hand), FadeOut(mark), run_time=0.3)

    def _leave_the_others(self) -> None:
        """Only the focus word stays."""
        opening, f = self.opening, self.cast.focus
        parts = [part for i in self.cast.others for part in (opening.arrows[i], opening.labels[i])]
        parts += [part for i in self.cast.others for part in (opening.X.row(i), opening.tokens.tokens[i])]
        parts += [opening.X.name, *self.measured.values()]
        back = light(opening.tokens.tokens[f], opening.X.row(f), self.x_arrow, opening.labels[f])
        self.play(*map(FadeOut, parts), *back, run_time=0.6)
