"""The pictures after chapters 4, 5 and 6: one grid in one place, of scores, then cooled, then weights."""

from __future__ import annotations

from dataclasses import dataclass

from manim import VMobject

from scenes.cast import Cast
from scenes.handover.picture import Picture
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.token_row import Token, TokenRow


@dataclass(frozen=True, eq=False)
class GridPicture(Picture):
    """Words at the rows, words at the columns, what both are, and the grid."""

    tokens: TokenRow
    heads: tuple[Token, ...]
    sides: tuple[VMobject, ...]
    grid: NamedGrid


def after_scores(cast: Cast) -> GridPicture:
    """What ``scores`` ends and ``cooling`` begins with: the raw scores."""
    return _picture(cast, "scores", cast.tables().S, ("Q", "K", "T"))


def after_cooling(cast: Cast) -> GridPicture:
    """What ``cooling`` ends and ``budget`` begins with: the scores divided, on the shades of the raw ones."""
    return _picture(cast, "cooling", cast.tables().C, ("Q", "K", "T", "divide"))


def after_budget(cast: Cast) -> GridPicture:
    """What ``budget`` ends and ``blending`` begins with: the weights."""
    return _picture(cast, "budget", cast.tables().A, ("softmax", "Q", "K", "T", "divide", "close"))


def _picture(cast: Cast, chapter: str, grid: NamedGrid, letters: tuple[str, ...]) -> GridPicture:
    width = cast.n * cast.wide.across - cast.wide.gap
    left = cast.layout.stage.centre[0] - (cast.words_width + width) / 2
    grid.put(cast.at_row(left + cast.words_width, cast.wide)).shade_all()
    tokens = cast.words_at(left)
    return GridPicture(
        header=cast.header(chapter),
        letters={name: cast.formula.letters[name] for name in letters},
        tokens=tokens,
        heads=cast.heads_over(grid),
        sides=cast.sides_of(tokens, grid),
        grid=grid,
    )
