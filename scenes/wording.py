"""What captions say of a trace: sentences with the story's own words and numbers. Pure text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from math_core import SoftmaxSteps, Trace
from scenes.numerals import SHARE, NumberStyle, style_for

_ONE_CUE = 80
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
    best = best_of(scores)
    if len(best) == len(words):
        return "All of them match alike."
    verb = "The best match is" if len(best) == 1 else "The best matches are"
    return f"{verb} {listed(words, best)}, with {style.text(scores[best[0]])}."


def about_cooling(trace: Trace, by_root: bool) -> str:
    """Why the scores are divided, and by what."""
    if not by_root:
        divisor = trace.attention.divisor
        return f"In this example, scores are divided by {style_for([divisor], 3).text(divisor)}."
    return "The more entries, the larger the scores: divide by the root of their number."


def about_exponentials(steps: SoftmaxSteps) -> str:
    """What exp does to a row."""
    if np.any(steps.shift):
        return "Less the largest score, exp makes all positive."
    return "exp makes every score positive."


def about_share(trace: Trace, words: Sequence[str], asker: int) -> str:
    """Where the largest part of a budget goes."""
    weights = trace.attention.weights[0, asker]
    best = best_of(weights)
    share = SHARE.text(weights[best[0]])
    return f"{share} of it goes to {words[best[0]]}." if len(best) == 1 else f"{share} go to each of {len(best)} words."


def reading(trace: Trace, words: Sequence[str], first: int) -> str:
    """What the result says: for the focus word and those that ask alike, then for others as far as there is room."""
    groups = alike(np.column_stack([trace.queries[0], trace.embeddings]))
    groups.sort(key=lambda group: first not in group)
    said = ""
    for group in groups:
        row, who, one = trace.attention.weights[0, group[0]], listed(words, group), len(group) == 1
        best = best_of(row)
        if len(best) == len(words):
            sentence = f"{who} {'takes' if one else 'take'} an even blend of all."
        else:
            sentence = f"{who} {'listens' if one else 'listen'} most to {listed(words, best)}."
        if said and len(said) + len(sentence) >= _ONE_CUE:
            break
        said = f"{said} {sentence}".strip()
    return said


def best_of(row: NDArray[np.float64]) -> list[int]:
    """The positions of a row's largest value: more than one where they tie, up to rounding."""
    return [int(i) for i in np.flatnonzero(np.isclose(row, row.max(), rtol=1e-9, atol=1e-12))]


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
