"""Chapter 6: softmax turns each row of scores into shares of one whole, a budget of attention."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from manim import (
    RIGHT,
    UP,
    Animation,
    AnimationGroup,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    Rectangle,
)

from math_core import softmax_steps
from scenes import rows
from scenes.chapter import beat
from scenes.handover.grids import after_budget, after_cooling
from scenes.mobjects.cells import Shade
from scenes.mobjects.motion import Light, dim, fly, light
from scenes.mobjects.softmax_table import SoftmaxTable, row_of, softmax_rows
from scenes.mobjects.text import Formula, Row
from scenes.mobjects.working import Working
from scenes.numerals import NumberStyle
from scenes.steps.dividing import Dividing
from scenes.steps.lifting import ASIDE, Lifting
from scenes.theme import DIM

_RATIO = NumberStyle(2)
_EM = 0.5
_LINE = 0.98
"""The em of the table's figures and the height of its lines, in units, where there is room for them."""


def _has_moves(budget: Budget) -> bool:
    return budget.moves is not None


class Budget(Lifting, Dividing):
    """Step 6: softmax turns each row of scores into a budget."""

    name = "budget"

    def open(self) -> None:
        """Put the cooled grid on the screen; make the table in which one of its rows is worked out."""
        super().open()
        self.opening, self.closing = after_cooling(self.cast), after_budget(self.cast)
        self._begin(self.opening)
        self._take_over()
        self.moves = rows.moves_of(self.scores)
        self.table = self._softmax_table()

    def sources(self) -> Mapping[str, Any]:
        """The cast's, what plain division gives, and the whole of the focus word's budget."""
        cast = self.cast
        return {**super().sources(), "plain": self.plain, "whole": float(cast.weights[cast.focus].sum())}

    def words(self) -> Mapping[str, str]:
        """What the row gives to speak of."""
        cast, names = self.cast, self.cast.names
        return {
            **super().words(),
            "verdict": rows.about_division(self.verdict, self.plain, names),
            "exp": rows.about_exp(self.scores, is_shifted=self._is_shifted),
            "stack": rows.about_budget(cast.weights[cast.focus], names),
            "lost": rows.about_lost(self.moves, names),
            "ahead": rows.about_ahead(),
            "blind": rows.about_blind(cast.weights, names),
        }

    @property
    def _is_shifted(self) -> bool:
        return bool(self.cast.steps.shift[self.cast.head, self.cast.focus, 0] != 0)

    # The beats

    @beat("How much attention should {focus} give to each word?", "It has scores. It needs shares of one whole.")
    def the_question(self) -> None:
        self._open_header()
        self._light_row(self.cast.focus)
        self.next_cue()
        self._state("Scores → shares of one whole?")

    @beat("Some words are hidden from others: their scores become −∞.", when=lambda budget: budget.cast.is_masked)
    def hide(self) -> None:
        self._light_row(None)
        self._hide_scores()
        self._light_row(self.cast.focus)

    @beat("We take {focus}'s row out of the grid.")
    def lift_a_row(self) -> None:
        self._clear_row()
        self._lift()

    @beat("Why not divide each score by their sum?", "{verdict}", when=lambda budget: budget.verdict != "blind")
    def divide_by_the_sum(self) -> None:
        self._add_up_scores()
        self._divide_plainly()
        self.next_cue()
        self._fail()

    @beat("{exp}")
    def exponentials(self) -> None:
        self._leave_division()
        self._write_formula()
        table = self.table
        self.play(*self._lit("exp"), FadeIn(table.heads[1]), run_time=0.5)
        self._bring_bars()
        largest = float(table.row.exponentials.max()) or 1.0
        grows = [bar.grow_to(float(e) / largest) for bar, e in zip(table.bars, table.row.exponentials, strict=True)]
        emerging = self._emerge(table.exponentials, table.scores)
        pairs = [AnimationGroup(*pair) for pair in zip(grows, emerging, strict=True)]
        self.play(LaggedStart(*pairs, lag_ratio=0.4), run_time=2.2)

    @beat("Add them up, and divide each of them by the total.")
    def divide_by_the_total(self) -> None:
        table = self.table
        self.play(*self._lit("sum"), Create(table.rule), FadeIn(table.sum_label), run_time=0.5)
        adds = [FadeOut(number.copy(), target_position=table.total) for number in table.exponentials]
        self.play(*adds, FadeIn(table.total), run_time=0.9)
        self.play(*self._lit("share"), FadeIn(table.heads[2]), run_time=0.4)
        self._shrink_to_shares()

    @beat("{stack}", "This recipe is called softmax.")
    def stack_up(self) -> None:
        table = self.table
        table.whole.track.set_stroke(self._ink, self.theme.stroke.cell)
        self.play(*self._lit(), FadeIn(table.whole.track), run_time=0.4)
        self.play(LaggedStart(*table.stack(), lag_ratio=0.5), run_time=1.8)
        self.play(FadeIn(table.whole_share), run_time=0.4)
        self.next_cue()
        self.play(*(FadeIn(self._letter(name)) for name in ("softmax", "close")), run_time=0.6)

    @beat("{lost}", "No share ever falls below zero.", when=_has_moves)
    def positive(self) -> None:
        assert self.moves is not None
        self._state("Positive: never below zero")
        self._mark_mover()
        self.play(self._move_to(self.moves.lost), run_time=2.4)
        self.next_cue()

    @beat("Level with the best of the others, it gets as much.", "{ahead}", when=_has_moves)
    def contrast(self) -> None:
        assert self.moves is not None
        self._state("Contrast: small lead, larger share")
        self.play(self._move_to(self.moves.level), run_time=1.6)
        self.next_cue()
        self.play(self._move_to(self.moves.ahead), run_time=1.2)
        self._compare_exponentials()

    @beat("As a score slides, all shares slide along, without a jump.", when=_has_moves)
    def smooth(self) -> None:
        assert self.moves is not None
        self._state("Smooth: no jumps, so it can learn")
        self.play(self._move_to(self.moves.behind), run_time=2.2)
        self.play(self.table.turn_to(self.cast.focus, softmax_steps), run_time=1.6)
        self.play(FadeOut(self.mark), *light(*self.table.scores), run_time=0.4)

    @beat(
        "These shares are {focus}'s row of a new table.",
        "Every word spends a budget of its own: one whole a row.",
        "{blind}",
        "All budgets together: the table A.",
    )
    def every_row(self) -> None:
        self._clear_row()
        self._return_grid()
        self.next_cue()
        for i in self.cast.others:
            self._spend(i)
        self.next_cue()
        self.next_cue()
        self.play(FadeOut(self.opening.grid.name), FadeIn(self.closing.grid.name), run_time=0.5)
        self._settle(self.closing)

    # The table

    def _softmax_table(self) -> SoftmaxTable:
        cast, moves = self.cast, self.moves
        later = [] if moves is None else [rows.with_score(self.scores, moves.mover, end) for end in moves.ends]
        return SoftmaxTable(
            cast.words,
            softmax_rows(cast.trace.attention, cast.steps, cast.head),
            cast.focus,
            self.layout.stage.inset(left=ASIDE + 2 * self.theme.space.gap),
            self.theme,
            cast.styles.scaled,
            cast.styles.exponentials,
            head=cast.head,
            em=_EM,
            tallest=_LINE,
            later=[row_of(scores, softmax_steps) for scores in later],
        )

    def _bring_bars(self) -> None:
        """Bars that are no shares yet: without the track that would be the whole, and without its colour."""
        for bar in self.table.bars:
            bar.track.set_fill(opacity=0.0)
            bar.fill.set_fill(self._quiet)
        self.add(*self.table.bars)

    def _shrink_to_shares(self) -> None:
        """Each bar shrinks to its share of the whole that its track now is; the percentage comes with it."""
        table, violet = self.table, ManimColor(self.theme.colours.weight)
        tracks = [bar.track.animate.set_fill(opacity=1.0) for bar in table.bars]
        self.play(*tracks, *(Shade(bar.fill, violet) for bar in table.bars), run_time=0.5)
        shrinks = [
            AnimationGroup(bar.grow_to(share.value), FadeIn(share, shift=RIGHT * 0.2))
            for bar, share in zip(table.bars, table.shares, strict=True)
        ]
        self.play(LaggedStart(*shrinks, lag_ratio=0.5), run_time=2.2)
        if hidden := [FadeIn(hatch) for hatch in table.hatches if len(hatch.points)]:
            self.play(*hidden, run_time=0.4)

    # The formula

    def _write_formula(self) -> None:
        """The formula of a weight, in the band; all of it dim."""
        ink, less = self._ink, ' - upright("max")_i' if self._is_shifted else ""
        parts = {
            "share": ("alpha_(i j)", ManimColor(self.theme.colours.weight)),
            "is": ("thick = thick", ink),
            "exp": (f"exp(s'_(i j){less})", ink),
            "over": (r"med \/ med", ink),
            "sum": (f"sum_m exp(s'_(i m){less})", ink),
        }
        formula = Formula(list(parts.values()), em=self.theme.type.formula)
        self.terms = dict(zip(parts, formula.submobjects, strict=True))
        self.row = Row([formula], em=self.theme.type.formula).place(self.layout.band.centre, self.layout.band.width)
        for part in formula.submobjects:
            part.set_fill(opacity=DIM)
        self.play(FadeIn(self.row, shift=UP * 0.1), run_time=0.5)

    def _lit(self, *names: str) -> list[Animation]:
        """Light a term of the formula and dim the others; without names, light all."""
        return [Light(part, 1.0 if not names or name in names else DIM) for name, part in self.terms.items()]

    # Properties

    def _mark_mover(self) -> None:
        """Frame the score that is going to move, and dim the others."""
        assert self.moves is not None
        table, mover = self.table, self.moves.mover
        middle = np.array([table.x_score - table.score_width / 2, table.line(mover), 0.0])
        place = Rectangle(width=table.score_width, height=table.bar_height).move_to(middle)
        self.mark = self._frame_around(place, room=self.theme.space.tight)
        self.play(Create(self.mark), *dim(*(n for j, n in enumerate(table.scores) if j != mover)), run_time=0.5)

    def _move_to(self, score: float) -> Animation:
        assert self.moves is not None
        return self.table.move_score(self.moves.mover, score, softmax_steps)

    def _compare_exponentials(self) -> None:
        """The mover's exponential over that of the best of the others: e, for it is one point ahead."""
        assert self.moves is not None
        ahead, best = (self.table.exponentials[j] for j in (self.moves.mover, self.moves.best))
        line = Working(self.theme).number(ahead.value, ahead.style, "").sign("/")
        line.number(best.value, best.style, "").sign("≈").number(ahead.value / best.value, _RATIO, "")
        for number, truth in zip(line.numbers, (ahead.truth, best.truth, lambda: math.e), strict=True):
            number.truth = truth
        self._start_row(line)
        arrivals = [fly(ahead, line.numbers[0]), fly(best, line.numbers[1]), FadeIn(line.numbers[2])]
        self.play(LaggedStart(*self._write(arrivals), lag_ratio=0.2), run_time=1.0)
