"""The lines in which a query meets a key say what is true, and say "≈" where "=" would be a lie."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from manim import WHITE

from scenes.mobjects.number import Number
from scenes.mobjects.text import Formula
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from scenes.workings.dot_product import Measure, by_angle, dot_product, factors

THEME = theme_for("dark", {})
TWO = NumberStyle(2)


def numbers(values: Sequence[float], style: NumberStyle, name: str) -> list[Number]:
    return [
        Number(value, style, face=THEME.figures, em=0.4, colour=WHITE, source=f"{name}[0, 0, {d}]")
        for d, value in enumerate(values)
    ]


def said(line: Working) -> str:
    """The line as text, each formula as an "f"."""
    return " ".join("f" if isinstance(piece, Formula) else piece.shown_text() for piece in line.row().pieces)


def entry_by_entry(
    q: Sequence[float], k: Sequence[float], score: float, style: NumberStyle = COUNT, left_out: bool = False
) -> Working:
    query, key = numbers(q, style, "queries"), numbers(k, style, "keys")
    (result,) = numbers([score], style, "attention.scores")
    return dot_product(THEME, "cat", "ate", query, key, result, left_out=left_out)


def test_entries_are_multiplied_one_by_one_and_added() -> None:
    assert said(entry_by_entry([1, 2], [3, -4], -5)) == "f · f = 1 · 3 + 2 · ( −4 ) = −5"


def test_a_negative_number_behind_a_sign_stands_in_parentheses() -> None:
    assert said(entry_by_entry([-1, -2], [-3, 4], -5)) == "f · f = −1 · ( −3 ) + ( −2 ) · 4 = −5"


def test_one_dimension_makes_one_term() -> None:
    assert said(entry_by_entry([2], [3], 6)) == "f · f = 2 · 3 = 6"


def test_an_ellipsis_stands_for_the_terms_that_are_left_out() -> None:
    assert said(entry_by_entry([1, 2], [3, 4], 40, left_out=True)) == "f · f = 1 · 3 + … + 2 · 4 = 40"


def test_rounded_entries_are_not_said_to_be_equal() -> None:
    line = entry_by_entry([0.125, 1], [1, 1], 1.125, TWO)
    assert said(line) == "f · f ≈ 0.12 · 1.00 + 1.00 · 1.00 ≈ 1.12"


def test_a_rounded_score_is_not_said_to_be_equal_to_exact_terms() -> None:
    assert said(entry_by_entry([0.25, 0], [0.5, 0], 0.125, TWO)) == "f · f = 0.25 · 0.50 + 0.00 · 0.00 ≈ 0.12"


@pytest.mark.parametrize("left_out", [False, True])
def test_numbers_keep_the_values_and_the_sources_of_the_tables_they_come_from(left_out: bool) -> None:
    line = entry_by_entry([1, 2], [3, 4], 11, left_out=left_out)
    assert [number.value for number in line.numbers] == [1, 3, 2, 4, 11]
    assert [number.source for number in line.numbers] == [
        "queries[0, 0, 0]", "keys[0, 0, 0]", "queries[0, 0, 1]", "keys[0, 0, 1]", "attention.scores[0, 0, 0]",
    ]  # fmt: skip


def test_factors_come_in_the_order_of_the_line() -> None:
    query, key = numbers([1, 2], COUNT, "queries"), numbers([3, 4], COUNT, "keys")
    assert [number.value for number in factors(query, key)] == [1, 3, 2, 4]


def lengths_and_cosine(q: float, k: float, cosine: float, score: float) -> Working:
    measures = [
        Measure(value, COUNT if value.is_integer() else TWO, f"pairs.{name}", THEME.colours.ink)
        for value, name in ((q, "q"), (k, "k"), (cosine, "cosine"))
    ]
    return by_angle(THEME, "cat", "cat", measures, numbers([score], COUNT, "attention.scores")[0])


def test_lengths_and_cosine_make_the_same_score() -> None:
    assert said(lengths_and_cosine(2.0, 3.0, -1.0, -6.0)) == "f · f = f f f = 2 · 3 · ( −1 ) = −6"


def test_roots_are_not_said_to_be_equal_to_their_digits() -> None:
    line = lengths_and_cosine(2**0.5, 1.0, 0.5**0.5, 1.0)
    assert said(line) == "f · f = f f f ≈ 1.41 · 1 · 0.71 ≈ 1"
    assert [number.source for number in line.numbers] == [
        "pairs.q",
        "pairs.k",
        "pairs.cosine",
        "attention.scores[0, 0, 0]",
    ]
