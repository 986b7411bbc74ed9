"""One picture on which edge cases are tried: scores, the shares that they become, and the blend that these make.

The scores are moved; everything else follows from them in every frame.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from manim import (
    UP,
    Animation,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    Mobject,
    ReplacementTransform,
    VGroup,
    VMobject,
)
from numpy.typing import NDArray

from scenes.cases import CASES, LONG, blend, mismatch, taken
from scenes.handover.blending import after_blending
from scenes.handover.edge_cases import case_chart, cases_of, score_of, weight_of
from scenes.layout import Zone
from scenes.mobjects.arrow_plane import ArrowPlane
from scenes.mobjects.blend_arrows import BlendArrows
from scenes.mobjects.live_vector import LiveVector
from scenes.mobjects.motion import become
from scenes.mobjects.opposite_arrows import OppositeArrows
from scenes.mobjects.softmax_chart import SoftmaxChart
from scenes.mobjects.text import Label, Row, fitted_label
from scenes.mobjects.tips import place, symbol_tips
from scenes.mobjects.working import Working
from scenes.numerals import NumberStyle
from scenes.walkthrough import Walkthrough

Array = NDArray[np.float64]

_TITLE = 0.85
"""Height of the strip above the chart in which the case is named, in units."""
_SHORT = 1.0
"""The length of two opposite arrows before they grow."""


class TryingCases(Walkthrough):
    """The plane that is handed over, with the values on it; beside it a chart, and above that the name of a case."""

    def open(self) -> None:
        """Gather the cases, and lay the chart at the right of the plane that is handed over."""
        super().open()
        cast = self.cast
        self.opening = after_blending(cast)
        self._begin(self.opening)
        self.cases = cases = cases_of(cast)
        self.heading: Label | None = None
        self.output_name: Row | None = None
        self.heard = list(range(cases.n))
        self._set_out()
        own = cases.is_own
        self.plane = self.opening.plane if own else ArrowPlane(cast.plane_zone, cases.values, self.theme)
        self.arrows = BlendArrows(self.plane, self._points(cases.values), self.theme, self.opening.new if own else None)
        self.value_names = self._value_names()
        self.output = self._output_readout()

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and the cases."""
        return {**super().sources(), "cases": self.cases}

    # Setting out

    def _set_out(self) -> None:
        """The chart fills the right of the stage below the title; before its lines stands what they are."""
        theme, side = self.theme, self.cast.side_zone
        self.line_names = [Label(text, em=theme.type.note, colour=self._quiet) for text in ("weight", "score")]
        taken = max(label.advance for label in self.line_names) + theme.space.gap
        self.title_zone = Zone(side.left + taken, side.right, side.top - _TITLE, side.top)
        self.chart_zone = side.inset(left=taken, top=_TITLE)
        self.chart = case_chart(self.cases, "equal", self.chart_zone, theme)
        lines = (self.chart.shares[0], self.chart.scores_shown[0])
        for label, number in zip(self.line_names, lines, strict=True):
            label.set_pen(np.array([side.left + taken - theme.space.gap - label.advance, number.pen[1], 0.0]))
        self.mismatch = OppositeArrows(
            self.title_zone.inset(left=2.6, right=0.2), LONG, self.cases.words[self.cases.last], theme
        )

    def _value_names(self) -> list[Row]:
        """The values' names, clear of everywhere that the output will come to rest."""
        cases, plane, colours = self.cases, self.plane, self.theme.colours
        outputs = self._points(np.concatenate([getattr(cases, case).output for case in CASES]))
        rests = [plane.arrow(point, ManimColor(colours.ink)) for point in outputs]
        return symbol_tips("v", colours.value, cases.words, self.arrows.wholes, plane, self.theme, rests)

    def _output_readout(self) -> LiveVector:
        cases, plane, band = self.cases, self.cast.plane_zone, self.layout.band
        outputs = np.concatenate([getattr(cases, case).output for case in CASES])
        style = self.cast.styles.outputs if cases.is_own else NumberStyle(2)
        readout = LiveVector("bold(z)", self.theme.colours.ink, outputs, style, self.theme)
        return readout.place(np.array([plane.centre[0], band.centre[1], 0.0]), plane.width)

    def _points(self, vectors: Array) -> Array:
        """Where values and outputs of the cases are drawn."""
        return self.cast.points("content", vectors) if self.cases.is_own else vectors

    # Coming in

    def _clear_stage(self) -> None:
        """Only the plane stays, with the output at nothing, and the words that the cases are about."""
        opening, own = self.opening, self.cases.is_own
        tables = [part for table in (opening.X, opening.Z) for part in (table, table.name)]
        gone: list[Mobject] = [*tables, opening.old, *opening.labels]
        if own:
            gone += opening.tokens.tokens[self.cases.n :]
            self.play(*map(FadeOut, gone), opening.new.swing_to(self.plane.origin), run_time=0.9)
        else:
            gone += [opening.plane, *opening.note, opening.new, *opening.tokens.tokens]
            self.play(*map(FadeOut, gone), FadeIn(self.plane), run_time=0.9)

    def _bring_values(self) -> None:
        """The values' arrows grow out of the origin."""
        ends = [whole.tip for whole in self.arrows.wholes]
        swings = [
            whole.point_to(self.plane.origin).swing_to(end) for whole, end in zip(self.arrows.wholes, ends, strict=True)
        ]
        self.add(*self.arrows.wholes)
        self.bring_to_front(self.arrows.total)
        self.play(*swings, run_time=0.9)
        self.play(*map(FadeIn, self.value_names), run_time=0.5)

    def _bring_scores(self) -> None:
        """The words go below the bars' empty tracks, and each gets its score."""
        chart = self.chart
        tokens = self.opening.tokens.tokens
        names = map(become, tokens, chart.names) if self.cases.is_own else map(FadeIn, chart.names)
        self._entitle("Every score is zero", *names, *map(FadeIn, (*chart.tracks, chart.floor)))
        scores = [FadeIn(score, shift=0.15 * UP) for score in chart.scores_shown]
        self.play(FadeIn(self.line_names[1]), LaggedStart(*scores, lag_ratio=0.3), run_time=0.9)

    # From case to case

    def _turn(self, case: str, run_time: float, also: OppositeArrows | None = None) -> None:
        """Move the scores to those of a case; shares, arrows and output follow in every frame."""
        scores = getattr(self.cases, case).masked[0]
        turn = self.chart.turn_to(scores, source=weight_of(case), score_source=score_of(case))
        self._forget_name()
        self.output.follow(lambda: self._output_now)
        parts = [self.arrows.parts[j] for j in self.heard]
        moved = VGroup(*parts, self.arrows.total, self.output, *([] if also is None else [also]))
        self.play(turn, _Follow(moved, self._show_blend if also is None else self._show_mismatch), run_time=run_time)
        self._arrive_at(case)

    def _show_blend(self) -> None:
        """Arrows and output as the scores that the chart stands for now would have them."""
        cases = self.cases
        values = cases.values[self.heard]
        now = blend(self.chart.scores, values)
        parts = np.zeros_like(cases.values)
        parts[self.heard] = taken(now, values)
        self.arrows.show(self._points(parts))
        self.output.show(now.output[0])

    def _show_mismatch(self) -> None:
        """The same, and two arrows as long as it takes for their score to be what the chart stands for now."""
        self._show_blend()
        self.mismatch.show(math.sqrt(-self.chart.scores[self.cases.last] * self.cases.opposite.divisor))

    @property
    def _output_now(self) -> Array:
        return np.asarray(blend(self.chart.scores, self.cases.values[self.heard]).output[0])

    def _arrive_at(self, case: str) -> None:
        """The output stands still: it is that of a case, and gets its name."""
        self.output.rest(f"cases.{case}.output[0, {{c}}]")
        name = Working(self.theme, self.theme.type.note).symbol("bold(z)", self.theme.colours.ink).row()
        names = [self.value_names[j] for j in self.heard]
        place([name], [self.arrows.total], self.plane, [*names, *(self.arrows.wholes[j] for j in self.heard)])
        self.output_name = name
        self.play(FadeIn(name), run_time=0.3)

    def _forget_name(self) -> None:
        if self.output_name is not None:
            self.play(FadeOut(self.output_name), run_time=0.2)
            self.output_name = None

    def _spend(self, case: str) -> None:
        """Of every value its share is taken, and the sum of that is the output."""
        record = getattr(self.cases, case)
        parts = self._points(taken(record, self.cases.values))
        plane = self.plane
        self.add(*self.arrows.parts)
        self.bring_to_front(self.arrows.total)
        swings = [arrow.swing_to(plane.point(part)) for arrow, part in zip(self.arrows.parts, parts, strict=True)]
        self.play(*swings, run_time=1.0)
        self.output.show(record.output[0]).rest(f"cases.{case}.output[0, {{c}}]")
        self._clear_row()
        self.play(self.arrows.total.swing_to(plane.point(parts.sum(axis=0))), FadeIn(self.output), run_time=1.0)
        self._arrive_at(case)

    def _others_leave(self) -> None:
        """All but the chosen word go, with their bars and values."""
        old, j = self.chart, self.cases.chosen
        alone = case_chart(self.cases, "alone", self.chart_zone, self.theme)
        alone.show(old.scores[[j]]).rest()
        others = [k for k in self.heard if k != j]
        leaving = [part for k in others for part in (*_column(old, k), *self._of_value(k))]
        stays = [become(part, new) for part, new in zip(_column(old, j), _column(alone, 0), strict=True)]
        self._take_apart(old)
        self.heard, self.chart = [j], alone
        self.output.follow(lambda: self._output_now)
        self._show_blend()
        self.play(*map(FadeOut, leaving), run_time=0.5)
        self.play(*stays, ReplacementTransform(old.floor, alone.floor), run_time=0.8)
        self._put_together(old, alone)

    def _others_return(self) -> None:
        """All are back; the last word's key and the query are opposite, and short as yet."""
        cases, alone, j = self.cases, self.chart, self.cases.chosen
        start = mismatch(_SHORT, cases.values)
        chart = case_chart(cases, "opposite", self.chart_zone, self.theme)
        chart.show(start.masked[0]).rest()
        self.heard = list(range(cases.n))
        others = [k for k in self.heard if k != j]
        (track, fill, share, score, name), now = _column(alone, 0), _column(chart, j)
        stays = [become(old, new) for old, new in zip((track, score, name), (now[0], *now[3:]), strict=True)]
        comes = [part for k in others for part in (chart.tracks[k], chart.scores_shown[k], chart.names[k])]
        self.mismatch.show(_SHORT)
        self._take_apart(alone)
        self._forget_name()
        self.play(*stays, ReplacementTransform(alone.floor, chart.floor), *map(FadeOut, (fill, share)), run_time=0.8)
        comes += [part for k in others for part in self._of_value(k)[:2]]
        self.play(*map(FadeIn, (*comes, self.mismatch)), run_time=0.5)
        self._put_together(alone, None)
        self.chart = chart
        parts = self._points(taken(start, cases.values))
        self.add(*self.arrows.parts)
        self.bring_to_front(self.arrows.total)
        swings = [arrow.swing_to(self.plane.point(part)) for arrow, part in zip(self.arrows.parts, parts, strict=True)]
        total = self.arrows.total.swing_to(self.plane.point(parts.sum(axis=0)))
        self.play(chart.grow(), *swings, total, self.output.count_to(start.output[0], ""), run_time=1.4)
        self.output.follow(lambda: self._output_now).show(start.output[0])

    def _of_value(self, j: int) -> tuple[VMobject, VMobject, VMobject]:
        """What is on the plane of one value: its name, its arrow, and what is taken of it."""
        return self.value_names[j], self.arrows.wholes[j], self.arrows.parts[j]

    def _take_apart(self, chart: SoftmaxChart) -> None:
        """Let the parts of a chart stand on the stage by themselves, to go their own ways."""
        self.remove(chart)
        self.add(chart.floor, *(part for j in range(chart.n) for part in _column(chart, j)))

    def _put_together(self, old: SoftmaxChart, new: SoftmaxChart | None) -> None:
        """What parts of ``old`` became is ``new`` from here on, where that is whole already."""
        self.remove(*old.get_family())
        if new is not None:
            self.add(new)

    # Saying

    def _entitle(self, text: str, *along: Animation) -> None:
        """Name the case above the chart; what was said of the one before goes."""
        zone, kind = self.title_zone, self.theme.type
        title = fitted_label(
            text, zone.width, em=kind.statement, colour=self._ink, semibold=True, smallest=kind.readable
        )
        title.set_pen(np.array([zone.left, zone.centre[1] - 0.33 * title.em, 0.0]))
        old = [FadeOut(mobject) for mobject in (self.heading, self.row) if mobject is not None]
        self.heading, self.row = title, None
        self.play(*old, FadeIn(title, shift=0.1 * UP), *along, run_time=0.6)

    def _conclude(self, row: Row) -> None:
        """Say below the chart what has come out."""
        zone, band = self.chart_zone, self.layout.band
        self.row = row.place(np.array([zone.centre[0], band.centre[1], 0.0]), zone.width)
        self.play(FadeIn(row, shift=0.1 * UP), run_time=0.5)

    def _leave_the_plane(self) -> None:
        gone = [self.plane, *self.value_names, *self.arrows, self.output, *self.line_names]
        gone += self.opening.note if self.cases.is_own else ()
        gone += [mobject for mobject in (self.heading, self.row, self.output_name) if mobject is not None]
        self.heading = self.row = self.output_name = None
        self.play(*map(FadeOut, gone), run_time=0.7)


class _Follow(Animation):
    """Runs behind another animation of the same play and shows, in every frame, what follows from it."""

    def __init__(self, mobject: Mobject, show: Callable[[], None], **timing: Any) -> None:
        self._show = show
        super().__init__(mobject, **timing)

    def interpolate_mobject(self, alpha: float) -> None:
        self._show()

    def finish(self) -> None:
        super().finish()
        self._show()


def _column(chart: SoftmaxChart, j: int) -> tuple[VMobject, ...]:
    """What belongs to one word: its track, its fill, its share, its score and its name."""
    return chart.tracks[j], chart.fills[j], chart.shares[j], chart.scores_shown[j], chart.names[j]
