"""Softmax by hand, one row of scores at a time: score, exp, share, and the whole that the shares make up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np
from manim import DOWN, LEFT, Animation, Line, ManimColor, Rectangle, VGroup, VMobject, interpolate_color
from manim.typing import Point3D
from numpy.typing import NDArray

from math_core import Attention, SoftmaxSteps
from scenes.layout import Zone
from scenes.mobjects.budget_bar import BudgetBar, part_of
from scenes.mobjects.hatch import Hatch
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import widest
from scenes.mobjects.text import Label
from scenes.mobjects.token_row import TokenRow, common_width
from scenes.numerals import SHARE, NumberStyle, relation, sums_up
from scenes.theme import Theme

_SHORTEST_BAR = 0.7
"""A table too narrow for bars of this length leaves the scores to the grid that they come from."""
_TALLEST = 0.86
_JOINT = 0.45
"""How far the colour of every other piece of a stack is on its way to ink."""
_KINDS: Mapping[str, str] = {"scores": "score", "exponentials": "exp", "shares": "share"}
_FAR = 20.0
"""A score that moves farther than this glides: else its share would turn over within a single frame."""
_FINER = NumberStyle(2)
"""How a score that moves is written where all scores are whole."""

Scores = NDArray[np.float64]
Softmax = Callable[[Scores], SoftmaxSteps]
"""What turns a row of scores into exponentials, their total, and shares."""


@dataclass(frozen=True)
class SoftmaxRow:
    """The numbers of one row: scores, exponentials and shares ``(n,)``, and the total of the exponentials.

    ``asker`` is the word whose row it is; None for a row that no word has, such as one on its way to another.
    """

    asker: int | None
    scores: Scores
    exponentials: Scores
    total: float
    shares: Scores


def softmax_rows(attention: Attention, steps: SoftmaxSteps, head: int = 0) -> list[SoftmaxRow]:
    """Every asker's row of one head; ``steps`` are those of ``attention.masked``."""
    return [
        SoftmaxRow(
            asker=i,
            scores=attention.masked[head, i],
            exponentials=steps.exponentials[head, i],
            total=float(steps.totals[head, i, 0]),
            shares=attention.weights[head, i],
        )
        for i in range(attention.masked.shape[-2])
    ]


def row_of(scores: Scores, softmax: Softmax) -> SoftmaxRow:
    """The row of any scores ``(n,)``."""
    steps = softmax(scores)
    return SoftmaxRow(None, scores, steps.exponentials, float(steps.totals[0]), steps.shares)


class SoftmaxTable(VGroup):
    """A line for each asked word: its score, exp of it, and its share as a bar and a percentage.

    The last line holds the total of the exponentials and the shares laid end to end, which fill the whole bar. The bar
    of a word that is hidden, whose score is −∞, is hatched.

    Parameters
    ----------
    rows
        Every asker's numbers, so that the columns are wide enough for all; the table begins with asker ``first``.
    zone
        What the table may fill; it is centred on its height.
    scores, exponentials
        How these are written.
    head
        The head that the rows are of: where their numbers come from.
    em
        The size of letters and figures, where there is room for it.
    tallest
        The height of a line, where there is room for it.
    later
        Rows that the table will show beside ``rows``: its columns are wide enough for them, too.
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
        *,
        head: int = 0,
        em: float | None = None,
        tallest: float = _TALLEST,
        later: Sequence[SoftmaxRow] = (),
    ) -> None:
        super().__init__()
        self.theme, self.zone, self.words, self.head = theme, zone, tuple(words), head
        self.rows = tuple(rows)
        self.row = row = self.rows[first]
        self._score_style = scores
        n = len(words)
        self.pitch = min(tallest, zone.height / (n + 2))
        self.top = zone.centre[1] + self.pitch * (n + 1) / 2
        self._em = min(theme.type.note * 1.08 if em is None else em, self.pitch * 0.62)
        quiet, small = ManimColor(theme.colours.quiet), min(theme.type.note, self._em)
        self.heads = tuple(Label(text, em=small, colour=quiet) for text in ("score", "exp", "share"))
        columns = (
            [
                *(scores.text(v) for row in rows for v in row.scores),
                *(_finer(scores).text(v) for row in later for v in row.scores),
            ],
            [exponentials.text(v) for row in (*rows, *later) for v in (*row.exponentials, row.total)],
        )
        widths = [
            max(widest(texts, theme) * self._em, label.advance)
            for texts, label in zip(columns, self.heads[:2], strict=True)
        ]
        self.score_width = widths[0]
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
            BudgetBar(0.0, self.bar_width, self.bar_height, theme, weight).put(self._at(self.x_bar, j + 1))
            for j in range(n)
        )
        self.hatches = tuple(Hatch(self.bar_width, self.bar_height, theme) for _ in range(n))
        self.shares = tuple(
            self._number(row.shares[j], SHARE, self.x_share, j + 1, ink, self._source("share", j)) for j in range(n)
        )
        self.stacked: tuple[VMobject, ...] = ()
        self._place_heads()
        self._foot(exponentials, ink)
        self._hatch(row)

    # Readers

    @property
    def fills(self) -> list[float]:
        """The share that each bar shows."""
        return [bar.share for bar in self.bars]

    @property
    def bar_height(self) -> float:
        """The height of a bar, in units."""
        return self.pitch * 0.56

    def line(self, j: int) -> float:
        """The height of asked word ``j``'s line; ``j`` = n is the last line, that of the totals."""
        return float(self._at(0.0, j + 1)[1])

    # Verbs

    def stack(self) -> list[Animation]:
        """Lay copies of the fills end to end in the whole bar."""
        self.stacked = self._stacked(self.row)
        return [_Slide(piece, bar.fill, piece) for bar, piece in zip(self.bars, self.stacked, strict=True)]

    def turn_to(self, asker: int, softmax: Softmax) -> Animation:
        """Change to an asker's row, every number true on the way: only the scores move, the rest follows.

        Where a score is −∞ at one end there is no way between: it changes at once.
        """
        return _Move(self, _between(self.row.scores, self.rows[asker].scores), softmax, self.rows[asker])

    def move_score(self, j: int, score: float, softmax: Softmax) -> Animation:
        """Move word ``j``'s score, and let all that depends on it follow.

        The row that comes of it is no word's: until the table turns to one again, its numbers are held against the
        row that the scores make.
        """
        for number in self.scores:
            number.style = _finer(self._score_style)
        return _Move(self, _moving(self.row.scores, j, score), softmax)

    def show(self, row: SoftmaxRow) -> None:
        """Put a row's numbers and bars in place at once."""
        self.row = row
        self.total.set_value(row.total)
        self.whole_share.set_value(float(row.shares.sum()))
        for number, value in zip(self.scores, row.scores, strict=False):
            number.set_value(value)
        for number, value in zip(self.exponentials, row.exponentials, strict=True):
            number.set_value(value)
        for number, bar, value in zip(self.shares, self.bars, row.shares, strict=True):
            number.set_value(value)
            bar.set_share(float(value))
        for piece, new in zip(self.stacked, self._stacked(row) if self.stacked else (), strict=True):
            piece.points = new.points
        self._hatch(row)
        self._say_total()

    def hold_true(self) -> None:
        """Let every number be held against the row that the table stands for, wherever it is on its way."""
        self.total.truth = lambda: self.row.total
        self.whole_share.truth = lambda: float(self.row.shares.sum())
        for name, numbers in self._columns_of_numbers().items():
            for j, number in enumerate(numbers):
                number.truth = partial(self._entry, name, j)

    def name_sources(self) -> None:
        """Let every number say that it comes from the row that the table has turned to."""
        for number in self.scores:
            number.style = self._score_style
        self.show(self.row)
        self.total.source, self.total.truth, self.whole_share.truth = self._source("total", 0), None, None
        for name, numbers in self._columns_of_numbers().items():
            for j, number in enumerate(numbers):
                number.source, number.truth = self._source(_KINDS[name], j), None

    def _columns_of_numbers(self) -> dict[str, tuple[Number, ...]]:
        """The numbers of each column, by the field of the row that they show."""
        return {"scores": self.scores, "exponentials": self.exponentials, "shares": self.shares}

    def _entry(self, field: str, j: int) -> float:
        return float(getattr(self.row, field)[j])

    # Drawing

    def _columns(self, zone: Zone, score: float | None, exponential: float) -> float:
        """Set out the columns, words first; the bars get what is left before the percentages, and tell how much."""
        gap = min(0.6, zone.width * 0.045)
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
        h, i = self.head, self.row.asker
        return {
            "score": f"attention.masked[{h}, {i}, {j}]",
            "exp": f"steps.exponentials[{h}, {i}, {j}]",
            "total": f"steps.totals[{h}, {i}, 0]",
            "share": f"attention.weights[{h}, {i}, {j}]",
        }[kind]

    def _number(
        self, value: float, style: NumberStyle, x: float, line: float, colour: ManimColor, source: str
    ) -> Number:
        number = Number(value, style, face=self.theme.figures, em=self._em, colour=colour, align="right", source=source)
        return number.shift(self._at(x, line) + DOWN * 0.33 * self._em - number.anchor)

    def _place_heads(self) -> None:
        for label, x, share in zip(self.heads, (self.x_score, self.x_exp, self.x_bar), (1, 1, 0), strict=True):
            label.set_pen(self._at(x, 0) + DOWN * 0.33 * self._em + LEFT * share * label.advance)

    def _hatch(self, row: SoftmaxRow) -> None:
        for hatch, bar, score in zip(self.hatches, self.bars, row.scores, strict=True):
            hatch.lay_over(bar.track, float(np.isneginf(score)))

    def _foot(self, style: NumberStyle, ink: ManimColor) -> None:
        line = len(self.words) + 1
        theme = self.theme
        y = self._at(0, line - 0.5)[1]
        self.rule = Line([self.x_exp - 1.0, y, 0], [self.x_exp, y, 0], stroke_color=theme.colours.axis, stroke_width=3)
        self.total = self._number(self.row.total, style, self.x_exp, line, ink, self._source("total", 0))
        self.sum_label = self._sum_label()
        self.whole = BudgetBar(0.0, self.bar_width, self.bar_height, theme, ink).put(self._at(self.x_bar, line))
        whole = float(self.row.shares.sum())
        self.whole_share = self._number(whole, NumberStyle(0, percent=True), self.x_share, line, ink, "whole")

    def _stacked(self, row: SoftmaxRow) -> tuple[VMobject, ...]:
        """The fills end to end, every other one nearer to ink so that the joints are seen."""
        weight, ink = (ManimColor(colour) for colour in (self.theme.colours.weight, self.theme.colours.ink))
        ends = np.concatenate([[0.0], np.cumsum(row.shares)])
        pieces = []
        for j, (start, end) in enumerate(pairwise(ends)):
            colour = interpolate_color(weight, ink, 0.0 if j % 2 == 0 else _JOINT)
            piece = Rectangle(fill_color=colour, fill_opacity=1.0, stroke_width=0.0)
            piece.points = part_of(self.whole.track, float(start), float(end))
            pieces.append(piece)
        return tuple(pieces)

    def _sum_label(self) -> Label:
        """Says "=" where the shown digits add up to the shown total, else "≈"."""
        style = self.total.style
        shown = [style.text(value) for value in self.row.exponentials]
        sign = relation(sums_up(shown, style.text(self.row.total)))
        em = min(self.theme.type.note, self._em)
        label = Label(f"total {sign}", em=em, colour=ManimColor(self.theme.colours.quiet))
        end = self._at(self.x_score, len(self.words) + 1) + DOWN * 0.33 * self._em
        return label.set_pen(end + LEFT * label.advance)

    def _say_total(self) -> None:
        label = self._sum_label()
        if label.text != self.sum_label.text:
            self.sum_label.become(label)
            self.sum_label.text = label.text


class _Move(Animation):
    """Moves a table along a way of scores, and computes all else from them; ``end`` is the word's row it comes to."""

    def __init__(
        self, table: SoftmaxTable, way: Callable[[float], Scores], softmax: Softmax, end: SoftmaxRow | None = None
    ) -> None:
        self._table, self._way, self._softmax, self._end = table, way, softmax, end
        numbers = (*table.scores, *table.exponentials, *table.shares, table.total, table.whole_share)
        # What is drawn later lies on top: bars under hatches, and all under the numbers.
        super().__init__(VGroup(*table.bars, *table.hatches, *table.stacked, table.sum_label, *numbers))

    def begin(self) -> None:
        self._table.hold_true()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        self._table.show(row_of(self._way(self.rate_func(alpha)), self._softmax))

    def finish(self) -> None:
        super().finish()
        if self._end is not None:
            self._table.row = self._end
            self._table.name_sources()


def _between(first: Scores, last: Scores) -> Callable[[float], Scores]:
    """From one row of scores evenly to another; a score that is −∞ at one of the ends is there at once."""
    moves = np.isfinite(first) & np.isfinite(last)
    change = np.subtract(last, first, out=np.zeros_like(last), where=moves)
    start = np.where(moves, first, last)
    return lambda share: start + share * change if share < 1 else last


def _moving(scores: Scores, j: int, last: float) -> Callable[[float], Scores]:
    """One score's way to another value: even, or, where it is long, swift while it is far from the best of the rest."""
    first, others = float(scores[j]), np.delete(scores, j)
    best = float(others.max(initial=-np.inf))
    is_far = abs(last - first) > _FAR and np.isfinite(best)
    ends = np.arcsinh([first - best, last - best]) if is_far else np.array([first, last])

    def at(share: float) -> Scores:
        place = float(ends[0] + share * (ends[1] - ends[0]))
        now = np.array(scores)
        now[j] = last if share == 1 else best + np.sinh(place) if is_far else place
        return now

    return at


def _finer(style: NumberStyle) -> NumberStyle:
    return style if style.decimals else _FINER


class _Slide(Animation):
    """Moves a box from one place and size to another."""

    def __init__(self, box: Rectangle, start: Rectangle, end: Rectangle) -> None:
        self._from, self._to = start.copy(), end.copy()
        super().__init__(box)

    def interpolate_mobject(self, alpha: float) -> None:
        self.mobject.interpolate(self._from, self._to, self.rate_func(alpha))
