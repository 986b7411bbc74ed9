"""Softmax by hand, one row of scores at a time: score, exp, share, and the whole that the shares make up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from manim import DOWN, LEFT, RIGHT, Animation, Line, ManimColor, Rectangle, VGroup
from manim.typing import Point3D
from numpy.typing import NDArray

from math_core import SoftmaxSteps
from scenes.layout import Zone
from scenes.mobjects.budget_bar import BudgetBar
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import widest
from scenes.mobjects.text import Label
from scenes.mobjects.token_row import TokenRow, common_width
from scenes.numerals import SHARE, NumberStyle, relation, sums_up
from scenes.theme import Theme

_SHORTEST_BAR = 0.7
"""A table too narrow for bars of this length leaves the scores to the grid that they come from."""


Softmax = Callable[[NDArray[np.float64]], SoftmaxSteps]
"""What turns a row of scores into exponentials, their total, and shares."""


@dataclass(frozen=True)
class SoftmaxRow:
    """The numbers of one asker: scores, exponentials and shares ``(n,)``, the total, and where they come from."""

    asker: int
    scores: NDArray[np.float64]
    exponentials: NDArray[np.float64]
    total: float
    shares: NDArray[np.float64]


class SoftmaxTable(VGroup):
    """A line for each asked word: its score, exp of it, and its share as a bar and a percentage.

    ``rows`` holds every asker's numbers, so that the columns are wide enough for all; it begins with asker ``first``.
    The last line holds the total of the exponentials and the shares laid end to end, which fill the whole bar.
    """

    def __init__(
        self,
        words: Sequence[str],
        rows: Sequence[SoftmaxRow],
        first: int,
        zone: Zone,
        theme: Theme,
        scores: NumberStyle,
        exponentials: NumberStyle,
    ) -> None:
        super().__init__()
        self.theme, self.zone, self.words = theme, zone, tuple(words)
        self.rows = tuple(rows)
        self.row = row = self.rows[first]
        n = len(words)
        self.pitch = min(0.86, zone.height / (n + 2))
        self.top = zone.centre[1] + self.pitch * (n + 1) / 2
        self._em = min(theme.type.note * 1.08, self.pitch * 0.62)
        quiet, em = ManimColor(theme.colours.quiet), min(theme.type.note, self._em)
        self.heads = tuple(Label(text, em=em, colour=quiet) for text in ("score", "exp", "share"))
        columns = (
            [scores.text(v) for row in rows for v in row.scores],
            [exponentials.text(v) for row in rows for v in (*row.exponentials, row.total)],
        )
        widths = [
            max(widest(texts, theme) * self._em, label.advance)
            for texts, label in zip(columns, self.heads[:2], strict=True)
        ]
        self.has_scores = self._columns(zone, *widths) >= _SHORTEST_BAR
        if not self.has_scores:
            self._columns(zone, None, widths[1])
        ink, weight = ManimColor(theme.colours.ink), ManimColor(theme.colours.weight)
        sentence = TokenRow(words, self.words_width, theme, self._em)
        self.tokens = sentence.tokens
        for j, token in enumerate(self.tokens):
            token.put_left(self._at(zone.left, j + 1))
        self.scores = tuple(
            self._number(row.scores[j], scores, self.x_score, j + 1, ink, self._source("score", j))
            for j in range(n if self.has_scores else 0)
        )
        self.exponentials = tuple(
            self._number(row.exponentials[j], exponentials, self.x_exp, j + 1, ink, self._source("exp", j))
            for j in range(n)
        )
        self.bars = tuple(
            BudgetBar(0.0, self.bar_width, self.pitch * 0.56, theme, weight).put(self._at(self.x_bar, j + 1))
            for j in range(n)
        )
        self.shares = tuple(
            self._number(row.shares[j], SHARE, self.x_share, j + 1, ink, self._source("share", j)) for j in range(n)
        )
        self._place_heads()
        self._foot(exponentials, ink)

    # Readers

    @property
    def fills(self) -> list[float]:
        """The share that each bar shows."""
        return [bar.share for bar in self.bars]

    # Verbs

    def stack(self) -> list[Animation]:
        """Lay copies of the fills end to end in the whole bar."""
        self.stacked = self._stacked(self.row)
        return [_Slide(piece, bar.fill, piece) for bar, piece in zip(self.bars, self.stacked, strict=True)]

    def turn_to(self, asker: int, softmax: Softmax) -> Animation:
        """Change to another asker's row, every number true on the way: only the scores move, the rest follows."""
        old, self.row = self.row, self.rows[asker]
        return _TurnTo(self, old, self.row, softmax)

    def show(self, row: SoftmaxRow) -> None:
        """Put a row's numbers and bars in place at once."""
        self.total.set_value(row.total)
        self.whole_share.set_value(float(row.shares.sum()))
        for number, value in zip(self.scores, row.scores, strict=False):
            number.set_value(value)
        for number, value in zip(self.exponentials, row.exponentials, strict=True):
            number.set_value(value)
        for number, bar, value in zip(self.shares, self.bars, row.shares, strict=True):
            number.set_value(value)
            bar.set_share(float(value))
        for piece, new in zip(self.stacked, self._stacked(row), strict=True):
            piece.become(new)

    def name_sources(self) -> None:
        """Let every number say that it comes from the row that the table has turned to."""
        self.total.source = self._source("total", 0)
        columns = {"score": self.scores, "exp": self.exponentials, "share": self.shares}
        for kind, numbers in columns.items():
            for j, number in enumerate(numbers):
                number.source = self._source(kind, j)
        label = self._sum_label()
        self.sum_label.become(label)
        self.sum_label.text = label.text

    # Drawing

    def _columns(self, zone: Zone, score: float | None, exponential: float) -> float:
        """Set out the columns, words first; the bars get what is left before the percentages, and tell how much."""
        gap = min(0.36, zone.width * 0.045)
        self.words_width = common_width(self.words, zone.width * 0.27, self.theme, self._em)
        self.x_share = zone.right
        self.x_score = zone.left + self.words_width + (0.0 if score is None else gap + score)
        self.x_exp = self.x_score + gap + exponential
        self.x_bar = self.x_exp + gap
        share = widest([*(SHARE.text(v) for row in self.rows for v in row.shares), "100 %"], self.theme) * self._em
        self.bar_width = self.x_share - share - 0.2 - self.x_bar
        return self.bar_width

    def _at(self, x: float, line: float) -> Point3D:
        return np.array([x, self.top - line * self.pitch, 0.0])

    def _source(self, kind: str, j: int) -> str:
        i = self.row.asker
        return {
            "score": f"attention.masked[0, {i}, {j}]",
            "exp": f"steps.exponentials[0, {i}, {j}]",
            "total": f"steps.totals[0, {i}, 0]",
            "share": f"attention.weights[0, {i}, {j}]",
        }[kind]

    def _number(
        self, value: float, style: NumberStyle, x: float, line: float, colour: ManimColor, source: str
    ) -> Number:
        number = Number(value, style, face=self.theme.figures, em=self._em, colour=colour, align="right", source=source)
        return number.shift(self._at(x, line) + DOWN * 0.33 * self._em - number.anchor)

    def _place_heads(self) -> None:
        for label, x, share in zip(self.heads, (self.x_score, self.x_exp, self.x_bar), (1, 1, 0), strict=True):
            label.set_pen(self._at(x, 0) + DOWN * 0.33 * self._em + LEFT * share * label.advance)

    def _foot(self, style: NumberStyle, ink: ManimColor) -> None:
        line = len(self.words) + 1
        theme = self.theme
        y = self._at(0, line - 0.5)[1]
        self.rule = Line([self.x_exp - 1.0, y, 0], [self.x_exp, y, 0], stroke_color=theme.colours.axis, stroke_width=3)
        self.total = self._number(self.row.total, style, self.x_exp, line, ink, self._source("total", 0))
        self.sum_label = self._sum_label()
        self.whole = BudgetBar(0.0, self.bar_width, self.pitch * 0.56, theme, ink).put(self._at(self.x_bar, line))
        whole = float(self.row.shares.sum())
        self.whole_share = self._number(whole, NumberStyle(0, percent=True), self.x_share, line, ink, "whole")

    def _stacked(self, row: SoftmaxRow) -> list[Rectangle]:
        """The fills end to end, every other one a little darker so that the joints are seen."""
        theme = self.theme
        left = self.whole.track.get_left()
        pieces = []
        for j, share in enumerate(row.shares):
            width = max(share * self.bar_width, 1e-3)
            colour = ManimColor(theme.colours.weight if j % 2 == 0 else theme.colours.positive)
            piece = Rectangle(
                width=width,
                height=self.whole.track.height,
                fill_color=colour,
                fill_opacity=1.0,
                stroke_width=0.0,
            )
            pieces.append(piece.move_to(left + RIGHT * width / 2))
            left = left + RIGHT * share * self.bar_width
        return pieces

    def _sum_label(self) -> Label:
        """Says "=" where the shown digits add up to the shown total, else "≈"."""
        style = self.total.style
        shown = [style.text(value) for value in self.row.exponentials]
        sign = relation(sums_up(shown, style.text(self.row.total)))
        em = min(self.theme.type.note, self._em)
        label = Label(f"total {sign}", em=em, colour=ManimColor(self.theme.colours.quiet))
        end = self._at(self.x_score, len(self.words) + 1) + DOWN * 0.33 * self._em
        return label.set_pen(end + LEFT * label.advance)


class _TurnTo(Animation):
    """Moves a table from one row to another by moving the scores and computing all else from them."""

    def __init__(self, table: SoftmaxTable, old: SoftmaxRow, new: SoftmaxRow, softmax: Softmax) -> None:
        self._table, self._old, self._new, self._softmax = table, old, new, softmax
        numbers = (*table.scores, *table.exponentials, *table.shares, table.total, table.whole_share)
        super().__init__(VGroup(*table.bars, *table.stacked, table.sum_label, *numbers))

    def begin(self) -> None:
        self._now = self._old
        for number, truth in self._truths():
            number.truth = truth
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        scores = self._old.scores + share * (self._new.scores - self._old.scores)
        steps = self._softmax(scores)
        total = float(steps.totals[0])
        self._now = SoftmaxRow(self._new.asker, scores, steps.exponentials, total, steps.shares)
        self._table.show(self._now)

    def finish(self) -> None:
        super().finish()
        self._table.show(self._new)
        self._table.name_sources()
        for number, _ in self._truths():
            number.truth = None

    def _truths(self) -> Iterator[tuple[Number, Callable[[], float]]]:
        """Each number of the table with what it ought to show in this frame."""
        table = self._table
        yield table.total, lambda: self._now.total
        yield table.whole_share, lambda: float(self._now.shares.sum())
        columns = ("scores", table.scores), ("exponentials", table.exponentials), ("shares", table.shares)
        for field, numbers in columns:
            for j, number in enumerate(numbers):
                yield number, partial(self._entry, field, j)

    def _entry(self, field: str, j: int) -> float:
        return float(getattr(self._now, field)[j])


class _Slide(Animation):
    """Moves a box from one place and size to another."""

    def __init__(self, box: Rectangle, start: Rectangle, end: Rectangle) -> None:
        self._from, self._to = start.copy(), end.copy()
        super().__init__(box)

    def interpolate_mobject(self, alpha: float) -> None:
        self.mobject.interpolate(self._from, self._to, self.rate_func(alpha))
