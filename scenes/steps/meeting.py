"""A row meets a column: their product is worked out in the band and put into its cell."""

from __future__ import annotations

from collections.abc import Sequence

from manim import LaggedStart

from scenes.lecture import Lecture
from scenes.mobjects.motion import fly
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NumberGrid
from scenes.mobjects.working import Working


class Meeting(Lecture):
    """A lecture in which rows meet columns."""

    def _work_out(
        self, line: Working, given: Sequence[Number], grid: NumberGrid, place: tuple[int, int], *, slowness: float = 1.0
    ) -> None:
        """Write ``line`` with numbers that come from ``given``; its last one flies to its ``place`` in ``grid``."""
        i, j = place
        *terms, result = line.numbers
        self._start_row(line)
        arrivals = [fly(source, term) for source, term in zip(given, terms, strict=True)]
        self.play(LaggedStart(*self._write(arrivals), lag_ratio=0.15), run_time=slowness)
        self.play(*self._write(self._emerge([result], [terms[len(terms) // 2]])), run_time=0.4 * slowness)
        self.play(*grid.reveal(i, j), fly(result, grid.numbers[i][j]), run_time=0.6 * slowness)
