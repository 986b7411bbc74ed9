"""Small pictures of the steps of attention, true to the numbers: what stands in the stations of a pipeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from manim import DOWN, LEFT, UP, Animation, ManimColor, Rectangle, VGroup, VMobject
from numpy.typing import NDArray

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import ArrowPlane, GridLine
from scenes.mobjects.cells import Shade, shade
from scenes.mobjects.hatch import Hatch
from scenes.mobjects.live_vector import bracketed
from scenes.mobjects.number_grid import CellSize, NumberGrid, Slots, slots
from scenes.mobjects.placing import place_at_tips
from scenes.mobjects.text import Row
from scenes.mobjects.token_row import marker
from scenes.mobjects.working import Working
from scenes.numerals import NumberStyle
from scenes.theme import Theme

Array = NDArray[np.float64]

_ROOM = 0.36, 0.12
"""What a small plane leaves free at its sides, and at its top and bottom, in units: names find room beside the tips."""
_LINE = 0.46
"""Height of a line below a small picture, in units."""
_MOST_IN_LINE = 4
_MARKER = 0.17
_SEEN = 0.02
"""A part that is drawn shorter than this, in units, cannot be seen as an arrow."""
_CELL_GAP = 0.06
_WIDEST, _TALLEST = 1.0, 0.66
"""The largest cell of a row, in units."""


class SmallPlane(ArrowPlane):
    """A plane of which only the axes are seen."""

    def __init__(self, zone: Zone, reach: Array, theme: Theme) -> None:
        super().__init__(zone, reach, theme, ticks=False, room=_ROOM)
        self.lines.remove(*(line for line in self.lines if isinstance(line, GridLine) and line.value))


class ArrowIcon(VGroup):
    """Arrows with their names at the tips, and below them, where there is one, a ``line``: all that is ``said``."""

    def __init__(
        self, zone: Zone, points: Array, colours: Sequence[str], names: Sequence[Row], theme: Theme, line: Row | None
    ) -> None:
        super().__init__()
        below = 0.0 if line is None else _LINE
        self.plane = SmallPlane(zone.inset(bottom=below), points, theme)
        # The earlier of two that coincide lies wider under the later, in a colour of its own.
        self.arrows = self.plane.arrows(points, ManimColor(theme.colours.ink))
        for arrow, colour in zip(self.arrows, colours, strict=True):
            arrow.set_fill(ManimColor(colour))
        place_at_tips(names, self.arrows, self.plane.zone, axes=self.plane.axes, distance=0.1)
        if line is not None:
            line.place(np.array([zone.centre[0], zone.bottom + _LINE / 2 - 0.04, 0.0]), zone.width)
        self.said = (*names,) if line is None else (*names, line)
        self.add(self.plane, *self.arrows, *self.said)


class ChainIcon(VGroup):
    """Parts laid tip to tail in one colour, and from their start to their end the arrow that they add up to."""

    def __init__(self, zone: Zone, parts: Array, colour: str, theme: Theme) -> None:
        super().__init__()
        ends = np.cumsum(parts, axis=0)
        self.plane = plane = SmallPlane(zone, ends, theme)
        self.parts = tuple(
            plane.arrow(part, ManimColor(colour), weight=1.4).point_to(plane.point(end), plane.point(end - part))
            for part, end in zip(parts, ends, strict=True)
            # A part of nothing would be a dot on a joint.
            if np.linalg.norm(part) * plane.unit > _SEEN
        )
        self.total = plane.arrow(ends[-1], ManimColor(theme.colours.ink))
        self.add(plane, *self.parts, self.total)


class ScoresIcon(VGroup):
    """All scores as shades, one row of them framed and, where there is room, with its numbers.

    The shapes above and beside it are the words' markers.
    """

    def __init__(self, zone: Zone, scores: Array, row: int, style: NumberStyle, source: str, theme: Theme) -> None:
        super().__init__()
        n = len(scores)
        field = zone.inset(left=2 * _MARKER, top=2 * _MARKER)
        cell = CellSize(field.width / n - _CELL_GAP, field.height / n - _CELL_GAP, _CELL_GAP)
        on_cell, quiet = ManimColor(theme.colours.on_cell), ManimColor(theme.colours.quiet)
        self.grid = NumberGrid(scores, style, theme, cell, source=source, colour=on_cell, shaded=True)
        first = np.array([field.left + cell.across / 2, field.top - cell.down / 2, 0.0])
        self.grid.put(first).shade_all()
        self.legible = self.grid.numbers[0][0].em >= theme.type.readable
        silent = [number for i, line in enumerate(self.grid.numbers) for number in line if i != row or not self.legible]
        self.grid.remove(*silent)
        size = min(_MARKER, 0.7 * cell.width, 0.9 * cell.height)
        above = [
            marker(j, size, quiet).move_to(box.get_top() + 1.2 * UP * _MARKER)
            for j, box in enumerate(self.grid.cells[0])
        ]
        beside = marker(row, size, quiet).move_to(self.grid.cells[row][0].get_left() + 1.2 * LEFT * _MARKER)
        self.markers = VGroup(*above, beside)
        framed = VGroup(*self.grid.cells[row])
        self.frame = Rectangle(
            width=framed.width + _CELL_GAP,
            height=framed.height + _CELL_GAP,
            stroke_color=ManimColor(theme.colours.ink),
            stroke_width=theme.stroke.cell,
            fill_opacity=0.0,
        ).move_to(framed)
        self.row = row
        self.add(self.grid, self.markers, self.frame)

    def entry(self, i: int, j: int) -> tuple[VMobject, ...]:
        """A cell and, where it is shown, its number."""
        cell, number = self.grid.cells[i][j], self.grid.numbers[i][j]
        return (cell, number) if i == self.row and self.legible else (cell,)


class RowIcon(VGroup):
    """One row of scores, on two lines where it is long, and a ``line`` below; −∞ is a hatched cell without a number.

    Parameters
    ----------
    scores, before
        What the cells show, and what they show before that, ``(n,)``; how each is written is in ``styles``.
    source, source_before
        Where both come from: paths with ``{j}``.
    largest
        The magnitude that has the full colour.
    """

    def __init__(
        self,
        zone: Zone,
        scores: Array,
        before: Array,
        styles: tuple[NumberStyle, NumberStyle],
        theme: Theme,
        *,
        source: str,
        source_before: str,
        largest: float,
        line: Row,
    ) -> None:
        super().__init__()
        self.theme, self._largest = theme, largest
        self._now, self._before = (scores, styles[0], source), (before, styles[1], source_before)
        self.seen = [int(j) for j in np.flatnonzero(np.isfinite(scores))]
        self.grids = self._lay_out(zone.inset(bottom=_LINE))
        self.cells = tuple(cell for grid in self.grids for cell in grid.cells[0])
        self.notches = tuple(notch for grid in self.grids for notch in grid.notches[0])
        self.numbers = tuple(number for grid in self.grids for number in grid.numbers[0])
        self.legible = self.numbers[0].em >= theme.type.readable
        shown = self.seen if self.legible else []
        for grid in self.grids:
            grid.remove(*(number for j, number in enumerate(self.numbers) if j not in shown))
        self.hatches = tuple(Hatch.over(cell, theme) for j, cell in enumerate(self.cells) if j not in self.seen)
        self.line = line.place(np.array([zone.centre[0], zone.bottom + _LINE / 2 - 0.04, 0.0]), zone.width)
        self.add(*self.grids, *self.hatches, self.line)

    def go_back(self) -> Self:
        """Show what was there before, in every cell that is not hidden."""
        scores, style, source = self._before
        for j in self.seen:
            self.numbers[j].style, self.numbers[j].source = style, source.format(j=j)
            self.numbers[j].set_value(float(scores[j]))
            self.cells[j].set_fill(shade(scores[j], self._largest, self.theme), family=False)
            self.notches[j].set_fill(opacity=float(scores[j] < 0))
        return self

    def count(self) -> list[Animation]:
        """Count from what was there before to the scores; the shades follow."""
        scores, style, source = self._now
        moves: list[Animation] = [Shade(self.cells[j], shade(scores[j], self._largest, self.theme)) for j in self.seen]
        shown = self.seen if self.legible else []
        return moves + [self.numbers[j].count_to(float(scores[j]), source.format(j=j), style) for j in shown]

    def _lay_out(self, zone: Zone) -> tuple[NumberGrid, ...]:
        """The cells, shaded, in the middle of a zone."""
        (scores, style, source), (before, style_before, _) = self._now, self._before
        chunks = np.array_split(np.arange(len(scores)), -(-len(scores) // _MOST_IN_LINE))
        room = zone.width / len(chunks[0]) - _CELL_GAP, zone.height / len(chunks) - _CELL_GAP
        cell = CellSize(min(room[0], _WIDEST), min(room[1], _TALLEST), _CELL_GAP)
        grids = []
        for k, chunk in enumerate(chunks):
            grid = NumberGrid(
                np.where(np.isfinite(scores), scores, 0.0)[np.newaxis],
                style,
                self.theme,
                cell,
                source=source,
                colour=ManimColor(self.theme.colours.on_cell),
                shaded=True,
                later=[style_before.text(before[j]) for j in self.seen],
                columns=tuple(map(int, chunk)),
            )
            grid.scale_of_shades = self._largest
            grids.append(grid.shade_all().move_to(zone.centre + DOWN * cell.down * (k - (len(chunks) - 1) / 2)))
        return tuple(grids)


def vector_line(vector: Array, style: NumberStyle, source: str, width: float, theme: Theme) -> Row:
    """``vector`` in brackets, with as many entries as can be read within ``width``: all, both ends, or the first."""
    d = len(vector)
    choices: tuple[Slots, ...] = (slots(d), (0, None, d - 1), (0, None)) if d > 2 else (slots(d),)
    rows = [bracketed(Working(theme, theme.type.note), vector, style, source, places=p).row() for p in choices]
    return next((row for row in rows if row.em_within(width) >= theme.type.readable), rows[-1])
