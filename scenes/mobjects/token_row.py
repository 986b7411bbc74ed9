"""The words of the sentence, each with the marker that it keeps for the whole film."""

from __future__ import annotations

from collections.abc import Sequence

from manim import LEFT, RIGHT, UP, Circle, ManimColor, RegularPolygon, Square, Star, VGroup, VMobject
from manim.typing import Point3D

from scenes.mobjects.text import Label, fitted_label
from scenes.theme import Theme


def marker(position: int, size: float, colour: ManimColor) -> VMobject:
    """The shape that stands for the word at ``position`` (0-based): six of them, then they come round again."""
    shapes = (
        lambda: Circle(radius=size * 0.5),
        lambda: RegularPolygon(3).scale_to_fit_height(size),
        lambda: Square(size * 0.9),
        lambda: RegularPolygon(4).scale_to_fit_height(size * 1.2),
        lambda: RegularPolygon(5).scale_to_fit_height(size * 1.05),
        lambda: Star(5, outer_radius=size * 0.6, inner_radius=size * 0.28),
    )
    shape = shapes[position % len(shapes)]()
    return shape.set_fill(colour, 1.0).set_stroke(width=0)


class Token(VGroup):
    """One word and its marker at its left."""

    def __init__(self, text: str, position: int, width: float, theme: Theme, em: float | None = None) -> None:
        super().__init__()
        em = theme.type.word if em is None else em
        ink = ManimColor(theme.colours.ink)
        self.marker = marker(position, em * 0.36, ManimColor(theme.colours.quiet))
        room = em * 0.36 + theme.space.tight * em / theme.type.word
        self.label: Label = fitted_label(text, width - room, em=em, colour=ink, smallest=theme.type.smallest)
        self.label.set_pen(RIGHT * room)
        self.marker.move_to(RIGHT * em * 0.18 + UP * 0.33 * self.label.em)
        self.add(self.marker, self.label)

    @property
    def advance(self) -> float:
        """The width in units from the marker to the end of the word."""
        return float(self.label.pen_end[0] - self.marker.get_left()[0])

    def put_left(self, middle_left: Point3D) -> Token:
        """Move so that it begins at ``middle_left`` and half the height of its capitals is there."""
        return self.shift(middle_left - self.left_middle())

    def put_middle(self, middle: Point3D) -> Token:
        """Move so that it is centred on ``middle``."""
        return self.put_left(middle + LEFT * self.advance / 2)

    def left_middle(self) -> Point3D:
        """Where it begins, at half the height of its capitals: there it shares a baseline with figures of its size."""
        return self.label.pen + LEFT * (self.label.pen[0] - self.marker.get_left()[0]) + UP * 0.33 * self.label.em


def common_em(tokens: Sequence[str], width: float, theme: Theme, largest: float | None = None) -> float:
    """The em at which all words fit into ``width`` with their markers, so that none looks louder than another.

    A word that has to be cut anyway does not make all others small.
    """
    em = theme.type.word if largest is None else largest
    widest = max(Token(text, 0, 1e9, theme, em).advance for text in tokens)
    fitting = min(em, em * width / widest)
    return fitting if fitting >= theme.type.smallest else min(em, theme.type.note * 0.95)


def common_width(tokens: Sequence[str], width: float, theme: Theme, largest: float | None = None) -> float:
    """The width of the widest word at the em at which all fit into ``width``; never more than ``width``."""
    em = common_em(tokens, width, theme, largest)
    return max(min(width, Token(text, 0, width, theme, em).advance) for text in tokens)


class TokenRow(VGroup):
    """The sentence: one :class:`Token` a word, in order."""

    def __init__(self, tokens: Sequence[str], width: float, theme: Theme, largest: float | None = None) -> None:
        super().__init__()
        em = common_em(tokens, width, theme, largest)
        self.tokens = tuple(Token(text, i, width, theme, em) for i, text in enumerate(tokens))
        self.add(*self.tokens)

    def shown_text(self) -> tuple[str, ...]:
        """The words as given."""
        return tuple(token.label.text for token in self.tokens)

    def in_lines(self, middle: Point3D, width: float) -> TokenRow:
        """Lay the words out like a sentence around ``middle``, on as many lines as ``width`` asks for."""
        em = self.tokens[0].label.em
        lines: list[list[Token]] = [[]]
        for token in self.tokens:
            if lines[-1] and _line_width([*lines[-1], token], em) > width:
                lines.append([])
            lines[-1].append(token)
        for k, line in enumerate(lines):
            place = middle + LEFT * _line_width(line, em) / 2 + UP * 1.8 * em * ((len(lines) - 1) / 2 - k)
            for token in line:
                token.put_left(place)
                place = place + RIGHT * (token.advance + _BETWEEN_WORDS * em)
        return self


def _line_width(line: Sequence[Token], em: float) -> float:
    return sum(token.advance for token in line) + _BETWEEN_WORDS * em * (len(line) - 1)


_BETWEEN_WORDS = 1.2
"""The room between words in a line, in ems: their markers need more than a space."""
