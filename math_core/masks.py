"""Masks: who may look at whom. True = may attend; combine masks with ``&``. No scores enter."""

from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from math_core._arrays import BoolArray, bool_array, whole_number


def causal_mask(n_q: SupportsIndex, n_k: SupportsIndex | None = None) -> BoolArray:
    """Return the (n_q, n_k) mask in which position i sees positions 0 to i and none after it.

    ``n_k`` is ``n_q`` where it is left out; where the two differ, both sequences start at the same position.
    Vaswani et al. 2017, section 3.2.3: no position may use what comes after it.
    """
    rows = whole_number("n_q", n_q, at_least=1)
    columns = rows if n_k is None else whole_number("n_k", n_k, at_least=1)
    return np.tri(rows, columns, dtype=np.bool_)


def padding_mask(real: ArrayLike) -> BoolArray:
    """Return the (..., 1, n) mask that hides the fillers of ``real`` (..., n), where True = a real token.

    It broadcasts over the queries. For scores with an axis for heads, give ``real`` one too: (..., 1, n).
    """
    array = bool_array("real", real, ("...", "n"))
    return array[..., np.newaxis, :].copy()
