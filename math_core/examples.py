"""The worked examples as data: sentences small enough to follow every number by hand.

Input only: what comes out of them is computed by ``trace`` like anything else.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from math_core._arrays import FloatArray
from math_core._records import Record
from math_core.trace import Trace, self_attention


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Example(Record):
    """A sentence and the matrices of one attention head. All arrays are read-only."""

    tokens: tuple[str, ...]
    embeddings: FloatArray  # (n, d_model)
    W_Q: FloatArray  # (d_model, d_k)
    W_K: FloatArray  # (d_model, d_k)
    W_V: FloatArray  # (d_model, d_v)

    def trace(self) -> Trace:
        """Return self-attention over the sentence: one head, no mask, scores divided by sqrt(d_k)."""
        return self_attention(self.embeddings, self.W_Q, self.W_K, self.W_V)


def _example(sentence: str, embeddings: ArrayLike, *, W_Q: ArrayLike, W_K: ArrayLike, W_V: ArrayLike) -> Example:
    arrays = (np.array(array, dtype=np.float64) for array in (embeddings, W_Q, W_K, W_V))
    return Example(tuple(sentence.split()), *arrays)


# The query swaps the two features; keys and values are the embeddings themselves. Mouse and cheese coincide.
MOUSE_EATS_CHEESE = _example(
    "Mouse eats cheese",
    [[2, 0], [1, 2], [2, 0]],
    W_Q=[[0, 1], [1, 0]],
    W_K=[[1, 0], [0, 1]],
    W_V=[[1, 0], [0, 1]],
)

# The nouns look at their verb, the verb at its subject and object alike. Between queries and keys there is an
# angle of 0 degrees (cat to ate), one of 90 (ate to ate) and one of 180 (fish to fish).
CAT_ATE_FISH = _example(
    "cat ate fish",
    [[0, 1], [-1, 1], [1, 0]],
    W_Q=[[0, 2], [1, 1]],
    W_K=[[0, -1], [1, 0]],
    W_V=[[1, 1], [1, -1]],
)
