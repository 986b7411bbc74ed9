"""Marks of negative cells, swatches, and the board on which tables of any depth meet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from manim import ManimColor, interpolate_color, tempconfig

from explainer.audit.colours import contrast
from scenes.layout import Zone, layout_for
from scenes.mobjects.board import Board, board_for
from scenes.mobjects.cells import shade
from scenes.mobjects.number_grid import CellSize, NumberGrid, Swatch
from scenes.numerals import NumberStyle
from scenes.theme import PALETTES, Theme, theme_for
from tests.scenes.moments import play
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
VALUES = np.array([[1.0, -2.0], [0.0, -0.001]])


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


CELL = CellSize(1.2, 0.8, 0.07)


def grid(cell: CellSize = CELL, values: np.ndarray = VALUES, theme: Theme = THEME) -> NumberGrid:
    ink = ManimColor(theme.colours.on_cell)
    return NumberGrid(values, NumberStyle(2), theme, cell, source="s[{i}, {j}]", colour=ink, shaded=True)


def notched(table: NumberGrid) -> list[list[float]]:
    return [[float(notch.get_fill_opacity()) for notch in row] for row in table.notches]


# Negative cells


def test_a_notch_appears_with_a_number_that_is_written_as_negative_and_with_no_other() -> None:
    table = grid()
    assert notched(table) == [[0.0, 0.0], [0.0, 0.0]]
    for i, j in table.places():
        for animation in table.reveal(i, j):
            play(animation)
    # −0.001 is written as 0.00, and a minus beside that would say something else.
    assert notched(table) == [[0.0, 1.0], [0.0, 0.0]]


def test_a_table_that_is_shaded_at_once_has_its_notches_at_once() -> None:
    assert notched(grid().shade_all()) == [[0.0, 1.0], [0.0, 0.0]]


def test_a_notch_follows_the_sign_when_numbers_count_to_others() -> None:
    table = grid().shade_all()
    for animation in table.count_to(-VALUES, NumberStyle(2), "t[{i}, {j}]").animations:
        play(animation)
    assert notched(table) == [[1.0, 0.0], [0.0, 0.0]]


def test_a_plain_table_has_no_notches() -> None:
    ink = ManimColor(THEME.colours.ink)
    assert NumberGrid(VALUES, NumberStyle(2), THEME, CellSize(1, 1, 0.1), source="", colour=ink).notches == []


@pytest.mark.parametrize("cell", [CellSize(1.3, 0.85, 0.07), CellSize(0.95, 0.36, 0.07), CellSize(0.5, 0.85, 0.07)])
def test_a_notch_stays_in_its_cell_and_clear_of_the_number(cell: CellSize) -> None:
    table = grid(cell, np.array([[-8.88]]))
    box, notch, number = table.cells[0][0], table.notches[0][0], table.numbers[0][0]
    half = np.array([cell.width, cell.height]) / 2
    corners = notch.points[:, :2]
    assert np.all(np.abs(corners - box.get_center()[:2]) <= half + 1e-9)
    # Its slanting side is a line x + y = c from the lower left: all ink of the number lies beyond it.
    beyond = (corners - box.get_corner([-1, -1, 0])[:2]).sum(axis=1).max()
    ink = (number.points[:, :2] - box.get_corner([-1, -1, 0])[:2]).sum(axis=1).min()
    assert ink > beyond


@pytest.mark.parametrize("name", PALETTES)
def test_a_notch_can_be_told_from_its_cell_at_any_strength(name: str) -> None:
    theme = theme_for(name, {})
    notch = grid(theme=theme).notches[0][0].get_fill_color().to_hex()
    cells = [shade(-strength, 1.0, theme).to_hex() for strength in (0.01, 0.3, 0.6, 1.0)]
    assert min(contrast(notch, cell) for cell in cells) >= 3.0


def test_a_notch_is_of_the_colours_of_negative_cells() -> None:
    colour = grid().notches[0][0].get_fill_color()
    between = [
        interpolate_color(ManimColor(THEME.colours.negative), ManimColor(THEME.colours.on_cell), share).to_hex()
        for share in np.linspace(0, 1, 101)
    ]
    assert colour.to_hex() in between


@pytest.mark.parametrize(("value", "notch"), [(1.0, 0.0), (0.0, 0.0), (-1.0, 1.0)])
def test_a_swatch_looks_like_a_cell_of_its_value(value: float, notch: float) -> None:
    swatch = Swatch("so", value, 2.0, THEME)
    box, label = swatch
    assert box.get_fill_color() == shade(value, 2.0, THEME)
    assert box.submobjects[0].get_fill_opacity() == notch
    assert label.shown_text() == "so"
    assert label.get_left()[0] > box.get_right()[0]


# The board


STAGE = layout_for("16:9", THEME.space.margin, THEME.space.gap).stage


def board(rows: int, depth: int) -> Board:
    return board_for(STAGE, rows, 1.5, 0.8, 1.0, THEME, depth=depth, between=0.5, names_below=False)


@pytest.mark.parametrize(("rows", "depth"), [(1, 1), (3, 2), (8, 3), (8, 1), (1, 3)])
def test_a_product_lies_below_the_upper_table_and_right_of_the_left_one(rows: int, depth: int) -> None:
    laid = board(rows, depth)
    left, product, upper = laid.left, laid.product(laid.wide), laid.upper(laid.wide)
    assert left[1] == product[1] == laid.row(0)
    assert upper[0] == product[0]
    lowest = upper[1] - (depth - 1) * laid.wide.down
    assert lowest - product[1] == pytest.approx(laid.wide.down + laid.wide.gap)
    last = left[0] + (depth - 1) * laid.narrow.across
    assert product[0] - laid.wide.width / 2 - last - laid.narrow.width / 2 == pytest.approx(0.5 + laid.narrow.gap)


@pytest.mark.parametrize(("rows", "depth"), [(1, 1), (3, 2), (8, 3), (8, 1), (1, 3)])
def test_everything_on_a_board_fits_into_its_zone(rows: int, depth: int) -> None:
    laid = board(rows, depth)
    assert laid.above(laid.upper(laid.wide))[1] + 0.2 <= STAGE.top
    assert laid.row(rows - 1) - laid.narrow.height / 2 >= STAGE.bottom - 1e-9


def test_without_names_below_rows_take_their_room() -> None:
    crowded, named = board(8, 3), board_for(STAGE, 8, 1.5, 0.8, 1.0, THEME, depth=3)
    assert crowded.narrow.height > named.narrow.height
    assert named.below(8) - 0.2 >= Zone(0, 1, STAGE.bottom, STAGE.top).bottom
