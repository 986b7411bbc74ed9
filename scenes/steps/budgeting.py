"""Softmax of a row, worked out in a table, and the grid of weights that it fills."""

from __future__ import annotations

from manim import (
    Animation,
    FadeIn,
    FadeOut,
    VGroup,
    linear,
)

from scenes.calculation import Calculation
from scenes.mobjects.motion import Light, fly
from scenes.mobjects.softmax_table import SoftmaxTable, softmax_rows
from scenes.mobjects.working import Working
from scenes.theme import DIM


class Budgeting(Calculation):
    """Softmax of a row, worked out in a table, and the grid of weights that it fills."""

    def _softmax_table(self) -> SoftmaxTable:
        zone = self.board.right_of(self.n, self.board.wide, beside_words=True).inset(left=self.theme.space.tight)
        return SoftmaxTable(
            self.words_shown,
            softmax_rows(self.attention, self.steps),
            self.first,
            zone,
            self.theme,
            self.styles.scaled,
            self.styles.exponentials,
        )

    def _note_shift(self, i: int) -> None:
        """Say in the band what is taken off a row's scores before exp, where anything is."""
        shift = float(self.steps.shift[0, i, 0])
        if shift == 0:
            self._clear_row()
            return
        line = Working(self.theme).sign("exp(score −")
        line.number(shift, self.styles.scaled, f"steps.shift[0, {i}, 0]", guarded=True).sign(")", tight=True)
        self._start_row(line)
        self.play(*self._write(list(map(FadeIn, line.numbers))), run_time=0.3)

    def _bring_bars(self, table: SoftmaxTable) -> None:
        self.play(*(FadeIn(bar.track) for bar in table.bars), FadeIn(table.heads[2]), run_time=0.4)
        for share in table.shares:
            share.set_value(0.0)
        self.add(*table.bars, *table.shares)
        grows = [bar.grow_to(value) for bar, value in zip(table.bars, table.row.shares, strict=True)]
        counts = [share.count_to(value) for share, value in zip(table.shares, table.row.shares, strict=True)]
        self.play(*grows, *counts, run_time=1.8, rate_func=linear)

    def _write_weights(self, i: int) -> None:
        """The shares travel into the asker's row of the grid, which turns from scores to weights."""
        old = VGroup(*self.tables.S.numbers[i], *self.tables.S.cells[i])
        self.play(FadeOut(old), *(FadeIn(cell) for cell in self.tables.A.cells[i]), run_time=0.4)
        shades = [shade for j in range(self.n) for shade in self.tables.A.reveal(i, j)]
        self.play(*shades, *map(fly, self.table.shares, self.tables.A.numbers[i]), run_time=0.8)

    def _light_weights(self, i: int) -> list[Animation]:
        return [Light(self.tables.A.row(k), DIM) for k in self._done(i)] + [Light(self.tables.S.row(i), 1.0)]
