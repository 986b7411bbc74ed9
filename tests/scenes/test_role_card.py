"""What chapters 1 and 2 are made of: cards of roles, angles in figures, vectors in brackets, published figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from manim import RIGHT, ManimColor, tempconfig

from explainer.audit.glyphs import alphabet, face_file, read
from scenes.layout import Zone
from scenes.mobjects.degrees import Degrees
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import CellSize, NumberGrid
from scenes.mobjects.role_card import Role, RoleCard
from scenes.mobjects.text import Label
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from scenes.workings.fact import fact
from scenes.workings.vector import vector
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
KNOWN = alphabet(face_file())
ZONE = Zone(-1.0, 6.6, 0.2, 1.7)
QUERY = Role("q", "Q", THEME.colours.query, "What am I looking for?")


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def card(word: str, values: list[float], style: NumberStyle = COUNT) -> RoleCard:
    cell = CellSize(0.6, 0.65, 0.07)
    ink = ManimColor(THEME.colours.ink)
    matrix = NumberGrid(np.array([[0.0, 2.0], [1.0, 1.0]]), COUNT, THEME, cell, source="W_Q[{i}, {j}]", colour=ink)
    return RoleCard(QUERY, word, np.array(values), style, "queries[0, 1, {c}]", matrix, ZONE, THEME)


def said(working: Working) -> str:
    return " ".join(p.shown_text() for p in working.row().pieces if isinstance(p, Label | Number))


@pytest.mark.parametrize("word", ["cat", "uncharacteristically", "猫"])
def test_a_card_stays_in_its_zone_and_its_parts_apart(word: str) -> None:
    made = card(word, [1.0, -12.25], NumberStyle(2))
    assert made.bar.get_left()[0] == pytest.approx(ZONE.left)
    assert made.matrix.get_right()[0] == pytest.approx(ZONE.right)
    assert made.bar.get_right()[0] < made.line.get_left()[0]
    assert max(made.line.get_right()[0], made.question.get_right()[0]) < made.matrix.get_left()[0]
    assert made.question.get_top()[1] < made.line.get_bottom()[1]
    assert ZONE.bottom <= made.get_bottom()[1]
    assert made.get_top()[1] <= ZONE.top


def test_a_card_shows_the_numbers_of_its_word_where_they_come_from() -> None:
    made = card("cat", [1.0, -1.0])
    assert [read(number.points, KNOWN).text for number in made.numbers] == ["1", "−1"]
    assert [number.source for number in made.numbers] == ["queries[0, 1, 0]", "queries[0, 1, 1]"]


@pytest.mark.parametrize(("value", "sign"), [(0.25, "="), (1 / 3, "≈")])
def test_a_card_says_about_where_its_figures_do_not_say_all(value: float, sign: str) -> None:
    signs = [piece.text for piece in card("cat", [value], NumberStyle(2)).line.pieces if isinstance(piece, Label)]
    assert signs == ["=", sign, "[", "]"]


def test_an_angle_that_follows_shows_what_is_true_and_stands_where_it_is_told() -> None:
    angle = [10.0]
    degrees = Degrees(0.0, THEME, 0.4).follow(lambda: angle[0], lambda width, height: RIGHT * angle[0] / 10)
    for value in (10.0, 99.96, 180.0):
        angle[0] = value
        degrees.update(0.0)
        assert degrees.number.value == value
        assert degrees.number.truth is not None
        assert degrees.number.truth() == value
        middle = (degrees.pieces[0].pen[0] + degrees.pieces[-1].pen_end[0]) / 2
        assert middle == pytest.approx(value / 10)
    assert read(degrees.number.points, KNOWN).text == "180.0"
    degrees.rest("angles[0, 1]")
    angle[0] = 5.0
    degrees.update(0.0)
    assert (degrees.number.value, degrees.number.source, degrees.number.truth) == (180.0, "angles[0, 1]", None)


def test_a_vector_stands_in_brackets_a_long_one_by_its_ends() -> None:
    short = vector(Working(THEME), np.array([1.0, -2.0]), COUNT, "sum[{c}]")
    assert said(short) == "[ 1 , −2 ]"
    wide = vector(Working(THEME), np.arange(8.0), COUNT, "sum[{c}]")
    assert said(wide) == "[ 0 , … , 7 ]"
    assert [number.source for number in wide.numbers] == ["sum[0]", "sum[7]"]


def test_a_published_figure_is_true_by_itself() -> None:
    (number,) = fact(Working(THEME).sign("×"), 512).numbers
    assert number.shown_text() == "512"
    assert number.truth is not None
    assert number.truth() == 512
