"""How the grid of scores grows with the sentence: drawn as a map, then drawn again for more and more random words."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from manim import DOWN, RIGHT, FadeIn, FadeOut, Mobject, ReplacementTransform

from scenes.crowd import SIZES, crowd_scores, full_colour
from scenes.handover.grids import GridPicture
from scenes.mobjects.heat_map import HeatMap
from scenes.mobjects.motion import Light
from scenes.mobjects.shrink import ShrinkInto
from scenes.mobjects.text import Row
from scenes.mobjects.working import Working
from scenes.numerals import COUNT
from scenes.theme import DIM
from scenes.walkthrough import Walkthrough

_MILLION = 1_000_000
_EQUALS = 3
"""Which piece of a line of the list is its equals sign."""


class Growing(Walkthrough):
    """A chapter that ends with ``closing``, a grid of scores, and shows before how large such grids become.

    ``map`` is the grid that is drawn, ``ladder`` the list of how many scores each had.
    """

    closing: GridPicture
    map: HeatMap

    def open(self) -> None:
        """Prepare the crowd of random words."""
        super().open()
        self.crowd = crowd_scores()
        self.map_zone, self.list_zone = self.layout.stage.columns(1.05, 1.0, gap=self.theme.space.gap)
        self.ladder: list[Row] = []

    def _draw_as_map(self, leaving: Iterable[Mobject]) -> None:
        """The sentence's own grid is drawn as a map, and its size begins the list; what stands around it leaves."""
        closing, grid = self.closing, self.closing.grid
        self.map = HeatMap(self.cast.scores, self.map_zone, self.theme)
        numbers = [number for row in grid.numbers for number in row]
        around = (*leaving, *closing.tokens.tokens, *closing.heads, *closing.sides, grid.name)
        cells = [Light(cell, 1.0) for cell in grid.boxes]
        self.play(*map(FadeOut, (*around, *numbers)), *cells, run_time=0.5)
        self.remove(*grid.get_family())
        turns = [
            ReplacementTransform(grid.cells[i][j].copy(), self.map.cells[i * self.cast.n + j][0])
            for i, j in grid.places()
        ]
        self.play(*turns, run_time=0.8)
        self.add(self.map)
        self._list_head()
        self._count_scores()

    def _draw_crowd(self, size: int) -> None:
        """Draw the grid of ``size`` random words; that of fewer of them is its corner."""
        old = self.map
        self.map = HeatMap(self.crowd[:size, :size], self.map_zone, self.theme, largest=full_colour())
        if old.n in SIZES:
            leaves = [ShrinkInto(old.field, self.map.field, old.n / size), FadeOut(old.labels)]
        else:
            leaves = [old.light(0.0)]
        self.play(*leaves, *map(FadeIn, self.map.labels), run_time=0.7)
        self.play(self.map.arrive(), run_time=1.2)
        self.remove(*old.get_family())
        self._count_scores()

    def _list_head(self) -> None:
        """What the list is of."""
        quiet = self.theme.colours.quiet
        line = Working(self.theme, self.theme.type.note)
        self._append(line.sign("words", quiet).sign("×", quiet).sign("words", quiet).sign("=").sign("scores", quiet))

    def _count_scores(self) -> None:
        """Add the size of the map to the list."""
        n, scores = self.map.n, self.map.n**2
        is_large = scores >= _MILLION
        counts = (n, n, scores / _MILLION if is_large else scores)
        line = Working(self.theme, self.theme.type.formula)
        line.number(counts[0], COUNT, "").sign("×").number(counts[1], COUNT, "").sign("=").number(counts[2], COUNT, "")
        for number, count in zip(line.numbers, counts, strict=True):
            number.truth = partial(float, count)
        self._append(line.sign("million") if is_large else line)

    def _append(self, line: Working) -> None:
        """Write a line under the others, equals signs below each other; the others step back."""
        row, zone = line.row(), self.list_zone
        row.place(zone.centre + DOWN * (len(self.ladder) - 2.0), zone.width)
        row.shift((zone.centre[0] + 0.3 - row.pieces[_EQUALS].get_center()[0]) * RIGHT)
        self.play(*(Light(old, DIM) for old in self.ladder[1:]), FadeIn(row), run_time=0.5)
        self.ladder.append(row)
