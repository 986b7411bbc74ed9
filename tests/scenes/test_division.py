"""The line in which a score is divided, as it is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from manim import ManimColor, tempconfig

from math_core import Trace, self_attention
from scenes.mobjects.number import Number
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from scenes.workings.division import division
from tests.scenes.stage import settings

THEME = theme_for("dark", {})


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def trace(d_k: int, score: float, scale: float | None = None) -> Trace:
    """One word whose query has ``score`` as its first entry, and whose key has 1 there; all others are 0."""
    x, W_Q, W_K = np.ones((1, 1)), np.zeros((1, d_k)), np.zeros((1, d_k))
    W_Q[0, 0], W_K[0, 0] = score, 1.0
    return self_attention(x, W_Q, W_K, np.ones((1, 1)), scale=scale)


def line(of: Trace, style: NumberStyle, decimals: NumberStyle = COUNT, *, by_root: bool = True) -> Working:
    score = float(of.attention.scores[0, 0, 0])
    cell = Number(
        score,
        decimals,
        face=THEME.figures,
        em=0.4,
        colour=ManimColor(THEME.colours.ink),
        source="attention.scores[0, 0, 0]",
    )
    return division(THEME, of, cell, (0, 0, 0), style, by_root=by_root)


def written(working: Working) -> str:
    return " ".join(piece.shown_text() for piece in working.row().pieces).replace("√ ", "√")


ONE, TWO = NumberStyle(1), NumberStyle(2)


@pytest.mark.parametrize(
    ("d_k", "score", "decimals", "of_quotient", "said"),
    [
        (2, 2.0, COUNT, TWO, "2 / √2 ≈ 2 / 1.414 ≈ 1.41"),
        (4, -3.0, COUNT, ONE, "−3 / √4 = −3 / 2 = −1.5"),
        (4, -3.0, COUNT, COUNT, "−3 / √4 = −3 / 2 ≈ −2"),
        (1, 5.0, COUNT, COUNT, "5 / √1 = 5 / 1 = 5"),
        (2, 0.0, COUNT, COUNT, "0 / √2 ≈ 0 / 1.414 ≈ 0"),
        (64, 2.516, TWO, TWO, "2.52 / √64 = 2.52 / 8 ≈ 0.31"),
    ],
)
def test_a_score_is_divided_by_the_root_of_d_k_and_equal_only_to_what_is_exact(
    d_k: int, score: float, decimals: NumberStyle, of_quotient: NumberStyle, said: str
) -> None:
    assert written(line(trace(d_k, score), of_quotient, decimals)) == said


@pytest.mark.parametrize(
    ("divisor", "of_quotient", "said"),
    [(1, COUNT, "2 / 1 = 2"), (49, TWO, "2 / 49 ≈ 0.04"), (0.75, TWO, "2 / 0.750 ≈ 2.67")],
)
def test_a_story_with_a_divisor_of_its_own_divides_by_that(divisor: float, of_quotient: NumberStyle, said: str) -> None:
    assert written(line(trace(2, 2.0, scale=1 / divisor), of_quotient, by_root=False)) == said


def test_the_line_begins_with_the_score_and_ends_with_the_quotient_of_the_trace() -> None:
    numbers = line(trace(2, 2.0), TWO).numbers
    assert [number.source for number in numbers] == [
        "attention.scores[0, 0, 0]",
        "d_k",
        "attention.scores[0, 0, 0]",
        "attention.divisor",
        "attention.scaled[0, 0, 0]",
    ]
    assert numbers[-1].value == pytest.approx(2 / np.sqrt(2), rel=1e-15)
