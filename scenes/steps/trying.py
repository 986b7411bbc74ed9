"""What can be done with arrows and not with letters: they are added, stretched, and measured against each other."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from manim import DOWN, Animation, Create, FadeIn, FadeOut, LaggedStart, ReplacementTransform, VMobject
from numpy.typing import NDArray

from math_core import angle
from scenes.handover.arrows import STRETCH, partner_of, trials
from scenes.mobjects.angle_mark import AngleMark
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.degrees import DEGREES, Degrees
from scenes.mobjects.motion import become, fly
from scenes.mobjects.number import Number, all_exact
from scenes.mobjects.placing import is_clear
from scenes.mobjects.text import Label, Row
from scenes.mobjects.tips import place
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, relation
from scenes.steps.laying import Laying
from scenes.theme import DIM
from scenes.wording import shortened
from scenes.workings.vector import vector

_LETTERS = 9
"""Letters of a word in a line of working."""
_MOMENTS = 13
"""At how many moments of a sweep the number of an angle is tried."""


class Trying(Laying):
    """A step of the walkthrough that tries what arrows are good for.

    ``partner`` is the word that is added to the focus word, ``pair`` the two whose angle is measured. ``guests`` are
    on the plane for a while, and ``hidden`` are the ticks that have made room for them.
    """

    def open(self) -> None:
        """Measure what will be shown."""
        super().open()
        cast = self.cast
        self.angles = np.asarray(angle(self.x[:, np.newaxis], self.x[np.newaxis], degrees=True))
        self.partner = partner_of(cast)
        self.sum = self.x[cast.focus] + self.x[self.partner]
        self.tried = trials(cast, self.closing.plane)
        self.guests: list[VMobject] = []
        self.hidden: list[Number] = []

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and what is made of the embeddings."""
        stretched = STRETCH * self.x[self.cast.focus]
        own = {"sum": self.sum, "stretch": STRETCH, "stretched": stretched, "angles": self.angles}
        return {**super().sources(), **own}

    @property
    def pair(self) -> tuple[int, int] | None:
        """The first two words whose arrows have an angle; the focus word is one of them where it can be."""
        order = [self.cast.focus, *self.cast.others]
        pairs = ((i, j) for k, i in enumerate(order) for j in order[k + 1 :])
        return next(((i, j) for i, j in pairs if np.isfinite(self.angles[i, j])), None)

    def _short(self, i: int) -> str:
        return shortened(self.cast.words[i], _LETTERS)

    def _dismiss(self) -> list[Animation]:
        """What was a guest on the plane goes, and the ticks that made room for it come back."""
        moves = [*map(FadeOut, self.guests), *map(FadeIn, self.hidden)]
        self.guests, self.hidden = [], []
        return moves

    def _name_tip(self, texts: Sequence[str], arrow: Arrow, avoid: Sequence[Arrow]) -> Row:
        """The first of ``texts`` that has room at the arrow's tip; the last where none has."""
        closing, plane = self.closing, self.closing.plane
        ticks = [tick for tick in plane.ticks if tick not in self.hidden]
        for text in texts:
            name = Working(self.theme, self.theme.type.note).sign(text).row()
            place([name], [arrow], plane, [*closing.arrows, *closing.labels, *avoid])
            if is_clear(name, [*closing.arrows, arrow, *avoid], [*closing.labels, *ticks], plane.zone):
                break
        return name

    # Sums

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

    def _place_row(self, line: Working) -> Row:
        """Put a line into the band of which nothing is shown yet, to be written from its first number on."""
        row = line.row().place(self.layout.band.centre, self.layout.band.width)
        first = next(k for k, piece in enumerate(row.pieces) if isinstance(piece, Number))
        self.row, self._unwritten = row, deque(row.pieces[first:])
        return row

    # Angles

    def _angle(self, i: int, j: int) -> Working:
        """from cat to ate = 45.0°."""
        value = float(self.angles[i, j])
        line = Working(self.theme).sign(f"from {self._short(i)} to {self._short(j)}")
        line.sign(relation(DEGREES.is_exact(value))).number(value, DEGREES, f"angles[{i}, {j}]")
        return line.sign("°", tight=True)

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
        for share in np.linspace(0.0, 1.0, _MOMENTS):
            swing.interpolate(share)
            degrees.place(mark.redraw().label_place(degrees.advance, degrees.em), degrees.advance)
            free.append(is_clear(degrees, [mark.first, hand], labels, self.closing.plane.zone))
        free.append(is_clear(degrees, self.closing.arrows, labels, self.closing.plane.zone))
        hand.point_to(start)
        mark.redraw()
        return all(free)


def _between(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(angle(a, b, degrees=True))
