"""Lines of working: symbols, signs and numbers on one baseline, each number still knowing where it comes from."""

from __future__ import annotations

from typing import Self

from manim import ManimColor

from scenes.mobjects.number import Number
from scenes.mobjects.text import Formula, Label, Piece, Row, named
from scenes.numerals import NumberStyle
from scenes.theme import Theme
from scenes.wording import shortened

_AROUND = 0.28
_INSIDE = 0.06


class Working:
    """Builds a :class:`Row` piece by piece; ``numbers`` are its numbers in the order in which they were added."""

    def __init__(self, theme: Theme, em: float | None = None, longest_word: int = 9) -> None:
        self.theme = theme
        self.longest_word = longest_word
        self.em = theme.type.working if em is None else em
        self.numbers: list[Number] = []
        self._pieces: list[Piece] = []
        self._gaps: list[float] = []

    def symbol(self, source: str, colour: str, *, word: str | None = None) -> Self:
        """A mathematical symbol, with the word that it belongs to at its foot."""
        foot = "" if word is None else shortened(word, self.longest_word)
        math = named(source, foot) if foot else source
        return self._add(Formula([(math, ManimColor(colour))], em=self.em, words=foot), _AROUND)

    def sign(self, text: str, colour: str | None = None, *, tight: bool = False) -> Self:
        """A sign such as "=" or "+", or a bracket (``tight``)."""
        ink = self.theme.colours.ink if colour is None else colour
        label = Label(text, em=self.em, colour=ManimColor(ink))
        return self._add(label, _INSIDE if tight else _AROUND)

    def number(
        self,
        value: float,
        style: NumberStyle,
        source: str,
        colour: str | None = None,
        *,
        guarded: bool = False,
    ) -> Self:
        """A number; ``guarded`` puts a negative one into parentheses, as behind a sign."""
        wrap = guarded and style.text(value).startswith("−")
        if wrap:
            self.sign("(")
        number = Number(
            value,
            style,
            face=self.theme.figures,
            em=self.em,
            colour=ManimColor(self.theme.colours.ink if colour is None else colour),
            source=source,
        )
        self.numbers.append(number)
        self._add(number, _INSIDE if wrap or self._after_bracket() else _AROUND)
        return self.sign(")", tight=True) if wrap else self

    def row(self) -> Row:
        """The finished line."""
        return Row(self._pieces, em=self.em, gaps=self._gaps)

    def _after_bracket(self) -> bool:
        last = self._pieces[-1] if self._pieces else None
        return isinstance(last, Label) and last.text in "([√"

    def _add(self, piece: Piece, gap: float) -> Self:
        self._pieces.append(piece)
        self._gaps.append(gap)
        return self
