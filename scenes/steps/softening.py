"""The same scores undivided and divided: what softmax makes of them, and how it answers when one of them is nudged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Self

import numpy as np
from manim import (
    DOWN,
    RIGHT,
    UP,
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    Mobject,
    ReplacementTransform,
    ValueTracker,
    VGroup,
    there_and_back,
)
from numpy.typing import NDArray

from math_core import jacobian_norm, softmax, softmax_jacobian
from scenes.layout import Zone
from scenes.mobjects.motion import dim
from scenes.mobjects.number_grid import CellSize, NumberGrid
from scenes.mobjects.softmax_chart import SoftmaxChart
from scenes.mobjects.text import Label, Row
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, relation
from scenes.steps.spreading import HUNDREDTHS, LARGE, Spreading

Array = NDArray[np.float64]

KEYS = 3
"""How many scores stand in the row that softmax meets."""
NUDGE = 1
_NAMES = 1.25
"""Room at the left of the stage for what a line of figures is, in units."""
_TITLE = 0.75
"""Room over a chart for its title."""
_SLOPE = 0.42
"""The height of a cell that holds a slope."""
_DIP = 0.9
"""How much the way of scores to their copies bends, in radians."""


@dataclass(frozen=True, eq=False)
class Answer:
    """How softmax answers a row of scores ``(n,)``: its weights ``(n,)``, its slopes ``(n, n)``, and their norm."""

    scores: Array
    weights: Array
    slopes: Array
    norm: float

    @classmethod
    def to(cls, scores: Array) -> Self:
        """What softmax makes of ``scores``."""
        weights = softmax(scores)
        return cls(scores, weights, softmax_jacobian(weights), float(jacobian_norm(weights)))


@dataclass(frozen=True, eq=False)
class Side:
    """One side of the comparison: what sources call it, the answer that it shows, and where."""

    name: str
    answer: Answer
    zone: Zone

    @property
    def shares(self) -> str:
        """Where its shares come from."""
        return f"{self.name}.weights[{{j}}]"

    @property
    def scores(self) -> str:
        """Where its scores come from."""
        return f"{self.name}.scores[{{j}}]"


class Softening(Spreading):
    """Takes the first of the random scores of a real model's width, as they are and divided, through softmax."""

    def open(self) -> None:
        """Gather the cast; let softmax answer both rows of scores."""
        super().open()
        zones = self.layout.stage.inset(left=_NAMES, right=self.theme.space.gap).columns(1, 1, gap=0.9)
        rows = (spreads[LARGE].samples[:KEYS] for spreads in (self.spreads, self.cooled))
        kinds = zip(("undivided", "divided"), map(Answer.to, rows), zones, strict=True)
        self.undivided, self.divided = (Side(*kind) for kind in kinds)

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, what is random, and what softmax makes of it."""
        answers = {side.name: side.answer for side in (self.undivided, self.divided)}
        return {**super().sources(), **answers, "keys": KEYS, "nudge": NUDGE}

    # Softmax

    def _scores_meet_softmax(self) -> None:
        """Three scores come out of their spread, in the middle of the stage, under bars that are still empty."""
        row = self.ridge.histograms[LARGE]
        self.chart = self._chart(self.undivided)
        self.titles = self._titles()
        self.scores_name, self.slopes_name = (self._name(text) for text in ("scores", "slopes"))
        self._level(self.scores_name, self.chart.scores_shown[0])
        self.aside = (self.divided.zone.centre - self.undivided.zone.centre) / 2
        VGroup(self.chart, self.titles[0], self.scores_name).shift(self.aside)
        self._clear_row()
        come = (FadeIn(score, target_position=row) for score in self.chart.scores_shown)
        self._leave_ridge(come)
        begun = (self.titles[0], self.scores_name, *self.chart.tracks, self.chart.floor)
        self.play(*map(FadeIn, begun), run_time=0.5)
        line = Working(self.theme).number(KEYS, COUNT, "keys").sign("random scores,")
        line.symbol("d_k", self.theme.colours.ink).sign("=")
        self._show_row(line.number(self.many, COUNT, f"spreads[{LARGE}].d_k"))

    def _divide_a_copy(self) -> None:
        """The same scores once more, and then divided: the bars follow."""
        divided = self.divided
        self.copied = copied = self._chart(replace(self.undivided, zone=divided.zone))
        scores = zip(self.chart.scores_shown, copied.scores_shown, strict=True)
        # They pass below those that they leave, and not across them.
        moves = [ReplacementTransform(score.copy(), other, path_arc=_DIP) for score, other in scores]
        first = VGroup(self.chart, self.titles[0], self.scores_name)
        self.play(first.animate.shift(-self.aside), *moves, run_time=0.9)
        self.play(*map(FadeIn, copied.tracks), FadeIn(copied.floor), run_time=0.3)
        self.play(copied.grow(), run_time=0.6)
        self.play(FadeIn(self.titles[1]), run_time=0.4)
        turn = copied.turn_to(divided.answer.scores, source=divided.shares, score_source=divided.scores)
        self.play(turn, run_time=self.theme.time.sweep)

    def _chart(self, side: Side, below: float = 0.0) -> SoftmaxChart:
        return SoftmaxChart(
            side.answer.scores,
            softmax,
            side.zone.inset(top=_TITLE, bottom=below),
            self.theme,
            source=side.shares,
            score_source=side.scores,
            score_style=HUNDREDTHS,
        )

    def _titles(self) -> tuple[Row, Row]:
        path = f"spreads[{LARGE}]"
        plain = Working(self.theme).sign("undivided")
        divided = Working(self.theme).sign("divided by").sign("√").number(self.many, COUNT, f"{path}.d_k").sign("=")
        titles = plain.row(), divided.number(self.root, COUNT, f"{path}.predicted").row()
        for title, side in zip(titles, (self.undivided, self.divided), strict=True):
            title.place(np.array([side.zone.centre[0], side.zone.top - 0.4 * _TITLE, 0.0]), side.zone.width)
        return titles

    def _name(self, text: str) -> Label:
        return Label(text, em=self.theme.type.note, colour=self._quiet)

    def _level(self, name: Label, line: Mobject) -> None:
        """Put what a line of figures is at the left of it."""
        name.set_middle(line.get_center())
        name.shift(RIGHT * (self.layout.stage.left - name.pen[0]))

    # Slopes

    def _nudge(self, j: int) -> None:
        """Nudge one score of both rows, and let go: each weight answers as far as it does."""
        nudge, direction = ValueTracker(0.0), np.eye(KEYS)[j]
        sides = ((self.chart, self.undivided), (self.copied, self.divided))
        for chart, side in sides:
            chart.follow(partial(_nudged, side.answer.scores, nudge, direction))
        self.play(nudge.animate.set_value(float(NUDGE)), rate_func=there_and_back, run_time=1.0)
        self.remove(nudge)
        for chart, side in sides:
            chart.show(side.answer.scores).rest(side.shares, side.scores)

    def _show_slopes(self) -> None:
        """Under each score come the slopes of all weights as that score moves: the Jacobian of softmax."""
        room = KEYS * (_SLOPE + self.theme.space.cell_gap) + self.theme.space.tight
        sides = self.undivided, self.divided
        low = [self._chart(side, room) for side in sides]
        self.grids = [self._slopes(side, chart) for side, chart in zip(sides, low, strict=True)]
        self.norms = [self._norm(side, grid) for side, grid in zip(sides, self.grids, strict=True)]
        self._level(self.slopes_name, self.grids[0].boxes)
        self._clear_row()
        self.play(
            ReplacementTransform(self.chart, low[0]),
            ReplacementTransform(self.copied, low[1]),
            self.scores_name.animate.shift(UP * room),
            run_time=0.9,
        )
        self.chart, self.copied = low
        self.play(*dim(*self.chart.scores_shown, *self.copied.scores_shown), FadeIn(self.slopes_name), run_time=0.4)
        for grid, norm in zip(self.grids, self.norms, strict=True):
            self.play(FadeIn(grid.boxes), run_time=0.3)
            self.play(LaggedStart(*(_column_comes(grid, j) for j in range(KEYS)), lag_ratio=0.4), run_time=1.2)
            self.play(FadeIn(norm), run_time=0.4)

    def _slopes(self, side: Side, chart: SoftmaxChart) -> NumberGrid:
        """The slopes of one side, each column under its bar; both sides are shaded on the scale of the divided one."""
        theme = self.theme
        first, second = (track.get_x() for track in chart.tracks[:2])
        cell = CellSize(second - first - theme.space.cell_gap, _SLOPE, theme.space.cell_gap)
        grid = NumberGrid(
            side.answer.slopes,
            HUNDREDTHS,
            theme,
            cell,
            source=f"{side.name}.slopes[{{i}}, {{j}}]",
            colour=ManimColor(theme.colours.on_cell),
            shaded=True,
        )
        grid.scale_of_shades = float(np.abs(self.divided.answer.slopes).max())
        return grid.put(np.array([first, self.layout.stage.bottom + (KEYS - 0.5) * cell.down, 0.0]))

    def _norm(self, side: Side, grid: NumberGrid) -> Row:
        norm = side.answer.norm
        line = Working(self.theme).sign("size of all slopes", self.theme.colours.quiet)
        line.sign(relation(HUNDREDTHS.is_exact(norm))).number(norm, HUNDREDTHS, f"{side.name}.norm")
        middle = np.array([grid.boxes.get_x(), self.layout.band.centre[1], 0.0])
        return line.row().place(middle, side.zone.width)

    def _leave_softmax(self) -> None:
        shown = (self.chart, self.copied, *self.grids, *self.norms, self.scores_name, self.slopes_name, *self.titles)
        self.play(*map(FadeOut, shown), run_time=0.6)


def _nudged(scores: Array, nudge: ValueTracker, direction: Array) -> Array:
    return np.asarray(scores + nudge.get_value() * direction)


def _column_comes(grid: NumberGrid, j: int) -> Animation:
    numbers = (FadeIn(row[j], shift=DOWN * 0.25) for row in grid.numbers)
    shades = (move for i in range(len(grid.numbers)) for move in grid.reveal(i, j))
    return AnimationGroup(*shades, *numbers)
