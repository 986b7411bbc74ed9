"""The pictures after chapters 4, 5 and 6: one grid in one place, of scores, then cooled, then weights."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from manim import ManimColor, VMobject

from scenes.cast import Cast
from scenes.handover.picture import Picture
from scenes.mobjects.hatch import Hatch
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.text import Label, Row
from scenes.mobjects.token_row import Token, TokenRow
from scenes.mobjects.working import Working
from scenes.numerals import SHARE, NumberStyle, relation, sums_up


@dataclass(frozen=True, eq=False)
class GridPicture(Picture):
    """Words at the rows, words at the columns, what both are, and the grid; of weights, the total of each row.

    ``totals`` are a line a row, "= 100 %", and their head; none where the grid leaves no room for them.
    """

    tokens: TokenRow
    heads: tuple[Token, ...]
    sides: tuple[VMobject, ...]
    grid: NamedGrid
    totals: tuple[VMobject, ...] = ()


def after_scores(cast: Cast) -> GridPicture:
    """What ``scores`` ends and ``cooling`` begins with: the raw scores."""
    return _picture(cast, cast.tables().S, ("Q", "K", "T"))


def after_cooling(cast: Cast) -> GridPicture:
    """What ``cooling`` ends and ``budget`` begins with: the scores divided, on the shades of the raw ones."""
    return _picture(cast, cast.tables().C, ("Q", "K", "T", "divide"))


def after_budget(cast: Cast) -> GridPicture:
    """What ``budget`` ends and ``blending`` begins with: the weights, and what each row of them adds up to."""
    grid = cast.tables().A
    for i, j in grid.places():
        if not cast.visible[i, j]:
            # Nothing for a hidden word is no small share, but none.
            grid.cells[i][j].add(Hatch.over(grid.cells[i][j], cast.theme))
    picture = _picture(cast, grid, ("softmax", "Q", "K", "T", "divide", "close"))
    return replace(picture, totals=_totals(cast, grid))


def _picture(cast: Cast, grid: NamedGrid, letters: tuple[str, ...]) -> GridPicture:
    width = cast.n * cast.wide.across - cast.wide.gap
    left = cast.layout.stage.centre[0] - (cast.words_width + width) / 2
    grid.put(cast.at_row(left + cast.words_width, cast.wide)).shade_all()
    tokens = cast.words_at(left)
    return GridPicture(
        letters={name: cast.formula.letters[name] for name in letters},
        tokens=tokens,
        heads=cast.heads_over(grid),
        sides=cast.sides_of(tokens, grid),
        grid=grid,
    )


def _totals(cast: Cast, grid: NamedGrid) -> tuple[VMobject, ...]:
    """What stands right of the rows of a grid of weights, "=" only where the shown digits add up; their head last."""
    theme, h = cast.theme, cast.head
    quiet, left = theme.colours.quiet, float(grid.boxes.get_right()[0]) + theme.space.gap
    em = min(theme.type.note, grid.numbers[0][0].em * 1.1)
    totals: list[VMobject] = []
    for i, weights in enumerate(cast.weights):
        whole = NumberStyle(0, percent=True)
        total = float(weights.sum())
        is_exact = sums_up(map(SHARE.text, weights), whole.text(total))
        line = Working(theme, em).sign(relation(is_exact), quiet).number(total, whole, f"budgets[{h}, {i}]", quiet)
        totals.append(_beginning_at(line.row(), left, cast.row(i)))
    head = Label("total", em=theme.type.note, colour=ManimColor(quiet))
    head.set_middle(np.array([left + head.advance / 2, float(cast.heads_over(grid)[0].left_middle()[1]), 0.0]))
    fits = max(float(part.get_right()[0]) for part in (*totals, head)) <= cast.layout.stage.right
    return (*totals, head) if fits else ()


def _beginning_at(row: Row, left: float, height: float) -> Row:
    return row.place(np.array([left + row.advance / 2, height, 0.0]), row.advance + 1.0)
