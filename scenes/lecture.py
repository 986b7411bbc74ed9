"""What every chapter that explains has in common: a header with a step and a growing formula, and a band for working.

The formula in the header is the map of the whole. Each of its letters appears when its table has been made; a table
that has done its work shrinks to its letter, and comes out of it again when it is needed. The band below the stage
holds a line of working that is written as it is worked out, or a statement of a few words.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from manim import UP, Animation, FadeIn, FadeOut, ManimColor, Mobject

from scenes.chapter import Chapter
from scenes.mobjects.header import Header, HeaderFormula
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.text import Formula, Label, Piece, Row, fitted_label
from scenes.mobjects.working import Working


class Lecture(Chapter):
    """A chapter with a header, a formula that grows, and a band for lines of working and statements."""

    def open(self) -> None:
        """Prepare the formula; none of its letters is shown yet."""
        assert self.story is not None
        self.by_root = self.story.scale is None
        self.formula = HeaderFormula(self.layout.header, self.theme, by_root=self.by_root)
        self.row: Row | Label | None = None
        self._unwritten: deque[Piece] = deque()
        self.header: Header | None = None

    @property
    def _ink(self) -> ManimColor:
        return ManimColor(self.theme.colours.ink)

    @property
    def _quiet(self) -> ManimColor:
        return ManimColor(self.theme.colours.quiet)

    # The header

    def _step(self, number: int | None, title: str) -> None:
        """Change the header to another step."""
        zone = self.layout.header
        taken = 0.0 if self.header is None else self.formula.advance + self.theme.space.gap
        header = Header(number, title, zone.inset(right=taken), self.theme)
        if self.header is None:
            self.play(FadeIn(header), run_time=0.5)
        else:
            self.play(FadeOut(self.header, shift=UP * 0.1), FadeIn(header, shift=UP * 0.1), run_time=0.5)
        self.header = header

    def _letter(self, name: str) -> Mobject:
        return self.formula.letters[name]

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

    # The band

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

    def _state(self, text: str) -> None:
        """Put a statement of a few words into the band, in place of what stands there."""
        zone, kind = self.layout.band, self.theme.type
        label = fitted_label(text, zone.width, em=kind.statement, colour=self._ink, smallest=kind.readable)
        old = [] if self.row is None else [FadeOut(self.row)]
        self.row = label.set_middle(zone.centre)
        self.play(*old, FadeIn(label, shift=UP * 0.1), run_time=0.5)

    def _clear_row(self) -> None:
        """Empty the band."""
        if self.row is not None:
            self.play(FadeOut(self.row), run_time=0.4)
            self.row = None

    # Moving

    def _emerge(self, numbers: Sequence[Mobject], sources: Sequence[Mobject]) -> list[Animation]:
        """Numbers come out of what they are made from."""
        return [
            FadeIn(number, target_position=source.get_center()) for number, source in zip(numbers, sources, strict=True)
        ]


def _closes(piece: Piece) -> bool:
    """Whether a piece belongs to the number before it: a bracket, a comma, or the symbol that the number multiplies."""
    return isinstance(piece, Formula) or (isinstance(piece, Label) and piece.text in (")", "]", ","))
