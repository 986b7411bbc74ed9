"""Step 5: why scores are divided by the root of d_k, what that does to softmax, and then the division itself."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import Animation, Create, FadeIn, FadeOut, LaggedStart, VGroup

from math_core import Trace
from scenes import wording
from scenes.chapter import beat
from scenes.handover.grids import after_cooling, after_scores
from scenes.mobjects.cells import Shade, shade
from scenes.mobjects.motion import dim, fly
from scenes.mobjects.number import Number
from scenes.mobjects.text import Label
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, relation
from scenes.steps.softening import KEYS, NUDGE, Softening
from scenes.steps.spreading import LARGE, SAMPLES, WALKERS, WIDTHS
from scenes.workings.division import division


class Cooling(Softening):
    """From raw scores to scaled ones. All but the sentence's own scores is random, and said to be."""

    name = "cooling"

    def open(self) -> None:
        """Begin with the grid of raw scores."""
        super().open()
        self.opening, self.closing = after_scores(self.cast), after_cooling(self.cast)
        self._begin(self.opening)

    def words(self) -> Mapping[str, str]:
        """The numbers that captions are filled with."""
        return {
            **super().words(),
            "length": about_length(self.trace.d_k, self.many),
            "many": COUNT.text(self.many),
            "root": COUNT.text(self.root),
            "samples": COUNT.text(SAMPLES),
            "keys": wording.COUNTS[KEYS].capitalize(),
            "division": about_division(self.trace, self.by_root),
            "cooled": wording.about_cooled(self.trace),
        }

    # The beats

    @beat("{length}", "Each score then adds {many} products. Is it {many} times as large as one?")
    def the_question(self) -> None:
        self._open_header()
        line = Working(self.theme).symbol("d_k", self.theme.colours.ink).sign("=").number(self.trace.d_k, COUNT, "d_k")
        (entries,) = line.numbers
        entries.align = "left"
        self._start_row(line)
        self.play(*self._write([FadeIn(entries)]), run_time=0.5)
        self.next_cue()
        scores = [number for row in self.opening.grid.numbers for number in row]
        self.asked = VGroup(*map(_question_mark, scores))
        self.play(*map(FadeOut, scores), run_time=0.3)
        self.play(FadeIn(self.asked), run_time=0.3)
        self.play(entries.count_to(self.many, f"spreads[{LARGE}].d_k"))

    @beat("Add {many} random products: each pushes the sum right or left.")
    def one_sum(self) -> None:
        self._lay_out_walks(self.asked[0], self._grid_away())
        self.play(self.walks.fall([0]), run_time=2.4)
        self._stop_counting()

    @beat(
        "All one way, they would reach {many}. But they partly cancel:",
        "such a sum typically ends near the root of {many}, which is {root}.",
    )
    def many_sums(self) -> None:
        walks = self.walks
        self.play(Create(walks.straight), FadeIn(self.one_way), run_time=1.0)
        self.play(walks.fall(range(1, WALKERS)), run_time=2.0)
        self.next_cue()
        self.play(*dim(*walks.lines), run_time=0.4)
        self.play(*map(Create, walks.predicted), FadeIn(self.root_ticks), run_time=1.0)
        self._say_root()

    @beat(
        "{samples} random dot products in each row: more entries, wider scores.",
        "They spread by the root of that number, as predicted.",
    )
    def five_spreads(self) -> None:
        self._lay_out_ridge()
        self._walks_become_a_row()
        rows = [i for i in range(len(WIDTHS)) if i != LARGE]
        self.play(LaggedStart(*map(self._row_arrives, rows), lag_ratio=0.4), run_time=2.0)
        self.next_cue()
        self.play(*self._predictions(), run_time=0.8)

    @beat("Divide each row by that root, and every spread is 1 again.")
    def pulled_back(self) -> None:
        colours = self.theme.colours
        line = Working(self.theme).symbol("q", colours.query).sign("·").symbol("k", colours.key)
        self._show_row(line.sign("/").symbol("sqrt(d_k)", colours.ink))
        self._divide_spreads()

    @beat(
        "Why care? {keys} random scores, {many} products each, meet softmax.",
        "Undivided, one of them takes nearly all the weight.",
    )
    def peaked(self) -> None:
        self._scores_meet_softmax()
        self.next_cue()
        self.play(self.chart.grow(), run_time=1.0)

    @beat(
        "The same scores, divided by {root}: now all of them count.",
        "Softmax gets softer. A temperature dial would call that hotter.",
    )
    def softer(self) -> None:
        self._divide_a_copy()
        self.next_cue()
        self._state("Cooler scores, softer softmax")

    @beat(
        "Training nudges scores. Undivided, the weights hardly answer.",
        "All slopes at once: nearly flat at the left. Gradients starve there.",
    )
    def slopes(self) -> None:
        self._show_row(Working(self.theme).sign("nudge each score by").number(NUDGE, COUNT, "nudge"))
        for j in range(KEYS):
            self._nudge(j)
        self.next_cue()
        self._show_slopes()

    @beat("{division}")
    def divide_one(self) -> None:
        self._leave_softmax()
        self._grid_returns()
        self._divide_by_hand()

    @beat("{cooled}")
    def the_grid_cools(self) -> None:
        grid, colder = self.grid, self.closing.grid
        self.play(*grid.light_all(), run_time=0.4)
        if self.trace.attention.divisor != 1:
            source = f"attention.scaled[{self.cast.head}, {{i}}, {{j}}]"
            self.play(grid.count_to(self.cast.scaled, colder.style, source), run_time=self.theme.time.sweep)
        self._clear_row()
        self.play(FadeOut(grid.name), FadeIn(colder.name), run_time=0.5)
        # What has been counted and what is handed over look the same: nothing is seen of the change.
        self.remove(*grid.get_family())
        self.add(colder)
        self._settle(self.closing)

    # The sentence's own scores

    def _grid_away(self) -> Animation:
        """The words go, and then the grid, of whose scores one stays behind, to its letters in the header."""
        opening, (kept, *others) = self.opening, self.asked
        names = (*opening.tokens, *opening.heads, *opening.sides, opening.grid.name)
        self.play(*map(FadeOut, (*names, *others)), run_time=0.3)
        self.add(opening.grid.frame, kept)
        return FadeOut(opening.grid.frame, target_position=self._letters(), scale=0.15)

    def _grid_returns(self) -> None:
        """The grid comes back out of its letters, and then its words, and the scores that it had."""
        closing, self.grid = self.closing, self.opening.grid
        numbers = [number for row in self.grid.numbers for number in row]
        self.play(FadeIn(self.grid.frame, target_position=self._letters(), scale=0.15), run_time=0.8)
        back = (*closing.tokens, *closing.heads, *closing.sides, *numbers, self.grid.name)
        self.play(*map(FadeIn, back), run_time=0.3)

    def _letters(self) -> VGroup:
        return VGroup(*self.opening.letters.values())

    def _divide_by_hand(self) -> None:
        """The focus word's largest score, divided in the band, and what it comes to put into its cell."""
        cast, grid, colder = self.cast, self.grid, self.closing.grid
        i = cast.focus
        j = int(np.argmax(np.abs(cast.scores[i])))
        cell = grid.numbers[i][j]
        line = division(self.theme, self.trace, cell, (cast.head, i, j), colder.style, by_root=self.by_root)
        score, *others, quotient = line.numbers
        self._start_row(line)
        self.play(*grid.light([(i, j)]), FadeIn(self.formula.letters["divide"]), run_time=0.4)
        self.play(*self._write([fly(cell, score)]), run_time=0.7)
        arrivals = [*map(FadeIn, others), *self._emerge([quotient], [others[-1]])]
        self.play(LaggedStart(*self._write(arrivals), lag_ratio=0.25), run_time=1.6)
        self.play(
            Shade(grid.cells[i][j], shade(quotient.value, colder.scale_of_shades, self.theme)),
            cell.count_to(quotient.value, quotient.source, colder.style),
            FadeOut(quotient.copy(), target_position=cell),
            run_time=0.9,
        )


def _question_mark(number: Number) -> Label:
    """What stands in a cell whose score is open."""
    return Label("?", em=number.em, colour=number.get_fill_color()).set_middle(number.get_center())


# Sentences


def about_length(d_k: int, many: int) -> str:
    """How long the story's queries and keys are, beside those of a real model."""
    if d_k == many:
        return f"Here every list has {many} entries, as in a real model."
    entries = "one entry" if d_k == 1 else f"{d_k} entries"
    return f"Here every list has {entries}. In a real model it has {many}."


def about_division(trace: Trace, by_root: bool) -> str:
    """What the sentence's scores are divided by."""
    divisor = trace.attention.divisor
    written = wording.divisor_style(divisor)
    if not by_root:
        return f"Now the sentence. Its story divides scores by {written.text(divisor)}."
    sign = relation(written.is_exact(divisor))
    return f"Now the sentence: every score divided by √{trace.d_k} {sign} {written.text(divisor)}."
