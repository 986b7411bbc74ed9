"""The picture after chapter 3: the tables of those that ask and of those that are asked, side by side."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.cast import BETWEEN, Cast
from scenes.handover.picture import Picture
from scenes.mobjects.number_grid import NamedGrid
from scenes.mobjects.token_row import TokenRow

_ROOM_FOR_PAIRS = 2.6
"""Between both tables, in units: a query and a key meet there."""


@dataclass(frozen=True, eq=False)
class AlignmentPicture(Picture):
    """Words, Q and K in the middle of the stage."""

    tokens: TokenRow
    Q: NamedGrid
    K: NamedGrid


def after_alignment(cast: Cast) -> AlignmentPicture:
    """What ``alignment`` ends and ``scores`` begins with."""
    tables, width, stage = cast.tables(), cast.width_of(cast.trace.d_k), cast.layout.stage
    taken = cast.words_width + 2 * width
    apart = max(BETWEEN, min(_ROOM_FOR_PAIRS, stage.width - taken))
    left = stage.centre[0] - (taken + apart) / 2
    edge = left + cast.words_width
    return AlignmentPicture(
        letters={},
        tokens=cast.words_at(left),
        Q=tables.Q.put(cast.at_row(edge, cast.narrow)),
        K=tables.K.put(cast.at_row(edge + width + apart, cast.narrow)),
    )
