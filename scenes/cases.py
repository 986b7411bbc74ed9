"""Edge cases as data: scores made up to try attention at its extremes, and what it makes of a sentence's values then.

Pure numbers: a chapter draws them, ``math_core`` computes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from math_core import CAT_ATE_FISH, Attention, attend, causal_mask

Array = NDArray[np.float64]

MOST_WORDS = 4
"""More bars than these cannot be read where three charts stand side by side."""
HUGE, LOW = 8.0, -3.0
"""A score that takes nearly everything, and the one that a word alone ends with: neither is ever beaten by anybody."""
CASES = ("equal", "huge", "alone", "opposite", "open", "hidden")
"""The cases by the names of their records."""
LONG, BEST = 4.0, 2.0
"""The length of two arrows that point exactly against each other, and the best score of a row, on whom it is hidden."""


@dataclass(frozen=True, eq=False)
class EdgeCases:
    """One row of attention over ``n`` words at each extreme; of every record the one row is row 0.

    ``equal``: all scores are 0. ``huge``: one score, that of word ``chosen``, is far above the rest. ``alone``: no
    other word is there. ``opposite``: the last word's key points exactly against the query, and both are long.
    ``open`` and ``hidden``: the last word has the best score, and then is in the future of the one that asks.
    """

    words: tuple[str, ...]
    values: Array  # (n, d_v)
    chosen: int
    is_own: bool  # whether these are the story's own words and values
    equal: Attention
    huge: Attention
    alone: Attention
    opposite: Attention
    open: Attention
    hidden: Attention

    @property
    def n(self) -> int:
        """The number of words."""
        return len(self.words)

    @property
    def last(self) -> int:
        """The word that is mismatched, and that is hidden."""
        return self.n - 1


def edge_cases(words: Sequence[str], values: Array, liking: Array) -> EdgeCases:
    """The cases of a sentence's first words, with ``values`` ``(n, d_v)``; ``liking`` ``(n,)`` tells who is chosen.

    Where the words do not fit, being one or all of the same value, the running example's take their place: an average
    of equals and a copy of an equal look alike.
    """
    shown, own = tuple(words[:MOST_WORDS]), values[:MOST_WORDS]
    if len(np.unique(own, axis=0)) > 1:
        return _cases(shown, own, int(np.argmax(liking[:MOST_WORDS])), is_own=True)
    trace = CAT_ATE_FISH.trace()
    return _cases(CAT_ATE_FISH.tokens, trace.values[0], int(np.argmax(trace.attention.weights[0, 0])), is_own=False)


def blend(scores: Array, values: Array) -> Attention:
    """Attention of one query with these scores ``(n,)``, −∞ where hidden, over ``values`` ``(n, d_v)``.

    The query is the number one and the keys are the scores, so that their products are what is asked for.
    """
    visible = np.isfinite(scores)
    return attend([[1.0]], np.where(visible, scores, 0.0)[:, np.newaxis], values, mask=visible, scale=1.0)


def taken(attention: Attention, values: Array) -> Array:
    """What the one query takes of each of ``values`` ``(n, d_v)``: its weight of the value."""
    return np.asarray(attention.weights[0][:, np.newaxis] * values)


def mismatch(length: float, values: Array) -> Attention:
    """One query of ``length`` and the last word's key just as long the opposite way; other keys are perpendicular."""
    keys = np.tile([0.0, length], (len(values), 1))
    keys[-1] = [-length, 0.0]
    return attend([[length, 0.0]], keys, values)


def _cases(words: tuple[str, ...], values: Array, chosen: int, *, is_own: bool) -> EdgeCases:
    n = len(words)
    huge = np.zeros(n)
    huge[chosen] = HUGE
    rising = np.linspace(0.0, BEST, n)
    # The last but one asks: only the last word is in its future.
    sees = causal_mask(n)[n - 2]
    return EdgeCases(
        words=words,
        values=values,
        chosen=chosen,
        is_own=is_own,
        equal=blend(np.zeros(n), values),
        huge=blend(huge, values),
        alone=blend(np.array([LOW]), values[chosen : chosen + 1]),
        opposite=mismatch(LONG, values),
        open=blend(rising, values),
        hidden=blend(np.where(sees, rising, -np.inf), values),
    )
