"""What a calculation of a small sentence has in common: words in rows, tables on a board, a plane beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from manim import Animation, VMobject
from numpy.typing import NDArray

from math_core import softmax_steps
from scenes.layout import Zone
from scenes.lecture import Lecture
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane
from scenes.mobjects.motion import Light
from scenes.mobjects.tables import Tables, board_for_trace, stand_left_of, styles_for
from scenes.mobjects.text import Row
from scenes.mobjects.tips import symbol_tips, word_tips
from scenes.mobjects.token_row import Token, TokenRow
from scenes.theme import DIM

BLEND = 4.6
"""Where values stand while they are blended: as far from the stage's left as words, shares and bars need."""


class Calculation(Lecture):
    """A chapter with a board of tables and a plane of arrows."""

    def open(self) -> None:
        """Lay the board and make the tables; the beats bring them on."""
        super().open()
        story, trace, theme = self.story, self.trace, self.theme
        assert story is not None
        self.words_shown = story.tokens
        self.n = trace.n
        self.first = story.focus
        self.others = [i for i in range(self.n) if i != self.first]
        self.attention = trace.attention
        self.steps = softmax_steps(trace.attention.masked)
        self.styles = styles_for(trace, self.steps, story.look.decimals)
        self.board = board_for_trace(self.layout.stage, trace, self.words_shown, self.styles, theme)
        self.tables = Tables(trace, self.styles, self.board.narrow, self.board.wide, theme)
        self._set_out()
        self.plane = ArrowPlane(self._plane_zone(), self._reach(), theme)
        self.tokens = TokenRow(self.words_shown, self.board.words_width - theme.space.gap, theme)

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, the steps of softmax, and the whole that a budget is."""
        return {**super().sources(), "steps": self.steps, "whole": 1.0}

    # Setting out

    def _set_out(self) -> None:
        """Put every table where its step needs it."""
        board, tables = self.board, self.tables
        tables.X.put(board.left)
        for table in (tables.Q, tables.K, tables.V):
            table.put(board.product(board.narrow))
        for matrix in (tables.W_Q, tables.W_K, tables.W_V):
            stand_left_of(matrix.put(board.upper(board.narrow)), matrix.name)
        stand_left_of(tables.KT.put(board.upper(board.wide)), tables.KT.name)
        tables.S.put(board.product(board.wide))
        tables.A.put(board.left_wide)

    def _plane_zone(self) -> Zone:
        stage, board = self.layout.stage, self.board
        return stage.inset(left=BLEND + 4 * board.narrow.across + 1.8 * board.gap)

    @property
    def _plane_fits(self) -> bool:
        """Whether the plane has room beside the grid of scores."""
        return self.board.right_of(self.n, self.board.wide).left <= self.plane.zone.left + 0.3

    def _reach(self) -> NDArray[np.float64]:
        trace = self.trace
        chains = np.cumsum(trace.contributions[0], axis=1).reshape(-1, trace.d_v)
        return np.concatenate(
            [trace.embeddings, trace.queries[0], trace.keys[0], trace.values[0], trace.output, chains]
        )

    # Moving

    def _only_word(self, i: int | None) -> list[Animation]:
        return [Light(token, 1.0 if i is None or i == k else DIM) for k, token in enumerate(self.tokens.tokens)]

    def _tip_labels(self, arrows: Sequence[Arrow]) -> list[Token]:
        return word_tips(self.words_shown, arrows, self.plane, self.theme)

    def _named_tips(
        self, arrows: Sequence[Arrow], symbol: str, colour: str, avoid: Sequence[VMobject] = ()
    ) -> list[Row]:
        return symbol_tips(symbol, colour, self.words_shown, arrows, self.plane, self.theme, avoid)
