"""Chapter 8: what attention does at its extremes, on one picture whose scores are moved from case to case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from manim import FadeIn, FadeOut, LaggedStart, ReplacementTransform

from math_core import softmax_steps
from scenes.cases import MOST_WORDS
from scenes.chapter import beat
from scenes.handover.edge_cases import THREE, after_edge_cases, score_of, weight_of
from scenes.mobjects.motion import fly
from scenes.mobjects.number import Number
from scenes.mobjects.text import Label
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, SHARE, NumberStyle, relation
from scenes.steps.trying_cases import TryingCases
from scenes.wording import COUNTS, names_of, shortened

_TINY = NumberStyle(4, percent=True)
"""A share that is almost nothing: the tenths of the other shares would call it nothing."""
_NOTHING = NumberStyle(0, percent=True)
"""A share that is nothing, with no digit that could have been rounded away."""
_LONGEST = 12
"""Letters of a word in a conclusion."""


class EdgeCases(TryingCases):
    """Step 8: ties, winners, loners, mismatches and the future."""

    name = "edge_cases"

    def open(self) -> None:
        """Work out the tie by hand as well, and prepare the picture to end with."""
        super().open()
        self.closing = after_edge_cases(self.cast)
        self.tie = softmax_steps(self.cases.equal.masked)

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, the cases, and the exponentials of the first of them."""
        return {**super().sources(), "tie": self.tie}

    def words(self) -> Mapping[str, str]:
        """Which words these are, who is chosen, who is mismatched and hidden."""
        cases = self.cases
        names = names_of(cases.words)
        return {
            **super().words(),
            "whose": _about_words(self.cast.n, cases.is_own),
            "chosen": names[cases.chosen],
            "last": names[cases.last],
        }

    # The beats

    @beat("What could go wrong? Say every score is zero.", "{whose}", "Nobody stands out. Who gets how much?")
    def the_question(self) -> None:
        self._open_header()
        self._clear_stage()
        self._bring_values()
        self.next_cue()
        self._bring_scores()
        self.next_cue()
        self.guesses = [self._mark_of_doubt(share) for share in self.chart.shares]
        self.play(LaggedStart(*(FadeIn(guess, scale=0.6) for guess in self.guesses), lag_ratio=0.3), run_time=1.0)
        self.hold(1.2)

    @beat("Divide each score by their total? Zero by zero has no answer.")
    def dividing_fails(self) -> None:
        line = self._shares_line()
        row = line.row().place(self.layout.band.centre, self.layout.band.width)
        *self.quotient, _ = line.numbers
        *terms, sign, share = row.pieces
        self.row, self.answer = row, (sign, share)
        scores = iter([self.chart.scores_shown[0], *self.chart.scores_shown])
        arrivals = [
            FadeIn(piece, target_position=next(scores)) if isinstance(piece, Number) else FadeIn(piece)
            for piece in terms
        ]
        self.play(LaggedStart(*arrivals, lag_ratio=0.12), run_time=2.0)
        self.no_answer = Label("= ?", em=row.em, colour=self._ink).set_pen(sign.pen)
        self.play(FadeIn(self.no_answer, scale=1.4), run_time=0.5)

    @beat(
        "Softmax has an answer: exp makes a one of every zero,",
        "so all of them get the same share.",
        "The output is the plain average of their values.",
    )
    def all_equal(self) -> None:
        ones = self.tie.exponentials[0]
        places = [0, *range(self.cases.n)]
        counts = [
            number.count_to(float(ones[j]), f"tie.exponentials[0, {j}]")
            for number, j in zip(self.quotient, places, strict=True)
        ]
        self.play(*counts, FadeOut(self.no_answer), run_time=1.2)
        self.play(*map(FadeIn, self.answer), run_time=0.5)
        self.next_cue()
        self.play(*map(FadeOut, self.guesses), run_time=0.3)
        self.play(FadeIn(self.line_names[0]), self.chart.grow(), run_time=1.6)
        self.next_cue()
        self._spend("equal")
        self._conclude(Working(self.theme).sign("the plain average").row())

    @beat(
        "Now one score runs away: {chosen}'s.",
        "It takes nearly all, and the output all but copies its value.",
    )
    def one_huge(self) -> None:
        self._entitle("One score is huge")
        self._turn("huge", run_time=3.0)
        self.next_cue()
        colours, word = self.theme.colours, self.cases.words[self.cases.chosen]
        copy = Working(self.theme).symbol("bold(z)", colours.ink).sign("≈").symbol("v", colours.value, word=word)
        self._conclude(copy.row())

    @beat(
        "A sentence of one word? It has only itself to hear.",
        "Whatever its score, its share is one: its own value comes out.",
    )
    def one_word(self) -> None:
        self._entitle("One word alone")
        self._others_leave()
        self.next_cue()
        self._turn("alone", run_time=2.4)
        colours, word = self.theme.colours, self.cases.words[self.cases.chosen]
        line = Working(self.theme).symbol("A", colours.weight).sign("=").sign("[")
        line.number(float(self.cases.alone.weights[0, 0]), COUNT, weight_of("alone").format(j=0), colours.weight)
        line.sign("],", tight=True).symbol("bold(z)", colours.ink).sign("=").symbol("v", colours.value, word=word)
        self._conclude(line.row())

    @beat(
        "All are back, and {last}'s key points against the query.",
        "The longer both are, the lower its score, the smaller its share:",
        "almost nothing, never quite nothing.",
    )
    def mismatched(self) -> None:
        self._entitle("Opposite")
        self._others_return()
        self.next_cue()
        self._turn("opposite", run_time=3.2, also=self.mismatch)
        self.next_cue()
        self._conclude_share("opposite", _TINY)

    @beat(
        "Last: {last} comes later. It has the best score, but must not be seen.",
        "So its score becomes −∞ before softmax:",
        "its share is exactly zero, and the others share the whole.",
    )
    def the_future(self) -> None:
        self._entitle("Hidden: it comes later", FadeOut(self.mismatch))
        self._turn("open", run_time=1.6)
        self.next_cue()
        self._turn("hidden", run_time=2.4)
        self.next_cue()
        self._conclude_share("hidden", _NOTHING)

    @beat("A tie is flat, a winner is a spike,", "and what is hidden gets exactly zero.")
    def three_pictures(self) -> None:
        self._leave_the_plane()
        flat, spike, cut = self.closing.charts
        for chart in (flat, spike):
            chart.show(self.chart.scores).rest()
        copies = [fly(self.chart, chart) for chart in (flat, spike)]
        self.play(*copies, ReplacementTransform(self.chart, cut), run_time=0.9)
        for chart, case, title in zip((flat, spike), THREE, self.closing.titles, strict=False):
            scores = getattr(self.cases, case).masked[0]
            turn = chart.turn_to(scores, source=weight_of(case), score_source=score_of(case))
            self.play(turn, FadeIn(title), run_time=1.4)
        self.next_cue()
        self.play(FadeIn(self.closing.titles[-1]), run_time=0.6)
        self._settle(self.closing)

    # Writing

    def _mark_of_doubt(self, share: Number) -> Label:
        return Label("?", em=self.theme.type.word, colour=self._ink).set_middle(share.get_center())

    def _shares_line(self) -> Working:
        """A share as a score by the sum of all; the answer at its end is what softmax will give."""
        case = "equal"
        scores, share = self.cases.equal.masked[0], float(self.cases.equal.weights[0, 0])
        line = Working(self.theme).sign("weight =", self.theme.colours.quiet)
        line.number(scores[0], COUNT, score_of(case).format(j=0)).sign("/").sign("(")
        for j, score in enumerate(scores):
            if j:
                line.sign("+")
            line.number(score, COUNT, score_of(case).format(j=j))
        line.sign(")", tight=True).sign(relation(SHARE.is_exact(share)))
        return line.number(share, SHARE, weight_of(case).format(j=0), self.theme.colours.weight)

    def _conclude_share(self, case: str, style: NumberStyle) -> None:
        """Say in a finer style what the last word gets."""
        last = self.cases.last
        share = float(getattr(self.cases, case).weights[0, last])
        line = Working(self.theme).sign(f"weight of {shortened(self.cases.words[last], _LONGEST)}")
        line.sign(relation(style.is_exact(share)))
        self._conclude(line.number(share, style, weight_of(case).format(j=last), self.theme.colours.weight).row())


def _about_words(n: int, is_own: bool) -> str:
    """Which words the scores are made up for, where these are not simply the sentence's."""
    if not is_own:
        return "Three other words will tell more."
    return f"Its first {COUNTS[MOST_WORDS]} words will do." if n > MOST_WORDS else ""
