"""The line in which a row meets the columns of a matrix is written as it is worked out on paper."""

from __future__ import annotations

import numpy as np
import pytest
from manim import ManimColor

from scenes.mobjects.number import Number
from scenes.mobjects.text import Formula, Label
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from scenes.workings.projection import Product, ProjectionLine, projection

THEME = theme_for("dark", {})


def numbers(values: list[float], name: str, style: NumberStyle = COUNT) -> list[Number]:
    ink = ManimColor(THEME.colours.ink)
    return [
        Number(value, style, face=THEME.figures, em=0.5, colour=ink, source=f"{name}[{k}]")
        for k, value in enumerate(values)
    ]


def product(x: list[float], W: list[list[float]], style: NumberStyle = COUNT, **left_out: bool) -> Product:
    columns = np.array(W).T.tolist()
    results = (np.array(x) @ np.array(W)).tolist()
    return Product(
        numbers(x, "x", style),
        [numbers(column, f"w{c}", style) for c, column in enumerate(columns)],
        numbers(results, "q", style),
        **left_out,
    )


def line(product: Product, entries: list[int]) -> ProjectionLine:
    return projection(THEME, "q", THEME.colours.query, "cat", product, entries)


def said(written: ProjectionLine) -> str:
    """The line as text; the symbol in front of it is a formula."""
    first, *pieces = written.working.row().pieces
    assert isinstance(first, Formula)
    return " ".join(piece.shown_text() for piece in pieces if isinstance(piece, Label | Number))


def test_all_entries_stand_in_one_line_of_brackets() -> None:
    assert said(line(product([0, 1], [[0, 2], [1, 1]]), [0, 1])) == "= [ 0 · 0 + 1 · 1 , 0 · 2 + 1 · 1 ] = [ 1 , 1 ]"


def test_negative_numbers_behind_a_sign_stand_in_parentheses() -> None:
    assert said(line(product([-1, -1], [[2, -3], [1, 1]]), [0, 1])) == (
        "= [ −1 · 2 + ( −1 ) · 1 , −1 · ( −3 ) + ( −1 ) · 1 ] = [ −3 , 2 ]"
    )


def test_one_entry_of_several_has_its_name_and_no_brackets() -> None:
    made = product([0, 1], [[0, 2], [1, 1]])
    assert said(line(made, [0])) == "first entry = 0 · 0 + 1 · 1 = 1"
    assert said(line(made, [1])) == "second entry = 0 · 2 + 1 · 1 = 1"


def test_a_row_and_a_column_of_one_entry_are_a_single_product() -> None:
    assert said(line(product([2], [[-3]]), [0])) == "= [ 2 · ( −3 ) ] = [ −6 ]"


def test_what_is_left_out_is_an_ellipsis() -> None:
    made = product([1, 2], [[3, 4], [5, 6]], terms_left_out=True, entries_left_out=True)
    assert said(line(made, [0, 1])) == "= [ 1 · 3 + … + 2 · 5 , … , 1 · 4 + … + 2 · 6 ] = [ 13 , … , 16 ]"
    assert said(line(made, [1])) == "last entry = 1 · 4 + … + 2 · 6 = 16"


@pytest.mark.parametrize(("x", "sign"), [(0.25, "="), (0.2512, "≈")])
def test_figures_that_do_not_say_all_are_only_about_equal(x: float, sign: str) -> None:
    words = said(line(product([x], [[2.0]], NumberStyle(2)), [0])).split()
    assert words[0] == words[-4] == sign


def test_the_numbers_of_a_line_are_told_apart_by_entry() -> None:
    written = line(product([1, 2], [[3, 4], [5, 6]]), [0, 1])
    assert [[number.source for number in terms] for terms in written.terms] == [
        ["x[0]", "w0[0]", "x[1]", "w0[1]"],
        ["x[0]", "w1[0]", "x[1]", "w1[1]"],
    ]
    assert [number.source for number in written.results] == ["q[0]", "q[1]"]
    assert [number.source for number in product([1, 2], [[3], [5]]).factors(0)] == ["x[0]", "w0[0]", "x[1]", "w0[1]"]
