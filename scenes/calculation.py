"""What every chapter that calculates has in common: words in rows, tables that come out of the formula and go back.

The formula in the header is the map of the whole. Each of its letters appears when its table has been made; a table
that has done its work shrinks to its letter, and comes out of it again when it is needed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from manim import RIGHT, UP, Animation, FadeIn, FadeOut, ManimColor, Mobject
from numpy.typing import NDArray

from math_core import softmax_steps
from scenes.chapter import Chapter
from scenes.layout import Zone
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane, place_at_tips
from scenes.mobjects.header import Header
from scenes.mobjects.motion import Light
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.tables import Tables, board_for_trace, styles_for
from scenes.mobjects.text import Formula, Label, Piece, Row
from scenes.mobjects.token_row import Token, TokenRow
from scenes.mobjects.working import Working
from scenes.theme import DIM

BLEND = 4.6
"""Where values stand while they are blended: as far from the stage's left as words, shares and bars need."""
MOST_NAMED = 4
"""With more words than this, names on the plane are cut shorter and make room for each other."""
_NAME_WIDTH = 1.5
_LETTERS = ("softmax", "Q", "K", "T", "divide", "close", "V")


class Calculation(Chapter):
    """A chapter with a board of tables, a plane of arrows, a formula that grows, and a line of working."""

    def open(self) -> None:
        """Lay the board and make the tables; the beats bring them on."""
        story, trace, theme = self.story, self.trace, self.theme
        assert story is not None
        self.words_shown = story.tokens
        self.n = trace.n
        self.first = story.focus
        self.others = [i for i in range(self.n) if i != self.first]
        self.attention = trace.attention
        self.steps = softmax_steps(trace.attention.masked)
        self.styles = styles_for(trace, self.steps, story.look.decimals)
        self.board = board_for_trace(self.layout.stage, trace, self.words_shown, self.styles, theme)
        self.tables = Tables(trace, self.styles, self.board, theme)
        self.plane = ArrowPlane(self._plane_zone(), self._reach(), theme)
        self.tokens = TokenRow(self.words_shown, self.board.words_width - theme.space.gap, theme)
        self.by_root = story.scale is None
        self.formula = self._formula()
        self.letters = dict(zip(_LETTERS, self.formula.submobjects, strict=True))
        self.row: Row | None = None
        self._unwritten: deque[Piece] = deque()
        self.header: Header | None = None

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, the steps of softmax, and the whole that a budget is."""
        return {**super().sources(), "steps": self.steps, "whole": 1.0}

    # Setting out

    @property
    def _ink(self) -> ManimColor:
        return ManimColor(self.theme.colours.ink)

    @property
    def _quiet(self) -> ManimColor:
        return ManimColor(self.theme.colours.quiet)

    def _plane_zone(self) -> Zone:
        stage, board = self.layout.stage, self.board
        return stage.inset(left=BLEND + 4 * board.narrow.across + 1.8 * board.gap)

    @property
    def _plane_fits(self) -> bool:
        """Whether the plane has room beside the grid of scores."""
        return self.board.right_of(self.n, self.board.wide).left <= self.plane.zone.left + 0.3

    def _reach(self) -> NDArray[np.float64]:
        trace = self.trace
        chains = np.cumsum(trace.contributions[0], axis=1).reshape(-1, trace.d_v)
        return np.concatenate(
            [trace.embeddings, trace.queries[0], trace.keys[0], trace.values[0], trace.output, chains]
        )

    def _formula(self) -> Formula:
        """The formula at the right of the header; none of its parts is shown yet."""
        colours = self.theme.colours
        parts = {
            "softmax": (r'upright("softmax")(', colours.weight),
            "Q": ("Q", colours.query),
            "K": ("K", colours.key),
            "T": ('""^upright(T)', colours.key),
            "divide": (rf"thin \/ {'sqrt(d_k)' if self.by_root else 'c'}", colours.ink),
            "close": (")", colours.weight),
            "V": ("thin V", colours.value),
        }
        formula = Formula([(parts[k][0], ManimColor(parts[k][1])) for k in _LETTERS], em=self.theme.type.formula)
        zone = self.layout.header
        formula.set_middle(zone.centre)
        return formula.shift(RIGHT * (zone.right - formula.pen_end[0]))

    # Moving

    def _step(self, number: int | None, title: str) -> None:
        """Change the header to another step."""
        zone = self.layout.header
        taken = 0.0 if self.header is None else self.formula.advance + self.theme.space.gap
        room = zone.inset(right=taken)
        header = Header(number, title, room, self.theme)
        if self.header is None:
            self.play(FadeIn(header), run_time=0.5)
        else:
            self.play(FadeOut(self.header, shift=UP * 0.2), FadeIn(header, shift=UP * 0.2), run_time=0.5)
        self.header = header

    def _emerge(self, numbers: Sequence[Mobject], sources: Sequence[Mobject]) -> list[Animation]:
        """Numbers come out of what they are made from."""
        return [
            FadeIn(number, target_position=source.get_center()) for number, source in zip(numbers, sources, strict=True)
        ]

    def _only_word(self, i: int | None) -> list[Animation]:
        return [Light(token, 1.0 if i is None or i == k else DIM) for k, token in enumerate(self.tokens.tokens)]

    def _tip_labels(self, arrows: Sequence[Arrow]) -> list[Token]:
        labels = []
        for i, word in enumerate(self.words_shown):
            width = _NAME_WIDTH if self.n <= MOST_NAMED else _NAME_WIDTH * 0.65
            labels.append(Token(word, i, width, self.theme, self.theme.type.note))
        self._place(labels, arrows)
        return labels

    def _named_tips(
        self, arrows: Sequence[Arrow], symbol: str, colour: str, avoid: Sequence[Mobject] = ()
    ) -> list[Row]:
        longest = 9 if self.n <= MOST_NAMED else 6
        labels = [
            Working(self.theme, self.theme.type.note, longest).symbol(symbol, colour, word=word).row()
            for word in self.words_shown
        ]
        self._place(labels, arrows, avoid)
        return labels

    def _place(self, labels: Sequence[Mobject], arrows: Sequence[Arrow], avoid: Sequence[Mobject] = ()) -> None:
        place_at_tips(labels, arrows, self.plane.zone, avoid=[*self.plane.ticks, *avoid], axes=self.plane.axes)

    def _start_row(self, working: Working) -> None:
        """Begin a line of working in the band: only what stands before its first number is shown yet."""
        row = working.row().place(self.layout.band.centre, self.layout.band.width)
        first = next(k for k, piece in enumerate(row.pieces) if isinstance(piece, Number))
        self._unwritten = deque(row.pieces[first:])
        old = [] if self.row is None else [FadeOut(self.row)]
        self.row = row
        if begun := [*old, *map(FadeIn, row.pieces[:first])]:
            self.play(*begun, run_time=0.5)

    def _write(self, arrivals: Sequence[Animation]) -> list[Animation]:
        """Go on with the line: its next numbers arrive by ``arrivals``, and the signs around them with them."""
        waiting = deque(arrivals)
        moves: list[Animation] = []
        while self._unwritten and (waiting or _closes(self._unwritten[0])):
            piece = self._unwritten.popleft()
            moves.append(waiting.popleft() if isinstance(piece, Number) else FadeIn(piece))
        return moves

    def _clear_row(self) -> None:
        if self.row is not None:
            self.play(FadeOut(self.row), run_time=0.4)
            self.row = None

    def _letter(self, name: str) -> Mobject:
        return self.letters[name]

    def _put_away(self, table: NamedGrid, letter: str, leaving: Iterable[Mobject]) -> None:
        """A table that has done its work shrinks to its letter in the formula."""
        where = self._letter(letter)
        self._clear_row()
        self.play(
            FadeOut(table, target_position=where, scale=0.2),
            FadeOut(table.name),
            FadeIn(where),
            *(FadeOut(mobject) for mobject in leaving),
            run_time=0.9,
        )

    def _take_out(self, *tables: tuple[NamedGrid, str]) -> None:
        """Tables come back out of their letters."""
        self.play(
            *(FadeIn(table, target_position=self._letter(letter), scale=0.2) for table, letter in tables),
            *(FadeIn(table.name) for table, _ in tables),
        )


def _closes(piece: Piece) -> bool:
    """Whether a piece belongs to the number before it: a bracket, a comma, or the symbol that the number multiplies."""
    return isinstance(piece, Formula) or (isinstance(piece, Label) and piece.text in (")", "]", ","))
