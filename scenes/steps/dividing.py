"""The naive way to a budget: each score divided by the sum of all, and how it fails the row at hand."""

from __future__ import annotations

import math

import numpy as np
from manim import RIGHT, UP, Animation, Create, FadeIn, FadeOut, VGroup, linear

from scenes import rows
from scenes.mobjects.motion import dim, fly
from scenes.mobjects.number import Number
from scenes.mobjects.plain_shares import PlainShares
from scenes.mobjects.softmax_table import SoftmaxTable
from scenes.mobjects.text import Label
from scenes.mobjects.working import Working
from scenes.numerals import SHARE, NumberStyle, relation, sums_up
from scenes.walkthrough import Walkthrough

_BEFORE_BARS = 0.7
"""Room between the scores and their bars, in units."""

_SAID: dict[rows.Verdict, str] = {
    "zero": "Divided by zero: no shares",
    "alone": "All for one, whatever its score",
    "backwards": "The worst match gets the most?",
}


class Dividing(Walkthrough):
    """Divides the scores of a :class:`SoftmaxTable` by their sum, shows what is wrong with that, and clears up."""

    table: SoftmaxTable
    scores: rows.Scores

    def open(self) -> None:
        """Gather the cast; how the focus word's row fares under plain division."""
        super().open()
        self.scores = self.cast.masked[self.cast.focus]
        self.plain = rows.Division.of(self.scores)
        self.verdict = rows.judged(self.scores)

    def _add_up_scores(self) -> None:
        """The sum of the visible scores, under their column."""
        table, down = self.table, self.table.line(self.cast.n) - self.table.line(0)
        visible = [number for number in table.scores if math.isfinite(number.value)]
        total = table.scores[0].copy().shift(UP * down).set_value(self.plain.total)
        total.source = "plain.total"
        sign = self._sum_sign(total)
        rule = table.rule.copy().shift(RIGHT * (table.x_score - table.x_exp))
        self.sum = rule, sign, total
        self.play(Create(rule), FadeIn(sign), run_time=0.5)
        self.play(*(FadeOut(number.copy(), target_position=total) for number in visible), FadeIn(total), run_time=0.8)

    def _sum_sign(self, total: Number) -> Label:
        """What stands before the sum: "=" only where the shown scores add up to it."""
        table = self.table
        visible = [number.shown_text() for number in table.scores if math.isfinite(number.value)]
        sign = relation(sums_up(visible, total.shown_text()))
        label = Label(f"sum {sign}", em=table.heads[0].em, colour=self._quiet)
        left = max(table.zone.left, table.zone.left + table.words_width - label.advance)
        return label.set_pen(np.array([left, total.anchor[1], 0.0]))

    def _divide_plainly(self) -> None:
        """Each score over the sum: bars beside the budget that they should share, where there is a sum to divide by."""
        table = self.table
        zone = table.zone.inset(left=table.x_score + _BEFORE_BARS - table.zone.left)
        lines = [table.line(j) for j in range(self.cast.n)]
        head = Label("score / sum", em=table.heads[0].em, colour=self._quiet)
        head.set_pen(np.array([zone.left, table.heads[0].pen[1], 0.0]))
        if self.verdict == "zero":
            asks = [Label("?", em=table.scores[0].em, colour=self._ink) for _ in lines]
            for label, line in zip(asks, lines, strict=True):
                label.set_middle(np.array([zone.left + label.advance / 2, line, 0.0]))
            self.divided = VGroup(head, *asks)
            self.play(FadeIn(self.divided), run_time=0.8)
            return
        later = [self._with_a_sign_changed()] if self.verdict == "lucky" else []
        self.bars = bars = PlainShares(
            self.scores,
            lines,
            zone,
            table.bar_height,
            self.theme,
            table.scores[0].em,
            later=later,
            source="plain.shares[{j}]",
        )
        self.divided = VGroup(head, bars)
        self.play(*map(FadeIn, (head, *bars.tracks, bars.axis)), run_time=0.5)
        self.play(bars.grow(), run_time=1.6, rate_func=linear)

    def _fail(self) -> None:
        """Show what is wrong with the shares that plain division gives."""
        if self.verdict in _SAID:
            self._state(_SAID[self.verdict])
            return
        if self.verdict == "lucky":
            self._change_a_sign()
        self._point_out(int(np.argmin(self.bars.shares)))

    def _with_a_sign_changed(self) -> rows.Scores:
        return rows.with_score(self.scores, *rows.unlucky(self.scores))

    def _change_a_sign(self) -> None:
        """Move a score of a row that fares well until its share is below zero."""
        j, score = rows.unlucky(self.scores)
        number, (rule, sign, total) = self.table.scores[j], self.sum
        style = NumberStyle(max(2, number.style.decimals))
        whole = rows.Division.of(self._with_a_sign_changed()).total
        self.play(FadeOut(sign), run_time=0.3)
        self.play(
            self.bars.move_score(j, score),
            number.count_to(score, style=style),
            total.count_to(whole, style=style),
            run_time=2.0,
            rate_func=linear,
        )
        number.truth, total.truth = lambda: score, lambda: whole
        sign = self._sum_sign(total)
        self.sum = rule, sign, total
        self.play(FadeIn(sign), run_time=0.3)

    def _point_out(self, k: int) -> None:
        """The bar that goes below zero, and what its share would be."""
        bars = self.bars
        number = bars.numbers[k]
        line = Working(self.theme).number(float(bars.shares[k]), SHARE, number.source).sign("of a budget?")
        line.numbers[0].truth = number.truth
        others = [m for m in range(len(bars.numbers)) if m != k]
        self.row = line.row().place(self.layout.band.centre, self.layout.band.width)
        self.play(
            fly(number, line.numbers[0]),
            FadeIn(self.row.pieces[-1]),
            *dim(*(bars.fills[m] for m in others), *(bars.numbers[m] for m in others)),
            run_time=0.8,
        )

    def _leave_division(self) -> None:
        """Plain division goes; a score that it moved returns."""
        if self.verdict == "blind":
            return
        self._clear_row()
        returns: list[Animation] = []
        if self.verdict == "lucky":
            j, _ = rows.unlucky(self.scores)
            number = self.table.scores[j]
            returns.append(number.count_to(float(self.scores[j]), number.source, self.cast.styles.scaled))
        self.play(FadeOut(self.divided), *map(FadeOut, self.sum), *returns, run_time=0.7)
