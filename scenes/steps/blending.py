"""Values scaled by their shares and laid tip to tail: the output of each word."""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    RIGHT,
    FadeIn,
    FadeOut,
    ManimColor,
    ReplacementTransform,
)

from math_core import softmax_steps
from scenes.calculation import BLEND, Calculation
from scenes.mobjects.budget_bar import BudgetBar
from scenes.mobjects.motion import dim, fly
from scenes.mobjects.number import Number
from scenes.mobjects.tips import MOST_NAMED
from scenes.mobjects.working import Working
from scenes.workings.blend import Blend, blend


class Blending(Calculation):
    """Values scaled by their shares and laid tip to tail: the output of each word."""

    def _leave_softmax(self) -> None:
        table = self.table
        if self.others:
            self.play(table.turn_to(self.first, softmax_steps), run_time=0.7)
        gone = (
            *table.tokens, *table.scores, *table.exponentials, table.rule, table.total, table.sum_label,
            *table.heads, table.whole.track, *table.stacked, table.whole_share, *self.heads,
        )  # fmt: skip
        where = self._letter("softmax")
        self.play(
            FadeOut(self.tables.A, target_position=where, scale=0.2),
            FadeOut(self.tables.A.name),
            *map(FadeIn, (where, self._letter("close"))),
            *map(FadeOut, gone),
        )

    def _lay_out_blend(self) -> None:
        board, theme = self.board, self.theme
        left = self.layout.stage.left
        weight = ManimColor(theme.colours.weight)
        em = min(theme.type.number * 0.9, max(theme.type.readable, board.narrow.height * 0.62))
        self.bars = [
            BudgetBar(bar.share, 0.75, board.narrow.height * 0.6, theme, weight).put(
                np.array([left + 2.1, board.row(j), 0.0])
            )
            for j, bar in enumerate(self.table.bars)
        ]
        self.weights = [share.copy() for share in self.table.shares]
        for j, weight_number in enumerate(self.weights):
            weight_number.set_em(em)
            end = np.array([left + BLEND - 0.2, board.row(j) - 0.33 * em, 0.0])
            weight_number.shift(end - weight_number.anchor)
        self.play(
            *map(ReplacementTransform, self.table.bars, self.bars),
            *map(ReplacementTransform, self.table.shares, self.weights),
        )
        first = np.array([left + BLEND + board.narrow.width / 2, board.first_row, 0.0])
        self._take_out((self.tables.V_blend.put(first), "V"))
        self.tables.Z.put(first + RIGHT * (2 * board.narrow.across + board.gap))
        self.v_arrows = self.plane.arrows(self.trace.values[0], ManimColor(theme.colours.value))
        self.z_arrows = tuple(self.plane.arrow(z, self._ink) for z in self.trace.output)
        self.v_labels = self._named_tips(self.v_arrows, "v", theme.colours.value, self.z_arrows)
        self.play(FadeIn(self.plane), FadeIn(self.tables.Z.boxes), run_time=0.6)
        self.play(*map(FadeIn, (*self.v_arrows, *self.v_labels)), run_time=0.6)
        share = Working(theme, theme.type.note).sign("share ×", theme.colours.quiet).symbol("V", theme.colours.value)
        self.scaled_name = share.row()
        self.scaled_name.place(self.tables.V_blend.boxes.get_bottom() + DOWN * 0.34, 9)
        # In the end the words' old arrows come back, as stout as here.
        olds = self.plane.arrows(self.trace.embeddings, self._quiet, weight=1.8)
        others = [*self.v_labels, *self.v_arrows, *olds]
        self.z_labels = self._named_tips(self.z_arrows, "z", theme.colours.ink, others)

    @property
    def _haste(self) -> float:
        """How much of its time a repetition gets, when there are many of them."""
        return min(1.0, 2.5 / self.n)

    def _weigh_for(self, i: int) -> None:
        row = self.table.rows[i]
        counts = [
            number.count_to(row.shares[j], f"attention.weights[0, {i}, {j}]") for j, number in enumerate(self.weights)
        ]
        grows = [bar.grow_to(share) for bar, share in zip(self.bars, row.shares, strict=True)]
        values = self.tables.V_blend.count_to(self.trace.values[0], self.styles.vectors, "values[0, {i}, {j}]")
        self._clear_row()
        names = FadeOut(self.scaled_name), FadeIn(self.tables.V_blend.name)
        self.play(*counts, *grows, values, *names, *self._only_word(i), run_time=0.8 * self._haste)

    def _blend(self, i: int, *, slowly: bool) -> None:
        """Each value shrinks to its share, number and arrow alike; laid tip to tail they end at z."""
        trace, plane, theme = self.trace, self.plane, self.theme
        parts = trace.contributions[0, i]
        chain = [plane.arrow(v, ManimColor(theme.colours.value)) for v in trace.values[0]]
        self.add(*chain)
        earlier = [mobject for k in self._done(i) for mobject in (self.z_arrows[k], self.z_labels[k])]
        if self.n > MOST_NAMED and i == self.first:
            # So many names on one plane would cover each other: the values' make room for the outputs'.
            self.play(*map(FadeOut, self.v_labels), run_time=0.3)
            self.v_labels = []
        self.play(*dim(*self.v_arrows, *self.v_labels, *earlier), *self._only_word(i), run_time=0.3)
        result = self._write_blend(i)
        self.play(
            self.tables.V_blend.count_to(parts, self.styles.outputs, f"contributions[0, {i}, {{i}}, {{j}}]"),
            *(arrow.swing_to(plane.point(part)) for arrow, part in zip(chain, parts, strict=True)),
            FadeOut(self.tables.V_blend.name),
            FadeIn(self.scaled_name),
            run_time=1.6 if slowly else 0.9 * self._haste,
        )
        if slowly:
            self.next_cue()
        ends = np.cumsum(parts, axis=0)
        moves = [
            arrow.swing_to(plane.point(end), plane.point(end - part))
            for arrow, part, end in zip(chain, parts, ends, strict=True)
        ]
        self.play(*moves, run_time=1.4 if slowly else 0.8 * self._haste)
        self._arrive(i, slowly)
        arrivals = self._write(list(map(fly, self.tables.Z.numbers[i], result)))
        self.play(*arrivals, *map(FadeOut, chain), run_time=0.5)

    def _done(self, i: int) -> list[int]:
        """The words whose turn came before word ``i``'s."""
        return [] if i == self.first else [self.first, *self.others[: self.others.index(i)]]

    def _write_blend(self, i: int) -> tuple[Number, ...]:
        """The blend as a line of working; returns the places of its result, which is not there yet."""
        what = Blend(
            words=self.words_shown,
            asker=i,
            weights=self.attention.weights[0, i],
            output=self.trace.output[i],
            style=self.tables.Z.style,
            weights_source=f"attention.weights[0, {i}, {{j}}]",
            output_source=f"output[{i}, {{c}}]",
        )
        line = blend(self.theme, what, self.layout.band.width)
        self._start_row(line.working)
        flies = [fly(self.weights[j], share) for j, share in zip(line.terms, line.shares, strict=True)]
        self.play(*self._write(flies), run_time=0.7)
        return line.results

    def _arrive(self, i: int, slowly: bool) -> None:
        z = self.z_arrows[i]
        end = z.tip
        room = self.plane.make_room([self.z_arrows[k] for k in self._done(i)] + [z], len(self._done(i)))
        z.point_to(self.plane.origin)
        self.add(z)
        columns = [self.tables.V_blend.numbers[-1][c] for c in (0, 1)]
        self.play(
            *room,
            z.swing_to(end),
            *self._emerge(self.tables.Z.numbers[i], columns),
            FadeIn(self.z_labels[i]),
            run_time=1.0 if slowly else 0.7,
        )
