"""Words drawn at random, to see how a grid of scores grows: seeded, and scored by the same formula as a sentence."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from math_core import attend

SIZES = (10, 100, 1000)
"""How many words, one crowd after the other; the first words of a larger one are those of a smaller one."""

_D_K = 64
_SEED = 4
_FULL_COLOUR = 1.5


def crowd_scores() -> NDArray[np.float64]:
    """The scores of as many random words as the largest of :data:`SIZES`, every one against every one, ``(n, n)``.

    Queries and keys have 64 independent standard normal entries. The scores of fewer words are those in the corner at
    the upper left.
    """
    n = max(SIZES)
    queries, keys = np.random.default_rng(_SEED).standard_normal((2, n, _D_K))
    return attend(queries, keys, np.zeros((n, 1))).scores


def full_colour() -> float:
    """The score from which on a shade is full: one and a half standard deviations, which are the root of d_k."""
    return _FULL_COLOUR * math.sqrt(_D_K)
