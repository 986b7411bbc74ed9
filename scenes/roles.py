"""Chapter 2: a word asks, is found, and hands something over. One arrow cannot do it all, so three are made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import DOWN, UP, FadeIn, LaggedStart
from numpy.typing import NDArray

from scenes import paper, wording
from scenes.chapter import beat
from scenes.mobjects.motion import Light, dim, light
from scenes.mobjects.working import Working
from scenes.numerals import COUNT
from scenes.steps.splitting import Splitting
from scenes.theme import DIM
from scenes.workings.fact import fact


class Roles(Splitting):
    """Step 2: one arrow, three jobs."""

    name = "roles"

    def words(self) -> Mapping[str, str]:
        """What is closest to the focus word."""
        cast = self.cast
        return {
            **super().words(),
            "closest": about_closest(self.angles, cast.focus, cast.names),
            "many": COUNT.text(paper.D_MODEL),
            "few": COUNT.text(paper.D_K),
        }

    # The beats

    @beat("{focus} has to ask the others, and has to be found by them.", "Can one arrow do both?")
    def two_jobs(self) -> None:
        self._open_header()
        self.play(*self._only_focus(), run_time=0.6)
        self.next_cue()
        self._state("To ask and to be found: one arrow?")

    @beat("Let it ask with its own arrow. Who is closest to it?", "{closest}", when=lambda chapter: chapter.has_angle)
    def one_arrow_finds_itself(self) -> None:
        self._clear_row()
        self._make_room_for_angles()
        self._ask_everybody()
        self.next_cue()
        tokens = self.opening.tokens.tokens
        closest = closest_of(self.angles)
        shown = [(token, i in closest) for i, token in enumerate(tokens)]
        shown += [(degrees, i in closest) for i, degrees in self.measured.items()]
        self.play(*(Light(part, 1.0 if lit else DIM) for part, lit in shown), run_time=0.5)
        if closest == [self.cast.focus]:
            self._state("One arrow would only find itself")
        self.hold(0.8)

    @beat("So each word gets three arrows, made by three matrices.", "The first one makes the query.")
    def a_matrix_arrives(self) -> None:
        self._clear_row()
        self._leave_the_others()
        self._zoom()
        self._set_up_work()
        self.next_cue()
        W = self.work.W
        self.play(FadeIn(W, shift=DOWN * 0.3), FadeIn(W.name, shift=DOWN * 0.3), run_time=0.6)
        self.play(FadeIn(self.work.q_frame), FadeIn(self.work.q_name), run_time=0.5)

    @beat("Row meets column: multiply entry by entry, and add.")
    def row_meets_column(self) -> None:
        work, cast = self.work, self.cast
        word, colour = cast.words[cast.focus], self.theme.colours.query
        self._multiply(work.x, 0, work.W, work.q.numbers[0], "q", colour, word)

    @beat("This is another arrow: what {focus} is looking for.")
    def the_query(self) -> None:
        self._clear_row()
        self._turn(0)
        self._file_away(self.cards[0])

    @beat("A second matrix makes the key: what {focus} offers.")
    def the_key(self) -> None:
        self._play_card(1)

    @beat("A third one makes the value: what {focus} hands over.")
    def the_value(self) -> None:
        self._play_card(2)
        self.play(*light(*self.cards, *self.arrows, *self.names), run_time=0.5)

    @beat("So it can ask with one arrow, and be found by another.")
    def why_three(self) -> None:
        for k in (0, 1):
            self.play(*self._only_role(k), run_time=0.5)
            self.hold(0.7)
        self.play(*self._only_role(0, 1, 2), run_time=0.5)

    @beat("Only the matrices are learned.", "In a real model each squeezes {many} numbers into {few}.")
    def what_is_learned(self) -> None:
        parts = [part for card in self.cards for part in (card.bar, card.line, card.question)]
        self.play(*dim(*parts, *self.arrows, *self.names), run_time=0.5)
        self.next_cue()
        self._start_row(line := self._sizes())
        said = [*self._write(list(map(FadeIn, line.numbers))), *map(FadeIn, self._unwritten)]
        self.play(LaggedStart(*said, lag_ratio=0.5), run_time=2.0)
        self.hold(0.6)

    @beat("Nobody assigned these jobs: they are our reading of what training finds.")
    def our_reading(self) -> None:
        lit = light(*(card.question for card in self.cards), *(card.bar for card in self.cards))
        self.play(*lit, *dim(*(card.matrix for card in self.cards)), run_time=0.5)
        self._state("The jobs are our reading")
        self.hold(0.6)

    @beat("Every word does the same: all queries, all keys, all values.")
    def every_word(self) -> None:
        closing = self.closing
        self._clear_row()
        self._leave_cards()
        others = self.cast.others
        for i in others:
            self._split(i, min(1.2, 2.6 / len(others)))
        names = (FadeIn(table.name, shift=UP * 0.1) for table in (closing.Q, closing.K, closing.V))
        tokens = self._only_word(closing.tokens.tokens, None)
        self.play(*names, *tokens, *map(FadeIn, (*closing.arrows, *closing.labels)), run_time=0.7)
        self._settle(closing)

    def _sizes(self) -> Working:
        """W_Q is d_model × d_k = 2 × 2 here, 512 × 64 in a real model."""
        colours, trace = self.theme.colours, self.trace
        line = Working(self.theme).symbol("W_Q", colours.query).sign("is")
        line.symbol('d_"model"', colours.ink).sign("×").symbol("d_k", colours.ink).sign("=")
        line.number(trace.d_model, COUNT, "d_model").sign("×").number(trace.d_k, COUNT, "d_k").sign("here,")
        fact(fact(line, paper.D_MODEL).sign("×"), paper.D_K).sign("in a real model")
        return line


def closest_of(angles: NDArray[np.float64]) -> list[int]:
    """The positions of the smallest angle: more than one where they tie, up to rounding."""
    return wording.best_of(np.where(np.isfinite(angles), -angles, -np.inf))


def about_closest(angles: NDArray[np.float64], focus: int, names: Sequence[str]) -> str:
    """Whom a word would find that asks with the arrow by which it is found itself."""
    if not np.isfinite(angles[focus]):
        return ""
    others = [i for i in closest_of(angles) if i != focus]
    if not others:
        return "Its own arrow, of course. It would only find itself."
    return f"Its own arrow, of course, and what points the same way: {wording.listed(names, others)}."
