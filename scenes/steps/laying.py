"""Words become lists of numbers, lists become arrows on a plane, and rows of a table."""

from __future__ import annotations

import numpy as np
from manim import (
    DOWN,
    LEFT,
    RIGHT,
    UP,
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    Line,
    VGroup,
    VMobject,
)

from scenes.handover.arrows import after_arrows
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.motion import Light, fly, late
from scenes.mobjects.text import Label
from scenes.theme import DIM
from scenes.walkthrough import Walkthrough

_APART = 0.55
"""How far a list stands from its place in the table until it is stacked there, in units."""
_LARGER = 1.5
"""How much larger words and lists are while they have the stage to themselves."""
_BESIDE_LEG = 0.15
"""Room between a step on the plane and the number of it, in units."""


class Laying(Walkthrough):
    """A step of the walkthrough that lays the words' arrows: ``laid`` are those that lie there, by their words."""

    def open(self) -> None:
        """Make the words' lists and arrows, where they will be in the end."""
        super().open()
        cast = self.cast
        self.x = cast.trace.embeddings
        self.points = cast.points("words", self.x)
        self.is_shadow = cast.dimensions("words") > 2
        self.closing = after_arrows(cast)
        X = self.closing.X
        self.lists = [VGroup(*X.numbers[i], *X.gaps_in_rows[i : i + 1], self._brackets(i)) for i in range(cast.n)]
        self.laid: list[int] = []

    # Lists

    def _enlarge(self) -> VGroup:
        """Words and their lists take the whole stage; returns what they will be like beside the plane."""
        stage, everything = self.layout.stage, self._everything()
        for row in self.lists:
            row.shift(RIGHT * _APART)
        beside_plane: VGroup = everything.copy()
        larger = min(_LARGER, 0.9 * stage.width / everything.width, 0.9 * stage.height / everything.height)
        everything.scale(larger).move_to(stage.centre)
        return beside_plane

    def _everything(self) -> VGroup:
        return VGroup(self.closing.tokens, *self.lists)

    def _list(self, i: int) -> Animation:
        """A word's numbers come out of it, and then what makes a list of them."""
        numbers, token = self.closing.X.numbers[i], self.closing.tokens.tokens[i]
        frame = self.lists[i].submobjects[len(numbers) :]
        come = self._emerge(numbers, [token] * len(numbers))
        return AnimationGroup(*come, *(FadeIn(part, rate_func=late) for part in frame))

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
