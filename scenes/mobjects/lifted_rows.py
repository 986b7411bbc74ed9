"""Rows lifted out of tables and set large one below the other, each with its name, some with a score to be found."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import RIGHT, Animation, ManimColor, VGroup
from manim.typing import Point3D

from scenes.layout import Zone
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NumberGrid
from scenes.mobjects.score_chip import ScoreChip
from scenes.mobjects.text import Label, Row
from scenes.theme import Theme

_LARGEST = 1.6
"""How many times its size in a table a row is shown at most."""
_PITCH = 1.2
"""From one row to the next, in units."""
_TALLEST = 1.0


class LiftedRow:
    """Row ``i`` of a table, with its ``numbers``; ``name`` says whose it is."""

    def __init__(self, table: NumberGrid, i: int, name: Row) -> None:
        self.entries: VGroup = table.row(i)
        self.numbers = [entry for entry in self.entries if isinstance(entry, Number)]
        self.name = name


class ScoredRow(LiftedRow):
    """A row with a chip for its score; until that is known, ``unknown`` stands in it."""

    def __init__(self, table: NumberGrid, i: int, name: Row, chip: ScoreChip, theme: Theme) -> None:
        super().__init__(table, i, name)
        self.chip = chip
        self.unknown = Label("?", em=theme.type.number, colour=ManimColor(theme.colours.ink))


class LiftedRows:
    """The layout of a row, and of rows with scores under it, in a zone with ``below`` units left free under them.

    Names and chips stand in their places at once; the entries are where they were in their tables until
    :meth:`arrivals` moves them. ``middles`` are the places of the entries, which begin at ``left_of_entries`` and
    end at ``bottom``.
    """

    def __init__(
        self, zone: Zone, first: LiftedRow, scored: Sequence[ScoredRow], theme: Theme, below: float = 0.0
    ) -> None:
        self.rows, gap = (first, *scored), theme.space.gap
        names = max(row.name.advance for row in self.rows)
        chips = max(row.chip.cell.width for row in scored) + gap
        room = zone.width - names - chips - 2 * gap
        self._scale = min(_LARGEST, _TALLEST / first.entries.height, room / first.entries.width)
        width = self._scale * first.entries.width
        left = zone.centre[0] - (names + gap + width + chips) / 2
        top = zone.centre[1] + (len(self.rows) * _PITCH + below) / 2
        self.left_of_entries, self.bottom = left + names + gap, top - len(self.rows) * _PITCH
        middle = self.left_of_entries + width / 2
        self.middles: list[Point3D] = [np.array([middle, top - (k + 0.5) * _PITCH, 0.0]) for k in range(len(self.rows))]
        for row, place in zip(self.rows, self.middles, strict=True):
            row.name.place(np.array([left + row.name.advance / 2, place[1], 0.0]), names)
        for row, place in zip(scored, self.middles[1:], strict=True):
            row.chip.place(place + RIGHT * (width / 2 + chips - row.chip.cell.width / 2))
            row.unknown.set_middle(row.chip.get_center())

    def arrivals(self) -> list[Animation]:
        """The entries go to their places."""
        return [
            row.entries.animate.scale(self._scale).move_to(middle)
            for row, middle in zip(self.rows, self.middles, strict=True)
        ]
