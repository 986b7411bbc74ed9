"""What a number's source leads to, and whether characters are a value rounded to nearest."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest

from explainer.audit.numbers import is_rounded_from, sightings, value_at
from explainer.audit.picture import NumberFacts, Outline, Part, Snapshot, Text


@dataclass(frozen=True)
class Inner:
    weights: object = ((0.25, 0.75),)


GRID = np.arange(12.0).reshape(2, 2, 3)
SOURCES = {
    "rows": (Inner(), Inner((0.5,))),
    "grid": GRID,
    "attention": Inner(np.array([[0.25, 0.75]])),
    "d_k": 2,
    "whole": 1.0,
    "words": ["a", "b"],
}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("grid[1, 0, 2]", 8.0),
        ("grid[0,1,-1]", 5.0),
        ("attention.weights[0, 1]", 0.75),
        ("shape(grid)[-1]", 3.0),
        ("shape(attention.weights)[0]", 1.0),
        ("rows[1].weights[0]", 0.5),
        ("rows[0].weights[0][1]", 0.75),
        ("d_k", 2.0),
        ("whole", 1.0),
    ],
)
def test_a_path_leads_to_the_value_that_it_names(source: str, value: float) -> None:
    assert value_at(source, SOURCES) == value


@pytest.mark.parametrize(
    "source",
    [
        "", "grid", "grid[0]", "grid[0, 0, 9]", "weights[0]", "attention.wishes[0]", "attention._weights", "words[0]",
        "shape(d_k)[0]", "shape(grid)[7]", "grid[0, 0, 0", "grid[i]", "__import__('os')", "grid.__class__", "d_k + 1",
        "whole[0]", "attention.weights[0, 1].real", "rows[2].weights[0]", "rows[0].wishes", "rows.[0]",
        "rows[0]weights[0]",
    ],
)  # fmt: skip
def test_a_path_that_leads_to_no_single_number_is_refused(source: str) -> None:
    with pytest.raises(LookupError):
        value_at(source, SOURCES)


@pytest.mark.parametrize(
    ("words", "is_fault"),
    [
        ("2.83", True), ("9", True), ("30.6 %", True), ("cat spends 30.6 % on it", True),
        ("5\N{NO-BREAK SPACE}%", True), ("d = 2.0", True), ("2 × cat", False), ("step by step", False),
        ("R2D2", False), ("3.5 mice", False),
    ],
)  # fmt: skip
def test_a_label_does_not_hold_a_value_unless_the_story_says_so(words: str, is_fault: bool) -> None:
    outline = Outline(np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 4))
    label = Text(1, "label", outline, (Part(outline, (1.0, 1.0, 1.0), 1.0),), said=words)
    assert len(list(sightings(Snapshot((label,)), SOURCES, {"3.5 mice"}))) == is_fault


def facts(decimals: int, percent: bool = False) -> NumberFacts:
    return NumberFacts("", None, decimals, percent, False)


@pytest.mark.parametrize(
    ("shown", "value", "style", "is_true"),
    [
        ("2.83", 2.828427, facts(2), True),
        ("2.82", 2.828427, facts(2), False),
        ("2.8", 2.828427, facts(2), False),
        ("−1.47", -1.4669, facts(2), True),
        ("1.47", -1.4669, facts(2), False),
        ("0.00", -0.001, facts(2), True),
        ("−0.00", -0.001, facts(2), False),
        ("89.4 %", 0.8943, facts(1, percent=True), True),
        ("89.4", 0.8943, facts(1, percent=True), False),
        ("1.1×10⁶", 1.0949e6, facts(2), True),
        ("1.0×10⁶", 1.0949e6, facts(2), False),
        ("−∞", -math.inf, facts(2), True),
        ("∞", -math.inf, facts(2), False),
        ("NaN", math.nan, facts(2), False),
        ("2\N{REPLACEMENT CHARACTER}3", 2.03, facts(2), False),
    ],
)
def test_characters_are_held_against_the_true_value(
    shown: str, value: float, style: NumberFacts, is_true: bool
) -> None:
    assert is_rounded_from(shown, value, style) is is_true
