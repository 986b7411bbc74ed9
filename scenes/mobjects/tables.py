"""The tables of a calculation: made once from the trace, all in one style, and put on the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from manim import LEFT, ManimColor
from numpy.typing import NDArray

from math_core import SoftmaxSteps, Trace
from scenes.layout import Zone
from scenes.mobjects.board import Board, board_for
from scenes.mobjects.number_grid import NamedGrid, NumberGrid, cell_width
from scenes.mobjects.text import Row
from scenes.mobjects.token_row import common_width
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, SHARE, NumberStyle, fitted, style_for
from scenes.theme import Theme

_WIDEST_WORD = 1.75
_LONGEST = 7
"""Characters of a number in a cell: more would make the cells so wide that nothing else fits beside them."""
_ROOM_FOR_SCORES = 4.2


@dataclass(frozen=True)
class Styles:
    """How each kind of number is written: whole numbers stay plain where all of a kind are whole."""

    vectors: NumberStyle
    matrices: NumberStyle
    scores: NumberStyle
    scaled: NumberStyle
    exponentials: NumberStyle
    outputs: NumberStyle


def styles_for(trace: Trace, steps: SoftmaxSteps, decimals: int) -> Styles:
    """The styles of a trace, with ``decimals`` digits where digits are needed and can be read.

    All vectors of a trace are written alike.
    """
    attention = trace.attention
    exponentials = _flat(steps.exponentials, steps.totals)
    # From a hundred on the digits behind the point only crowd a column of exponentials.
    few = NumberStyle(decimals if exponentials.max() < 100 else min(decimals, 1))

    def style(*arrays: NDArray[np.float64]) -> NumberStyle:
        return fitted(style_for(_flat(*arrays), decimals), _flat(*arrays), _LONGEST)

    return Styles(
        vectors=style(trace.embeddings, trace.queries, trace.keys, trace.values),
        matrices=style(trace.W_Q, trace.W_K, trace.W_V),
        scores=style(attention.scores),
        scaled=style(attention.scaled),
        exponentials=fitted(few, exponentials, _LONGEST),
        outputs=style(trace.output, trace.contributions),
    )


def board_for_trace(zone: Zone, trace: Trace, words: Sequence[str], styles: Styles, theme: Theme) -> Board:
    """The board whose cells are wide enough for every number of ``trace``."""
    narrow = [
        *map(styles.vectors.text, _flat(trace.embeddings, trace.queries, trace.keys, trace.values)),
        *map(styles.outputs.text, _flat(trace.output, trace.contributions)),
        *map(styles.matrices.text, _flat(trace.W_Q, trace.W_K, trace.W_V)),
    ]
    wide = [
        *map(styles.scores.text, _flat(trace.attention.scores)),
        *map(styles.scaled.text, _flat(trace.attention.scaled)),
        *map(SHARE.text, _flat(trace.attention.weights)),
    ]
    roomy = min(1.12, _ROOM_FOR_SCORES / trace.n - theme.space.cell_gap)
    return board_for(
        zone,
        trace.n,
        common_width(words, _WIDEST_WORD, theme) + theme.space.gap,
        cell_width(narrow, theme, least=0.86),
        max(cell_width(wide, theme, least=0.8), roomy),
        theme,
    )


class Tables:
    """Every table of one head's attention over two-dimensional vectors.

    ``X``, ``Q``, ``K``, ``V``, ``Z`` hold vectors, ``KT`` the keys on their side, ``W_Q``, ``W_K``, ``W_V`` the
    projections, ``S`` the scores and ``A`` the weights. ``V_blend`` is V once more, with figures small enough for
    the scaled values that it will show.
    """

    def __init__(self, trace: Trace, styles: Styles, board: Board, theme: Theme) -> None:
        self.trace, self.styles, self.board, self.theme = trace, styles, board, theme
        colours = theme.colours
        scaled = map(styles.outputs.text, _flat(trace.contributions))
        self.X = self._vectors("X", trace.embeddings, colours.ink, "embeddings", colours.axis)
        self.Q = self._vectors("Q", trace.queries[0], colours.query, "queries")
        self.K = self._vectors("K", trace.keys[0], colours.key, "keys")
        self.V = self._vectors("V", trace.values[0], colours.value, "values")
        self.V_blend = self._vectors("V", trace.values[0], colours.value, "values", later=scaled)
        self.Z = self._vectors("Z", trace.output, colours.ink, "output", colours.axis, style=styles.outputs)
        self.W_Q = self._projection("Q", trace.W_Q, colours.query)
        self.W_K = self._projection("K", trace.W_K, colours.key)
        self.W_V = self._projection("V", trace.W_V, colours.value)
        self.KT = self._keys_on_their_side()
        self.S = self._grid("S", trace.attention.scores[0], styles.scores, "attention.scores", colours.ink)
        self.A = self._grid("A", trace.attention.weights[0], SHARE, "attention.weights", colours.weight)
        self.X.put(board.left)
        for table in (self.Q, self.K, self.V):
            table.put(board.product(board.narrow))
        self.S.put(board.product(board.wide))
        self.A.put(board.left_wide)

    def _vectors(
        self,
        symbol: str,
        values: NDArray[np.float64],
        colour: str,
        field: str,
        rim: str | None = None,
        *,
        style: NumberStyle | None = None,
        later: Iterable[str] = (),
    ) -> NamedGrid:
        axis_of_heads = "" if field in ("embeddings", "output") else "0, "
        return NamedGrid(
            values,
            style or self.styles.vectors,
            self.theme,
            self.board.narrow,
            source=f"{field}[{axis_of_heads}{{i}}, {{j}}]",
            colour=ManimColor(colour),
            rim=ManimColor(rim or colour),
            later=later,
        ).called(self._name(symbol, values, colour, field))

    def _projection(self, role: str, values: NDArray[np.float64], colour: str) -> NamedGrid:
        board = self.board
        name = Working(self.theme).symbol(f"W_{role}", colour).row()
        grid = NamedGrid(
            values,
            self.styles.matrices,
            self.theme,
            board.narrow,
            source=f"W_{role}[{{i}}, {{j}}]",
            colour=ManimColor(self.theme.colours.ink),
            rim=ManimColor(colour),
        ).called(name)
        grid.put(board.upper(board.narrow))
        stand_left_of(grid, name)
        return grid

    def _keys_on_their_side(self) -> NamedGrid:
        key, board = self.theme.colours.key, self.board
        name = Working(self.theme).symbol("K^upright(T)", key).row()
        grid = NamedGrid(
            self.trace.keys[0].T,
            self.styles.vectors,
            self.theme,
            board.wide,
            source="keys[0, {j}, {i}]",
            colour=ManimColor(key),
            rim=ManimColor(key),
        ).called(name)
        grid.put(board.upper(board.wide))
        stand_left_of(grid, name)
        return grid

    def _grid(self, symbol: str, values: NDArray[np.float64], style: NumberStyle, field: str, colour: str) -> NamedGrid:
        scaled = map(self.styles.scaled.text, _flat(self.trace.attention.scaled))
        return NamedGrid(
            values,
            style,
            self.theme,
            self.board.wide,
            source=field + "[0, {i}, {j}]",
            colour=ManimColor(self.theme.colours.on_cell),
            shaded=True,
            later=scaled if symbol == "S" else (),
        ).called(self._name(symbol, values, colour, field))

    def _name(self, symbol: str, values: NDArray[np.float64], colour: str, field: str) -> Row:
        rows, columns = values.shape
        quiet = self.theme.colours.quiet
        working = Working(self.theme, self.theme.type.note).symbol(symbol, colour)
        working.number(rows, COUNT, f"shape({field})[-2]", quiet).sign("×", quiet)
        return working.number(columns, COUNT, f"shape({field})[-1]", quiet).row()


def stand_left_of(grid: NumberGrid, name: Row) -> None:
    """Put the name of an upper table at its left, where nothing else stands."""
    name.place(grid.boxes.get_left() + LEFT * (0.25 + name.advance / 2), name.advance + 1.0)


def _flat(*arrays: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([np.ravel(array) for array in arrays])
