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

STRETCH = 2.0
"""How many times its length an arrow is stretched to."""


@dataclass(frozen=True, eq=False)
class ArrowsPicture(Picture):
    """Plane and arrows at the left; words and X at the right."""

    plane: ArrowPlane
    note: tuple[Row, ...]
    arrows: tuple[Arrow, ...]
    labels: tuple[Token, ...]
    tokens: TokenRow
    X: NamedGrid


@dataclass(frozen=True)
class Trials:
    """What is tried with arrows: ``moved`` begins where the focus word's ends, ``whole`` is what the two add up to,
    ``stretched`` is the focus word's own, longer."""

    moved: Arrow
    whole: Arrow
    stretched: Arrow


def after_arrows(cast: Cast) -> ArrowsPicture:
    """What ``arrows`` ends and ``roles`` begins with."""
    plane = cast.word_plane()
    points = cast.points("words", cast.trace.embeddings)
    arrows = plane.arrows(points, ManimColor(cast.theme.colours.ink))
    # What the chapter lays on the plane for a while finds no name in its way.
    tried = trials(cast, plane)
    later = (tried.moved, tried.whole, tried.stretched)
    zone, X = cast.side_zone, cast.tables().X
    left = zone.centre[0] - (cast.words_width + cast.width_of(cast.trace.d_model)) / 2
    return ArrowsPicture(
        letters={},
        plane=plane,
        note=cast.plane_note(plane, "words"),
        arrows=arrows,
        labels=tuple(word_tips(cast.words, arrows, plane, cast.theme, later)),
        tokens=cast.words_at(left),
        X=X.put(cast.at_row(left + cast.words_width, cast.narrow)),
    )


def partner_of(cast: Cast) -> int:
    """The word that is added to the focus word; in a sentence of one word that word itself."""
    return cast.others[0] if cast.others else cast.focus


def trials(cast: Cast, plane: ArrowPlane) -> Trials:
    """The arrows of what is tried, where they end up."""
    x = cast.points("words", cast.trace.embeddings)
    first, second = x[cast.focus], x[partner_of(cast)]
    ink = ManimColor(cast.theme.colours.ink)
    whole = plane.arrow(first + second, ink, weight=1.4)
    moved = plane.arrow(second, ink).point_to(whole.tip, plane.point(first))
    return Trials(moved, whole, plane.arrow(STRETCH * first, ink, weight=1.4))
