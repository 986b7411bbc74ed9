"""From embeddings to queries, keys and values: once by hand, then all at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import (
    DOWN,
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    Mobject,
)
from numpy.typing import NDArray

from scenes.calculation import Calculation
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.motion import dim, fly
from scenes.mobjects.number import Number, all_exact
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.working import Working
from scenes.numerals import relation


class Projecting(Calculation):
    """From embeddings to queries, keys and values: once by hand, then all at once."""

    def _bring_matrix(self, matrix: NamedGrid) -> None:
        self.play(FadeIn(matrix, shift=DOWN * 0.3), FadeIn(matrix.name, shift=DOWN * 0.3), run_time=0.6)

    def _project_by_hand(self, table: NamedGrid, matrix: NamedGrid, symbol: str, colour: str) -> None:
        """The focus word's row times the matrix, entry by entry: on one line where that can be read, else on two."""
        whole = self._projection_line(table, matrix, symbol, colour, (0, 1))
        at_once = whole.row().em_within(self.layout.band.width) >= self.theme.type.note
        for entries in ((0, 1),) if at_once else ((0,), (1,)):
            line = self._projection_line(table, matrix, symbol, colour, entries)
            self._start_row(line)
            terms, results = line.numbers[: 4 * len(entries)], line.numbers[4 * len(entries) :]
            for place, c in enumerate(entries):
                self._bring_terms(matrix, c, terms[4 * place : 4 * place + 4])
            for place, (c, result) in enumerate(zip(entries, results, strict=True)):
                self.play(*self._write(self._emerge([result], [terms[4 * place + 2]])), run_time=0.5)
                self.play(fly(result, table.numbers[self.first][c]), run_time=0.6)
        self.play(*matrix.light_all(), run_time=0.3)

    def _projection_line(
        self, table: NamedGrid, matrix: NamedGrid, symbol: str, colour: str, entries: Sequence[int]
    ) -> Working:
        i = self.first
        x, w, results = self.tables.X.numbers[i], matrix.numbers, [table.numbers[i][c] for c in entries]
        given = [*x, *(row[c] for row in w for c in entries)]
        whole = len(entries) == 2
        line = Working(self.theme).symbol(symbol, colour, word=self.words_shown[i])
        if not whole:
            line.sign("first entry" if entries[0] == 0 else "second entry", self.theme.colours.quiet)
        line.sign(relation(all_exact(given)))
        if whole:
            line.sign("[")
        for c in entries:
            for k in (0, 1):
                line.number(x[k].value, x[k].style, x[k].source, guarded=k == 1).sign("·")
                line.number(w[k][c].value, w[k][c].style, w[k][c].source, guarded=True)
                if k == 0:
                    line.sign("+")
            if whole:
                line.sign("]" if c else ",", tight=True)
        line.sign(relation(all_exact([*given, *results])))
        if whole:
            line.sign("[")
        for c, number in zip(entries, results, strict=True):
            line.number(number.value, number.style, number.source, colour)
            if whole:
                line.sign("]" if c else ",", tight=True)
        return line

    def _bring_terms(self, matrix: NamedGrid, c: int, terms: Sequence[Number]) -> None:
        """The word's row and a column of the matrix fly into the line of working."""
        x, w = self.tables.X.numbers[self.first], matrix.numbers
        self.play(*self.tables.X.light_row(self.first), *matrix.light_column(c), run_time=0.3)
        arrivals = [fly(source, term) for source, term in zip((x[0], w[0][c], x[1], w[1][c]), terms, strict=True)]
        self.play(LaggedStart(*self._write(arrivals), lag_ratio=0.2), run_time=1.1)

    def _turn_arrows(self, vectors: NDArray[np.float64], colour: str, which: Sequence[int]) -> tuple[Arrow, ...]:
        """Arrows of a role start as their word's arrow and turn to where the projection sends them."""
        arrows = self.plane.arrows(vectors, ManimColor(colour), order=[self.first, *self.others])
        self.play(*dim(*self.x_arrows), *map(FadeOut, self.x_labels), run_time=0.3)
        self._swing_from_x(arrows, which)
        return arrows

    def _swing_from_x(self, arrows: Sequence[Arrow], which: Sequence[int], *others: Animation) -> None:
        swings = []
        for i in which:
            end = arrows[i].tip
            arrows[i].point_to(self.x_arrows[i].tip)
            self.add(arrows[i])
            swings.append(arrows[i].swing_to(end))
        self.play(*swings, *others, run_time=1.2)

    def _project_the_rest(self, table: NamedGrid, arrows: Sequence[Arrow]) -> None:
        for i in self.others:
            numbers = self._emerge(table.numbers[i], self.tables.X.numbers[i])
            self._swing_from_x(arrows, [i], *self.tables.X.light_row(i), *numbers)

    def _project_at_once(self, table: NamedGrid, matrix: NamedGrid, symbol: str, colour: str) -> None:
        self._bring_matrix(matrix)
        self.play(FadeIn(table.boxes), run_time=0.4)
        arrows = self.plane.arrows(table.values(), ManimColor(colour))
        labels = self._named_tips(arrows, symbol, colour, self.x_arrows)
        numbers = [AnimationGroup(*self._emerge(table.numbers[i], self.tables.X.numbers[i])) for i in range(self.n)]
        self._swing_from_x(arrows, range(self.n), LaggedStart(*numbers, lag_ratio=0.4))
        self.arrows_now: tuple[Mobject, ...] = (*arrows, *labels)
        self.next_cue()
        self.play(*map(FadeIn, (table.name, *labels)), run_time=0.5)
