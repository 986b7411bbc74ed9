"""What a row of scores is good for as an example: how plain division fails it, and which of its scores to move.

Pure numbers and sentences; nothing here draws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from math_core import softmax_steps
from scenes.numerals import SHARE
from scenes.wording import best_of, listed

Scores = NDArray[np.float64]

LOST = 4.0
"""So many points behind the best of the others a share is small, and still more than the last digit shown."""
_DROP = 2.0
_SHOWN = 0.0005
"""From here on a share is shown as more than 0.0 %."""


@dataclass(frozen=True)
class Division:
    """Scores divided by their sum: ``shares`` ``(n,)``, NaN where the score is hidden, and the ``total`` of the others.

    Where they add up to nothing (to rounding), ``total`` is exactly 0 and there are no shares: all are NaN.
    """

    total: float
    shares: Scores

    @classmethod
    def of(cls, scores: Scores) -> Division:
        """Divide ``scores`` ``(n,)``, −∞ where hidden."""
        visible = np.isfinite(scores)
        total = float(scores.sum(where=visible))
        if abs(total) <= 1e-12 * float(np.abs(scores).max(where=visible, initial=0.0)):
            return cls(0.0, np.full_like(scores, np.nan))
        return cls(total, np.divide(scores, total, out=np.full_like(scores, np.nan), where=visible))


def with_score(scores: Scores, j: int, score: float) -> Scores:
    """A row of scores with another score for word ``j``."""
    return np.where(np.arange(len(scores)) == j, score, scores)


Verdict = Literal["blind", "zero", "alone", "negative", "backwards", "lucky"]
"""How plain division does on a row: nothing is visible; there is nothing to divide by; one word gets all, whatever its
score; a share falls below zero; the worst match gets the most; or it does well, until a score changes its sign."""


def judged(scores: Scores) -> Verdict:
    """The first way in which dividing ``scores`` ``(n,)`` by their sum fails, −∞ where hidden."""
    visible = scores[np.isfinite(scores)]
    division = Division.of(scores)
    if not len(visible):
        return "blind"
    if division.total == 0:
        return "zero"
    if len(visible) == 1:
        return "alone"
    if np.nanmin(division.shares) <= -_SHOWN:
        return "negative"
    return "backwards" if division.total < 0 and visible.min() < visible.max() else "lucky"


def unlucky(scores: Scores) -> tuple[int, float]:
    """For a row that plain division does well on, a word and a score for it that makes its share −50 %."""
    j = int(np.argmin(np.where(np.isfinite(scores), scores, np.inf)))
    others = Division.of(scores).total - float(scores[j])
    # s / (s + others) = −1/2
    return j, -others / 3


@dataclass(frozen=True)
class Moves:
    """One word's score on its way: far behind the best of the others, level with it, a point ahead, a bit behind.

    ``mover`` is the word, ``best`` the best of the others, ``start`` the mover's own score.
    """

    mover: int
    best: int
    start: float
    level: float

    @property
    def ends(self) -> tuple[float, ...]:
        """Where the score will be."""
        return self.start, self.lost, self.behind, self.level, self.ahead

    @property
    def lost(self) -> float:
        """Far behind."""
        return self.level - LOST

    @property
    def ahead(self) -> float:
        """One point ahead."""
        return self.level + 1

    @property
    def behind(self) -> float:
        """A bit behind."""
        return self.level - _DROP


def moves_of(scores: Scores) -> Moves | None:
    """What to move in a row ``(n,)`` to see softmax at work; None where fewer than two words are visible.

    The best score moves, or else the second best: on the way, exponentials are either all taken as they are or all
    after the same kind of shift, so that none of them jumps. None where neither will do.
    """
    order = [int(j) for j in np.argsort(-scores, kind="stable") if np.isfinite(scores[j])]
    for mover in order[:2] if len(order) > 1 else ():
        best = next(j for j in order if j != mover)
        moves = Moves(mover, best, float(scores[mover]), float(scores[best]))
        if len({_is_shifted(with_score(scores, mover, end)) for end in moves.ends}) == 1:
            return moves
    return None


def _is_shifted(scores: Scores) -> bool:
    return bool(softmax_steps(scores).shift != 0)


# Sentences


def about_division(verdict: Verdict, division: Division, names: Sequence[str]) -> str:
    """What plain division makes of a row."""
    if verdict == "negative":
        worst = int(np.nanargmin(division.shares))
        return f"{SHARE.text(division.shares[worst])} for {names[worst]}? No one can spend less than nothing."
    return {
        "blind": "",
        "zero": "They add up to zero, and nothing can be divided by that.",
        "alone": "Alone it gets everything, whatever its score.",
        "backwards": "All are below zero: so the worst match would get the most.",
        "lucky": "That works here. But let one score change its sign: a share below zero!",
    }[verdict]


def about_exp(scores: Scores, *, is_shifted: bool) -> str:
    """What exp makes of a row."""
    first = "Less the largest score, exp makes each positive." if is_shifted else "exp makes every score positive."
    return first if np.isfinite(scores).all() else f"{first} Of −∞ it makes exactly 0."


def about_budget(weights: Scores, names: Sequence[str]) -> str:
    """What a row of weights adds up to, and where most of it goes."""
    if not weights.any():
        return "It sees no word: there is nothing to share, and all get 0 %."
    best = best_of(weights)
    share = SHARE.text(weights[best[0]])
    if len(best) == 1:
        return f"Stacked, they fill exactly one budget. {share} go to {names[best[0]]}."
    return f"Stacked, they fill exactly one budget. {share} go to each of {len(best)} words."


def about_lost(moves: Moves | None, names: Sequence[str]) -> str:
    """What happens to a word that falls, or comes up, to be far behind."""
    if moves is None:
        return ""
    name = names[moves.mover]
    if moves.lost < moves.start:
        return f"Let {name} fall far behind: its share shrinks, the others grow."
    return f"Bring {name} to {LOST:.0f} points behind the best: even there it gets a share."


def about_ahead() -> str:
    """How contrast works."""
    return f"One point more, and it gets {math.e:.2f} times as much."


def about_blind(weights: Scores, names: Sequence[str]) -> str:
    """Which words see nothing and spend nothing."""
    blind = [i for i, row in enumerate(weights) if not row.any()]
    if not blind:
        return ""
    return (
        f"{listed(names, blind)} {'sees' if len(blind) == 1 else 'see'} no word and spend{'s' * (len(blind) == 1)} 0 %."
    )
