"""Sums of random products: one that grows step by step, many that spread, and five spreads pulled back to one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from manim import RIGHT, Animation, AnimationGroup, FadeIn, FadeOut, ReplacementTransform

from math_core import dot_product_spread, running_sums
from scenes.mobjects.motion import Light, become
from scenes.mobjects.number import Number
from scenes.mobjects.ridge import Ridge
from scenes.mobjects.text import Label, Row
from scenes.mobjects.walks import Walks
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle
from scenes.walkthrough import Walkthrough

WIDTHS = (1, 4, 16, 64, 256)
"""How many entries random queries and keys have, d_k."""
LARGE = WIDTHS.index(64)
"""Which of them stands for a real model."""
SAMPLES = 5000
SEED = 510
"""One of many under which the five spreads, the walks and the first scores all look as they typically do."""
WALKERS = 24

HUNDREDTHS = NumberStyle(2)
_REACH = -38.0, 67.0
"""Where the axis of the walks begins and ends: as far as they would go if all went one way, and half of it back."""


class Spreading(Walkthrough):
    """Random dot products, all from one seed: how they add up, how widely they spread, and how division mends that."""

    def open(self) -> None:
        """Gather the cast; draw the random numbers."""
        super().open()
        self.spreads = tuple(dot_product_spread(d_k, SAMPLES, SEED) for d_k in WIDTHS)
        self.cooled = tuple(spread.divided_by(spread.predicted) for spread in self.spreads)
        self.sums = running_sums(WIDTHS[LARGE], SAMPLES, SEED, first=WALKERS)

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and what is random."""
        random = {"spreads": self.spreads, "cooled": self.cooled, "sums": self.sums, "samples": SAMPLES}
        return {**super().sources(), **random}

    @property
    def many(self) -> int:
        """As many entries as a real model has."""
        return WIDTHS[LARGE]

    @property
    def root(self) -> float:
        """The root of their number."""
        return self.spreads[LARGE].predicted

    def _show_row(self, line: Working) -> None:
        """Put a whole line into the band, in place of what stands there."""
        old = [] if self.row is None else [FadeOut(self.row)]
        self.row = line.row().place(self.layout.band.centre, self.layout.band.width)
        self.play(*old, FadeIn(self.row), run_time=0.5)

    # Walks

    def _lay_out_walks(self, score: Label, leaving: Animation) -> None:
        """A score becomes the start of a walk; beside it stands how far that is, and what it has come to."""
        self.walks = walks = Walks(self.sums, self.layout.stage, self.theme, reach=_REACH)
        self.ticks, self.root_ticks = walks.ticks(0, self.many), walks.ticks(-self.root, self.root)
        self.one_way = Label("all one way", em=self.theme.type.note, colour=self._quiet)
        self.one_way.set_middle(walks.place(0.58 * self.many, 0.75 * self.many))
        self.counts = self._counts()
        self._clear_row()
        self.play(leaving, become(score, walks.tips[0]), run_time=0.9)
        self.play(FadeIn(walks.axis), FadeIn(self.ticks), *map(FadeIn, self.counts), run_time=0.6)

    def _counts(self) -> tuple[Row, Row]:
        """How many products have been added, and what they have come to: both live."""
        walks, stage, quiet = self.walks, self.layout.stage, self.theme.colours.quiet
        products = Working(self.theme).number(self.many, COUNT, "").sign("random products", quiet)
        total = Working(self.theme).sign("sum", quiet).number(self.sums[0, -1], HUNDREDTHS, "")
        rows = products.row(), total.row()
        for k, (row, read) in enumerate(zip(rows, (walks.passed_now, walks.sum_now), strict=True)):
            row.place(np.array([stage.right - row.advance / 2, stage.top - (0.5 + 1.6 * k) * row.em, 0.0]), np.inf)
            number = _number_of(row)
            number.align, number.truth = "right", partial(read, 0)
            number.add_updater(lambda n: n.set_value(n.truth()), call_updater=True)
        return rows

    def _stop_counting(self) -> None:
        """The first walk has come to its end: to a sample of the spread."""
        ends = ((self.many, f"spreads[{LARGE}].d_k"), (self.sums[0, -1], f"sums[0, {self.many}]"))
        for row, (value, source) in zip(self.counts, ends, strict=True):
            number = _number_of(row)
            number.clear_updaters()
            number.set_value(value)
            number.source, number.truth = source, None

    def _say_root(self) -> None:
        d_k = self.many, COUNT, f"spreads[{LARGE}].d_k"
        line = Working(self.theme).sign("not").number(*d_k).sign(", but", tight=True).sign("√").number(*d_k)
        self._show_row(line.sign("=").number(self.root, COUNT, f"spreads[{LARGE}].predicted"))

    # Five spreads

    def _lay_out_ridge(self) -> None:
        theme, names = self.theme, []
        for i, spread in enumerate(self.spreads):
            line = Working(theme, theme.type.note).symbol("d_k", theme.colours.ink).sign("=")
            names.append(line.number(spread.d_k, COUNT, f"spreads[{i}].d_k").row())
        zone = self.layout.stage.inset(top=theme.type.note)
        self.ridge = Ridge(self.spreads, names, zone, theme, source="spreads[{i}]", style=HUNDREDTHS)
        self.kind = Label("standard deviation", em=theme.type.note, colour=self._quiet)
        left, right = self.ridge.heads[0].get_left()[0], self.ridge.heads[1].get_right()[0]
        self.kind.set_middle(np.array([(left + right) / 2, zone.top + 0.85 * theme.type.note, 0.0]))
        for histogram in self.ridge.histograms:
            for part in (histogram.curve, histogram.marks, histogram.band):
                part.set_stroke(opacity=0.0)

    def _walks_become_a_row(self) -> None:
        """The ends of the walks move into the row of as many entries: they are the first of its samples."""
        walks, row = self.walks, self.ridge.histograms[LARGE]
        gone = (*walks.lines, walks.straight, walks.predicted, self.ticks, self.root_ticks, self.one_way, *self.counts)
        self._clear_row()
        self.play(*map(FadeOut, gone), run_time=0.5)
        right = row.axis.width / (2 * self.ridge.span)
        places = (row.axis.get_center() + RIGHT * right * end for end in self.sums[:, -1])
        self.play(
            *(tip.animate.move_to(place) for tip, place in zip(walks.tips, places, strict=True)),
            ReplacementTransform(walks.axis, row.axis),
            FadeIn(self.ridge.names[LARGE]),
            run_time=1.0,
        )
        self._show_row(Working(self.theme).number(SAMPLES, COUNT, "samples").sign("random dot products in each row"))
        heads = (self.kind, self.ridge.heads[0], self.ridge.lines, self.ridge.ticks)
        self.play(*map(FadeOut, walks.tips), *map(FadeIn, heads), self._row_arrives(LARGE), run_time=1.1)
        self.remove(*walks.get_family())

    def _row_arrives(self, i: int) -> Animation:
        """The samples of a row pile up, and their standard deviation is measured."""
        row, (measured, _) = self.ridge.histograms[i], self.ridge.numbers[i]
        return AnimationGroup(row.arrive(), FadeIn(self.ridge.names[i]), FadeIn(measured, target_position=row))

    def _predictions(self) -> list[Animation]:
        """The curve that is predicted for each row, and how widely it spreads."""
        moves: list[Animation] = [FadeIn(self.ridge.heads[1])]
        for row, (_, predicted) in zip(self.ridge.histograms, self.ridge.numbers, strict=True):
            moves += [Light(part, 1.0) for part in (row.curve, row.marks, row.band)]
            moves.append(FadeIn(predicted, target_position=row))
        return moves

    def _divide_spreads(self) -> None:
        """Divide every sample of every row by its root of d_k; then look closer."""
        roots = [spread.predicted for spread in self.spreads]
        self.play(self.ridge.divide_by(roots, source="cooled[{i}]"), run_time=self.theme.time.sweep)
        self.hold()
        self.play(self.ridge.close_in(), run_time=self.theme.time.slow)

    def _leave_ridge(self, come: Iterable[Animation]) -> None:
        """All goes but the row of a real model's width, out of which something may ``come``; then that goes too."""
        ridge, row = self.ridge, self.ridge.histograms[LARGE]
        others = [ridge.row(i) for i in range(len(WIDTHS)) if i != LARGE]
        names = (*ridge.heads, self.kind, *ridge.numbers[LARGE], ridge.names[LARGE])
        self.play(*map(FadeOut, (*others, *names, ridge.lines, ridge.ticks)), *come, run_time=1.0)
        self.play(FadeOut(row), run_time=0.5)
        self.remove(*ridge.get_family())


def _number_of(row: Row) -> Number:
    (number,) = (piece for piece in row.pieces if isinstance(piece, Number))
    return number
