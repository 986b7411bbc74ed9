"""Whose turn it is: a word and, quietly beside it, what it does."""

from __future__ import annotations

import numpy as np
from manim import ManimColor, VGroup
from manim.typing import Point3D

from scenes.mobjects.text import Label
from scenes.mobjects.token_row import Token
from scenes.theme import Theme

_BETWEEN = 0.3
"""Room between the word and its verb, in ems."""


class Asker(VGroup):
    """A ``token`` and its ``verb`` on one baseline, beginning at ``left``; the word is cut where both are too wide."""

    def __init__(self, word: str, position: int, verb: str, left: Point3D, width: float, theme: Theme) -> None:
        super().__init__()
        em = theme.type.note
        self.verb = Label(verb, em=em, colour=ManimColor(theme.colours.quiet))
        room = self.verb.advance + _BETWEEN * em
        self.token = Token(word, position, width - room, theme, em).put_left(np.asarray(left))
        baseline = self.token.label.pen[1]
        self.verb.set_pen(np.array([self.token.label.pen_end[0] + _BETWEEN * em, baseline, 0.0]))
        self.add(self.token, self.verb)
