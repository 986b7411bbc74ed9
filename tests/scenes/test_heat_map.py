"""Heat maps: every size is drawn from the values, negative cells differ by more than hue, and a frame stays cheap."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from manim import ManimColor, tempconfig

from explainer.audit.colours import linear, oklab, srgb
from explainer.audit.glyphs import alphabet, face_file, read
from explainer.camera import QuickCamera
from scenes.layout import Zone
from scenes.mobjects.cells import shade
from scenes.mobjects.heat_map import HeatMap, shades
from scenes.theme import PALETTES, theme_for
from tests.scenes.moments import moments, play
from tests.scenes.stage import settings

Array = npt.NDArray[np.float64]

THEME = theme_for("dark", {})
ZONE = Zone(-3.5, 3.5, -2.8, 2.8)
KNOWN = alphabet(face_file())


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def values(n: int) -> Array:
    """Numbers of both signs, and a 0 in the first cell."""
    table = np.random.default_rng(n).normal(size=(n, n))
    table[0, 0] = 0.0
    return table


def expected(value: float, largest: float) -> Array:
    return np.array(shade(value, largest, THEME).to_int_rgb(), dtype=int)


@pytest.mark.parametrize(("n", "in_cells"), [(1, True), (3, True), (10, True), (100, False), (1000, False)])
def test_every_size_is_drawn_from_the_values(n: int, in_cells: bool) -> None:
    table = values(n)
    heat_map = HeatMap(table, ZONE, THEME, largest=2.0)
    assert heat_map.in_cells == in_cells
    colours = heat_map.colours().astype(int)
    assert colours.shape == (n, n, 3)
    for i, j in np.random.default_rng(0).integers(0, n, (60, 2)):
        # As single pixels, negative values are duller by 0.6.
        value = 0.6 * table[i, j] if n == 1000 and table[i, j] < 0 else table[i, j]
        assert colours[i, j] == pytest.approx(expected(value, 2.0), abs=1)


@pytest.mark.parametrize("n", [3, 10, 100])
def test_the_middle_of_each_cell_has_its_colour_on_the_screen(n: int) -> None:
    table = np.abs(values(n))
    heat_map = HeatMap(table, ZONE, THEME)
    with tempconfig({"pixel_width": 1920, "pixel_height": 1080}):
        camera = QuickCamera()
        camera.capture_mobjects([heat_map])
    field = heat_map.field
    (left, top, _), side = field.get_corner([-1, 1, 0]), field.width
    pitch = side * (1.0 if n == 100 else 1 / (1 - 0.08 / n)) / n
    for i, j in np.random.default_rng(0).integers(0, n, (30, 2)):
        inset = pitch * (0.0 if n == 100 else 0.04)
        x, y = left - inset + (j + 0.5) * pitch, top + inset - (i + 0.5) * pitch
        row, column = int(540 - 135 * y), int(960 + 135 * x)
        assert camera.pixel_array[row, column, :3] == pytest.approx(expected(table[i, j], table.max()), abs=2)


def test_a_cell_of_full_strength_has_the_full_colour_and_0_that_of_the_ground_of_cells() -> None:
    colours = shades(np.array([-2.0, 0.0, 2.0, 3.0]), 2.0, THEME).tolist()
    full = [list(ManimColor(colour).to_int_rgb()) for colour in (THEME.colours.negative, THEME.colours.positive)]
    assert colours == [full[0], list(ManimColor(THEME.colours.cell).to_int_rgb()), full[1], full[1]]
    assert shades(np.zeros(1), 0.0, THEME).tolist() == [list(ManimColor(THEME.colours.cell).to_int_rgb())]


def test_negative_cells_bear_a_minus_sign_and_others_do_not() -> None:
    heat_map = HeatMap([[1.0, -2.0], [0.0, -0.001]], ZONE, THEME)
    assert [len(cell) for cell in heat_map.cells] == [1, 2, 1, 2]
    box, sign = heat_map.cells[1]
    assert sign.get_center() == pytest.approx(box.get_center())
    assert sign.width > 4 * sign.height
    assert sign.width < box.width / 2


def test_negative_cells_of_an_image_are_smaller_and_leave_their_rim_to_the_ground() -> None:
    table = np.ones((100, 100))
    table[7, 12] = -1.0
    image = HeatMap(table, ZONE, THEME).image
    block = len(image.pixel_array) // 100
    cell = image.pixel_array[7 * block : 8 * block, 12 * block : 13 * block, :3]
    ground = np.array(ManimColor(THEME.colours.ground).to_int_rgb())
    rim = np.ones((block, block), dtype=bool)
    rim[1:-1, 1:-1] = False
    assert (cell[rim] == ground).all()
    assert (cell[~rim] == ManimColor(THEME.colours.negative).to_int_rgb()).all()
    beside = image.pixel_array[7 * block : 8 * block, 13 * block : 14 * block, :3]
    assert (beside == ManimColor(THEME.colours.positive).to_int_rgb()).all()


@pytest.mark.parametrize("name", PALETTES)
def test_negative_pixels_are_nearer_to_the_ground_in_lightness_than_positive_ones(name: str) -> None:
    theme = theme_for(name, {})
    table = np.ones((200, 200))
    table[:, ::2] = -1.0
    negative, positive = (ManimColor(c.tolist()) for c in HeatMap(table, ZONE, theme).colours()[0, :2])
    light = [float(oklab(linear(srgb(colour)))[0]) for colour in (theme.colours.cell, negative, positive)]
    assert abs(light[1] - light[0]) < 0.8 * abs(light[2] - light[0])


@pytest.mark.parametrize(
    ("n", "texts"),
    [
        (1, ["1"]),
        (3, ["1", "2", "3"]),
        (10, ["2", "4", "6", "8", "10"]),
        (100, ["20", "40", "60", "80", "100"]),
        (1000, ["200", "400", "600", "800", "1000"]),
    ],
)
def test_sampled_positions_stand_beside_their_rows_and_over_their_columns(n: int, texts: list[str]) -> None:
    heat_map = HeatMap(np.eye(n), ZONE, THEME)
    rows, columns = list(heat_map.labels)[::2], list(heat_map.labels)[1::2]
    assert [read(label.points, KNOWN).text for label in rows] == texts
    assert [read(label.points, KNOWN).text for label in columns] == texts
    field, side = heat_map.field, heat_map.field.width
    for row, column in zip(rows, columns, strict=True):
        assert row.truth() == row.value == column.value
        along = side * (row.value - 0.5) / n
        assert row.pen[1] + 0.33 * row.em == pytest.approx(field.get_top()[1] - along, abs=0.02 * side)
        assert (column.pen + column.pen_end)[0] / 2 == pytest.approx(field.get_left()[0] + along, abs=0.02 * side)
        assert row.get_right()[0] < field.get_left()[0]
        assert column.get_bottom()[1] > field.get_top()[1]


@pytest.mark.parametrize("n", [1, 3, 10, 100, 1000])
@pytest.mark.parametrize("zone", [ZONE, Zone(0, 2, 0, 2.5), Zone(0, 9, 0, 3)])
def test_a_map_with_its_labels_fits_its_zone_at_any_size(n: int, zone: Zone) -> None:
    heat_map = HeatMap(np.eye(n), zone, THEME)
    for part in (heat_map.field, *heat_map.labels):
        assert zone.left - 0.01 <= part.get_left()[0]
        assert part.get_right()[0] <= zone.right + 0.25
        assert zone.bottom - 0.01 <= part.get_bottom()[1]
        assert part.get_top()[1] <= zone.top + 0.05
    for a, b in combinations(heat_map.labels, 2):
        beside = a.get_right()[0] < b.get_left()[0] - 0.05 or b.get_right()[0] < a.get_left()[0] - 0.05
        assert beside or a.get_bottom()[1] > b.get_top()[1] + 0.03 or b.get_bottom()[1] > a.get_top()[1] + 0.03


def shown(heat_map: HeatMap) -> Array:
    """Which cells are seen, in reading order, and how strongly."""
    if heat_map.image is None:
        return np.array([cell[0].get_fill_opacity() for cell in heat_map.cells])
    block = len(heat_map.image.pixel_array) // heat_map.n
    return heat_map.image.pixel_array[::block, ::block, 3].ravel() / 255


@pytest.mark.parametrize("n", [4, 100, 200])
def test_cells_arrive_in_reading_order(n: int) -> None:
    heat_map = HeatMap(np.eye(n), ZONE, THEME)
    for share in moments(heat_map.arrive()):
        count = round(share * n * n)
        assert shown(heat_map).tolist() == [1.0] * count + [0.0] * (n * n - count)


@pytest.mark.parametrize("n", [4, 100])
def test_a_map_steps_back_with_its_labels_and_keeps_to_what_it_shows(n: int) -> None:
    heat_map = HeatMap(-np.ones((n, n)), ZONE, THEME).show_first(3)
    for share in moments(heat_map.light(0.4)):
        strength = 1.0 - 0.6 * share
        assert shown(heat_map)[:3] == pytest.approx([strength] * 3, abs=0.003)
        assert not shown(heat_map)[3:].any()
        assert [label.get_fill_opacity() for label in heat_map.labels] == pytest.approx(
            [strength] * len(heat_map.labels)
        )
    play(heat_map.light(1.0))
    assert shown(heat_map)[:3].tolist() == [1.0] * 3
    if heat_map.image is None:
        assert [cell[1].get_fill_opacity() for cell in heat_map.cells][:4] == [1.0, 1.0, 1.0, 0.0]
