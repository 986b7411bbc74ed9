"""The picture after chapter 1: the words' arrows on a plane, and the table X of the same numbers."""

from __future__ import annotations

from dataclasses import dataclass

from manim import ManimColor

from scenes.cast import Cast
from scenes.handover.picture import Picture
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.text import Row
from scenes.mobjects.tips import word_tips
from scenes.mobjects.token_row import Token, TokenRow


@dataclass(frozen=True, eq=False)
class ArrowsPicture(Picture):
    """Plane and arrows at the left; words and X at the right."""

    plane: ArrowPlane
    note: tuple[Row, ...]
    arrows: tuple[Arrow, ...]
    labels: tuple[Token, ...]
    tokens: TokenRow
    X: NamedGrid


def after_arrows(cast: Cast) -> ArrowsPicture:
    """What ``arrows`` ends and ``roles`` begins with."""
    plane = cast.word_plane()
    points = cast.points("words", cast.trace.embeddings)
    arrows = plane.arrows(points, ManimColor(cast.theme.colours.ink))
    zone, X = cast.side_zone, cast.tables().X
    left = zone.centre[0] - (cast.words_width + cast.width_of(cast.trace.d_model)) / 2
    return ArrowsPicture(
        header=cast.header("arrows"),
        letters={},
        plane=plane,
        note=cast.plane_note(plane, "words"),
        arrows=arrows,
        labels=tuple(word_tips(cast.words, arrows, plane, cast.theme)),
        tokens=cast.words_at(left),
        X=X.put(cast.at_row(left + cast.words_width, cast.narrow)),
    )
