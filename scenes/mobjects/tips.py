"""Names at the tips of arrows: the words themselves, or the symbols of what the arrows are."""

from __future__ import annotations

from collections.abc import Sequence

from manim import VMobject

from scenes.mobjects.arrow_plane import Arrow, ArrowPlane
from scenes.mobjects.placing import place_at_tips
from scenes.mobjects.text import Row
from scenes.mobjects.token_row import Token
from scenes.mobjects.working import Working
from scenes.theme import Theme

MOST_NAMED = 4
"""With more words than this, names on the plane are cut shorter and make room for each other."""
_NAME_WIDTH = 1.5
_LETTERS, _FEW_LETTERS = 9, 6


def word_tips(
    words: Sequence[str], arrows: Sequence[Arrow], plane: ArrowPlane, theme: Theme, avoid: Sequence[VMobject] = ()
) -> list[Token]:
    """Each word with its marker, at the tip of its arrow."""
    width = _NAME_WIDTH if len(words) <= MOST_NAMED else _NAME_WIDTH * 0.65
    labels = [Token(word, i, width, theme, theme.type.note) for i, word in enumerate(words)]
    place(labels, arrows, plane, avoid)
    return labels


def symbol_tips(
    symbol: str,
    colour: str,
    words: Sequence[str],
    arrows: Sequence[Arrow],
    plane: ArrowPlane,
    theme: Theme,
    avoid: Sequence[VMobject] = (),
) -> list[Row]:
    """The symbol with each word at its foot, at the tip of its arrow."""
    longest = _LETTERS if len(words) <= MOST_NAMED else _FEW_LETTERS
    labels = [Working(theme, theme.type.note, longest).symbol(symbol, colour, word=word).row() for word in words]
    place(labels, arrows, plane, avoid)
    return labels


def place(
    labels: Sequence[VMobject], arrows: Sequence[Arrow], plane: ArrowPlane, avoid: Sequence[VMobject] = ()
) -> None:
    """Put labels at tips, clear of the plane's ticks and axes and of everything in ``avoid``."""
    place_at_tips(labels, arrows, plane.zone, avoid=[*plane.ticks, *avoid], axes=plane.axes)
