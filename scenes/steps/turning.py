"""The keys turn on their side: K is flipped over its diagonal and rises, so that its columns cross the rows of Q."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import (
    DOWN,
    LEFT,
    PI,
    RIGHT,
    UP,
    Animation,
    DashedLine,
    FadeIn,
    FadeOut,
    ManimColor,
    Mobject,
    Rectangle,
    ReplacementTransform,
    VGroup,
    smooth,
    squish_rate_func,
)

from scenes.cast import Cast
from scenes.handover.alignment import AlignmentPicture, after_alignment
from scenes.layout import Zone
from scenes.mobjects.board import Board, board_for
from scenes.mobjects.flip import Flip
from scenes.mobjects.motion import become, early, late
from scenes.mobjects.number_grid import slots
from scenes.mobjects.overlaps import as_ground
from scenes.mobjects.tables import Tables
from scenes.mobjects.text import Row
from scenes.mobjects.token_row import Token, TokenRow
from scenes.mobjects.working import Working
from scenes.numerals import COUNT
from scenes.walkthrough import Walkthrough

_LEAST_BETWEEN, _MOST_BETWEEN = 0.36, 0.9
"""Room between Q and the grid, in units."""
_STRIPE = 0.22
"""Opacity of the stripes in which rows and columns cross."""
_LINE = 0.42
"""From one name to another that stands above it, in units."""


class Turning(Walkthrough):
    """A chapter in which Q and K stand side by side at first, and then so that every row meets every column.

    ``tables`` are laid on the ``board`` where they meet; ``tokens`` are the words in their rows, wherever they are.
    """

    opening: AlignmentPicture
    board: Board
    tables: Tables
    tokens: TokenRow
    heads: tuple[Token, ...]
    KT_name: Row

    def open(self) -> None:
        """Make the tables, and set out where they will meet."""
        super().open()
        cast = self.cast
        self.opening = after_alignment(cast)
        self.tokens = self.opening.tokens
        self.board = board = meeting_board(cast)
        self.tables = Tables(cast.trace, cast.styles, board.narrow, board.wide, self.theme, cast.head)
        self.tables.Q.put(board.left)
        self.tables.S.put(board.product(board.wide))

    def _make_room(self) -> None:
        """Words and Q go to the left, and K to where its columns will be."""
        opening, board = self.opening, self.board
        aside = board.word(0)[0] - self.tokens.tokens[0].left_middle()[0]
        over = board.product(board.wide)[0] - opening.K.cells[0][0].get_center()[0]
        self.play(
            VGroup(*self.tokens.tokens, opening.Q, opening.Q.name).animate.shift(aside * RIGHT),
            VGroup(opening.K, opening.K.name).animate.shift(over * RIGHT),
            run_time=0.8,
        )

    def _diagonal(self) -> DashedLine:
        """The axis that K is flipped over: it lies under the cells and looks out at both ends."""
        K = self.opening.K
        last = min(len(K.cells), len(K.cells[0])) - 1
        first, end = K.cells[0][0].get_center(), K.cells[last][last].get_center()
        along = end - first if last else K.cells[0][0].get_corner(DOWN + RIGHT) - first
        along = along / np.linalg.norm(along)
        cell = float(np.hypot(K.cell.width, K.cell.height))
        # Short at its lower end, where the table's name is near.
        ends = first - 0.95 * cell * along, end + 0.62 * cell * along
        axis = DashedLine(*ends, stroke_width=1.5 * self.theme.stroke.axis, dash_length=0.12)
        axis.set_color(ManimColor(self.theme.colours.ink))
        self.add(axis)
        self.bring_to_front(K)
        return axis

    def _set_out_columns(self) -> None:
        """Put Kᵀ where K stands, with words as the heads of its columns."""
        cast, KT, first = self.cast, self.tables.KT, self.opening.K.cells[0][0].get_center()
        KT.put(np.array([self.board.product(self.board.wide)[0], first[1], 0.0]))
        self.heads = TokenRow(cast.words, self.board.wide.width * 0.94, self.theme, self.theme.type.note).tokens
        for head, cell in zip(self.heads, KT.cells[0], strict=True):
            head.put_middle(self.board.above(cell.get_center()))
        self.KT_name = self._shape_of_keys().place(KT.name.get_center(), self.layout.stage.width)

    def _words_beside_keys(self) -> list[Token]:
        """Whose row of K is which; nothing where there is no room."""
        tight, rows = self.theme.space.tight, self.opening.K.cells
        words = [
            head.copy().put_left(row[0].get_left() + (tight + head.advance) * LEFT)
            for head, row in zip(self.heads, rows, strict=True)
        ]
        room = self.opening.Q.get_right()[0] + tight / 2
        return words if all(word.get_left()[0] > room for word in words) else []

    def _turn_keys(self, axis: Mobject, beside: Sequence[Token]) -> None:
        """Each entry (i, j) of K is flipped over to (j, i) of Kᵀ, and each word from beside its row to over its column.

        ``beside`` are the words beside the rows, or none of them.
        """
        K, KT, over = self.opening.K, self.tables.KT, RIGHT + DOWN
        sheet = [
            *((K.cells[i][j], KT.cells[j][i]) for i, j in K.places()),
            *zip(K.gaps_in_rows, KT.gaps_in_columns, strict=True),
        ]
        written = [
            *((K.numbers[i][j], KT.numbers[j][i]) for i, j in K.places()),
            *zip(beside, self.heads, strict=False),
        ]
        turns = [Flip(part, turned, over) for part, turned in sheet]
        turns += [Flip(part, turned, over, upright=True) for part, turned in written]
        self.remove(*K.get_family(), *beside)
        leaves = FadeOut(axis, rate_func=early)
        self.play(*turns, *self._swap_sizes(), leaves, run_time=2.4)

    def _swap_sizes(self) -> list[Animation]:
        """n × d turns into d × n below the table."""
        old, new = self.opening.K.name, self.KT_name
        letter, rows, times, columns = old.pieces
        new_letter, new_rows, new_times, new_columns = new.pieces
        self.remove(old)
        self.add(*old.pieces)
        halfway = squish_rate_func(smooth, 0.35, 0.65)
        return [
            FadeOut(letter, rate_func=early),
            FadeIn(new_letter, rate_func=late),
            ReplacementTransform(rows, new_columns, path_arc=PI / 2, rate_func=halfway),
            ReplacementTransform(columns, new_rows, path_arc=PI / 2, rate_func=halfway),
            ReplacementTransform(times, new_times, rate_func=halfway),
        ]

    def _shape_of_keys(self) -> Row:
        colours = self.theme.colours
        line = Working(self.theme, self.theme.type.note).symbol("K^upright(T)", colours.key)
        line.number(self.cast.trace.d_k, COUNT, "shape(keys)[-1]", colours.quiet).sign("×", colours.quiet)
        return line.number(self.cast.n, COUNT, "shape(keys)[-2]", colours.quiet).row()

    def _raise_keys(self) -> None:
        """Kᵀ stands above, Q at the left: row i and column j meet at (i, j)."""
        board, tables, opening = self.board, self.tables, self.opening
        Q, KT, tokens = tables.Q, tables.KT, self._words_at_board()
        Q.name.place(Q.boxes.get_top() + UP * 0.3, Q.name.advance + 1.0)
        rise = board.upper(board.wide) - KT.cells[0][0].get_center()
        raised = KT.boxes.get_left() + rise + LEFT * (0.25 + self.KT_name.advance / 2)
        # Both names stand over Q: one above the other, however low the keys are.
        raised[1] = max(raised[1], Q.name.get_center()[1] + _LINE)
        self.play(
            VGroup(KT, *self.heads).animate.shift(rise),
            self.KT_name.animate.shift(raised - self.KT_name.get_center()),
            *map(become, self.tokens.tokens, tokens.tokens),
            ReplacementTransform(opening.Q, Q),
            # Not through the table.
            FadeOut(opening.Q.name, rate_func=early),
            FadeIn(Q.name, rate_func=late),
            FadeIn(self._letter("Q"), target_position=Q.name),
            run_time=1.2,
        )
        self.tokens = tokens

    def _words_at_board(self) -> TokenRow:
        """The words in the rows of the board, small enough for these."""
        theme, down = self.theme, self.board.narrow.down
        width = self.cast.words_width - theme.space.gap
        tokens = TokenRow(self.cast.words, width, theme, min(theme.type.word, 0.95 * down))
        for i, token in enumerate(tokens.tokens):
            token.put_left(self.board.word(i))
        return tokens

    def _stripes(self) -> tuple[list[Rectangle], list[Rectangle]]:
        """Where the rows of Q and the columns of Kᵀ run on to."""
        tables, colours = self.tables, self.theme.colours
        cells = tables.S.cells
        left, top = tables.Q.boxes.get_right()[0], tables.KT.boxes.get_bottom()[1]
        right, bottom = tables.S.boxes.get_right()[0], tables.S.boxes.get_bottom()[1]
        rows = [
            Rectangle(width=right - left, height=0.8 * self.board.narrow.height, stroke_width=0.0)
            .set_fill(ManimColor(colours.query), _STRIPE)
            .move_to(np.array([(left + right) / 2, row[0].get_center()[1], 0.0]))
            for row in cells
        ]
        columns = [
            Rectangle(width=0.8 * self.board.wide.width, height=top - bottom, stroke_width=0.0)
            .set_fill(ManimColor(colours.key), _STRIPE)
            .move_to(np.array([cell.get_center()[0], (top + bottom) / 2, 0.0]))
            for cell in cells[0]
        ]
        return list(map(as_ground, rows)), list(map(as_ground, columns))


def meeting_board(cast: Cast) -> Board:
    """Where Q stands left of the grid and Kᵀ above it, in the middle of the stage."""
    stage, depth, theme = cast.layout.stage, len(slots(cast.trace.d_k)), cast.theme
    tables = depth * cast.narrow.across + cast.n * cast.wide.across
    room = stage.width - cast.words_width
    between = min(_MOST_BETWEEN, max(_LEAST_BETWEEN, room - tables))
    share = min(1.0, (room - between) / tables)
    whole = cast.words_width + between + share * tables
    left = stage.centre[0] - whole / 2
    gap = cast.narrow.gap
    narrow, wide = (share * cell.across - gap for cell in (cast.narrow, cast.wide))
    zone = Zone(left, left + whole, stage.bottom, stage.top)
    return board_for(
        zone, cast.n, cast.words_width, narrow, wide, theme, depth=depth, between=between, names_below=False
    )
