"""One arrow becomes three: a word's row meets the columns of a matrix, and its arrow turns to where that sends it."""

from __future__ import annotations

import numpy as np
from manim import DOWN, Animation, FadeIn, FadeOut, ManimColor, VMobject, rush_from
from numpy.typing import NDArray

from scenes.handover.roles import after_roles, arrow_name, role_arrows, role_names
from scenes.mobjects.arrow_plane import Sheathe
from scenes.mobjects.motion import Light, become, dim, early, fly
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NumberGrid
from scenes.mobjects.placing import is_clear
from scenes.mobjects.role_card import RoleCard
from scenes.mobjects.tips import place
from scenes.mobjects.zoom import View, Zoom
from scenes.multiplication import WorkPlace, role_cards
from scenes.steps.asking import Asking
from scenes.steps.multiplying import Multiplying
from scenes.theme import DIM


class Splitting(Multiplying, Asking):
    """A step of the walkthrough that makes a query, a key and a value of every word."""

    def open(self) -> None:
        """Make the arrows, the place where the first of them is worked out, and a card for each."""
        super().open()
        cast = self.cast
        self.closing = after_roles(cast)
        self.plane = self.closing.plane[0] if self.closing.plane else cast.role_plane()
        self.arrows = self.closing.arrows or role_arrows(cast, self.plane, cast.focus)
        self.names = self.closing.labels or role_names(cast, self.arrows, self.plane, cast.focus)
        self.note = self.closing.note or cast.plane_note(self.plane, "matching", "content")
        self.work = WorkPlace(cast)
        self.cards = role_cards(cast)

    # One word

    def _zoom(self) -> None:
        """The plane steps back, or comes nearer, until the arrows of all roles fit it."""
        opening, f = self.opening, self.cast.focus
        view, label, tip = View(opening.plane, self.plane), opening.labels[f], self._x_tip()
        stays = is_clear(label.copy().shift(tip - self.x_arrow.tip), (), (), self.plane.zone)
        ride = [view.ride(self.x_arrow, label)] if stays else [view.ride(self.x_arrow), FadeOut(label, rate_func=early)]
        has_length = not np.allclose(tip, self.plane.origin)
        covered = sum(np.allclose(arrow.tip, tip, atol=1e-9) for arrow in self.arrows) if has_length else 0
        # By twos, for a sheath to keep its colour: it will be dimmed anyway.
        sheathe = Sheathe(self.x_arrow, covered + covered % 2, ManimColor(self.theme.colours.ground))
        notes = [*map(FadeOut, opening.note), *map(FadeIn, self.note)]
        self.play(Zoom(view), *ride, sheathe, *notes, run_time=1.6)
        self.x_label = arrow_name(self.cast, "x", self.theme.colours.ink, f)
        place([self.x_label], [self.x_arrow], self.plane, [*self.arrows, *self.names])
        leaves = [FadeOut(label)] if stays else []
        self.play(*leaves, FadeIn(self.x_label), run_time=0.5)

    def _x_tip(self) -> NDArray[np.float64]:
        return np.asarray(self.plane.point(self.cast.points("words", self.cast.trace.embeddings[self.cast.focus])))

    def _set_up_work(self) -> None:
        """The focus word's row of X moves to where it will meet the columns of a matrix."""
        opening, work, f = self.opening, self.work, self.cast.focus
        pairs = zip(
            (*opening.X.cells[f], *opening.X.gaps_in_rows[f : f + 1], *opening.X.numbers[f]),
            (*work.x.cells[0], *work.x.gaps_in_rows, *work.x.numbers[0]),
            strict=True,
        )
        self.play(*(become(old, new) for old, new in pairs), become(opening.tokens.tokens[f], work.x_name))

    def _turn(self, k: int) -> None:
        """The arrow of a role turns out of the word's own."""
        arrow, end = self.arrows[k], self.arrows[k].tip
        arrow.point_to(self.x_arrow.tip)
        earlier = [*self.arrows[:k], *self.names[:k]]
        self.add(arrow)
        self.play(arrow.swing_to(end), *dim(self.x_arrow, self.x_label, *earlier), run_time=1.2)
        self.play(FadeIn(self.names[k]), run_time=0.4)

    def _file_away(self, card: RoleCard) -> None:
        """What was worked out becomes a card."""
        work = self.work
        symbol, _, x, W, *_ = card.line.pieces
        numbers = zip(work.q.numbers[0], card.numbers, strict=True)
        matrix = zip(_parts(work.W), _parts(card.matrix), strict=True)
        moves = [become(old, new) for old, new in (*numbers, *matrix)]
        names = [become(old, new) for old, new in ((work.q_name, symbol), (work.x_name, x), (work.W.name, W))]
        signs = [piece for piece in card.line.pieces if piece not in (symbol, x, W, *card.numbers)]
        leaving = [FadeOut(work.x, target_position=x), FadeOut(self.work.q_frame, rate_func=early)]
        self.play(*leaving, *moves, *names, run_time=1.1)
        self.play(*map(FadeIn, (card.bar, *signs)), run_time=0.4)
        self.play(FadeIn(card.question), run_time=0.5)

    def _play_card(self, k: int) -> None:
        """What a matrix makes of the word, on a card at once; its arrow turns out of the word's."""
        before, card = self.cards[k - 1], self.cards[k]
        self.play(*dim(before), run_time=0.3)
        symbol, equals, x, W, relation, *entries = card.line.pieces
        self.play(FadeIn(card.bar), FadeIn(card.matrix, shift=DOWN * 0.2), run_time=0.6)
        said = [FadeIn(symbol), FadeIn(equals), fly(before.line.pieces[2], x), FadeIn(W, target_position=card.matrix)]
        self.play(*said, run_time=0.7)
        signs = [piece for piece in entries if not isinstance(piece, Number)]
        numbers = self._emerge(card.numbers, [card.matrix] * len(card.numbers))
        self.play(FadeIn(relation), *map(FadeIn, signs), *numbers, run_time=0.7)
        self._turn(k)
        self.play(FadeIn(card.question), run_time=0.5)

    def _only_role(self, *which: int) -> list[Animation]:
        groups = zip(self.cards, self.arrows, self.names, strict=True)
        return [Light(part, 1.0 if k in which else DIM) for k, group in enumerate(groups) for part in group]

    # All words

    def _leave_cards(self) -> None:
        """The cards become the focus word's rows of three tables."""
        closing, f = self.closing, self.cast.focus
        tables = (closing.Q, closing.K, closing.V)
        gone: list[VMobject] = [*self.cards, self.x_arrow, self.x_label, *self.arrows, *self.names]
        if not closing.plane:
            gone += [self.plane, *self.note]
        numbers = [
            (old.copy(), new)
            for card, table in zip(self.cards, tables, strict=True)
            for old, new in zip(card.numbers, table.numbers[f], strict=True)
        ]
        self.play(*map(FadeOut, gone), *map(FadeIn, closing.tokens.tokens), run_time=0.7)
        frames = [table.frame for table in tables]
        self.add(*frames)  # under the numbers that come into them
        self.play(*map(FadeIn, frames), *(become(old, new) for old, new in numbers))

    def _split(self, i: int, run_time: float) -> None:
        """Another word's arrow turns into its three, and their numbers go into its row."""
        closing = self.closing
        rows = [table.numbers[i] for table in (closing.Q, closing.K, closing.V)]
        tokens = closing.tokens.tokens
        if not closing.plane:
            come = [FadeIn(number, target_position=tokens[i], rate_func=rush_from) for row in rows for number in row]
            self.play(*come, *self._only_word(tokens, i), run_time=run_time)
            return
        start = self.cast.points("words", self.cast.trace.embeddings[i])
        x = self.plane.arrow(start, self._quiet)
        arrows = role_arrows(self.cast, self.plane, i)
        ends = [arrow.tip for arrow in arrows]
        self.play(FadeIn(x), *self._only_word(tokens, i), run_time=min(0.4, run_time))
        self.add(*(arrow.point_to(x.tip) for arrow in arrows))
        self.play(*(arrow.swing_to(end) for arrow, end in zip(arrows, ends, strict=True)), run_time=run_time)
        come = [
            FadeIn(number, target_position=arrow.tip, rate_func=rush_from)
            for row, arrow in zip(rows, arrows, strict=True)
            for number in row
        ]
        self.play(*come, *(FadeOut(arrow, rate_func=early) for arrow in (x, *arrows)), run_time=min(0.9, run_time))


def _parts(grid: NumberGrid) -> list[VMobject]:
    """Cells, dots and numbers of a table, in one order."""
    numbers = [number for row in grid.numbers for number in row]
    return [*grid.boxes, *grid.gaps_in_rows, *grid.gaps_in_columns, *numbers]
