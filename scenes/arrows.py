"""Chapter 1: words cannot be added, arrows can. So each word becomes a list of numbers, and each list an arrow."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Animation,
    AnimationGroup,
    Create,
    FadeIn,
    FadeOut,
    LaggedStart,
    Line,
    ReplacementTransform,
    Transform,
    VGroup,
    VMobject,
)
from manim.typing import Point3D, Vector3D
from numpy.typing import NDArray

from math_core import angle
from scenes import paper, wording
from scenes.chapter import beat
from scenes.handover.arrows import STRETCH, after_arrows, partner_of, trials
from scenes.layout import Zone
from scenes.mobjects.angle_mark import AngleMark
from scenes.mobjects.arrow_plane import Arrow, is_clear
from scenes.mobjects.degrees import DEGREES, Degrees
from scenes.mobjects.motion import Light, become, dim, early, fly, late
from scenes.mobjects.number import Number, all_exact
from scenes.mobjects.overlaps import as_ground
from scenes.mobjects.text import Label, Row
from scenes.mobjects.tips import place
from scenes.mobjects.token_row import TokenRow
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, relation
from scenes.theme import DIM
from scenes.walkthrough import Walkthrough
from scenes.workings.fact import fact
from scenes.workings.vector import vector

_APART = 0.55
"""How far a list stands from its place in the table until it is stacked there, in units."""
_LARGER = 1.5
"""How much larger the lists are while they have the stage to themselves."""
_LETTERS = 9
"""Letters of a word in a line of working."""
_BESIDE_LEG = 0.15
"""Room between a step on the plane and the number of it, in units."""
_MORE_AXES = 36
_BOW = 2.0
"""The angle of the bow in which a word passes over another, in radians."""


class Arrows(Walkthrough):
    """Step 1: why a word is an arrow."""

    name = "arrows"

    def open(self) -> None:
        """Measure what will be shown on the arrows, and make the picture that the chapter ends with."""
        super().open()
        cast = self.cast
        self.x = cast.trace.embeddings
        self.angles = np.asarray(angle(self.x[:, np.newaxis], self.x[np.newaxis], degrees=True))
        self.points = cast.points("words", self.x)
        self.partner = partner_of(cast)
        self.sum = self.x[cast.focus] + self.x[self.partner]
        self.is_shadow = cast.dimensions("words") > 2
        self.closing = after_arrows(cast)
        self.tried = trials(cast, self.closing.plane)
        self.laid: list[int] = []
        self.guests: list[VMobject] = []
        self.hidden: list[Number] = []
        self.stacked = 0

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and what the chapter makes of the embeddings."""
        stretched = STRETCH * self.x[self.cast.focus]
        own = {"sum": self.sum, "stretch": STRETCH, "stretched": stretched, "angles": self.angles}
        return {**super().sources(), **own}

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
        tokens, X = self.closing.tokens, self.closing.X
        self.lists = [VGroup(*X.numbers[i], *X.gaps_in_rows[i : i + 1], self._brackets(i)) for i in range(self.cast.n)]
        everything = VGroup(tokens, *(row.shift(RIGHT * _APART) for row in self.lists))
        self.at_home = everything.copy()
        stage = self.layout.stage
        larger = min(_LARGER, 0.9 * stage.width / everything.width, 0.9 * stage.height / everything.height)
        everything.scale(larger).move_to(stage.centre)
        self.play(*self._wait_for_an_answer(), run_time=0.7)
        self.play(*map(become, self.sentence.tokens, tokens.tokens))
        rows = []
        for i, token in enumerate(tokens.tokens):
            numbers = self._emerge(X.numbers[i], [token] * len(X.numbers[i]))
            frame = self.lists[i].submobjects[len(numbers) :]
            rows.append(AnimationGroup(*numbers, *(FadeIn(part, rate_func=late) for part in frame)))
        self.play(LaggedStart(*rows, lag_ratio=0.5), run_time=2.2)
        self.next_cue()

    @beat("{how}")
    def a_list_becomes_an_arrow(self) -> None:
        plane, i = self.closing.plane, self.guide
        self.play(Transform(VGroup(self.closing.tokens, *self.lists), self.at_home))
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
        name = self._name_tip(f"{self._short(i)} + {self._short(j)}", whole, [moved])
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
        name = self._name_tip(f"{COUNT.text(STRETCH)} × {self._short(i)}", stretched, [])
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
        value, source = float(self.angles[i, j]), f"angles[{i}, {j}]"
        line = Working(self.theme).sign(f"from {self._short(i)} to {self._short(j)}")
        line.sign(relation(DEGREES.is_exact(value))).number(value, DEGREES, source).sign("°", tight=True)
        self._start_row(line)
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
        plane, axes = self.closing.plane, self._more_axes()
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

    # The question and its answers

    def _question(self) -> Row:
        """cat + ate = catate, and the question mark that takes the place of the pile."""
        i, j, em = self.cast.focus, self.partner, self.theme.type.title * 1.5
        texts = ("{a}", "+", "{b}", "=", "{a}", "{b}")
        pieces = [
            Label(text.format(a=self._short(i), b=self._short(j)), em=em, colour=self._quiet if k > 3 else self._ink)
            for k, text in enumerate(texts)
        ]
        mark = Label("?", em=em, colour=self._ink)
        row = Row([*pieces, mark], em=em, gaps=[0.3] * 5 + [0.02, 0.0])
        row.place(self.layout.stage.centre + DOWN * 0.9, self.layout.stage.width * 0.95)
        mark.set_pen(pieces[4].pen)
        return row

    def _wait_for_an_answer(self) -> list[Animation]:
        """The question goes down to the band, and stays there dimmed until it can be answered."""
        a, plus, b, equals, *_, mark = self.question.pieces
        i, j = self.cast.focus, self.partner
        line = Working(self.theme).sign(self._short(i)).sign("+").sign(self._short(j)).sign("=").sign("?")
        self.row = line.row().place(self.layout.band.centre, self.layout.band.width)
        for piece in self.row.pieces:
            piece.set_fill(opacity=DIM)
        return [ReplacementTransform(*pair) for pair in zip((a, plus, b, equals, mark), self.row.pieces, strict=True)]

    def _answer(self) -> None:
        """The question that waited in the band is answered there with the lists."""
        i, j, style = self.cast.focus, self.partner, self.cast.styles.vectors
        given = [*self.closing.X.numbers[i], *self.closing.X.numbers[j]]
        line = Working(self.theme).sign(self._short(i)).sign("+").sign(self._short(j)).sign(relation(all_exact(given)))
        vector(line, self.x[i], style, f"embeddings[{i}, {{c}}]").sign("+")
        vector(line, self.x[j], style, f"embeddings[{j}, {{c}}]")
        exact = all_exact(given) and all(map(style.is_exact, self.sum))
        vector(line.sign(relation(exact)), self.sum, style, "sum[{c}]")
        old = self.row
        assert isinstance(old, Row)
        *said, mark = old.pieces
        row = self._place_row(line)
        self.play(*map(become, said, row.pieces), FadeOut(mark), FadeIn(row.pieces[4]), run_time=0.6)
        terms, results = line.numbers[: len(given)], line.numbers[len(given) :]
        self.play(LaggedStart(*self._write(list(map(fly, given, terms))), lag_ratio=0.15), run_time=1.1)
        self.play(*self._write(self._emerge(results, terms[-len(results) :])), run_time=0.7)

    def _stretching(self) -> Working:
        """2 × cat = 2 × [0, 1] = [0, 2]."""
        i, style = self.cast.focus, self.cast.styles.vectors
        given, results = self.x[i], STRETCH * self.x[i]
        factor = COUNT.text(STRETCH)
        exact = all(map(style.is_exact, given))
        line = Working(self.theme).sign(f"{factor} × {self._short(i)}").sign(relation(exact))
        vector(line.number(STRETCH, COUNT, "stretch").sign("×"), given, style, f"embeddings[{i}, {{c}}]")
        line.sign(relation(exact and all(map(style.is_exact, results))))
        return vector(line, results, style, "stretched[{c}]")

    def _shape_of_X(self) -> Working:
        """X : n × d_model = 3 × 2."""
        ink = self.theme.colours.ink
        line = Working(self.theme).symbol("X", ink).sign("is").symbol("n", ink).sign("×").symbol('d_"model"', ink)
        rows, columns = self.x.shape
        line.sign("=").number(rows, COUNT, "shape(embeddings)[-2]").sign("×")
        return line.number(columns, COUNT, "shape(embeddings)[-1]")

    def _place_row(self, line: Working) -> Row:
        """Put a line into the band of which nothing is shown yet, to be written from its first number on."""
        row = line.row().place(self.layout.band.centre, self.layout.band.width)
        first = next(k for k, piece in enumerate(row.pieces) if isinstance(piece, Number))
        self.row, self._unwritten = row, deque(row.pieces[first:])
        return row

    def _short(self, i: int) -> str:
        return wording.shortened(self.cast.words[i], _LETTERS)

    # Lists

    def _brackets(self, i: int) -> VGroup:
        """What makes a list of the numbers of a row that has no cells yet."""
        X = self.closing.X
        cells, em, baseline = X.cells[i], X.numbers[i][0].em, X.numbers[i][0].pen[1]

        def sign(text: str, x: float) -> Label:
            return Label(text, em=em, colour=self._ink).set_pen(np.array([x, baseline, 0.0]))

        opening, closing = sign("[", 0.0), sign("]", cells[-1].get_right()[0])
        opening.set_pen(np.array([cells[0].get_left()[0] - opening.advance, baseline, 0.0]))
        commas = [sign(",", cell.get_right()[0]) for cell in cells[:-1]]
        if X.gaps_in_rows:
            commas.append(sign(",", X.gaps_in_rows[i].get_right()[0] + X.cell.gap))
        return VGroup(opening, *commas, closing)

    def _stack(self, i: int, run_time: float) -> None:
        """A list becomes a row of the table."""
        X, brackets = self.closing.X, self.lists[i][-1]
        row: list[VMobject] = [*X.gaps_in_rows[i : i + 1], *X.numbers[i]]
        self.add(*X.cells[i], *row)  # in this order, for cells to lie under what they hold
        named = [FadeIn(X.name)] if i == 0 else []
        moves = (mobject.animate.shift(LEFT * _APART) for mobject in row)
        away = FadeOut(brackets, shift=LEFT * _APART)
        self.play(*map(FadeIn, X.cells[i]), *moves, away, *named, run_time=run_time)

    # Arrows

    @property
    def guide(self) -> int:
        """Whose list is walked on the plane, step by step: one of whose steps none is zero, where there is any."""
        order = [self.cast.focus, *self.cast.others]
        return next((i for i in order if np.all(self.x[i])), next((i for i in order if np.any(self.x[i])), order[0]))

    @property
    def pair(self) -> tuple[int, int] | None:
        """The first two words whose arrows have an angle; the focus word is one of them where it can be."""
        order = [self.cast.focus, *self.cast.others]
        pairs = ((i, j) for k, i in enumerate(order) for j in order[k + 1 :])
        return next(((i, j) for i, j in pairs if np.isfinite(self.angles[i, j])), None)

    def _laid_arrows(self) -> list[Arrow]:
        return [self.closing.arrows[i] for i in sorted(self.laid)]

    def _laid_labels(self) -> list[VMobject]:
        return [self.closing.labels[i] for i in sorted(self.laid)]

    def _put(self, *arrows: Arrow) -> None:
        """Lay arrows over those that are there, under all names."""
        self.add(*arrows, *self._laid_labels())

    def _only(self, *which: int) -> list[Animation]:
        """Show some words, their lists and their arrows at full strength, and dim the others."""
        tokens = self.closing.tokens.tokens
        shown = [(i, part) for i in range(self.cast.n) for part in (tokens[i], self.lists[i])]
        shown += [(i, part) for i in self.laid for part in (self.closing.arrows[i], self.closing.labels[i])]
        return [Light(part, 1.0 if i in which else DIM) for i, part in shown]

    def _way(self, i: int) -> list[VMobject]:
        """A leg along the axis and a leg up from there, and the number of each behind it."""
        plane, point = self.closing.plane, self.points[i]
        up, across = UP if point[1] >= 0 else DOWN, RIGHT if point[0] >= 0 else LEFT
        corners = [plane.point(corner) for corner in ((0, 0), (point[0], 0), point)]
        way: list[VMobject] = []
        for number, start, end, side in zip(
            self.closing.X.numbers[i], corners, corners[1:], (up, across), strict=False
        ):
            way.append(Line(start, end, stroke_color=self._quiet, stroke_width=self.theme.stroke.focus))
            beside = number.copy().set_middle((start + end) / 2)
            if side is up:
                # Behind a short leg it would stand on the other one.
                over = number.advance / 2 + _BESIDE_LEG - float(np.linalg.norm(end - start)) / 2
                beside.shift(0.3 * side - max(0.0, over) * across)
            else:
                beside.shift((_BESIDE_LEG + number.advance / 2) * side)
            way.append(beside)
        return way

    def _grow(self, i: int, run_time: float, *others: Animation) -> None:
        """A word's arrow grows out of the origin to where its numbers say, and is given its name."""
        arrow, label = self.closing.arrows[i], self.closing.labels[i]
        end = arrow.tip
        arrow.point_to(self.closing.plane.origin)
        names = self._laid_labels()
        self.laid.append(i)
        self.add(*self._laid_arrows(), *names)
        self.play(arrow.swing_to(end), *others, run_time=run_time)
        self.play(fly(self.closing.tokens.tokens[i], label), run_time=0.6 * run_time)

    def _dismiss(self) -> list[Animation]:
        """What was a guest on the plane goes, and the ticks that made room for it come back."""
        moves = [*map(FadeOut, self.guests), *map(FadeIn, self.hidden)]
        self.guests, self.hidden = [], []
        return moves

    def _name_tip(self, text: str, arrow: Arrow, avoid: Sequence[VMobject]) -> Row:
        name = Working(self.theme, self.theme.type.note).sign(text).row()
        place([name], [arrow], self.closing.plane, [*self.closing.arrows, *self.closing.labels, *avoid])
        return name

    def _measure(self, i: int, j: int) -> list[VMobject]:
        """The arc from one arrow to the other opens, its angle counting with it where there is room for that."""
        plane, first, second = self.closing.plane, self.closing.arrows[i], self.closing.arrows[j]
        degrees = Degrees(float(self.angles[i, j]), self.theme, self.theme.type.note, source=f"angles[{i}, {j}]")
        hand = plane.arrow(self.points[i], self._ink, weight=0.5)
        mark = AngleMark(first, hand, self.theme)
        shown: list[VMobject] = [mark, degrees] if self._has_room(degrees, mark, second) else [mark]
        if self.is_shadow:
            # The arc that is drawn is the shadow's; only the number is true, so nothing counts.
            hand.point_to(second.tip)
            degrees.place(mark.redraw().label_place(degrees.advance, degrees.em), degrees.advance)
            self.play(Create(mark), *map(FadeIn, shown[1:]))
            return shown
        degrees.follow(lambda: _between(plane.vector(first.tip), plane.vector(hand.tip)), mark.label_place)
        self._put(hand)
        self.add(mark.follow(), *shown[1:])
        self.play(hand.swing_to(second.tip), run_time=1.8)
        self.remove(hand)
        mark.rest()
        degrees.rest(f"angles[{i}, {j}]")
        return shown

    def _has_room(self, degrees: Degrees, mark: AngleMark, second: Arrow) -> bool:
        """Whether the number of an angle touches nothing while the angle opens to ``second``."""
        hand, start, labels = mark.second, mark.second.tip, self.closing.labels
        swing = hand.swing_to(second.tip)
        swing.begin()
        free = []
        for share in np.linspace(0.0, 1.0, 13):
            swing.interpolate(share)
            degrees.place(mark.redraw().label_place(degrees.advance, degrees.em), degrees.advance)
            free.append(is_clear(degrees, [mark.first, hand], labels, self.closing.plane.zone))
        free.append(is_clear(degrees, self.closing.arrows, labels, self.closing.plane.zone))
        hand.point_to(start)
        mark.redraw()
        return all(free)

    def _more_axes(self) -> VGroup:
        """Some of the many axes that a plane has no room for."""
        plane, ends = self.closing.plane, []
        zone, angles = plane.zone, np.linspace(0.0, np.pi, _MORE_AXES, endpoint=False)
        for direction in (np.array([np.cos(turn), np.sin(turn), 0.0]) for turn in angles if turn % (np.pi / 2) > 1e-6):
            ends.append([plane.origin + far * direction for far in _within(zone, plane.origin, direction)])
        lines = (Line(*pair, stroke_color=self.theme.colours.axis, stroke_width=1.5) for pair in ends)
        return as_ground(VGroup(*lines))


def _within(zone: Zone, origin: Point3D, direction: Vector3D) -> tuple[float, float]:
    """From where to where a line through ``origin`` is inside a zone, in units along ``direction``."""
    sides = ((zone.left, zone.right), (zone.bottom, zone.top))
    hits = [sorted((side - origin[k]) / direction[k] for side in sides[k]) for k in (0, 1)]
    return max(low for low, _ in hits), min(high for _, high in hits)


def _between(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(angle(a, b, degrees=True))


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
