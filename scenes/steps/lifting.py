"""A row is lifted out of a grid of scores to be worked on, and goes back as the first row of a grid of weights."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from manim import (
    UP,
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    ReplacementTransform,
    RoundedRectangle,
    VGroup,
    VMobject,
)

from scenes.handover.grids import GridPicture
from scenes.mobjects.asker import Asker
from scenes.mobjects.cells import Shade
from scenes.mobjects.hatch import Hatch
from scenes.mobjects.motion import Light
from scenes.mobjects.softmax_table import SoftmaxTable
from scenes.theme import DIM
from scenes.walkthrough import Walkthrough

ASIDE = 2.0
"""Room at the left of the stage for the grid while one of its rows is worked on, in units."""
_SMALL_CELL = 0.5
"""The width of a cell of the grid there, in units, where so many have room."""


class Lifting(Walkthrough):
    """Moves the focus word's row from the grid of ``opening`` into ``table``, and from there into that of ``closing``.

    Between the two the grid waits at the left of the stage, small and without its numbers.
    """

    opening: GridPicture
    closing: GridPicture
    table: SoftmaxTable

    def _take_over(self) -> None:
        """Remember the opening grid as it is: what stands in it, and where its name does."""
        self._name_at_home = self.opening.grid.name.get_center()
        self.entries = [list(row) for row in self.opening.grid.numbers]
        self.hatches: dict[tuple[int, int], Hatch] = {}

    # The grid of scores

    def _in_row(self, i: int) -> VGroup:
        """What stands in a row of the grid of scores, hatches included."""
        return VGroup(*self.opening.grid.cells[i], *self._hatches_in(i), *self.entries[i])

    def _hatches_in(self, i: int) -> list[Hatch]:
        return [hatch for (row, _), hatch in self.hatches.items() if row == i]

    def _light_row(self, i: int | None) -> None:
        """Show one row of the grid and its word at full strength; None shows all."""
        grid = [Light(self._in_row(k), 1.0 if i in (None, k) else DIM) for k in range(self.cast.n)]
        self.play(*grid, *self._only_word(self.opening.tokens.tokens, i), run_time=0.6)

    def _hide_scores(self) -> None:
        """The cells of what may not be seen are hatched, and their scores turn into −∞."""
        grid, h = self.opening.grid, self.cast.head
        ground = ManimColor(self.theme.colours.cell)
        moves: list[Animation] = []
        for i, j in np.argwhere(~self.cast.visible):
            old, cell = self.entries[i][j], grid.cells[i][j]
            new = old.copy().set_value(-math.inf)
            new.source = f"attention.masked[{h}, {i}, {j}]"
            self.entries[i][j], self.hatches[i, j] = new, Hatch.over(cell, self.theme)
            moves += [Shade(cell, ground), grid.notches[i][j].animate.set_fill(opacity=0.0)]
            moves += [FadeIn(self.hatches[i, j]), FadeOut(old, scale=0.5), FadeIn(new, scale=0.5)]
        self.play(*moves, run_time=0.9)

    # A row leaves it

    def _lift(self) -> None:
        """The focus word's row turns into a column of the table; the grid steps aside, small."""
        opening, table, i = self.opening, self.table, self.cast.focus
        leaving = [*opening.sides, *self.hatches.values()]
        for k in self.cast.others:
            leaving += [opening.tokens.tokens[k], *self.entries[k]]
        lines = [
            AnimationGroup(ReplacementTransform(head, token), ReplacementTransform(number, score))
            for head, token, number, score in zip(
                opening.heads, table.tokens, self.entries[i], table.scores, strict=True
            )
        ]
        self.asker = self._asker()
        self.play(*map(FadeOut, leaving), run_time=0.4)
        asker = ReplacementTransform(opening.tokens.tokens[i], self.asker.token)
        # What is still to be lifted stays on top of the cells that go from under it.
        self.add(opening.grid.boxes, *opening.heads, *self.entries[i])
        self.play(*self._step_aside(), asker, *map(FadeIn, (self.asker.verb, table.heads[0])), run_time=1.0)
        self.mark_of_row = self._frame_around(VGroup(*opening.grid.cells[i]))
        self.play(FadeIn(self.mark_of_row), LaggedStart(*lines, lag_ratio=0.4), run_time=1.6)

    def _asker(self) -> Asker:
        """Whose row it is, over the small grid and the words beside it."""
        cast, table, i, left = self.cast, self.table, self.cast.focus, self.layout.stage.left
        width = table.zone.left + table.words_width - left
        return Asker(cast.words[i], i, "asks", np.array([left, table.line(-1), 0.0]), width, self.theme)

    def _step_aside(self) -> list[Animation]:
        """The cells and the name of the grid, on their way to the left of the stage."""
        grid = self.opening.grid
        width = min(ASIDE, _SMALL_CELL * self.cast.n)
        scale = width / grid.boxes.width
        across = self.layout.stage.left + max(width, grid.name.advance) / 2
        middle = np.array([across, self.table.zone.centre[1], 0.0])
        below = middle - UP * (grid.boxes.height * scale / 2 + 0.34)
        return [
            grid.boxes.animate.scale(scale).move_to(middle),
            grid.name.animate.move_to(below),
        ]

    # Rows go into the grid of weights

    def _return_grid(self) -> None:
        """The grid comes back to the middle of the stage, and the shares go into its row."""
        opening, closing, table, i = self.opening, self.closing, self.table, self.cast.focus
        leaving = [
            *table.heads, *table.scores, *table.exponentials, *table.bars, *table.hatches, table.rule, table.sum_label,
            table.total, table.whole.track, *table.stacked, table.whole_share, *self.asker, self.mark_of_row,
        ]  # fmt: skip
        self.play(*map(FadeOut, leaving), run_time=0.6)
        lines = [
            AnimationGroup(ReplacementTransform(token, head), ReplacementTransform(share, number))
            for token, head, share, number in zip(
                table.tokens, closing.heads, table.shares, closing.grid.numbers[i], strict=True
            )
        ]
        self.play(LaggedStart(*lines, lag_ratio=0.3), run_time=1.6)
        home = opening.grid.name.animate.move_to(self._name_at_home)
        self.play(*self._grow_cells(), home, FadeIn(closing.tokens.tokens[i]), run_time=0.8)
        self._bring_the_others()

    def _grow_cells(self) -> Iterator[Animation]:
        """The small cells grow into those of the weights, which look like those of the scores for now."""
        for i, j in self.closing.grid.places():
            (small, old), (cell, notch) = (
                (g.cells[i][j], g.notches[i][j]) for g in (self.opening.grid, self.closing.grid)
            )
            cell.set_fill(small.get_fill_color(), small.get_fill_opacity(), family=False)
            notch.set_fill(opacity=old.get_fill_opacity())
            yield ReplacementTransform(small, cell)

    def _bring_the_others(self) -> None:
        """The rows that wait for their turn, as scores still; the first total."""
        closing, others = self.closing, self.cast.others
        for number in (number for k in others for number in self.entries[k]):
            number.set_fill(opacity=1.0)
        waiting = [VGroup(*self.entries[k]) for k in others]
        shown = [*waiting, *(closing.tokens.tokens[k] for k in others), *closing.sides, *closing.totals[self.cast.n :]]
        grid, i = closing.grid, self.cast.focus
        lights = [Light(cell, 1.0) for k in others for cell in grid.cells[k]]
        shades = [shade for j in range(self.cast.n) for shade in grid.reveal(i, j)]
        self.play(*map(FadeIn, shown), *lights, *shades, *self._total_of(i), run_time=0.8)

    def _total_of(self, i: int) -> list[Animation]:
        """What row ``i`` adds up to comes out of the row, where there is room for totals."""
        last = self.closing.grid.cells[i][-1]
        return [FadeIn(total, target_position=last) for total in self.closing.totals[: self.cast.n][i : i + 1]]

    def _spend(self, i: int) -> None:
        """A row of scores turns into its row of weights."""
        grid = self.closing.grid
        cells = [
            AnimationGroup(*grid.reveal(i, j), FadeOut(old, scale=0.6), FadeIn(grid.numbers[i][j], scale=0.6))
            for j, old in enumerate(self.entries[i])
        ]
        time = min(1.1, 3.6 / self.cast.n)
        self.play(LaggedStart(*cells, lag_ratio=0.15), run_time=time)
        if totals := self._total_of(i):
            self.play(*totals, run_time=0.4 * time)

    def _frame_around(self, mobject: VMobject, room: float = 0.06) -> RoundedRectangle:
        """A thin frame, ``room`` units away from what it is around."""
        frame = RoundedRectangle(
            width=mobject.width + 2 * room,
            height=mobject.height + 2 * room,
            corner_radius=self.theme.space.corner,
            stroke_color=self._ink,
            stroke_width=self.theme.stroke.cell,
        )
        return frame.move_to(mobject)
