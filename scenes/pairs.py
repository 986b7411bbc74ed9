"""Queries and keys two by two: how long they are, what angle they include, where a pair is drawn, which pairs to show.

Measures come from ``math_core``; nothing here is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from math_core import angle, cosine, length

Vectors = NDArray[np.float64]
Pair = tuple[int, int]
"""Who asks and who is asked."""

STRAIGHT, RIGHT_ANGLE, OPPOSITE = 0.0, 90.0, 180.0
"""The three cases, in degrees."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every query with every key.

    ``queries``, ``keys`` ``(n, d_k)`` and ``scores`` ``(n, n)`` are those of a trace. ``query_lengths`` and
    ``key_lengths`` are ``(n,)``; ``cosines`` and ``angles`` (in degrees) ``(n, n)``, NaN where one of the two has no
    length and so no direction.
    """

    queries: Vectors
    keys: Vectors
    scores: Vectors
    query_lengths: Vectors
    key_lengths: Vectors
    cosines: Vectors
    angles: Vectors

    @classmethod
    def of(cls, queries: Vectors, keys: Vectors, scores: Vectors) -> Self:
        """Measure every pair."""
        asking, asked = queries[:, np.newaxis], keys[np.newaxis]
        return cls(
            queries=queries,
            keys=keys,
            scores=scores,
            query_lengths=np.asarray(length(queries)),
            key_lengths=np.asarray(length(keys)),
            cosines=np.asarray(cosine(asking, asked)),
            angles=np.asarray(angle(asking, asked, degrees=True)),
        )

    def has_angle(self, i: int, j: int) -> bool:
        """Whether both arrows of a pair have a direction."""
        return bool(np.isfinite(self.angles[i, j]))

    def drawn(self, i: int, *asked: int) -> Vectors:
        """Where a query and some keys are drawn, ``(1 + keys, 2)``.

        Up to two dimensions, where they are. From three on, each key in the plane through the query and itself: all
        lengths, and the angle between the query and each of the keys, are the true ones. The query then lies along
        the first axis, and keys above and below it by turns.
        """
        d = self.queries.shape[1]
        if d <= 2:
            vectors = np.stack([self.queries[i], *(self.keys[j] for j in asked)])
            return np.pad(vectors, ((0, 0), (0, 2 - d)))
        turns = np.nan_to_num(np.radians(self.angles[i, list(asked)])) * (-1.0) ** np.arange(len(asked))
        directions = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
        keys = self.key_lengths[list(asked), np.newaxis] * directions
        return np.concatenate([[[self.query_lengths[i], 0.0]], keys])


def rivals(pairs: Pairs, asker: int) -> tuple[int, ...]:
    """Two keys for the asker's query, the better one first: the widest apart of those that lengths do not tell apart.

    That is, the better one is not the longer one. Where there are none such, the widest apart; where all match alike,
    the asker's own key and one that differs from it; only the asker's own where none does.
    """
    row, lengths = pairs.scores[asker], pairs.key_lengths
    n = len(row)
    ranked = [(a, b) for a in range(n) for b in range(n) if row[a] > row[b] and not np.isclose(row[a], row[b])]
    pointing = [(a, b) for a, b in ranked if pairs.has_angle(asker, a) and pairs.has_angle(asker, b)]
    undecided = [(a, b) for a, b in pointing if lengths[a] <= lengths[b] or np.isclose(lengths[a], lengths[b])]
    if found := undecided or pointing or ranked:
        return max(found, key=lambda pair: row[pair[0]] - row[pair[1]])
    others = (j for j in range(n) if not np.array_equal(pairs.keys[j], pairs.keys[asker]))
    return (asker, *list(others)[:1])


def nearest_cases(pairs: Pairs, preferred: int) -> tuple[Pair, ...]:
    """The pairs that come nearest to 0°, 90° and 180°, by their angles; of equals, the strongest or ``preferred``'s.

    No pair of the same two arrows comes twice: there are fewer where a story has fewer, and none without an angle.
    """
    left = list(_different(pairs, preferred))
    chosen: list[Pair] = []
    for target in (STRAIGHT, OPPOSITE, RIGHT_ANGLE)[: len(left)]:
        nearest = min(left, key=lambda pair: _distance(pairs, pair, target))
        left.remove(nearest)
        chosen.append(nearest)
    return tuple(sorted(chosen, key=lambda pair: float(pairs.angles[pair])))


def _different(pairs: Pairs, preferred: int) -> Iterator[Pair]:
    """The pairs with an angle, those of the preferred asker first, none of them with the same two arrows."""
    n = len(pairs.scores)
    seen: set[tuple[bytes, bytes]] = set()
    for i in (preferred, *(i for i in range(n) if i != preferred)):
        for j in range(n):
            # Adding zero makes −0 and 0 the same bytes.
            arrows = (pairs.queries[i] + 0.0).tobytes(), (pairs.keys[j] + 0.0).tobytes()
            if pairs.has_angle(i, j) and arrows not in seen:
                seen.add(arrows)
                yield i, j


def _distance(pairs: Pairs, pair: Pair, target: float) -> tuple[float, float]:
    return round(abs(float(pairs.angles[pair]) - target), 9), -round(abs(float(pairs.scores[pair])), 9)
