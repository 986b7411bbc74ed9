"""A table of numbers in cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Animation, AnimationGroup, ManimColor, VGroup, VMobject, interpolate_color
from manim.typing import Point3D, Vector3D
from numpy.typing import NDArray

from scenes.mobjects.cells import Cell, Shade, shade
from scenes.mobjects.dots import Dots
from scenes.mobjects.glyphs import figures
from scenes.mobjects.motion import Light
from scenes.mobjects.number import Number
from scenes.mobjects.text import Label, Row
from scenes.numerals import MINUS, NumberStyle
from scenes.theme import DIM, Theme


@dataclass(frozen=True)
class CellSize:
    """Width and height of a table's cells and the room between them, in units."""

    width: float
    height: float
    gap: float

    @property
    def across(self) -> float:
        """From the middle of a cell to the middle of the next one in its row."""
        return self.width + self.gap

    @property
    def down(self) -> float:
        """From the middle of a cell to the middle of the next one in its column."""
        return self.height + self.gap


Slots = tuple[int | None, ...]
"""Which entries are shown, in order; None stands for those that are left out between two others."""

_AIR = 0.84
_CAPITALS = 0.66
_MOST_SHOWN = 3
_NOTCH = 0.24
"""Size of the notch of a negative cell, as a share of the cell's shorter side: figures do not reach into it."""
_LIFTED = 0.6


def slots(count: int) -> Slots:
    """The places of a vector of ``count`` entries: all up to three, else the first, a gap and the last."""
    return tuple(range(count)) if count <= _MOST_SHOWN else (0, None, count - 1)


def shown(places: Slots) -> tuple[int, ...]:
    """The entries that are shown."""
    return tuple(place for place in places if place is not None)


def widest(texts: Iterable[str], theme: Theme) -> float:
    """The width of the widest of ``texts``, in ems."""
    return max(figures(theme.figures, text).advance for text in texts)


def em_for(texts: Iterable[str], cell: CellSize, theme: Theme) -> float:
    """The em at which every one of ``texts`` fits into a cell with a little air around it."""
    return min(theme.type.number, _AIR * cell.width / widest(texts, theme), 0.62 * cell.height / _CAPITALS)


def cell_width(texts: Iterable[str], theme: Theme, least: float) -> float:
    """How wide a cell must be for ``texts`` to be read from the back row, and at least ``least``."""
    return max(least, theme.type.readable * widest(texts, theme) / _AIR)


class Notch(VMobject):
    """The corner of a shaded cell that says at a glance, and not by colour alone, that its number is below zero."""

    def __init__(self, cell: Cell, theme: Theme) -> None:
        # Of the colour of a negative cell, but apart from it: seen, and no louder than the number.
        colour = interpolate_color(ManimColor(theme.colours.negative), ManimColor(theme.colours.on_cell), _LIFTED)
        super().__init__(fill_color=colour, fill_opacity=0.0, stroke_width=0.0)
        side, round_off = _NOTCH * min(cell.width, cell.height), 0.5 * cell.corner_radius
        corner = cell.get_corner(DOWN + LEFT)
        # Flush with the rounded corner, and before the number: elsewhere it would look like an apostrophe or a stop.
        ends = (side * RIGHT, round_off * RIGHT, round_off * UP, side * UP, side * RIGHT)
        self.set_points_as_corners([corner + end for end in ends])


class _Show(Animation):
    """Brings a notch to an opacity."""

    def __init__(self, notch: Notch, opacity: float, **timing: Any) -> None:
        self._first, self._last = float(notch.get_fill_opacity()), opacity
        super().__init__(notch, **timing)

    def interpolate_mobject(self, alpha: float) -> None:
        self.mobject.set_fill(opacity=self._first + self.rate_func(alpha) * (self._last - self._first))


class Swatch(VGroup):
    """A small cell without a number, and beside it in words what its shade means.

    ``value`` is shaded as in a table whose greatest magnitude is ``largest``.
    """

    def __init__(self, text: str, value: float, largest: float, theme: Theme) -> None:
        super().__init__()
        em = theme.type.working
        box = Cell(1.3 * em, em, theme).set_fill(shade(value, largest, theme), family=False)
        notch = Notch(box, theme).set_fill(opacity=float(value < 0))
        label = Label(text, em=em, colour=ManimColor(theme.colours.ink))
        label.set_middle(box.get_right() + RIGHT * (theme.space.tight + label.advance / 2))
        self.add(box.add(notch), label)


class NumberGrid(VGroup):
    """Rows and columns of numbers.

    Parameters
    ----------
    values
        ``(rows, columns)``.
    style
        How every number is written.
    cell
        The size of the cells.
    source
        Where the values come from: a path with ``{i}`` and ``{j}``, such as ``queries[0, {i}, {j}]``.
    colour
        The colour of the figures.
    rim
        The colour of the cells' rims; left out, the cells have none.
    shaded
        Whether a cell's fill follows its value, and a notch its sign: :meth:`reveal` brings them, together with the
        number.
    later
        What the cells will show later on: the figures are small enough for that from the start.
    rows, columns
        Which rows and columns are shown, and where some are left out; left out, all are shown.

    Everywhere else rows and columns are counted as they are shown: ``numbers[i][j]`` is the j-th number of the i-th row
    on screen, ``shown_rows[i]`` and ``shown_columns[j]`` tell which entry of the array it is.
    """

    def __init__(
        self,
        values: NDArray[np.float64],
        style: NumberStyle,
        theme: Theme,
        cell: CellSize,
        *,
        source: str,
        colour: ManimColor,
        rim: ManimColor | None = None,
        shaded: bool = False,
        later: Iterable[str] = (),
        rows: Slots | None = None,
        columns: Slots | None = None,
    ) -> None:
        super().__init__()
        self.theme, self.cell, self.style, self.shaded = theme, cell, style, shaded
        rows, columns = rows or tuple(range(values.shape[0])), columns or tuple(range(values.shape[1]))
        self.shown_rows, self.shown_columns = shown(rows), shown(columns)
        em = em_for((*map(style.text, values.flat), *later), cell, theme)
        self.cells = [[Cell(cell.width, cell.height, theme, rim) for _ in self.shown_columns] for _ in self.shown_rows]
        self.notches = [[Notch(box, theme) for box in row] for row in self.cells] if shaded else []
        self.numbers = [
            [
                Number(
                    values[i, j],
                    style,
                    face=theme.figures,
                    em=em,
                    colour=colour,
                    source=source.format(i=i, j=j),
                )
                for j in self.shown_columns
            ]
            for i in self.shown_rows
        ]
        self.scale_of_shades = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
        for i, j in self.places():
            box, number = self.cells[i][j], self.numbers[i][j]
            if shaded:
                box.add(self.notches[i][j])
            across, down = columns.index(self.shown_columns[j]), rows.index(self.shown_rows[i])
            box.move_to(RIGHT * across * cell.across - UP * down * cell.down)
            number.set_middle(box.get_center())
        self.boxes = VGroup(*(box for row in self.cells for box in row))
        self.gaps_in_rows = self._dots(RIGHT, None in columns, len(self.cells))
        self.gaps_in_columns = self._dots(DOWN, None in rows, len(self.cells[0]))
        self.add(self.boxes, *self.gaps_in_rows, *self.gaps_in_columns)
        self.add(*(number for row in self.numbers for number in row))

    # Readers

    def places(self) -> Iterator[tuple[int, int]]:
        """Every (row, column), in reading order."""
        return ((i, j) for i in range(len(self.cells)) for j in range(len(self.cells[0])))

    def values(self) -> NDArray[np.float64]:
        """What is shown, unrounded: ``(rows, columns)``."""
        return np.array([[number.value for number in row] for row in self.numbers])

    def shown_text(self) -> list[list[str]]:
        """What is shown, as characters."""
        return [[number.shown_text() for number in row] for row in self.numbers]

    def row(self, i: int) -> VGroup:
        """The cells and numbers of one row, and the dots for what is left out of it."""
        return VGroup(*self.cells[i], *self.gaps_in_rows[i : i + 1], *self.numbers[i])

    def column(self, j: int) -> VGroup:
        """The cells and numbers of one column, and the dots for what is left out of it."""
        cells, numbers = (row[j] for row in self.cells), (row[j] for row in self.numbers)
        return VGroup(*cells, *self.gaps_in_columns[j : j + 1], *numbers)

    @property
    def frame(self) -> VGroup:
        """Everything but the numbers: the cells, and the dots for what is left out."""
        return VGroup(self.boxes, *self.gaps_in_rows, *self.gaps_in_columns)

    def entry(self, i: int, j: int) -> VGroup:
        """One cell and its number."""
        return VGroup(self.cells[i][j], self.numbers[i][j])

    # Verbs

    def reveal(self, i: int, j: int) -> list[Animation]:
        """Colour a cell by the value that arrives in it."""
        number = self.numbers[i][j]
        return self._shade(i, j, number.value, number.style) if self.shaded else []

    def shade_all(self) -> Self:
        """Colour every cell by its value at once."""
        for i, j in self.places():
            value = self.numbers[i][j].value
            self.cells[i][j].set_fill(shade(value, self.scale_of_shades, self.theme), family=False)
            self.notches[i][j].set_fill(opacity=_notched(self.numbers[i][j].style, value))
        return self

    def put(self, top_left: Point3D) -> Self:
        """Move so that the middle of the first cell lies at ``top_left``."""
        return self.shift(top_left - self.cells[0][0].get_center())

    def light(self, entries: Iterable[tuple[int, int]]) -> list[Animation]:
        """Show ``entries`` at full strength and dim all the others."""
        chosen = set(entries)
        lit_rows, lit_columns = {i for i, _ in chosen}, {j for _, j in chosen}
        return [
            *(Light(self.entry(*place), 1.0 if place in chosen else DIM) for place in self.places()),
            *(Light(dots, 1.0 if i in lit_rows else DIM) for i, dots in enumerate(self.gaps_in_rows)),
            *(Light(dots, 1.0 if j in lit_columns else DIM) for j, dots in enumerate(self.gaps_in_columns)),
        ]

    def light_row(self, i: int) -> list[Animation]:
        """Show one row at full strength and dim the others."""
        return self.light((i, j) for j in range(len(self.cells[i])))

    def light_column(self, j: int) -> list[Animation]:
        """Show one column at full strength and dim the others."""
        return self.light((i, j) for i in range(len(self.cells)))

    def light_all(self) -> list[Animation]:
        """Show every entry at full strength."""
        return self.light(self.places())

    def count_to(self, values: NDArray[np.float64], style: NumberStyle, source: str) -> Animation:
        """Count every number evenly to its new value; the shades keep to the scale that they were made on."""
        shades: list[Animation] = []
        counts: list[Animation] = []
        for i, j in self.places():
            place = self.shown_rows[i], self.shown_columns[j]
            counts.append(self.numbers[i][j].count_to(values[place], source.format(i=place[0], j=place[1]), style))
            if self.shaded:
                shades += self._shade(i, j, values[place], style)
        # Manim draws what moves in the order in which it is given: cells first, to stay under their numbers.
        return AnimationGroup(*shades, *counts)

    def _shade(self, i: int, j: int, value: float, style: NumberStyle) -> list[Animation]:
        """Bring a cell's fill to what ``value`` asks for, and its notch where the sign that is written changes."""
        notch, shown_at = self.notches[i][j], _notched(style, value)
        fill = Shade(self.cells[i][j], shade(value, self.scale_of_shades, self.theme))
        changes = bool(notch.get_fill_opacity()) != bool(shown_at)
        return [fill, _Show(notch, shown_at)] if changes else [fill]

    def _dots(self, direction: Vector3D, needed: bool, count: int) -> list[Dots]:
        """Dots in the gap of each row (or column), halfway between its first and its second shown entry."""
        if not needed:
            return []
        colour = self.numbers[0][0].get_fill_color()
        along_rows = bool(direction[0])
        dots = []
        for k in range(count):
            first, second = (self.cells[k][:2]) if along_rows else (self.cells[0][k], self.cells[1][k])
            middle = (first.get_center() + second.get_center()) / 2
            dots.append(Dots(direction, 0.45 * min(self.cell.width, self.cell.height), colour).move_to(middle))
        return dots


def _notched(style: NumberStyle, value: float) -> float:
    """How opaque a notch is: what is written as zero has no sign to show."""
    return float(style.text(value).startswith(MINUS))


class NamedGrid(NumberGrid):
    """A table with its name and shape standing under it; the name comes and goes by itself."""

    name: Row

    def called(self, name: Row) -> Self:
        """Give the table its name."""
        self.name = name
        return self

    def put(self, top_left: Point3D) -> Self:
        """Move so that the middle of the first cell lies at ``top_left``, the name under the last row."""
        super().put(top_left)
        below = self.boxes.get_bottom() + DOWN * 0.34
        self.name.place(below, self.name.advance + 1.0)
        return self
