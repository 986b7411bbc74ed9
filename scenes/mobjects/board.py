"""The board: where the tables of a calculation stand, so that rows meet columns where their product appears.

        words |        | upper
        ------+--------+-----------------
        rows  |  left  | product

Row i of the left table and column j of the upper one meet at entry (i, j) of the product. A word keeps its row
from the first table to the last.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from manim.typing import Point3D

from scenes.layout import Zone
from scenes.mobjects.number_grid import CellSize
from scenes.theme import Theme

_TALLEST = 0.92
_CAPTION = 0.62
_HEADS = 0.55


@dataclass(frozen=True)
class Board:
    """Places on the stage for a sentence of ``rows`` words.

    ``narrow`` cells hold vectors, ``wide`` cells hold what words have to do with each other. The left table has
    ``depth`` columns and the upper one as many rows.
    """

    zone: Zone
    words_width: float
    narrow: CellSize
    wide: CellSize
    gap: float
    first_row: float
    depth: int = 2

    def row(self, i: float) -> float:
        """The height at which row ``i`` has its middle; 0.5 is halfway between the first two."""
        return self.first_row - i * self.narrow.down

    def word(self, i: int) -> Point3D:
        """Where word ``i`` begins, at the left of its row."""
        return np.array([self.zone.left, self.row(i), 0.0])

    @property
    def left(self) -> Point3D:
        """The first cell of a table of vectors beside the words."""
        return np.array([self._after_words + self.narrow.width / 2, self.first_row, 0.0])

    @property
    def left_wide(self) -> Point3D:
        """The first cell of a word-by-word table beside the words."""
        return np.array([self._after_words + self.wide.width / 2, self.first_row, 0.0])

    def product(self, cell: CellSize) -> Point3D:
        """The first cell of a product of the left table and an upper one."""
        return np.array([self._after_left + cell.width / 2, self.first_row, 0.0])

    def upper(self, cell: CellSize) -> Point3D:
        """The first cell of the upper table."""
        return self.product(cell) + np.array([0.0, self.depth * self.narrow.down + self.narrow.gap, 0.0])

    def above(self, top_cell: Point3D) -> Point3D:
        """Where the head of a column stands whose first cell is at ``top_cell``."""
        return top_cell + np.array([0.0, self.narrow.height / 2 + _HEADS / 2 - 0.03, 0.0])

    def below(self, rows: int) -> float:
        """The height at which the name of a table of ``rows`` rows stands, under it."""
        return self.row(rows - 1) - self.narrow.height / 2 - _CAPTION / 2

    @property
    def _after_words(self) -> float:
        return self.zone.left + self.words_width

    @property
    def _after_left(self) -> float:
        return self._after_words + self.depth * self.narrow.across + self.gap

    def without_upper(self, rows: int) -> Board:
        """The board once nothing stands above its ``rows`` rows any more: they move to the middle of the stage."""
        middle = self.zone.centre[1] + (_CAPTION - _HEADS) / 2
        return replace(self, first_row=float(middle + (rows - 1) / 2 * self.narrow.down))

    def right_of(self, columns: int, cell: CellSize, *, beside_words: bool = False) -> Zone:
        """What the stage has left at the right of a product of ``columns`` columns."""
        start = self._after_words if beside_words else self._after_left
        edge = start + columns * cell.across + self.gap * 1.5
        return Zone(edge, self.zone.right, self.zone.bottom, self.zone.top)


def board_for(
    zone: Zone,
    rows: int,
    words_width: float,
    narrow_width: float,
    wide_width: float,
    theme: Theme,
    *,
    depth: int = 2,
    between: float = 0.36,
    names_below: bool = True,
) -> Board:
    """The board on which tables of ``rows`` rows fit into ``zone``, heads above and names below included.

    ``between`` is the room between the left table and the product; without ``names_below`` the rows take the room that
    names would have.
    """
    gap = theme.space.cell_gap
    beside = _HEADS + gap + (_CAPTION if names_below else 0.0)
    pitch = min(_TALLEST, (zone.height - beside) / (rows + depth))
    height = pitch - gap
    top = zone.top - (zone.height - beside - (rows + depth) * pitch) / 2
    return Board(
        zone=zone,
        words_width=words_width,
        narrow=CellSize(narrow_width, height, gap),
        wide=CellSize(wide_width, height, gap),
        gap=between,
        first_row=top - _HEADS - depth * pitch - gap - height / 2,
        depth=depth,
    )
