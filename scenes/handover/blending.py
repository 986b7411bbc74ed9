"""The picture after chapter 7: the focus word's old arrow and its new one, and all words' tables before and after."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from manim import ManimColor

from scenes.cast import BETWEEN, Cast
from scenes.handover.picture import Picture
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.text import Row
from scenes.mobjects.tips import place
from scenes.mobjects.token_row import TokenRow
from scenes.mobjects.working import Working


@dataclass(frozen=True, eq=False)
class BlendingPicture(Picture):
    """The plane with the old arrow and the new one; words, X and Z."""

    plane: ArrowPlane
    note: tuple[Row, ...]
    old: Arrow
    new: Arrow
    labels: tuple[Row, ...]
    tokens: TokenRow
    X: NamedGrid
    Z: NamedGrid


def after_blending(cast: Cast) -> BlendingPicture:
    """What ``blending`` ends and ``edge_cases`` begins with."""
    i, colours, word = cast.focus, cast.theme.colours, cast.words[cast.focus]
    plane = cast.blend_plane()
    # Stout, so that a word that stays where it was is seen under its new arrow.
    old = plane.arrow(cast.points("words", cast.trace.embeddings[i]), ManimColor(colours.quiet), weight=1.8)
    new = plane.arrow(cast.points("content", cast.outputs[i]), ManimColor(colours.ink))
    kinds = (("x", colours.quiet), ("z", colours.ink))
    labels = [Working(cast.theme).symbol(symbol, colour, word=word).row() for symbol, colour in kinds]
    # The chapter shows this one, too, while it compares the two.
    place(labels, (old, new), plane, [trusted_value(cast, plane)])
    tables, zone = cast.tables(), cast.side_zone
    width, apart = cast.width_of(cast.trace.d_model), 2 * BETWEEN
    left = zone.centre[0] - (cast.words_width + width + apart + cast.width_of(cast.trace.d_v)) / 2
    edge = left + cast.words_width
    return BlendingPicture(
        letters=dict(cast.formula.letters),
        plane=plane,
        note=cast.plane_note(plane, "words", "matching", "content"),
        old=old,
        new=new,
        labels=tuple(labels),
        tokens=cast.words_at(left),
        X=tables.X.put(cast.at_row(edge, cast.narrow)),
        Z=tables.Z.put(cast.at_row(edge + width + apart, cast.narrow)),
    )


def trusted_value(cast: Cast, plane: ArrowPlane) -> Arrow:
    """The value of the word that gets most of the focus word's budget; stout, to be seen under a blend of it alone."""
    word = int(np.argmax(cast.weights[cast.focus]))
    return plane.arrow(cast.points("content", cast.values[word]), ManimColor(cast.theme.colours.value), weight=1.5)
