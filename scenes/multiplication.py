"""Where the focus word meets the matrices of its roles: the place of a multiplication that is worked out, and cards."""

from __future__ import annotations

import numpy as np
from manim import DOWN, ManimColor
from numpy.typing import NDArray

from scenes.cast import BETWEEN, Cast
from scenes.layout import Zone
from scenes.mobjects.number_grid import CellSize, NamedGrid, NumberGrid, cell_width, slots
from scenes.mobjects.role_card import Role, RoleCard
from scenes.mobjects.tables import Tables, stand_left_of, vector_texts
from scenes.mobjects.text import Row
from scenes.mobjects.working import Working

_TALL = 0.72
"""Height of a cell, in units."""


class WorkPlace:
    """Where a row meets the columns of W_Q: x at the left, the matrix above what comes of them."""

    def __init__(self, cast: Cast) -> None:
        trace, theme, f = cast.trace, cast.theme, cast.focus
        colours, zone = theme.colours, cast.side_zone
        rows, columns = len(slots(trace.d_model)), len(slots(trace.d_k))
        gap = theme.space.cell_gap
        room = (zone.width - BETWEEN) / (rows + columns) - gap
        cell = CellSize(max(cast.narrow.width, min(1.0, room)), _TALL, gap)
        self.W: NamedGrid = Tables(trace, cast.styles, cell, cast.wide, theme, cast.head).W_Q
        self.x = _one_row(trace.embeddings, f, cast, cell, "embeddings[{i}, {j}]", colours.ink, colours.axis)
        source = f"queries[{cast.head}, {{i}}, {{j}}]"
        self.q = _one_row(cast.queries, f, cast, cell, source, colours.query, colours.query)
        width = (rows + columns) * cell.across + BETWEEN
        height = (rows + 1) * cell.down + 2 * BETWEEN + theme.type.word
        left, top = zone.centre[0] - width / 2 + cell.width / 2, zone.centre[1] + height / 2 - cell.height / 2
        right, bottom = left + rows * cell.across + BETWEEN, top - rows * cell.down - BETWEEN / 2
        stand_left_of(self.W.put(np.array([right, top, 0.0])), self.W.name)
        self.x.put(np.array([left, bottom, 0.0]))
        self.q.put(np.array([right, bottom, 0.0]))
        self.q_frame = self.q.frame
        word = cast.words[f]
        self.x_name = _below(self.x, Working(theme).symbol("x", colours.ink, word=word).row())
        self.q_name = _below(self.q, Working(theme).symbol("q", colours.query, word=word).row())


def _one_row(
    values: NDArray[np.float64], i: int, cast: Cast, cell: CellSize, source: str, colour: str, rim: str
) -> NumberGrid:
    return NumberGrid(
        values,
        cast.styles.vectors,
        cast.theme,
        cell,
        source=source,
        colour=ManimColor(colour),
        rim=ManimColor(rim),
        rows=(i,),
        columns=slots(values.shape[1]),
    )


def _below(grid: NumberGrid, name: Row) -> Row:
    return name.place(grid.boxes.get_bottom() + DOWN * BETWEEN, name.advance + 1.0)


def role_cards(cast: Cast) -> tuple[RoleCard, ...]:
    """The focus word's three cards, one below the other beside the plane."""
    trace, theme, f, zone = cast.trace, cast.theme, cast.focus, cast.side_zone
    colours, gap = theme.colours, theme.space.gap
    height = (zone.height - 2 * gap) / 3
    tall = min(_TALL, height / len(slots(trace.d_model)) - theme.space.cell_gap)
    cell = CellSize(cell_width(vector_texts(trace, cast.styles), theme, least=0.6), tall, theme.space.cell_gap)
    tables = Tables(trace, cast.styles, cell, cast.wide, theme, cast.head)
    kinds = (
        (Role("q", "Q", colours.query, "What am I looking for?"), cast.queries, "queries", tables.W_Q),
        (Role("k", "K", colours.key, "What do I offer?"), cast.keys, "keys", tables.W_K),
        (Role("v", "V", colours.value, "What do I carry?"), cast.values, "values", tables.W_V),
    )
    cards = []
    for k, (role, vectors, field, matrix) in enumerate(kinds):
        top = zone.top - k * (height + gap)
        own = Zone(zone.left + gap, zone.right, top - height, top)
        source = f"{field}[{cast.head}, {f}, {{c}}]"
        cards.append(RoleCard(role, cast.words[f], vectors[f], cast.styles.vectors, source, matrix, own, theme))
    return tuple(cards)
