"""Chapter 4 of the walkthrough: every query meets every key, and the grid of scores fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from manim import (
    LEFT,
    RIGHT,
    UP,
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    GrowFromEdge,
    LaggedStart,
    ManimColor,
    Mobject,
    ReplacementTransform,
    RoundedRectangle,
    VGroup,
)
from numpy.typing import NDArray

from scenes.chapter import beat
from scenes.crowd import SIZES
from scenes.handover.grids import after_scores
from scenes.mobjects.messenger import Run
from scenes.mobjects.motion import Light, become, fly, light
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import Swatch, slots
from scenes.mobjects.pair_lines import PairLines
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle
from scenes.steps.growing import Growing
from scenes.steps.meeting import Meeting
from scenes.steps.turning import Turning
from scenes.theme import DIM
from scenes.walkthrough import Walkthrough
from scenes.wording import COUNTS, best_of, listed
from scenes.workings.dot_product import dot_product, factors

_BY_HAND = 2
"""How many scores are worked out with all their products."""


def _has_others(chapter: Walkthrough) -> bool:
    """Whether a word has others to ask."""
    return chapter.cast.n > 1


class Scores(Turning, Growing, Meeting):
    """Step 4: every query meets every key."""

    name = "scores"

    def open(self) -> None:
        """Begin with Q beside K."""
        super().open()
        self.closing = after_scores(self.cast)
        self.rings: list[RoundedRectangle] = []
        self._begin(self.opening)

    def sources(self) -> Mapping[str, Any]:
        """What the walkthrough's numbers come from, and how many pairs there are."""
        return {**super().sources(), "pairs": self.cast.n**2}

    def words(self) -> Mapping[str, str]:
        """Counts, the first words to meet, and what the grid says."""
        cast, names = self.cast, self.cast.names
        return {
            **super().words(),
            "question": question(cast.n),
            "everyone": everyone(cast.n),
            "left_over": left_over(cast.n),
            "asked": names[0],
            "next": about_next(names, cast.focus),
            "rest": about_rest(cast.n),
            "spent": about_spent(cast.trace.d_k, cast.n),
            "signs": about_signs(cast.scores),
            "small": about_size(cast.n),
            "best": about_best(cast.scores, names, cast.styles.scores),
            **{f"crowd_{size}": about_crowd(size) for size in SIZES},
            "n": COUNT.text(cast.n),
            "pairs": COUNT.text(cast.n**2),
        }

    # The beats

    @beat("{question}")
    def the_question(self) -> None:
        self._open_header()
        self._state("How many pairs?")

    @beat("One pair at a time is slow. Who is left out?", "{everyone}")
    def one_by_one(self) -> None:
        self.lines = self._pair_lines()
        self.add(self.lines)
        line = Working(self.theme).sign("Pairs:", self.theme.colours.quiet).number(0, COUNT, "")
        count = self._follow_lines(line.numbers[0])
        self._start_row(line)
        self.play(*self._write([FadeIn(count)]), self.lines.draw_to(1), run_time=0.7)
        for k in range(2, min(3, self.cast.n**2) + 1):
            self.play(self.lines.draw_to(k), run_time=0.7)
        self.next_cue()
        self.play(self.lines.draw_to(self.cast.n**2), run_time=0.5 + 0.15 * self.cast.n)
        self._count_all(count)

    @beat("Side by side, a row faces only its neighbour.", "{left_over}", when=_has_others)
    def side_by_side(self) -> None:
        n, quiet = self.cast.n, self.theme.colours.quiet
        facing = [self.lines.line(i, i) for i in range(n)]
        others = [line for line in self.lines if line not in facing]
        self.play(*(line.animate.set_stroke(width=self.theme.stroke.arrow) for line in facing), run_time=0.5)
        self.next_cue()
        line = Working(self.theme).number(n, COUNT, "shape(queries)[-2]").sign("of", quiet)
        line.number(n**2, COUNT, "pairs").sign("pairs", quiet)
        self._start_row(line)
        arrivals = [FadeIn(number) for number in line.numbers]
        self.play(*(Light(line, 0.0) for line in others), *self._write_all(arrivals), run_time=1.0)

    @beat("So flip K over its diagonal.", "Each key stands up as a column, its word on top.")
    def flip(self) -> None:
        self._clear_row()
        self.play(FadeOut(self.lines), run_time=0.4)
        self._make_room()
        self._set_out_columns()
        beside, axis = self._words_beside_keys(), self._diagonal()
        self.play(*map(FadeIn, (axis, *beside)), run_time=0.5)
        self.hold(0.3)
        self._turn_keys(axis, beside)
        self.next_cue()
        letters = [FadeIn(self._letter(x), target_position=self.KT_name) for x in "KT"]
        heads = [] if beside else list(map(fly, self.tokens.tokens, self.heads))
        self.play(*letters, *heads, run_time=0.8)

    @beat("Now every row crosses every column: one place for each pair.")
    def crossing(self) -> None:
        self._raise_keys()
        rows, columns = self._stripes()
        self.play(LaggedStart(*(GrowFromEdge(stripe, LEFT) for stripe in rows), lag_ratio=0.2), run_time=0.9)
        self.play(LaggedStart(*(GrowFromEdge(stripe, UP) for stripe in columns), lag_ratio=0.2), run_time=0.9)
        boxes = self.tables.S.boxes
        self.play(LaggedStart(*(FadeIn(box, scale=0.6) for box in boxes), lag_ratio=0.1), run_time=1.0)
        self.play(*map(FadeOut, (*rows, *columns)), run_time=0.5)

    @beat("{focus} asks {asked}: multiply entry by entry, and add up.", "{next}")
    def row_meets_column(self) -> None:
        self.ring = self._ring(self.tables.S.cells[self.cast.focus][0])
        for j in range(min(_BY_HAND, self.cast.n)):
            if j > 0:
                self.next_cue()
            self._meet(self.cast.focus, j, slowness=1.0 if j else 1.5)

    @beat("{rest}", when=_has_others)
    def the_rest(self) -> None:
        self._step_back()
        done = [(self.cast.focus, j) for j in range(_BY_HAND)]
        rest = sorted((place for place in self.tables.S.places() if place not in done), key=sum)
        self.play(LaggedStart(*(self._arrive(*place) for place in rest), lag_ratio=0.15), run_time=2.6)

    @beat("{spent}")
    def shapes(self) -> None:
        self._step_back()
        line = self._shapes()
        rows, inner, same, columns, *product = line.numbers
        names = [n for name in (self.tables.Q.name, self.KT_name) for n in name.pieces if isinstance(n, Number)]
        self._start_row(line)
        arrivals = [fly(source, number) for source, number in zip(names, (rows, inner, same, columns), strict=True)]
        self.play(LaggedStart(*self._write(arrivals), lag_ratio=0.1), run_time=1.4)
        middle = (inner.get_center() + same.get_center()) / 2
        gone = [FadeOut(number.copy(), target_position=middle, scale=0.3) for number in (inner, same)]
        self.play(*gone, Light(inner, DIM), Light(same, DIM), run_time=1.0)
        self.play(*self._write_all([fly(rows, product[0]), fly(columns, product[1])]), run_time=1.0)

    @beat("Rows ask, columns are asked.", "{signs}")
    def reading(self) -> None:
        self._clear_row()
        self._put_factors_away()
        self.next_cue()
        self.row = self._legend()
        self.play(LaggedStart(*(FadeIn(part, shift=0.1 * UP) for part in self.row), lag_ratio=0.4), run_time=1.0)

    @beat("{best}", when=_has_others)
    def largest(self) -> None:
        closing, best = self.closing, best_places(self.cast.scores)
        (i, j), *_ = best
        self.rings = [self._ring(closing.grid.cells[i][j]) for i, j in best]
        askers, asked = ({place[k] for place in best} for k in (0, 1))
        words = [Light(word, 1.0 if k in askers else DIM) for k, word in enumerate(closing.tokens.tokens)]
        heads = [Light(head, 1.0 if k in asked else DIM) for k, head in enumerate(closing.heads)]
        self.play(*closing.grid.light(best), *words, *heads, *map(FadeIn, self.rings), run_time=0.6)
        number = closing.grid.numbers[i][j]
        line = Working(self.theme).sign("Best match:", self.theme.colours.quiet)
        self._start_row(line.number(number.value, number.style, number.source))
        self.play(*self._write([fly(number, line.numbers[0])]), run_time=0.7)

    @beat(
        "{small} And for a longer text?",
        *(f"{{crowd_{size}}}" for size in SIZES),
    )
    def growth(self) -> None:
        self._clear_row()
        self._draw_as_map(self.rings)
        self._state("Random words, really computed")
        for size in SIZES:
            self.next_cue()
            self._draw_crowd(size)

    @beat("So n words cost n² scores. Ours need only {pairs}.")
    def back(self) -> None:
        self._clear_row()
        grid = self.closing.grid
        self.play(self.map.light(0.0), *map(FadeOut, self.ladder), FadeIn(grid.boxes, scale=0.5), run_time=0.9)
        self.remove(*self.map.get_family())
        numbers = [number.set_fill(opacity=1.0) for row in grid.numbers for number in row]
        self.play(LaggedStart(*map(FadeIn, numbers), lag_ratio=0.1), run_time=0.9)
        self._settle(self.closing)

    # One pair at a time

    def _pair_lines(self) -> PairLines:
        """Lines from every row of Q to every row of K, the focus word's first."""
        cast, air = self.cast, self.theme.space.tight / 2
        starts = [row[-1].get_right() + air * RIGHT for row in self.opening.Q.cells]
        ends = [row[0].get_left() + air * LEFT for row in self.opening.K.cells]
        order = [(i, j) for i in (cast.focus, *cast.others) for j in range(cast.n)]
        return PairLines(starts, ends, self.theme, order)

    def _follow_lines(self, count: Number) -> Number:
        """Let a number tell how many lines are drawn."""
        count.truth = lambda: float(self.lines.count)
        count.add_updater(lambda number: number.set_value(self.lines.count))
        return count

    def _count_all(self, count: Number) -> None:
        """In the band: n × n pairs."""
        count.clear_updaters()
        line = Working(self.theme).number(self.cast.n, COUNT, "shape(queries)[-2]").sign("×")
        line.number(self.cast.n, COUNT, "shape(keys)[-2]").sign("=").number(self.cast.n**2, COUNT, "pairs")
        line.sign("pairs", self.theme.colours.quiet)
        self._start_row(line)
        self.play(*self._write_all([*map(FadeIn, line.numbers[:2]), fly(count, line.numbers[2])]), run_time=0.8)

    def _write_all(self, arrivals: Sequence[Animation]) -> list[Animation]:
        """Finish a line, with what stands behind its last number."""
        moves = self._write(arrivals)
        rest = list(map(FadeIn, self._unwritten))
        self._unwritten.clear()
        return [*moves, *rest]

    # Filling the grid

    def _meet(self, i: int, j: int, slowness: float) -> None:
        """Row i meets column j: their product is worked out and put into its cell."""
        tables, words = self.tables, self.cast.words
        q, k = tables.Q.numbers[i], [row[j] for row in tables.KT.numbers]
        left_out = None in slots(self.cast.trace.d_k)
        line = dot_product(self.theme, words[i], words[j], q, k, tables.S.numbers[i][j], left_out=left_out)
        ring = FadeIn(self.ring) if j == 0 else self.ring.animate.move_to(tables.S.cells[i][j])
        self.play(
            *tables.Q.light_row(i),
            *tables.KT.light_column(j),
            *self._only_word(self.tokens.tokens, i),
            *self._only_word(self.heads, j),
            ring,
            run_time=0.5,
        )
        self._work_out(line, factors(q, k), tables.S, (i, j), slowness=slowness)

    def _step_back(self) -> None:
        """Show both tables whole again, with nothing written in the band."""
        if self.ring not in self.mobjects:
            return
        self._clear_row()
        lit = [*self.tables.Q.light_all(), *self.tables.KT.light_all(), *light(*self.tokens.tokens, *self.heads)]
        self.play(FadeOut(self.ring), *lit, run_time=0.5)

    def _arrive(self, i: int, j: int) -> Animation:
        """Row i and column j send for each other; where they meet, their score appears."""
        tables, colours = self.tables, self.theme.colours
        place, number = tables.S.cells[i][j].get_center(), tables.S.numbers[i][j]
        query = Run(tables.Q.cells[i][-1].get_right(), place, ManimColor(colours.query), self.theme)
        key = Run(tables.KT.cells[-1][j].get_bottom(), place, ManimColor(colours.key), self.theme)
        score = AnimationGroup(*tables.S.reveal(i, j), FadeIn(number, scale=0.4))
        return AnimationGroup(AnimationGroup(query, key), score, lag_ratio=0.8)

    def _ring(self, cell: Mobject) -> RoundedRectangle:
        """A ring on the edge of a cell."""
        return RoundedRectangle(
            width=cell.width,
            height=cell.height,
            corner_radius=self.theme.space.corner,
            stroke_color=ManimColor(self.theme.colours.ink),
            stroke_width=self.theme.stroke.focus,
        ).move_to(cell)

    def _shapes(self) -> Working:
        """(n × d) (d × n) = (n × n)."""
        colours, n, d = self.theme.colours, self.cast.n, self.cast.trace.d_k
        line = Working(self.theme)
        for field, sizes, order, colour in (
            ("queries", (n, d), (-2, -1), colours.query),
            ("keys", (d, n), (-1, -2), colours.key),
            ("attention.scores", (n, n), (-2, -1), colours.ink),
        ):
            if field == "attention.scores":
                line.sign("=")
            line.sign("(", colour, tight=field == "keys")
            for size, axis in zip(sizes, order, strict=True):
                line.number(size, COUNT, f"shape({field})[{axis}]", colour)
                line.sign("×" if axis == order[0] else ")", colour, tight=axis == order[1])
        return line

    # Reading it

    def _put_factors_away(self) -> None:
        """Q and Kᵀ shrink into the formula; the grid and its words move to the middle of the stage."""
        tables, closing = self.tables, self.closing
        self.play(
            FadeOut(tables.Q, target_position=self._letter("Q"), scale=0.2),
            FadeOut(tables.KT, target_position=self._letter("K"), scale=0.2),
            FadeOut(tables.Q.name),
            FadeOut(self.KT_name),
            run_time=0.6,
        )
        self.play(
            ReplacementTransform(tables.S, closing.grid),
            *map(become, self.tokens.tokens, closing.tokens.tokens),
            *map(become, self.heads, closing.heads),
            run_time=1.0,
        )
        self.play(*map(FadeIn, (*closing.sides, closing.grid.name)), run_time=0.6)

    def _legend(self) -> VGroup:
        """What the shades mean, of those that there are."""
        theme, scores, parts = self.theme, self.cast.scores, VGroup()
        largest = float(np.abs(scores).max())
        for text, value, is_there in (
            ("they match", largest, (scores > 0).any()),
            ("no match", 0.0, (scores == 0).any()),
            ("they clash", -largest, (scores < 0).any()),
        ):
            if is_there:
                parts.add(Swatch(text, value, largest, theme))
        return parts.arrange(RIGHT, buff=0.7).move_to(self.layout.band.centre)


# What captions say


def question(n: int) -> str:
    """How many pairs there are, for the viewer to guess."""
    if n == 1:
        return "One word. How many pairs of asker and asked can it make?"
    return f"{count_word(n)} words. How many pairs of asker and asked do they make?"


def everyone(n: int) -> str:
    """How many pairs there are."""
    if n == 1:
        return "The word asks itself: one pair."
    return f"Everyone asks everyone, themselves too: {n} × {n} pairs."


def left_over(n: int) -> str:
    """How many pairs cannot meet as long as both tables are rows."""
    return f"The other {n * n - n} pairs have no place to meet."


def about_next(names: Sequence[str], focus: int) -> str:
    """Who is asked next."""
    return f"{names[focus]} asks {names[1]}." if len(names) > 1 else ""


def about_rest(n: int) -> str:
    """All the other scores."""
    return f"All {n * n} at once: that is one product of two tables."


def about_spent(d_k: int, n: int) -> str:
    """What becomes of the inner size."""
    entries = "entry" if d_k == 1 else f"{d_k} entries"
    return f"Each meeting uses up the {entries}; words against words are left."


def about_signs(scores: NDArray[np.float64]) -> str:
    """What the shades say, of those that there are."""
    positive, negative = bool((scores > 0).any()), bool((scores < 0).any())
    if positive and negative:
        return "Violet cells match. Those with a notched corner clash."
    if positive:
        return "The stronger the violet, the better the match."
    return "A notched corner says: they clash." if negative else "No one matches anyone."


def best_places(scores: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Rows and columns of the largest score."""
    return [(k // len(scores), k % len(scores)) for k in best_of(scores.ravel())]


def about_best(scores: NDArray[np.float64], names: Sequence[str], style: NumberStyle) -> str:
    """Who matches best."""
    best = best_places(scores)
    if len(best) == scores.size > 1:
        return "All match alike."
    value = style.text(scores.max())
    askers, asked = (sorted({place[k] for place in best}) for k in (0, 1))
    if len(best) < len(askers) * len(asked):
        return f"The best match is {value}, in {len(best)} places."
    asks, answers = (verb + "s" * (len(group) == 1) for verb, group in (("ask", askers), ("answer", asked)))
    return f"Best match, with {value}: {listed(names, askers)} {asks}, {listed(names, asked)} {answers}."


def about_size(n: int) -> str:
    """How many scores ``n`` words have."""
    return "One word, one score." if n == 1 else f"{count_word(n)} words, {n * n} scores."


def about_crowd(size: int) -> str:
    """How many scores ``size`` words have, for large sizes."""
    return f"{size:,} words: {size**2:,} scores."


def count_word(n: int) -> str:
    """``n`` as a word at the beginning of a sentence."""
    return COUNTS[n].capitalize() if n < len(COUNTS) else str(n)
