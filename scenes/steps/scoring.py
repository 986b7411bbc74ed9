"""Every query meets every key, row by column; then every score is divided."""

from __future__ import annotations

import numpy as np
from manim import (
    LEFT,
    RIGHT,
    Animation,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    Mobject,
    ReplacementTransform,
    VGroup,
)

from scenes.calculation import Calculation
from scenes.mobjects.motion import Light, fly, light
from scenes.mobjects.token_row import TokenRow
from scenes.mobjects.working import Working
from scenes.steps.meeting import Meeting
from scenes.theme import DIM
from scenes.workings.division import division
from scenes.workings.dot_product import dot_product, factors


class Scoring(Calculation, Meeting):
    """Every query meets every key, row by column; then every score is divided."""

    def _flip_keys(self) -> None:
        K, KT = self.tables.K, self.tables.KT
        heads = TokenRow(self.words_shown, self.board.wide.width * 0.94, self.theme, self.theme.type.note).tokens
        for j, head in enumerate(heads):
            head.put_middle(self.board.above(KT.cells[0][j].get_center()))
        self.heads = heads
        name = Working(self.theme).symbol("K^upright(T)", self.theme.colours.key).row()
        self.tables.KT.name = name.place(KT.boxes.get_left() + LEFT * (0.25 + name.advance / 2), 9)
        turns = [
            ReplacementTransform(part, whole)
            for i, j in K.places()
            for part, whole in ((K.cells[i][j], KT.cells[j][i]), (K.numbers[i][j], KT.numbers[j][i]))
        ]
        self.play(*turns, FadeOut(K.name), run_time=1.6)
        self.play(
            *(fly(token, head) for token, head in zip(self.tokens.tokens, heads, strict=True)),
            FadeIn(self.tables.KT.name),
            FadeIn(self._letter("T")),
            run_time=0.9,
        )

    def _arrows_of_roles(self) -> None:
        """On the plane: the asker's query and everybody's keys."""
        colours = self.theme.colours
        # A slim query on stout keys: where they point the same way, both are seen.
        self.k_arrows = self.plane.arrows(self.trace.keys[0], ManimColor(colours.key), weight=2.0)
        self.q_arrow = self.plane.arrow(self.trace.queries[0, self.first], ManimColor(colours.query), weight=0.7)
        # Every word's query will point here in its turn.
        queries = self.plane.arrows(self.trace.queries[0], ManimColor(colours.query))
        self.k_labels = self._named_tips(self.k_arrows, "k", colours.key, queries)
        if self._plane_fits:
            self.play(*map(FadeIn, (*self.k_arrows, *self.k_labels)), run_time=0.5)
            self.play(FadeIn(self.q_arrow), run_time=0.5)

    def _meet(self, i: int, j: int) -> None:
        """Row i meets column j: their product is worked out and put into its cell."""
        tables, words = self.tables, self.words_shown
        q, k = tables.Q.numbers[i], [row[j] for row in tables.KT.numbers]
        line = dot_product(self.theme, words[i], words[j], q, k, tables.S.numbers[i][j])
        self.play(
            *tables.Q.light_row(i),
            *tables.KT.light_column(j),
            *self._only_word(i),
            *self._only_head(j),
            run_time=0.3,
        )
        self._work_out(line, factors(q, k), tables.S, (i, j))

    def _only_head(self, j: int | None) -> list[Animation]:
        shown = zip(self.heads, self.k_arrows, self.k_labels, strict=True)
        return [
            Light(mobject, 1.0 if j is None or k == j else DIM)
            for k, group in enumerate(shown)
            for mobject in (group if self._plane_fits else group[:1])
        ]

    def _products(self) -> list[Mobject]:
        """What the scores were made of."""
        arrows = [self.q_arrow, *self.k_arrows, *self.k_labels] if self._plane_fits else []
        return [self.tables.Q, self.tables.Q.name, self.tables.KT, self.tables.KT.name, *arrows]

    def _leave_scores(self) -> None:
        """Q, Kᵀ and the plane go; the grid moves up to its words."""
        gone = [mobject for mobject in self._products() if mobject is not self.tables.Q]
        rise = -self.board.word(0)
        self.board = self.board.without_upper(self.n)
        rise = rise + self.board.word(0)
        self.tables.A.put(self.board.left_wide)
        shift = self.board.left_wide - self.tables.S.cells[0][0].get_center()
        above = [self.board.above(self.board.left_wide + RIGHT * j * self.board.wide.across) for j in range(self.n)]
        self.play(
            FadeOut(self.tables.Q, target_position=self._letter("Q"), scale=0.2),
            *map(FadeOut, (*gone, self.plane) if self._plane_fits else gone),
            run_time=0.7,
        )
        self.play(
            VGroup(self.tables.S, self.tables.S.name).animate.shift(shift),
            self.tokens.animate.shift(rise),
            *(
                head.animate.shift(place + LEFT * head.advance / 2 - head.left_middle())
                for head, place in zip(self.heads, above, strict=True)
            ),
            *light(*self.heads),
        )

    def _divide_one(self) -> None:
        """The largest score, divided by hand."""
        scores = self.attention.scores[0]
        i, j = (int(k) for k in np.unravel_index(np.argmax(np.abs(scores)), scores.shape))
        cell = self.tables.S.numbers[i][j]
        line = division(self.theme, self.trace, cell, (0, i, j), self.styles.scaled, by_root=self.by_root)
        self._start_row(line)
        self.play(*self.tables.S.light([(i, j)]), FadeIn(self._letter("divide")), run_time=0.4)
        self.play(*self._write([fly(cell, line.numbers[0])]), run_time=0.7)
        self.play(LaggedStart(*self._write(list(map(FadeIn, line.numbers[1:]))), lag_ratio=0.2), run_time=1.2)
        self.play(*self.tables.S.light_all(), run_time=0.4)
