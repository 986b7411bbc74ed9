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
    trace, tables = cast.trace, cast.tables()
    widths = [cast.width_of(d) for d in (trace.d_k, trace.d_k, trace.d_v)]
    whole = cast.words_width + sum(widths) + 2 * BETWEEN
    has_plane = whole <= cast.side_zone.width + 0.05
    zone = cast.side_zone if has_plane else cast.layout.stage
    left = zone.centre[0] - whole / 2
    tokens = cast.words_at(left)
    edge = left + cast.words_width
    for table, width in zip((tables.Q, tables.K, tables.V), widths, strict=True):
        table.put(cast.at_row(edge, cast.narrow))
        edge += width + BETWEEN
    plane = cast.role_plane()
    arrows = role_arrows(cast, plane)
    return RolesPicture(
        header=cast.header("roles"),
        letters={},
        plane=(plane,) if has_plane else (),
        note=cast.plane_note(plane, "matching", "content") if has_plane else (),
        arrows=arrows if has_plane else (),
        labels=role_names(cast, arrows, plane) if has_plane else (),
        tokens=tokens,
        Q=tables.Q,
        K=tables.K,
        V=tables.V,
    )


def role_arrows(cast: Cast, plane: ArrowPlane) -> tuple[Arrow, ...]:
    """Query, key and value of the focus word; where they coincide, the earlier lie wider under the later."""
    i, colours = cast.focus, cast.theme.colours
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


def role_names(cast: Cast, arrows: tuple[Arrow, ...], plane: ArrowPlane) -> tuple[Row, ...]:
    """q, k and v with the focus word at their feet."""
    colours, word = cast.theme.colours, cast.words[cast.focus]
    kinds = (("q", colours.query), ("k", colours.key), ("v", colours.value))
    labels = [Working(cast.theme).symbol(symbol, colour, word=word).row() for symbol, colour in kinds]
    place(labels, arrows, plane)
    return tuple(labels)
