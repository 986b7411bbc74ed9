"""What captions say of a trace: sentences with the story's own words and numbers. Pure text."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from math_core import SoftmaxSteps, Trace
from scenes.numerals import SHARE, NumberStyle

_ONE_CUE = 80
_LONGEST_NAME = 20
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
        return f"In this example, scores are divided by {divisor_style(divisor).text(divisor)}."
    return "The more entries, the larger the scores: divide by the root of their number."


def about_cooled(trace: Trace) -> str:
    """What division does to the grid."""
    attention = trace.attention
    if attention.divisor == 1:
        return "Divided by one, every score stays as it is."
    if attention.divisor > 1 and np.any(attention.scores):
        return "Every score is divided alike, and the grid cools."
    return "Every score is divided alike."


def divisor_style(divisor: float) -> NumberStyle:
    """Whole, or with three digits that tell something."""
    if divisor.is_integer():
        return NumberStyle(0)
    return NumberStyle(max(3, 3 - math.floor(math.log10(divisor)) - 1))


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


def names_of(tokens: Sequence[str]) -> tuple[str, ...]:
    """What captions call the words: long ones cut, and those that occur more than once told apart by position."""
    return tuple(
        shortened(token, _LONGEST_NAME) + (f" ({i + 1})" if tokens.count(token) > 1 else "")
        for i, token in enumerate(tokens)
    )


def shortened(word: str, longest: int) -> str:
    """``word`` with at most ``longest`` characters, the last an ellipsis where it was cut."""
    return word if len(word) <= longest else word[: longest - 1].rstrip() + "…"
