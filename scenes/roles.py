"""Chapter 2: a word asks, is found, and hands something over. One arrow cannot do it all, so three are made of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from manim import (
    DOWN,
    LEFT,
    UP,
    Animation,
    FadeIn,
    FadeOut,
    LaggedStart,
    ManimColor,
    VGroup,
    VMobject,
    rush_from,
)
from numpy.typing import NDArray

from math_core import angle
from scenes import paper, wording
from scenes.cast import BETWEEN, Cast
from scenes.chapter import beat
from scenes.handover.arrows import after_arrows
from scenes.handover.roles import after_roles, arrow_name, role_arrows, role_names
from scenes.layout import Zone
from scenes.mobjects.angle_mark import AngleMark
from scenes.mobjects.arrow_plane import Sheathe, is_clear
from scenes.mobjects.degrees import Degrees
from scenes.mobjects.motion import Light, become, dim, early, fly, light
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import CellSize, NamedGrid, NumberGrid, cell_width, slots
from scenes.mobjects.role_card import Role, RoleCard
from scenes.mobjects.tables import Tables, stand_left_of, vector_texts
from scenes.mobjects.text import Row
from scenes.mobjects.tips import place
from scenes.mobjects.working import Working
from scenes.mobjects.zoom import View, Zoom
from scenes.numerals import COUNT
from scenes.steps.multiplying import Multiplying
from scenes.theme import DIM
from scenes.walkthrough import Walkthrough
from scenes.workings.fact import fact

_ROLES = (
    ("q", "Q", "query", "What am I looking for?"),
    ("k", "K", "key", "What do I offer?"),
    ("v", "V", "value", "What do I carry?"),
)
"""Symbol, letter, name of the colour, and question of each role."""
_TALL = 0.72
"""Height of a cell of the multiplication that is worked out, in units."""


class Roles(Multiplying, Walkthrough):
    """Step 2: one arrow, three jobs."""

    name = "roles"

    def open(self) -> None:
        """Begin with the words' arrows, and make those of the roles."""
        super().open()
        cast = self.cast
        x = cast.trace.embeddings
        self.angles = np.asarray(angle(x[cast.focus], x, degrees=True))
        self.opening, self.closing = after_arrows(cast), after_roles(cast)
        self._begin(self.opening)
        self.x_arrow = self.opening.arrows[cast.focus]
        self.plane = self.closing.plane[0] if self.closing.plane else cast.role_plane()
        self.arrows = self.closing.arrows or role_arrows(cast, self.plane, cast.focus)
        self.names = self.closing.labels or role_names(cast, self.arrows, self.plane, cast.focus)
        self.note = self.closing.note or cast.plane_note(self.plane, "matching", "content")
        self.work = _Work(cast)
        self.q_frame = self.work.q.frame
        self.measured: dict[int, Degrees] = {}
        self.cards = role_cards(cast)

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and the angles between the focus word and each word."""
        return {**super().sources(), "angles": self.angles}

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
        self.play(FadeIn(self.q_frame), FadeIn(self.work.q_name), run_time=0.5)

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
            self._split(i, max(0.5, min(1.2, 4.0 / len(others))))
        names = (FadeIn(table.name, shift=UP * 0.1) for table in (closing.Q, closing.K, closing.V))
        tokens = self._only_word(closing.tokens.tokens, None)
        self.play(*names, *tokens, *map(FadeIn, (*closing.arrows, *closing.labels)), run_time=0.7)
        self._settle(closing)

    # One arrow for two jobs

    @property
    def has_angle(self) -> bool:
        """Whether the focus word's arrow points anywhere."""
        return bool(np.isfinite(self.angles[self.cast.focus]))

    def _only_focus(self) -> list[Animation]:
        opening, f = self.opening, self.cast.focus
        parts = [part for i in self.cast.others for part in (opening.arrows[i], opening.labels[i])]
        return [*dim(*parts), *self._only_word(opening.tokens.tokens, f), *opening.X.light_row(f), *dim(opening.X.name)]

    def _make_room_for_angles(self) -> None:
        """Where the angles would not fit at the right of X, words and X move to the left."""
        em = self.theme.type.number
        self.measured = {
            i: Degrees(float(value), self.theme, em, source=f"angles[{i}]")
            for i, value in enumerate(self.angles)
            if np.isfinite(value)
        }
        widest = max(degrees.advance for degrees in self.measured.values())
        self.right = float(self.opening.X.boxes.get_right()[0]) + BETWEEN + widest
        over = self.right - self.layout.stage.right
        if over > 0:
            self.right -= over
            self.play(VGroup(self.opening.tokens, self.opening.X, self.opening.X.name).animate.shift(LEFT * over))

    def _ask_everybody(self) -> None:
        """A hand goes from the focus word's arrow to every other one, and what it turns is written into their rows."""
        opening, f = self.opening, self.cast.focus
        hand = opening.plane.arrow(opening.plane.vector(self.x_arrow.tip), self._ink, weight=0.5)
        mark = AngleMark(self.x_arrow, hand, self.theme).follow()
        self.add(hand, mark, *opening.labels)
        order = [i for i in self.cast.others if i in self.measured]
        for i in [*order, f]:
            degrees = self.measured[i]
            middle = np.array([self.right - degrees.advance / 2, self.cast.row(i), 0.0])
            degrees.place(middle, degrees.advance)
            lit = light(opening.arrows[i], opening.labels[i], opening.tokens.tokens[i])
            swing = hand.swing_to(opening.arrows[i].tip)
            self.play(swing, *lit, run_time=min(0.8, 2.0 / len(order or [f])))
            origin = mark if len(mark.points) else self.x_arrow.tip
            self.play(FadeIn(degrees, target_position=origin), run_time=min(0.4, 1.2 / len(order or [f])))
        self.play(FadeOut(hand), FadeOut(mark), run_time=0.3)

    def _leave_the_others(self) -> None:
        """Only the focus word stays."""
        opening, f = self.opening, self.cast.focus
        parts = [part for i in self.cast.others for part in (opening.arrows[i], opening.labels[i])]
        parts += [part for i in self.cast.others for part in (opening.X.row(i), opening.tokens.tokens[i])]
        parts += [opening.X.name, *self.measured.values()]
        back = light(opening.tokens.tokens[f], opening.X.row(f), self.x_arrow, opening.labels[f])
        self.play(*map(FadeOut, parts), *back, run_time=0.6)

    # One word, three matrices

    def _zoom(self) -> None:
        """The plane steps back, or comes nearer, until the arrows of all roles fit it."""
        opening, f = self.opening, self.cast.focus
        view, label, tip = View(opening.plane, self.plane), opening.labels[f], self._x_tip()
        stays = is_clear(label.copy().shift(tip - self.x_arrow.tip), (), (), self.plane.zone)
        ride = [view.ride(self.x_arrow, label)] if stays else [view.ride(self.x_arrow), FadeOut(label, rate_func=early)]
        has_length = not np.allclose(tip, self.plane.origin)
        covered = has_length * sum(np.allclose(arrow.tip, tip, atol=1e-9) for arrow in self.arrows)
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
        leaving = [FadeOut(work.x, target_position=x, scale=0.7), FadeOut(self.q_frame, rate_func=early)]
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

    def _sizes(self) -> Working:
        """W_Q is d_model × d_k = 2 × 2 here, 512 × 64 in a real model."""
        colours, trace = self.theme.colours, self.trace
        line = Working(self.theme).symbol("W_Q", colours.query).sign("is")
        line.symbol('d_"model"', colours.ink).sign("×").symbol("d_k", colours.ink).sign("=")
        line.number(trace.d_model, COUNT, "d_model").sign("×").number(trace.d_k, COUNT, "d_k").sign("here,")
        fact(fact(line, paper.D_MODEL).sign("×"), paper.D_K).sign("in a real model")
        return line

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
            come = [arrival for row in rows for arrival in self._emerge(row, [tokens[i]] * len(row))]
            self.play(*come, *self._only_word(tokens, i), run_time=min(0.6, run_time))
            return
        start = self.cast.points("words", self.cast.trace.embeddings[i])
        x = self.plane.arrow(start, self._quiet)
        arrows = role_arrows(self.cast, self.plane, i)
        ends = [arrow.tip for arrow in arrows]
        self.play(FadeIn(x), *self._only_word(tokens, i), run_time=0.4)
        self.add(*(arrow.point_to(x.tip) for arrow in arrows))
        self.play(*(arrow.swing_to(end) for arrow, end in zip(arrows, ends, strict=True)), run_time=run_time)
        come = [
            FadeIn(number, target_position=arrow.tip, rate_func=rush_from)
            for row, arrow in zip(rows, arrows, strict=True)
            for number in row
        ]
        self.play(*come, *(FadeOut(arrow, rate_func=early) for arrow in (x, *arrows)), run_time=min(0.9, run_time))


class _Work:
    """Where a row meets the columns of W_Q: x at the left, the matrix above what comes of them."""

    def __init__(self, cast: Cast) -> None:
        trace, theme, f = cast.trace, cast.theme, cast.focus
        colours, zone = theme.colours, cast.side_zone
        rows, columns = len(slots(trace.d_model)), len(slots(trace.d_k))
        gap = theme.space.cell_gap
        room = (zone.width - BETWEEN) / (rows + columns) - gap
        cell = CellSize(max(cast.narrow.width, min(1.0, room)), _TALL, gap)
        self.W: NamedGrid = Tables(trace, cast.styles, cell, cast.wide, theme, cast.head).W_Q
        self.x = _one_row(trace.embeddings, f, cast, cell, "embeddings[{i}, {j}]", colours.ink, colours.axis)
        source = f"queries[{cast.head}, {{i}}, {{j}}]"
        self.q = _one_row(cast.queries, f, cast, cell, source, colours.query, colours.query)
        width = (rows + columns) * cell.across + BETWEEN
        height = (rows + 1) * cell.down + 2 * BETWEEN + theme.type.word
        left, top = zone.centre[0] - width / 2 + cell.width / 2, zone.centre[1] + height / 2 - cell.height / 2
        right, bottom = left + rows * cell.across + BETWEEN, top - rows * cell.down - BETWEEN / 2
        stand_left_of(self.W.put(np.array([right, top, 0.0])), self.W.name)
        self.x.put(np.array([left, bottom, 0.0]))
        self.q.put(np.array([right, bottom, 0.0]))
        word = cast.words[f]
        self.x_name = _below(self.x, Working(theme).symbol("x", colours.ink, word=word).row())
        self.q_name = _below(self.q, Working(theme).symbol("q", colours.query, word=word).row())


def _one_row(
    values: NDArray[np.float64], i: int, cast: Cast, cell: CellSize, source: str, colour: str, rim: str
) -> NumberGrid:
    return NumberGrid(
        values,
        cast.styles.vectors,
        cast.theme,
        cell,
        source=source,
        colour=ManimColor(colour),
        rim=ManimColor(rim),
        rows=(i,),
        columns=slots(values.shape[1]),
    )


def _below(grid: NumberGrid, name: Row) -> Row:
    return name.place(grid.boxes.get_bottom() + DOWN * BETWEEN, name.advance + 1.0)


def _parts(grid: NumberGrid) -> list[VMobject]:
    """Cells, dots and numbers of a table, in one order."""
    numbers = [number for row in grid.numbers for number in row]
    return [*grid.boxes, *grid.gaps_in_rows, *grid.gaps_in_columns, *numbers]


def role_cards(cast: Cast) -> tuple[RoleCard, ...]:
    """The focus word's three cards, one below the other beside the plane."""
    trace, theme, f = cast.trace, cast.theme, cast.focus
    gap = theme.space.gap
    height = (cast.side_zone.height - 2 * gap) / len(_ROLES)
    rows = len(slots(trace.d_model))
    cell_height = min(_TALL, height / rows - theme.space.cell_gap)
    cell = CellSize(cell_width(vector_texts(trace, cast.styles), theme, least=0.6), cell_height, theme.space.cell_gap)
    tables = Tables(trace, cast.styles, cell, cast.wide, theme, cast.head)
    vectors = (cast.queries[f], cast.keys[f], cast.values[f])
    fields = ("queries", "keys", "values")
    cards = []
    for k, (symbol, letter, colour, question) in enumerate(_ROLES):
        zone = cast.side_zone
        top = zone.top - k * (height + gap)
        place_of_card = Zone(zone.left + gap, zone.right, top - height, top)
        role = Role(symbol, letter, getattr(theme.colours, colour), question)
        matrix = (tables.W_Q, tables.W_K, tables.W_V)[k]
        source = f"{fields[k]}[{cast.head}, {f}, {{c}}]"
        cards.append(
            RoleCard(role, cast.words[f], vectors[k], cast.styles.vectors, source, matrix, place_of_card, theme)
        )
    return tuple(cards)


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
    return f"Its own arrow, of course, and {wording.listed(names, others)}, which is the same."
