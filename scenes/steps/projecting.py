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
from scenes.mobjects.motion import dim
from scenes.mobjects.number_grid import NamedGrid
from scenes.steps.multiplying import Multiplying


class Projecting(Multiplying, Calculation):
    """From embeddings to queries, keys and values: once by hand, then all at once."""

    def _bring_matrix(self, matrix: NamedGrid) -> None:
        self.play(FadeIn(matrix, shift=DOWN * 0.3), FadeIn(matrix.name, shift=DOWN * 0.3), run_time=0.6)

    def _project_by_hand(self, table: NamedGrid, matrix: NamedGrid, symbol: str, colour: str) -> None:
        """The focus word's row times the matrix."""
        i = self.first
        self._multiply(self.tables.X, i, matrix, table.numbers[i], symbol, colour, self.words_shown[i])

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
