"""What captions say of a trace: sentences with the story's own words and numbers. Pure text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from math_core import SoftmaxSteps, Trace
from scenes.numerals import NumberStyle, style_for

COUNTS = ("no", "one", "two", "three", "four", "five", "six")


def about_arrows(trace: Trace, words: Sequence[str]) -> str:
    """Which words start out as the same arrow."""
    twins = next((group for group in alike(trace.embeddings) if len(group) > 1), None)
    if twins is None:
        return "Different lists are different arrows."
    return f"{listed(words, twins)} share a list, so their arrows coincide."


def about_projection(matrix: NDArray[np.float64], which: str, name: str) -> str:
    """What a projection does to X."""
    if np.array_equal(matrix, np.eye(len(matrix))):
        return f"Here the matrix for {name} is the identity: {name} copy X."
    return f"A {which} learned matrix makes the {name}."


def about_row(trace: Trace, words: Sequence[str], asker: int, style: NumberStyle) -> str:
    """Who matches the asker's query best."""
    scores = trace.attention.scores[0, asker]
    if np.ptp(scores) == 0:
        return "All of them match alike."
    best = int(np.argmax(scores))
    return f"The best match is {words[best]}, with {style.text(scores[best])}."


def about_cooling(trace: Trace, by_root: bool) -> str:
    """Why the scores are divided, and by what."""
    if not by_root:
        divisor = trace.attention.divisor
        return f"In this example, scores are divided by {style_for([divisor], 3).text(divisor)}."
    return "Longer vectors make larger scores, so divide by the root of their length."


def about_exponentials(steps: SoftmaxSteps) -> str:
    """What exp does to a row."""
    if np.any(steps.shift):
        return "Less the largest score, exp makes all positive."
    return "exp makes every score positive, and widens the gaps."


def reading(trace: Trace, words: Sequence[str], first: int) -> str:
    """What the result says: for the focus word and those that ask alike, then for up to two more groups."""
    groups = alike(np.column_stack([trace.queries[0], trace.embeddings]))
    groups.sort(key=lambda group: first not in group)
    said = []
    for group in groups[:3]:
        row, who, one = trace.attention.weights[0, group[0]], listed(words, group), len(group) == 1
        if np.ptp(row) < 1e-9:
            said.append(f"{who} {'takes' if one else 'take'} an even blend of all.")
        else:
            best = words[int(np.argmax(row))]
            said.append(f"{who} {'listens' if one else 'listen'} most to {best}.")
    return " ".join(said)


def listed(words: Sequence[str], group: Sequence[int]) -> str:
    """Some of the words, as a list in a sentence."""
    names = [words[i] for i in group]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def alike(rows: NDArray[np.float64]) -> list[list[int]]:
    """Positions of equal rows, grouped, in the order of their first."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for i, row in enumerate(rows):
        groups.setdefault(tuple(row), []).append(i)
    return list(groups.values())
