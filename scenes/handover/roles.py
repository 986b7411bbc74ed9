"""The picture after chapter 2: the focus word's three arrows, and the tables Q, K and V of all words."""

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

_BETWEEN_NAMES = 0.26
"""Room between the names of two tables that are narrower than their names, in units."""
_LETTERS = 7
"""Letters of the word at the foot of an arrow's name."""


@dataclass(frozen=True, eq=False)
class RolesPicture(Picture):
    """Where there is room beside the tables, the plane with q, k and v of the focus word; words, Q, K and V."""

    plane: tuple[ArrowPlane, ...]
    note: tuple[Row, ...]
    arrows: tuple[Arrow, ...]
    labels: tuple[Row, ...]
    tokens: TokenRow
    Q: NamedGrid
    K: NamedGrid
    V: NamedGrid


def after_roles(cast: Cast) -> RolesPicture:
    """What ``roles`` ends and ``alignment`` begins with."""
    tables = cast.tables()
    roles = (tables.Q, tables.K, tables.V)
    # A narrow table takes the room of its name.
    widths = [max(table.width, table.name.advance + _BETWEEN_NAMES - BETWEEN) for table in roles]
    whole = cast.words_width + sum(widths) + 2 * BETWEEN
    has_plane = whole <= cast.side_zone.width + 0.05
    zone = cast.side_zone if has_plane else cast.layout.stage
    left = zone.centre[0] - whole / 2
    tokens = cast.words_at(left)
    edge = left + cast.words_width
    for table, width in zip(roles, widths, strict=True):
        table.put(cast.at_row(edge + (width - table.width) / 2, cast.narrow))
        edge += width + BETWEEN
    plane = cast.role_plane()
    arrows = role_arrows(cast, plane, cast.focus)
    return RolesPicture(
        letters={},
        plane=(plane,) if has_plane else (),
        note=cast.plane_note(plane, "matching", "content") if has_plane else (),
        arrows=arrows if has_plane else (),
        labels=role_names(cast, arrows, plane, cast.focus) if has_plane else (),
        tokens=tokens,
        Q=tables.Q,
        K=tables.K,
        V=tables.V,
    )


def role_arrows(cast: Cast, plane: ArrowPlane, i: int) -> tuple[Arrow, ...]:
    """Query, key and value of word ``i``; where they coincide, the earlier lie wider under the later."""
    colours = cast.theme.colours
    points = np.array(
        [
            cast.points("matching", cast.queries[i]),
            cast.points("matching", cast.keys[i]),
            cast.points("content", cast.values[i]),
        ]
    )
    kinds = (colours.query, colours.key, colours.value)
    arrows = plane.arrows(points, ManimColor(colours.ink))
    for arrow, colour in zip(arrows, kinds, strict=True):
        arrow.set_fill(ManimColor(colour))
    return arrows


def role_names(cast: Cast, arrows: tuple[Arrow, ...], plane: ArrowPlane, i: int) -> tuple[Row, ...]:
    """q, k and v with word ``i`` at their feet, clear of the word's own arrow."""
    colours = cast.theme.colours
    kinds = (("q", colours.query), ("k", colours.key), ("v", colours.value))
    labels = tuple(arrow_name(cast, symbol, colour, i) for symbol, colour in kinds)
    x = plane.arrow(cast.points("words", cast.trace.embeddings[i]), ManimColor(colours.ink))
    place(labels, arrows, plane, [x])
    return labels


def arrow_name(cast: Cast, symbol: str, colour: str, i: int) -> Row:
    """A symbol with word ``i`` at its foot, short enough for a plane."""
    return Working(cast.theme, longest_word=_LETTERS).symbol(symbol, colour, word=cast.words[i]).row()
