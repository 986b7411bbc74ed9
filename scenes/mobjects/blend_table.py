"""A blend in numbers: how much is taken of each value, what that is, and what it all adds up to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from manim import DOWN, Animation, Line, ManimColor, Rectangle, VGroup, VMobject
from manim.typing import Point3D_Array
from numpy.typing import ArrayLike, NDArray

from scenes.mobjects.budget_bar import BudgetBar, part_of
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NumberGrid, widest
from scenes.numerals import SHARE, NumberStyle
from scenes.theme import Theme

Array = NDArray[np.float64]

SHORTEST_BAR = 0.5
"""Where there is no room for bars of this length, percentages stand alone."""
_STRIP = 0.3
"""The height of the strip that tells how much of an arrow is left, as a share of its bar's."""


@dataclass(frozen=True)
class Blends:
    """What every asker's blend is made of: ``weights`` ``(n, n)``, ``values`` ``(n, d)``, ``contributions``
    ``(n, n, d)`` and ``outputs`` ``(n, d)``, each with the path that it comes from.

    The paths have ``{i}``, ``{j}`` and ``{c}`` in them for the asker, the asked word and the entry.
    """

    weights: Array
    values: Array
    contributions: Array
    outputs: Array
    weights_source: str
    values_source: str
    contributions_source: str
    outputs_source: str


class BlendTable(VGroup):
    """Beside the rows of a grid of values a bar and a percentage each, and under it the sum of its columns.

    Its parts come and go by themselves: ``bars`` (none where they have no room), ``strips`` over the bars, ``shares``,
    ``grid``, ``rule`` and ``sums``; ``on_stage`` are those that :meth:`move` is to draw, the lower first. Two things
    drive all of them: ``budget`` ``(n,)``, which bars and percentages show, and ``taken`` ``(n,)``, how much of each
    value the grid and the strips show.

    Parameters
    ----------
    grid
        The values in their place; its figures are small enough for all that they will show.
    left
        Where the bars may begin.
    full, scaled
        How entries of whole values are written, and those of scaled ones and sums.
    """

    def __init__(
        self, blends: Blends, grid: NumberGrid, left: float, theme: Theme, full: NumberStyle, scaled: NumberStyle
    ) -> None:
        super().__init__()
        self.theme, self.blends, self.grid = theme, blends, grid
        self._styles = full, scaled
        n = len(blends.values)
        self.budget, self.taken = np.zeros(n), np.ones(n)
        self._em = min(theme.type.note, max(theme.type.readable, 0.62 * grid.cell.height))
        self._heights = [float(row[0].get_center()[1]) for row in grid.cells]
        self.numbers = tuple(number for row in grid.numbers for number in row)
        self.end = end = float(grid.boxes.get_left()[0]) - theme.space.gap
        room = end - left - widest([SHARE.text(1.0)], theme) * self._em - theme.space.gap
        self.bars = self._bars(left, room) if room >= SHORTEST_BAR else ()
        self.strips = tuple(self._strip(bar) for bar in self.bars)
        self.shares = tuple(self._share(end, height) for height in self._heights)
        self.sums = self._sums()
        self.rule = self._rule()
        self.on_stage: tuple[VMobject, ...] = (*self.bars, *self.shares)
        self.hold_true()

    # Readers

    @property
    def total(self) -> Array:
        """What is taken of all values together, ``(d,)``."""
        return np.asarray((self.taken[:, np.newaxis] * self.blends.values).sum(axis=0))

    @property
    def below(self) -> float:
        """The height of the sums."""
        return self._heights[-1] - self.grid.cell.down

    # Verbs

    def show(self, budget: ArrayLike, taken: ArrayLike) -> Self:
        """Put bars and numbers in place at once."""
        self.budget, self.taken = np.array(budget, dtype=np.float64), np.array(taken, dtype=np.float64)
        for number, share in zip(self.shares, self.budget, strict=True):
            number.set_value(float(share))
        for bar, strip, share, part in zip(self.bars, self.strips, self.budget, self.taken, strict=False):
            bar.set_share(float(share))
            strip.points = _lower_part_of(bar, float(part))
        full, scaled = self._styles
        for number, (j, _), value in self._entries():
            number.style = full if self.taken[j] == 1 else scaled
            number.set_value(value)
        for number, value in zip(self.sums, self.total[list(self.grid.shown_columns)], strict=True):
            number.set_value(float(value))
        return self

    def move(self, budget: ArrayLike | None = None, taken: ArrayLike | None = None, **timing: Any) -> Animation:
        """Change evenly what the bars show, how much is taken of each value, or both; all numbers are true on the way.

        Only what is ``on_stage`` is drawn anew.
        """
        last = (self.budget if budget is None else budget, self.taken if taken is None else taken)
        return _Move(self, *(np.array(end, dtype=np.float64) for end in last), **timing)

    def hold_true(self) -> Self:
        """Let every number be held against the budget and what is taken, wherever they are on their way."""
        for j, number in enumerate(self.shares):
            number.truth = partial(self._true_share, j)
        for number, place, _ in self._entries():
            number.truth = partial(self._true_entry, *place)
        for number, c in zip(self.sums, self.grid.shown_columns, strict=True):
            number.truth = partial(self._true_sum, c)
        return self

    def rest_on(self, asker: int, *, scaled: bool) -> Self:
        """Stand still on an asker's budget, its values whole or ``scaled``: numbers come from where those were made."""
        blends, weights = self.blends, self.blends.weights[asker]
        self.show(weights, weights if scaled else np.ones_like(weights))
        for j, number in enumerate(self.shares):
            number.source, number.truth = blends.weights_source.format(i=asker, j=j), None
        path = blends.contributions_source if scaled else blends.values_source
        for number, (j, c), _ in self._entries():
            number.source, number.truth = path.format(i=asker, j=j, c=c), None
        for number, c in zip(self.sums, self.grid.shown_columns, strict=True) if scaled else ():
            number.set_value(float(blends.outputs[asker, c]))
            number.source, number.truth = blends.outputs_source.format(i=asker, c=c), None
        return self

    # What is true

    def _true_share(self, j: int) -> float:
        return float(self.budget[j])

    def _true_entry(self, j: int, c: int) -> float:
        return float(self.taken[j] * self.blends.values[j, c])

    def _true_sum(self, c: int) -> float:
        return float(self.total[c])

    def _entries(self) -> Iterator[tuple[Number, tuple[int, int], float]]:
        """The numbers of the grid, each with its value's word and entry, and what there is of it."""
        for numbers, j in zip(self.grid.numbers, self.grid.shown_rows, strict=True):
            for number, c in zip(numbers, self.grid.shown_columns, strict=True):
                yield number, (j, c), self._true_entry(j, c)

    # Drawing

    def _bars(self, left: float, width: float) -> tuple[BudgetBar, ...]:
        height, colour = 0.56 * self.grid.cell.height, ManimColor(self.theme.colours.weight)
        return tuple(
            BudgetBar(0.0, width, height, self.theme, colour).put(np.array([left, y, 0.0])) for y in self._heights
        )

    def _strip(self, bar: BudgetBar) -> Rectangle:
        strip = Rectangle(fill_color=ManimColor(self.theme.colours.value), fill_opacity=1.0, stroke_width=0.0)
        strip.points = _lower_part_of(bar, 1.0)
        return strip

    def _share(self, end: float, height: float) -> Number:
        number = Number(
            0.0,
            SHARE,
            face=self.theme.figures,
            em=self._em,
            colour=ManimColor(self.theme.colours.weight),
            align="right",
        )
        return number.shift(np.array([end, height - 0.33 * self._em, 0.0]) - number.anchor)

    def _sums(self) -> tuple[Number, ...]:
        """The last row's numbers once more, a row further down."""
        ink, (_, scaled) = ManimColor(self.theme.colours.ink), self._styles
        sums = []
        for number in self.grid.numbers[-1]:
            total = number.copy().set_fill(ink).shift(DOWN * self.grid.cell.down)
            total.style = scaled
            sums.append(total)
        return tuple(sums)

    def _rule(self) -> Line:
        """Between the rows that are added up and their sum."""
        boxes, theme = self.grid.boxes, self.theme
        y = boxes.get_bottom()[1] - self.grid.cell.gap
        ends = [np.array([x, y, 0.0]) for x in (boxes.get_left()[0], boxes.get_right()[0])]
        return Line(*ends, stroke_color=theme.colours.axis, stroke_width=theme.stroke.axis)


class _Move(Animation):
    """Drives a :class:`BlendTable` from what it shows to another budget and other parts of the values."""

    def __init__(self, table: BlendTable, budget: Array, taken: Array, **timing: Any) -> None:
        self._table, self._last = table, (budget, taken)
        super().__init__(VGroup(*table.on_stage), **timing)

    def begin(self) -> None:
        self._first = self._table.budget, self._table.taken
        self._table.hold_true()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        ways = zip(self._first, self._last, strict=True)
        self._table.show(*(last if share == 1 else first + share * (last - first) for first, last in ways))


def _lower_part_of(bar: BudgetBar, share: float) -> Point3D_Array:
    """The outline of a strip along the lower edge of a bar's track, ``share`` of it long."""
    outline = part_of(bar.track, 0.0, share)
    bottom = outline[:, 1].min()
    outline[:, 1] = bottom + _STRIP * (outline[:, 1] - bottom)
    return outline
