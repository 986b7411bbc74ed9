"""Who appears in a walkthrough: a story's words, tables and arrows, each made the same way for every chapter.

A cast is made once a chapter. It knows sizes, styles and the planes on which arrows are drawn, and where the rows of
words are; what else stands where is for the chapters and for the pictures that they hand over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
from manim import UP, ManimColor
from manim.typing import Point3D
from numpy.typing import NDArray

from math_core import planar_shadow, softmax_steps
from scenes.film import CHAPTERS, WALKTHROUGH
from scenes.layout import Layout, Zone
from scenes.mobjects.arrow_plane import ArrowPlane
from scenes.mobjects.header import Header, HeaderFormula
from scenes.mobjects.number_grid import CellSize, NumberGrid, cell_width, slots
from scenes.mobjects.tables import Tables, score_texts, styles_for, vector_texts
from scenes.mobjects.text import Label, Row
from scenes.mobjects.token_row import Token, TokenRow, common_width
from scenes.mobjects.working import Working
from scenes.numerals import COUNT
from scenes.story import Story
from scenes.theme import Theme
from scenes.wording import names_of

Space = Literal["words", "matching", "content"]
"""The spaces that arrows live in: of embeddings, of queries and keys, of values and outputs."""

_WIDTHS: Mapping[Space, str] = {"words": "d_model", "matching": "d_k", "content": "d_v"}
"""Where the number of dimensions of each space comes from."""

Vectors = NDArray[np.float64]

PLANE_WIDTH = 5.2
"""Width of the plane at the left of the stage, in units."""
BETWEEN = 0.36
"""Room between two tables that stand side by side."""
_SIDES, _HEADS, _NAMES = 0.50, 0.55, 0.62
"""Room above the heads of columns for what they are, for the heads, and below the last row for a table's name."""
_TALLEST = 0.92
_WIDEST_WORD = 1.75
_NOTE = 0.5
"""Height of the strip below a plane that says what it is a drawing of."""


class Cast:
    """A story with everything that its walkthrough is drawn with.

    ``head`` (0-based) is the head that is followed; all arrays are that head's: ``queries``, ``keys`` ``(n, d_k)``,
    ``values``, ``outputs`` ``(n, d_v)``, ``scores``, ``scaled``, ``masked``, ``weights`` ``(n, n)`` and
    ``contributions`` ``(n, n, d_v)``. ``focus`` is the word that the film follows, ``others`` are the other words;
    ``visible`` ``(n, n)`` tells who may attend to whom. ``words`` are the tokens as written, ``names`` what captions
    call them. ``formula`` stands at the right of the header, and each chapter has one header: the pictures at both
    ends of a chapter are made of the same letters.
    """

    def __init__(self, story: Story, theme: Theme, layout: Layout) -> None:
        self.story, self.theme, self.layout = story, theme, layout
        self.trace = trace = story.trace()
        self.head = h = story.follow
        self.words, self.names = story.tokens, names_of(story.tokens)
        self.n, self.focus = trace.n, story.focus
        self.others = [i for i in range(self.n) if i != self.focus]
        self.queries, self.keys, self.values = trace.queries[h], trace.keys[h], trace.values[h]
        attention = trace.attention
        self.scores, self.scaled = attention.scores[h], attention.scaled[h]
        self.masked, self.weights = attention.masked[h], attention.weights[h]
        self.outputs, self.contributions = attention.output[h], trace.contributions[h]
        self.visible = np.isfinite(self.masked)
        self.steps = softmax_steps(attention.masked)
        self.styles = styles_for(trace, self.steps, story.look.decimals)
        self._shadows = {
            "words": planar_shadow(trace.embeddings),
            "matching": planar_shadow(np.concatenate([self.queries, self.keys])),
            "content": planar_shadow(self.values),
        }
        self.words_width = common_width(self.words, _WIDEST_WORD, theme) + theme.space.gap
        self.narrow, self.wide = self._cell_sizes()
        self.formula = HeaderFormula(layout.header, theme, by_root=story.scale is None)
        self._headers: dict[str, Header] = {}

    def sources(self) -> Mapping[str, Any]:
        """What the paths of numbers may begin with, beside the fields of the trace."""
        return {"steps": self.steps, "budgets": self.trace.attention.weights.sum(axis=-1)}

    @property
    def is_masked(self) -> bool:
        """Whether something is hidden from some word."""
        return not bool(self.visible.all())

    # Zones and rows

    @property
    def plane_zone(self) -> Zone:
        """Where a plane stands beside tables: the left of the stage."""
        stage = self.layout.stage
        return Zone(stage.left, stage.left + PLANE_WIDTH, stage.bottom, stage.top)

    @property
    def side_zone(self) -> Zone:
        """What a plane at the left of the stage leaves free."""
        stage = self.layout.stage
        return Zone(stage.left + PLANE_WIDTH + self.theme.space.gap, stage.right, stage.bottom, stage.top)

    @property
    def pitch(self) -> float:
        """From one row of words to the next, in units."""
        return min(_TALLEST, (self.layout.stage.height - _SIDES - _HEADS - _NAMES) / self.n)

    def row(self, i: float) -> float:
        """The height of row ``i``, the same in every table that has a row a word."""
        stage = self.layout.stage
        middle = (stage.bottom + _NAMES + stage.top - _SIDES - _HEADS) / 2
        return float(middle + ((self.n - 1) / 2 - i) * self.pitch)

    def width_of(self, count: int) -> float:
        """The width of a table of vectors of ``count`` entries, the gap behind its last cell left out."""
        return len(slots(count)) * self.narrow.across - self.narrow.gap

    # Words

    def words_at(self, left: float) -> TokenRow:
        """The words, one below the other in their rows, beginning at ``left``."""
        largest = min(self.theme.type.word, 0.95 * self.pitch)  # where rows are low, words keep apart
        tokens = TokenRow(self.words, self.words_width - self.theme.space.gap, self.theme, largest)
        for i, token in enumerate(tokens.tokens):
            token.put_left(np.array([left, self.row(i), 0.0]))
        return tokens

    def heads_over(self, grid: NumberGrid) -> tuple[Token, ...]:
        """The words once more, as heads of the columns of a grid."""
        heads = TokenRow(self.words, grid.cell.width * 0.94, self.theme, self.theme.type.note).tokens
        for head, cell in zip(heads, grid.cells[0], strict=True):
            head.put_middle(cell.get_top() + UP * (_HEADS / 2 - 0.03))
        return heads

    def sides_of(self, tokens: TokenRow, grid: NumberGrid) -> tuple[Label, Label]:
        """What the rows and the columns of a grid of scores are: who asks, who is asked."""
        em, quiet = self.theme.type.note, ManimColor(self.theme.colours.quiet)
        asks, asked = (Label(text, em=em, colour=quiet) for text in ("asks", "is asked"))
        top = float(grid.boxes.get_top()[1])
        left = float(tokens.get_left()[0])
        asks.set_middle(np.array([left + asks.advance / 2, top + _HEADS / 2 - 0.03, 0.0]))
        asked.set_middle(np.array([grid.boxes.get_center()[0], top + _HEADS + _SIDES / 2 - 0.06, 0.0]))
        return asks, asked

    # Tables

    def tables(self) -> Tables:
        """Fresh tables, in one style."""
        return Tables(self.trace, self.styles, self.narrow, self.wide, self.theme, self.head)

    def at_row(self, left: float, cell: CellSize) -> Point3D:
        """The middle of the first cell of a table whose left edge is at ``left`` and whose rows are the words'."""
        return np.array([left + cell.width / 2, self.row(0), 0.0])

    def _cell_sizes(self) -> tuple[CellSize, CellSize]:
        gap = self.theme.space.cell_gap
        height = self.pitch - gap
        trace, styles, theme = self.trace, self.styles, self.theme
        # Beside a plane there should be room for the words and Q, K and V.
        columns = 2 * len(slots(trace.d_k)) + len(slots(trace.d_v))
        room = (self.side_zone.width - self.words_width - 2 * BETWEEN) / columns - gap
        narrow = cell_width(vector_texts(trace, styles), theme, least=min(0.86, max(0.6, room)))
        wide = cell_width(score_texts(trace, styles), theme, least=min(1.3, max(0.8, 5.2 / self.n - gap)))
        return CellSize(narrow, height, gap), CellSize(wide, height, gap)

    # Arrows

    def points(self, space: Space, vectors: Vectors) -> Vectors:
        """Where arrows ``(..., d)`` of a space are drawn ``(..., 2)``: as they are, or from three on their shadow."""
        return np.asarray(vectors @ self._shadows[space].basis.T)

    def dimensions(self, space: Space) -> int:
        """How many dimensions the arrows of a space really have."""
        return int(self._shadows[space].basis.shape[1])

    def word_plane(self) -> ArrowPlane:
        """The plane of the embeddings, with room to add two of them and to stretch the focus word's."""
        x = self.points("words", self.trace.embeddings)
        partner = self.others[0] if self.others else self.focus
        reach = np.concatenate([x, [x[self.focus] + x[partner], 2 * x[self.focus]]])
        return self._plane(reach, "words")

    def role_plane(self) -> ArrowPlane:
        """The plane on which embeddings, queries, keys, values, outputs and chains of scaled values all fit."""
        chains = np.cumsum(self.points("content", self.contributions), axis=1).reshape(-1, 2)
        reach = [
            self.points("words", self.trace.embeddings),
            self.points("matching", np.concatenate([self.queries, self.keys])),
            self.points("content", np.concatenate([self.values, self.outputs])),
            chains,
        ]
        return self._plane(np.concatenate(reach), "words", "matching", "content")

    def blend_plane(self) -> ArrowPlane:
        """The plane on which values, outputs and chains of scaled values fit, and what the trusted word is made of."""
        trusted = int(np.argmax(self.weights[self.focus]))
        reach = [
            self.points("words", self.trace.embeddings[[self.focus, trusted]]),
            self.points("matching", self.keys[[trusted]]),
            self.points("content", np.concatenate([self.values, self.outputs])),
            np.cumsum(self.points("content", self.contributions), axis=1).reshape(-1, 2),
        ]
        return self._plane(np.concatenate(reach), "words", "matching", "content")

    def plane_note(self, plane: ArrowPlane, *spaces: Space) -> tuple[Row, ...]:
        """What stands below a plane that is only a drawing of more dimensions; nothing where it is not."""
        dimensions = {self.dimensions(space): _WIDTHS[space] for space in spaces if self.dimensions(space) > 2}
        if not dimensions:
            return ()
        quiet, line = self.theme.colours.quiet, Working(self.theme, self.theme.type.note)
        line.sign("A shadow of", quiet)
        if len(dimensions) == 1:
            ((d, source),) = dimensions.items()
            line.number(d, COUNT, source, quiet)
        else:
            line.sign("many", quiet)
        zone = plane.zone
        middle = np.array([zone.centre[0], zone.bottom - _NOTE / 2, 0.0])
        return (line.sign("dimensions", quiet).row().place(middle, zone.width),)

    def _plane(self, reach: Vectors, *spaces: Space) -> ArrowPlane:
        is_shadow = any(self.dimensions(space) > 2 for space in spaces)
        zone = self.plane_zone.inset(bottom=_NOTE) if is_shadow else self.plane_zone
        return ArrowPlane(zone, reach, self.theme, ticks=not is_shadow)

    # The header

    def header(self, chapter: str) -> Header:
        """The header of a chapter of the walkthrough: the same each time."""
        if chapter not in self._headers:
            taken = self.formula.advance + self.theme.space.gap
            zone, step = self.layout.header.inset(right=taken), WALKTHROUGH.index(chapter) + 1
            self._headers[chapter] = Header(step, CHAPTERS[chapter].title, zone, self.theme)
        return self._headers[chapter]
