"""Chapter 1: words cannot be added, arrows can. So each word becomes a list of numbers, and each list an arrow."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import (
    DOWN,
    UP,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    ReplacementTransform,
    Transform,
)
from numpy.typing import NDArray

from scenes import paper, wording
from scenes.chapter import beat
from scenes.handover.arrows import STRETCH
from scenes.mobjects.motion import become, dim, early, fly, late
from scenes.mobjects.placing import is_clear
from scenes.mobjects.token_row import TokenRow
from scenes.mobjects.working import Working
from scenes.numerals import COUNT
from scenes.steps.trying import Trying
from scenes.workings.fact import fact

_MORE_AXES = 36
_BOW = 2.0
"""The angle of the bow in which a word passes over another, in radians."""


class Arrows(Trying):
    """Step 1: why a word is an arrow."""

    name = "arrows"

    def open(self) -> None:
        """Nothing has been stacked yet."""
        super().open()
        self.stacked = 0

    def words(self) -> Mapping[str, str]:
        """Who is added to whom, and what comes of it."""
        cast = self.cast
        return {
            **super().words(),
            "partner": cast.names[self.partner],
            "how": how_it_points(self.points[self.guide], cast.names[self.guide], cast.trace.d_model),
            "alike": wording.about_arrows(cast.trace, cast.names),
            "sum": about_sum(self.sum, cast.names[cast.focus], cast.names[self.partner]),
            "true": f"The angle is measured in all {cast.trace.d_model} dimensions." if self.is_shadow else "",
            "shape": about_shape(*self.x.shape),
        }

    # The beats

    @beat("How could a machine calculate with words?")
    def the_sentence(self) -> None:
        stage, theme = self.layout.stage, self.theme
        self.sentence = TokenRow(self.cast.words, 4.0, theme, theme.type.word * 1.7)
        self.sentence.in_lines(stage.centre, stage.width * 0.9)
        tokens = (FadeIn(token, shift=UP * 0.2) for token in self.sentence.tokens)
        self.play(LaggedStart(*tokens, lag_ratio=0.5), run_time=1.6)
        self._open_header()

    @beat("Just try: what is {focus} + {partner}?", "Letters only pile up. That is no answer.")
    def letters_pile_up(self) -> None:
        tokens, i, j = self.sentence.tokens, self.cast.focus, self.partner
        self.question = self._question()
        a, plus, b, equals, *pile, mark = self.question.pieces
        above = self.layout.stage.centre + UP * (0.35 + self.sentence.height / 2)
        self.play(self.sentence.animate.move_to(above), run_time=0.6)
        words = [fly(tokens[i].label, a), fly(tokens[j].label, b)]
        self.play(*dim(*tokens), *words, *map(FadeIn, (plus, equals)))
        # One over and one under what stands between.
        ways = ((a, pile[0], -_BOW), (b, pile[1], _BOW))
        self.play(*(ReplacementTransform(old.copy(), new, path_arc=bow) for old, new, bow in ways), run_time=1.2)
        self.next_cue()
        self.hold(0.6)
        self.play(*(FadeOut(piece, shift=DOWN * 0.3) for piece in pile), FadeIn(mark), run_time=0.6)

    @beat("So each word gets a list of numbers: its embedding.", "In a real model, training finds the numbers.")
    def words_become_lists(self) -> None:
        tokens = self.closing.tokens.tokens
        self.beside_plane = self._enlarge()
        self.play(*self._wait_for_an_answer(), run_time=0.7)
        self.play(*map(become, self.sentence.tokens, tokens))
        self.play(LaggedStart(*map(self._list, range(self.cast.n)), lag_ratio=0.5), run_time=2.2)
        self.next_cue()

    @beat("{how}")
    def a_list_becomes_an_arrow(self) -> None:
        plane, i = self.closing.plane, self.guide
        self.play(Transform(self._everything(), self.beside_plane))
        way = [] if self.is_shadow else self._way(i)
        in_the_way = [tick for tick in plane.ticks if not is_clear(tick, way[::2], way[1::2], plane.zone)]
        ticks = [FadeIn(tick) for tick in plane.ticks if tick not in in_the_way]
        self.play(Create(plane.lines), *ticks, *map(FadeIn, self.closing.note), *self._only(i), run_time=1.2)
        for number, leg, beside in zip(self.closing.X.numbers[i], way[::2], way[1::2], strict=False):
            self.play(fly(number, beside), Create(leg), run_time=1.0)
        # Gone before the arrow gets there.
        gone = (FadeOut(mobject, rate_func=early) for mobject in way)
        self._grow(i, 1.0, *gone, *map(FadeIn, in_the_way))

    @beat("Every other word is an arrow as well.", "{alike}", when=lambda chapter: bool(chapter.cast.others))
    def every_word_is_an_arrow(self) -> None:
        rest = [i for i in range(self.cast.n) if i != self.guide]
        for i in rest:
            self._grow(i, min(0.9, 3.6 / len(rest)), *self._only(i))
        self.next_cue()
        self.play(*self._only(*range(self.cast.n)), run_time=0.4)

    @beat("Arrows can be added: one begins where the other ends.", "{sum}")
    def arrows_add_up(self) -> None:
        plane, i, j = self.closing.plane, self.cast.focus, self.partner
        moved, whole = self.tried.moved, self.tried.whole
        self.hidden = [tick for tick in plane.ticks if not is_clear(tick, [moved, whole], [], plane.zone)]
        self.play(*self._only(i, j), *map(FadeOut, self.hidden), run_time=0.4)
        end, start = whole.tip, moved.start_point
        self._put(moved.point_to(plane.point(self.points[j]), plane.origin))
        self.play(moved.swing_to(end, start), run_time=1.3)
        self.next_cue()
        whole.point_to(plane.origin)
        self.add(whole, *self._laid_arrows(), moved, *self._laid_labels())
        parts = dim(moved, *self._laid_arrows(), *self._laid_labels())
        self.play(whole.swing_to(end), *parts, run_time=1.1)
        name = self._name_tip((f"{self._short(i)} + {self._short(j)}", "sum"), whole, [moved])
        self.play(FadeIn(name), run_time=0.4)
        self._answer()
        self.guests = [moved, whole, name]

    @beat(
        "Arrows can be stretched: twice as long, the same direction.",
        when=lambda chapter: bool(np.any(chapter.x[chapter.cast.focus])),
    )
    def arrows_stretch(self) -> None:
        i = self.cast.focus
        self.play(*self._dismiss(), *self._only(i), run_time=0.5)
        line = self._stretching()
        self._start_row(line)
        stretched = self.tried.stretched
        end = stretched.tip
        self.add(stretched.point_to(self.closing.arrows[i].tip), *self._laid_arrows(), *self._laid_labels())
        self.play(stretched.swing_to(end), run_time=1.4)
        name = self._name_tip((f"{COUNT.text(STRETCH)} × {self._short(i)}", f"{COUNT.text(STRETCH)} ×"), stretched, [])
        self.play(FadeIn(name), run_time=0.4)
        X = self.closing.X.numbers[i]
        factor, *given = line.numbers[: 1 + len(X)]
        results = line.numbers[1 + len(X) :]
        self.play(LaggedStart(*self._write([FadeIn(factor), *map(fly, X, given)]), lag_ratio=0.2), run_time=1.0)
        self.play(*self._write(self._emerge(results, given)), run_time=0.7)
        self.guests = [stretched, name]

    @beat(
        "And two arrows have an angle: how alike their directions are.",
        "{true}",
        when=lambda chapter: chapter.pair is not None,
    )
    def arrows_have_an_angle(self) -> None:
        assert self.pair is not None
        i, j = self.pair
        self._clear_row()
        # No tick has to do with an angle, and one may be where its number stands.
        ticks = [tick for tick in self.closing.plane.ticks if tick not in self.hidden]
        self.play(*map(FadeOut, (*self.guests, *ticks)), *self._only(i, j), run_time=0.5)
        measured = self._measure(i, j)
        self.next_cue()
        self._start_row(line := self._angle(i, j))
        arrives = self._write([FadeIn(line.numbers[0], target_position=measured[-1])])
        self.play(*arrives, *map(FadeIn, self._unwritten), run_time=0.7)
        self.guests, self.hidden = measured, list(self.closing.plane.ticks)

    @beat("Stack the lists as rows, and they are the table X.", "{shape}")
    def the_table(self) -> None:
        X, everyone = self.closing.X, range(self.cast.n)
        self._clear_row()
        self.play(*self._dismiss(), *self._only(*everyone), run_time=0.5)
        rows = X.name.pieces[1]
        rows.truth = lambda: float(self.stacked)
        for i in everyone:
            self.stacked = i + 1
            rows.set_value(self.stacked)
            self._stack(i, max(0.35, min(0.8, 3.2 / self.cast.n)))
        rows.truth = None
        self.next_cue()
        self._start_row(line := self._shape_of_X())
        self.play(*self._write(list(map(fly, X.name.pieces[1::2], line.numbers))), run_time=0.8)

    @beat("Real models use hundreds of axes. A plane can draw only two.")
    def hundreds_of_axes(self) -> None:
        plane = self.closing.plane
        axes = plane.more_axes(_MORE_AXES)
        self.add(axes, *self._laid_arrows(), *self._laid_labels())
        ticks = (FadeOut(tick, rate_func=early) for tick in plane.ticks)
        self.play(LaggedStart(*map(Create, axes), lag_ratio=0.15), *ticks, run_time=1.4)
        self.play(FadeOut(axes), *(FadeIn(tick, rate_func=late) for tick in plane.ticks), run_time=0.7)
        line = Working(self.theme).symbol('d_"model"', self.theme.colours.ink).sign("=")
        line.number(self.cast.trace.d_model, COUNT, "d_model").sign("here,")
        fact(line, paper.D_MODEL).sign("in a real model")
        self._start_row(line)
        said = [*self._write(list(map(FadeIn, line.numbers))), *map(FadeIn, self._unwritten)]
        self.play(LaggedStart(*said, lag_ratio=0.5), run_time=1.6)
        self.hold(1.6)
        self._settle(self.closing)

    def _shape_of_X(self) -> Working:
        """X : n × d_model = 3 × 2."""
        ink = self.theme.colours.ink
        line = Working(self.theme).symbol("X", ink).sign("is").symbol("n", ink).sign("×").symbol('d_"model"', ink)
        rows, columns = self.x.shape
        line.sign("=").number(rows, COUNT, "shape(embeddings)[-2]").sign("×")
        return line.number(columns, COUNT, "shape(embeddings)[-1]")


def how_it_points(point: NDArray[np.float64], name: str, d_model: int) -> str:
    """How a list of ``d_model`` numbers becomes the arrow that is drawn to ``point``."""
    if d_model > 2:
        return f"{d_model} numbers make an arrow with {d_model} axes. We see its shadow on two."
    if not np.any(point):
        return f"Zeros lead nowhere: {name} is an arrow without length."
    if d_model == 1:
        return f"Its number goes along the axis: there points {name}."
    return f"The first number goes along, the second goes up: there points {name}."


def about_sum(total: NDArray[np.float64], a: str, b: str) -> str:
    """What comes of two arrows that are added."""
    return f"So {a} + {b} is an arrow again." if np.any(total) else "Here nothing remains: an arrow without length."


def about_shape(rows: int, columns: int) -> str:
    """What the numbers of the shape of X count."""
    words, numbers = ("word" if rows == 1 else "words"), ("number" if columns == 1 else "numbers")
    return f"{rows} {words}, {columns} {numbers} each."
