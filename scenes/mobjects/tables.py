"""The tables of a calculation: made from the trace when they are first asked for, all in one style."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from manim import LEFT, ManimColor
from numpy.typing import NDArray

from math_core import SoftmaxSteps, Trace
from scenes.layout import Zone
from scenes.mobjects.board import Board, board_for
from scenes.mobjects.number_grid import CellSize, NamedGrid, NumberGrid, Slots, cell_width, slots
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
        outputs=style(trace.output, attention.output, trace.contributions),
    )


def vector_texts(trace: Trace, styles: Styles) -> list[str]:
    """Everything that cells of vectors and projections will ever show."""
    return [
        *map(styles.vectors.text, _flat(trace.embeddings, trace.queries, trace.keys, trace.values)),
        *map(styles.outputs.text, _flat(trace.output, trace.attention.output, trace.contributions)),
        *map(styles.matrices.text, _flat(trace.W_Q, trace.W_K, trace.W_V)),
    ]


def score_texts(trace: Trace, styles: Styles) -> list[str]:
    """Everything that cells of scores and weights will ever show."""
    return [
        *map(styles.scores.text, _flat(trace.attention.scores)),
        # While scores are divided they count in the finer style.
        *map(styles.scaled.text, _flat(trace.attention.scores, trace.attention.scaled)),
        *map(SHARE.text, _flat(trace.attention.weights)),
    ]


def board_for_trace(zone: Zone, trace: Trace, words: Sequence[str], styles: Styles, theme: Theme) -> Board:
    """The board whose cells are wide enough for every number of ``trace``."""
    roomy = min(1.12, _ROOM_FOR_SCORES / trace.n - theme.space.cell_gap)
    return board_for(
        zone,
        trace.n,
        common_width(words, _WIDEST_WORD, theme) + theme.space.gap,
        cell_width(vector_texts(trace, styles), theme, least=0.86),
        max(cell_width(score_texts(trace, styles), theme, least=0.8), roomy),
        theme,
    )


class Tables:
    """Every table of one head's attention.

    ``X``, ``Q``, ``K``, ``V``, ``Z`` hold vectors, ``KT`` the keys on their side, ``W_Q``, ``W_K``, ``W_V`` the
    projections, ``S`` the scores, ``C`` the scores once they are cooled, and ``A`` the weights. ``V_blend`` is V once
    more, with figures small enough for the scaled values that it will show. Of wide vectors the first and the last
    entry are shown. ``narrow`` cells hold vectors, ``wide`` ones what words have to do with each other.
    """

    def __init__(
        self, trace: Trace, styles: Styles, narrow: CellSize, wide: CellSize, theme: Theme, head: int = 0
    ) -> None:
        self.trace, self.styles, self.theme = trace, styles, theme
        self.narrow, self.wide, self.head = narrow, wide, head

    @cached_property
    def X(self) -> NamedGrid:
        colours = self.theme.colours
        return self._vectors("X", self.trace.embeddings, colours.ink, "embeddings", colours.axis)

    @cached_property
    def Q(self) -> NamedGrid:
        return self._vectors("Q", self.trace.queries[self.head], self.theme.colours.query, "queries")

    @cached_property
    def K(self) -> NamedGrid:
        return self._vectors("K", self.trace.keys[self.head], self.theme.colours.key, "keys")

    @cached_property
    def V(self) -> NamedGrid:
        return self._vectors("V", self.trace.values[self.head], self.theme.colours.value, "values")

    @cached_property
    def V_blend(self) -> NamedGrid:
        scaled = map(self.styles.outputs.text, _flat(self.trace.contributions[self.head]))
        return self._vectors("V", self.trace.values[self.head], self.theme.colours.value, "values", later=scaled)

    @cached_property
    def Z(self) -> NamedGrid:
        colours, trace = self.theme.colours, self.trace
        is_whole = trace.heads == 1 and trace.W_O is None
        field = "output" if is_whole else "attention.output"
        values = trace.attention.output[self.head]
        return self._vectors("Z", values, colours.ink, field, colours.axis, style=self.styles.outputs)

    @cached_property
    def W_Q(self) -> NamedGrid:
        return self._projection("Q", self.trace.W_Q, self.trace.d_k, self.theme.colours.query)

    @cached_property
    def W_K(self) -> NamedGrid:
        return self._projection("K", self.trace.W_K, self.trace.d_k, self.theme.colours.key)

    @cached_property
    def W_V(self) -> NamedGrid:
        return self._projection("V", self.trace.W_V, self.trace.d_v, self.theme.colours.value)

    @cached_property
    def KT(self) -> NamedGrid:
        key = self.theme.colours.key
        return NamedGrid(
            self.trace.keys[self.head].T,
            self.styles.vectors,
            self.theme,
            self.wide,
            source=f"keys[{self.head}, {{j}}, {{i}}]",
            colour=ManimColor(key),
            rim=ManimColor(key),
            rows=slots(self.trace.d_k),
        ).called(Working(self.theme).symbol("K^upright(T)", key).row())

    @cached_property
    def S(self) -> NamedGrid:
        scores, ink = self.trace.attention.scores[self.head], self.theme.colours.ink
        scaled = map(self.styles.scaled.text, _flat(self.trace.attention.scores, self.trace.attention.scaled))
        return self._grid("S", scores, self.styles.scores, "attention.scores", ink, later=scaled)

    @cached_property
    def C(self) -> NamedGrid:
        scaled, ink = self.trace.attention.scaled[self.head], self.theme.colours.ink
        scores = map(self.styles.scaled.text, _flat(self.trace.attention.scores))
        grid = self._grid("S'", scaled, self.styles.scaled, "attention.scaled", ink, later=scores)
        return self._on_the_scale_of_scores(grid)

    @cached_property
    def A(self) -> NamedGrid:
        weights = self.trace.attention.weights[self.head]
        return self._grid("A", weights, SHARE, "attention.weights", self.theme.colours.weight)

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
        axis_of_heads = "" if field in ("embeddings", "output") else f"{self.head}, "
        return NamedGrid(
            values,
            style or self.styles.vectors,
            self.theme,
            self.narrow,
            source=f"{field}[{axis_of_heads}{{i}}, {{j}}]",
            colour=ManimColor(colour),
            rim=ManimColor(rim or colour),
            later=later,
            columns=slots(values.shape[1]),
        ).called(self._name(symbol, values, colour, field))

    def _projection(self, role: str, values: NDArray[np.float64], width: int, colour: str) -> NamedGrid:
        start = self.head * width
        columns: Slots = tuple(None if k is None else start + k for k in slots(width))
        return NamedGrid(
            values,
            self.styles.matrices,
            self.theme,
            self.narrow,
            source=f"W_{role}[{{i}}, {{j}}]",
            colour=ManimColor(self.theme.colours.ink),
            rim=ManimColor(colour),
            rows=slots(values.shape[0]),
            columns=columns,
        ).called(Working(self.theme).symbol(f"W_{role}", colour).row())

    def _grid(
        self,
        symbol: str,
        values: NDArray[np.float64],
        style: NumberStyle,
        field: str,
        colour: str,
        later: Iterable[str] = (),
    ) -> NamedGrid:
        return NamedGrid(
            values,
            style,
            self.theme,
            self.wide,
            source=f"{field}[{self.head}, {{i}}, {{j}}]",
            colour=ManimColor(self.theme.colours.on_cell),
            shaded=True,
            later=later,
        ).called(self._name(symbol, values, colour, field))

    def _on_the_scale_of_scores(self, grid: NamedGrid) -> NamedGrid:
        """Shades tell how far scores have cooled only if they keep to the scale of the scores."""
        scores = self.trace.attention.scores[self.head]
        grid.scale_of_shades = float(np.abs(scores).max(initial=0.0))
        return grid

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
