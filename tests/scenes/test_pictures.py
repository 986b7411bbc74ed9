"""Tables, planes, arrows and bars: their readers tell the truth, their verbs do what they say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from manim import RIGHT, UP, Animation, ManimColor, Mobject, Square, VMobject, config, tempconfig

from explainer.audit.glyphs import alphabet, face_file, read
from scenes.layout import FRAMES, Zone, layout_for
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane, Swing, nice_step
from scenes.mobjects.budget_bar import BudgetBar
from scenes.mobjects.cells import shade
from scenes.mobjects.motion import Light, dim, fly, light
from scenes.mobjects.number_grid import CellSize, NumberGrid, cell_width
from scenes.mobjects.placing import place_at_tips
from scenes.mobjects.text import Label
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import DIM, theme_for
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
INK, RED = ManimColor(THEME.colours.ink), ManimColor("#FF0000")
ZONE = Zone(-4.0, 4.0, -3.0, 3.0)
KNOWN = alphabet(face_file())


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def at(animation: Animation, share: float) -> None:
    """Bring an animation to a moment."""
    animation.rate_func = lambda alpha: alpha
    animation.begin()
    animation.interpolate(share)


def finish(animations: list[Animation]) -> None:
    for animation in animations:
        animation.begin()
        animation.interpolate(1.0)
        animation.finish()


# Tables


@pytest.fixture
def grid() -> NumberGrid:
    values = np.array([[1.0, -2.5], [0.0, 4.0], [-0.001, 12.25]])
    cell = CellSize(1.2, 0.7, 0.1)
    return NumberGrid(values, NumberStyle(2), THEME, cell, source="queries[0, {i}, {j}]", colour=INK, shaded=True)


def test_a_table_reads_back_what_it_shows(grid: NumberGrid) -> None:
    assert grid.values().tolist() == [[1.0, -2.5], [0.0, 4.0], [-0.001, 12.25]]
    assert grid.shown_text() == [["1.00", "−2.50"], ["0.00", "4.00"], ["0.00", "12.25"]]
    assert [[read(n.points, KNOWN).text for n in row] for row in grid.numbers] == grid.shown_text()
    assert grid.numbers[2][1].source == "queries[0, 2, 1]"
    assert list(grid.places()) == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]


def test_every_number_of_a_table_stands_in_the_middle_of_its_cell(grid: NumberGrid) -> None:
    grid.put(np.array([2.0, -1.0, 0.0]))
    assert grid.cells[0][0].get_center() == pytest.approx([2.0, -1.0, 0.0])
    for i, j in grid.places():
        middle = grid.cells[i][j].get_center()
        assert middle == pytest.approx([2.0 + 1.3 * j, -1.0 - 0.8 * i, 0.0])
        number = grid.numbers[i][j]
        assert (number.pen[0] + number.pen_end[0]) / 2 == pytest.approx(middle[0])
        assert number.get_left()[0] > grid.cells[i][j].get_left()[0]
        assert number.get_right()[0] < grid.cells[i][j].get_right()[0]


def test_all_numbers_of_a_table_are_equally_large_and_fit_what_comes_later() -> None:
    cell = CellSize(1.0, 0.7, 0.1)
    given = {"source": "", "colour": INK}
    plain = NumberGrid(np.array([[1.0, 2.0]]), COUNT, THEME, cell, **given)
    later = NumberGrid(np.array([[1.0, 2.0]]), COUNT, THEME, cell, later=["−1234.56"], **given)
    assert plain.numbers[0][0].em == pytest.approx(plain.numbers[0][1].em)
    assert later.numbers[0][0].em < plain.numbers[0][0].em
    later.numbers[0][0].style = NumberStyle(2)
    later.numbers[0][0].set_value(-1234.56)
    assert later.numbers[0][0].width < 1.0


def test_a_cell_is_wide_enough_for_its_texts_to_be_read() -> None:
    texts = ["1.0", "−1234.56"]
    width = cell_width(texts, THEME, least=0.5)
    grid = NumberGrid(np.array([[-1234.56]]), NumberStyle(2), THEME, CellSize(width, 0.9, 0.1), source="", colour=INK)
    assert grid.numbers[0][0].em >= THEME.type.readable - 1e-9
    assert cell_width(["1"], THEME, least=2.0) == 2.0


def test_rows_and_columns_are_lit_and_the_rest_steps_back(grid: NumberGrid) -> None:
    def strength(i: int, j: int) -> tuple[float, float]:
        return grid.cells[i][j].get_fill_opacity(), grid.numbers[i][j].get_fill_opacity()

    finish(grid.light_row(1))
    assert {place: strength(*place) for place in grid.places()} == {
        (i, j): pytest.approx((1.0, 1.0) if i == 1 else (DIM, DIM)) for i, j in grid.places()
    }
    finish(grid.light_column(0))
    assert {place: strength(*place)[0] for place in grid.places()} == {
        (i, j): pytest.approx(1.0 if j == 0 else DIM) for i, j in grid.places()
    }
    finish(grid.light_all())
    assert all(strength(*place) == (1.0, 1.0) for place in grid.places())


def test_a_cell_is_shaded_when_its_number_arrives(grid: NumberGrid) -> None:
    before = grid.cells[0][1].get_fill_color()
    assert before == ManimColor(THEME.colours.cell)
    finish(grid.reveal(0, 1))
    assert grid.cells[0][1].get_fill_color() == shade(-2.5, 12.25, THEME)
    finish(grid.reveal(2, 1))
    assert grid.cells[2][1].get_fill_color() == ManimColor(THEME.colours.positive)


def test_a_plain_table_has_no_shades_to_reveal() -> None:
    plain = NumberGrid(np.ones((1, 1)), COUNT, THEME, CellSize(1, 1, 0.1), source="", colour=INK)
    assert plain.reveal(0, 0) == []


def test_a_table_counts_to_other_values_and_then_comes_from_elsewhere(grid: NumberGrid) -> None:
    target = np.array([[0.5, -1.25], [0.0, 2.0], [0.25, 6.125]])
    counting = grid.count_to(target, NumberStyle(3), "attention.scaled[0, {i}, {j}]")
    counting.begin()
    counting.interpolate(0.5)
    for i, j in grid.places():
        halfway = (np.array([[1.0, -2.5], [0.0, 4.0], [-0.001, 12.25]]) + target)[i, j] / 2
        assert grid.values()[i, j] == pytest.approx(halfway)
        assert read(grid.numbers[i][j].points, KNOWN).text == grid.numbers[i][j].shown_text()
    counting.interpolate(1.0)
    counting.finish()
    assert np.array_equal(grid.values(), target)
    assert grid.shown_text()[2] == ["0.250", "6.125"]
    assert grid.numbers[1][1].source == "attention.scaled[0, 1, 1]"
    assert grid.cells[0][1].get_fill_color() == shade(-1.25, 12.25, THEME)


def test_shades_grow_with_the_value_and_tell_its_sign() -> None:
    ground = ManimColor(THEME.colours.cell)
    assert shade(0.0, 5.0, THEME) == shade(3.0, 0.0, THEME) == ground
    assert shade(5.0, 5.0, THEME) == ManimColor(THEME.colours.positive)
    assert shade(-5.0, 5.0, THEME) == ManimColor(THEME.colours.negative)
    away = [np.linalg.norm(shade(v, 5.0, THEME).to_rgb() - ground.to_rgb()) for v in (1.0, 2.0, 4.0, 5.0)]
    assert away == sorted(away)


# Bars


@pytest.mark.parametrize("share", [0.0, 0.053, 1 / 3, 0.894, 1.0])
def test_a_bar_is_filled_from_its_left_to_its_share(share: float) -> None:
    bar = BudgetBar(share, 3.0, 0.4, THEME, RED).put(np.array([1.0, 2.0, 0.0]))
    assert bar.track.get_left() == pytest.approx([1.0, 2.0, 0.0])
    assert bar.fill.width == pytest.approx(3.0 * share, abs=1e-12)
    assert bar.fill.get_left() == pytest.approx([1.0, 2.0, 0.0])
    assert bar.fill.height == pytest.approx(0.4)


def test_a_bar_grows_evenly_and_at_every_moment_shows_its_share() -> None:
    bar = BudgetBar(0.0, 2.0, 0.4, THEME, RED)
    growing = bar.grow_to(0.8)
    for moment in (0.0, 0.25, 0.5, 1.0):
        bar.set_share(0.0)
        at(growing, moment)
        assert bar.share == pytest.approx(0.8 * moment)
        assert bar.fill.width == pytest.approx(1.6 * moment, abs=1e-12)
    finish([bar.grow_to(0.1)])
    assert bar.fill.width == pytest.approx(0.2)


def test_a_bar_that_was_scaled_fills_its_own_track() -> None:
    bar = BudgetBar(0.25, 2.0, 0.4, THEME, RED).scale(0.5)
    assert bar.set_share(0.5).fill.width == pytest.approx(0.5)


# Planes and arrows


@pytest.mark.parametrize(
    ("span", "most", "step"), [(3, 3, 1), (4, 3, 2), (10, 3, 5), (0.9, 3, 0.5), (7e6, 3, 5e6), (1e-3, 3, 5e-4)]
)
def test_steps_are_the_smallest_nice_number_that_does_not_crowd(span: float, most: int, step: float) -> None:
    assert nice_step(span, most) == pytest.approx(step)


vectors = st.lists(st.tuples(*[st.floats(-1e6, 1e6).map(lambda x: round(x, 3))] * 2), min_size=1, max_size=8)


@hypothesis_settings(max_examples=25, deadline=None)
@given(vectors)
def test_a_plane_holds_every_vector_it_was_made_for_at_one_scale(rows: list[tuple[float, float]]) -> None:
    plane = ArrowPlane(ZONE, rows, THEME)
    for row in rows:
        x, y, _ = plane.point(row)
        assert ZONE.left < x < ZONE.right
        assert ZONE.bottom < y < ZONE.top
        assert plane.vector(plane.point(row)) == pytest.approx(row, rel=1e-9, abs=1e-9 * max(map(abs, row)) + 1e-12)
    assert plane.point((0, 0)) == pytest.approx(plane.origin)
    across, up = plane.point((1, 0)) - plane.origin, plane.point((0, 1)) - plane.origin
    assert across[0] == pytest.approx(up[1])
    for tick in plane.ticks:
        assert ZONE.left < tick.get_left()[0] < tick.get_right()[0] < ZONE.right
    for a, b in combinations(plane.ticks, 2):
        assert a.get_right()[0] <= b.get_left()[0] or b.get_right()[0] <= a.get_left()[0] or not overlap(a, b)


def overlap(a: Mobject, b: Mobject) -> bool:
    return (
        min(a.get_right()[0], b.get_right()[0]) - max(a.get_left()[0], b.get_left()[0]) > 0.005
        and min(a.get_top()[1], b.get_top()[1]) - max(a.get_bottom()[1], b.get_bottom()[1]) > 0.005
    )


def test_a_plane_of_nothing_but_zeros_still_has_a_scale() -> None:
    plane = ArrowPlane(ZONE, [[0.0, 0.0]], THEME)
    assert np.isfinite(plane.unit)
    assert plane.unit > 0
    assert plane.ticks


def corners(arrow: Arrow) -> np.ndarray:
    return arrow.points[::4, :2]


def test_an_arrows_outline_ends_at_its_tip_and_begins_at_its_start() -> None:
    plane = ArrowPlane(ZONE, [[3, 2], [-1, -2]], THEME)
    outline = corners(plane.arrow([3, 2], RED))
    tip, origin = plane.point([3, 2])[:2], plane.origin[:2]
    assert np.abs(outline - tip).max(axis=1).min() < 1e-12
    forward = (tip - origin) / np.linalg.norm(tip - origin)
    along = (outline - origin) @ forward
    assert along.max() == pytest.approx(np.linalg.norm(tip - origin))
    assert along.min() == pytest.approx(0.0, abs=1e-12)
    across = (outline - origin) @ [-forward[1], forward[0]]
    assert across.max() == pytest.approx(-across.min())


@pytest.mark.parametrize("length", [1e-6, 0.01, 0.1, 0.3, 5.0])
def test_a_short_arrow_keeps_its_shape_and_its_tip(length: float) -> None:
    arrow = Arrow(np.zeros(3), np.array([length, 0.0, 0.0]), RED, 0.07)
    outline = corners(arrow)
    assert outline[:, 0].max() == pytest.approx(length)
    assert outline[:, 0].min() == pytest.approx(0.0, abs=1e-12)
    assert np.ptp(outline[:, 1]) < max(0.3, length) * 1.01


def test_a_zero_arrow_is_a_dot_at_its_place() -> None:
    arrow = Arrow(RIGHT, RIGHT, RED, 0.07)
    assert arrow.get_center() == pytest.approx([1.0, 0.0, 0.0])
    assert 0.05 < arrow.width < 0.2


# As long as the lowest of them is broad; shorter ones cannot all keep the shape of an arrow.
@pytest.mark.parametrize(("twins", "length"), [(2, 0.3), (2, 1.0), (2, 4.0), (3, 1.0), (3, 4.0), (6, 1.0), (6, 4.0)])
def test_of_arrows_that_coincide_the_earlier_are_wider_and_of_other_colours(twins: int, length: float) -> None:
    plane = ArrowPlane(ZONE, [[3, 0], [0, 2]], THEME)
    arrows = plane.arrows(np.array([[length / plane.unit, 0.0]] * twins), INK)
    breadths = [arrow.height for arrow in arrows]
    assert all(under > over + 0.04 for under, over in pairwise(breadths))
    colours = [arrow.get_fill_color() for arrow in arrows]
    assert all(under != over for under, over in pairwise(colours))


def test_arrows_that_do_not_coincide_are_equally_wide() -> None:
    plane = ArrowPlane(ZONE, [[3, 0], [0, 3]], THEME)
    a, b = plane.arrows(np.array([[3.0, 0.0], [0.0, 3.0]]), INK)
    assert a.height == pytest.approx(b.width)


def test_an_arrow_that_swings_keeps_its_length_along_a_turn() -> None:
    arrow = Arrow(np.zeros(3), np.array([2.0, 0.0, 0.0]), RED, 0.07)
    swing = arrow.swing_to(np.array([0.0, 2.0, 0.0]))
    for moment in (0.0, 0.25, 0.5, 0.75, 1.0):
        arrow.point_to(np.array([2.0, 0.0, 0.0]))
        at(swing, moment)
        tip = corners(arrow)[np.argmax(np.linalg.norm(corners(arrow), axis=1))]
        assert np.linalg.norm(tip) == pytest.approx(2.0)
        assert np.degrees(np.arctan2(tip[1], tip[0])) == pytest.approx(90.0 * moment)


def test_a_swing_takes_the_shorter_way_round() -> None:
    arrow = Arrow(np.zeros(3), np.array([-1.0, -0.2, 0.0]), RED, 0.07)
    at(arrow.swing_to(np.array([-1.0, 0.2, 0.0])), 0.5)
    assert arrow.tip[0] < -0.9


@pytest.mark.parametrize("end", [(0.0, 0.0), (-2.0, 0.0), (1.0, 0.0), (0.5, 0.5), (2.0, 0.0)])
def test_a_swing_ends_exactly_at_its_end(end: tuple[float, float]) -> None:
    arrow = Arrow(np.zeros(3), np.array([2.0, 0.0, 0.0]), RED, 0.07)
    finish([arrow.swing_to(np.array([*end, 0.0]), np.array([0.3, 0.1, 0.0]))])
    assert arrow.tip.tolist() == [*end, 0.0]
    assert arrow.start_point.tolist() == [0.3, 0.1, 0.0]


def test_a_half_turn_goes_the_same_way_every_time() -> None:
    heights = set()
    for hair in (0.0, 1e-17, -1e-17):
        arrow = Arrow(np.zeros(3), np.array([2.0, 0.0, 0.0]), RED, 0.07)
        at(Swing(arrow, np.array([-2.0, hair, 0.0])), 0.5)
        heights.add(round(float(arrow.tip[1]), 9))
    assert heights == {2.0}


def test_an_arrow_out_of_nothing_grows_in_its_own_direction() -> None:
    arrow = Arrow(np.zeros(3), np.zeros(3), RED, 0.07)
    at(arrow.swing_to(np.array([0.0, 2.0, 0.0])), 0.5)
    assert arrow.tip == pytest.approx([0.0, 1.0, 0.0])


# Labels at tips


@pytest.mark.parametrize(
    "rows",
    [
        [[2, 0], [1, 2], [2, 0]],
        [[0, 1], [-1, 1], [1, 0]],
        [[1, 1], [1.1, 1.05], [1.05, 0.95], [-1, -1]],
        [[0, 0], [0, 0], [1, 0]],
        [[3, 3], [-3, 3], [3, -3], [-3, -3], [0, 3], [3, 0]],
    ],
)
def test_labels_at_tips_cover_neither_each_other_nor_ticks_nor_arrows(rows: list[list[float]]) -> None:
    plane = ArrowPlane(ZONE, rows, THEME)
    arrows = plane.arrows(np.array(rows, dtype=float), INK)
    labels = [Label("cheese", em=0.4, colour=INK) for _ in rows]
    place_at_tips(labels, arrows, ZONE, avoid=plane.ticks, axes=plane.axes)
    for a, b in combinations([*labels, *plane.ticks], 2):
        assert not overlap(a, b)
    for label in labels:
        assert ZONE.left <= label.get_left()[0]
        assert label.get_right()[0] <= ZONE.right
        for arrow in arrows:
            shaft = np.linspace(arrow.start_point, arrow.tip, 60)[:, :2]
            low = np.array([label.get_left()[0], label.get_bottom()[1]])
            high = np.array([label.get_right()[0], label.get_top()[1]])
            assert not ((shaft > low) & (shaft < high)).all(axis=1).any()


def test_a_label_stands_near_its_own_tip() -> None:
    plane = ArrowPlane(ZONE, [[2, 0], [0, 2]], THEME)
    arrows = plane.arrows(np.array([[2.0, 0.0], [0.0, 2.0]]), INK)
    labels = [Label("cat", em=0.4, colour=INK) for _ in arrows]
    place_at_tips(labels, arrows, ZONE)
    for i, label in enumerate(labels):
        distances = [np.linalg.norm(label.get_center() - arrow.tip) for arrow in arrows]
        assert int(np.argmin(distances)) == i
        assert min(distances) < 1.0


# Motions


def test_light_changes_opacity_only() -> None:
    shape = VMobject().add(Square(1.0).set_fill(RED, 1.0).set_stroke(INK, 2.0, 1.0), Square(2.0).set_fill(INK, 1.0))
    shape.submobjects[1].set_stroke(width=0.0)
    places = [leaf.points.copy() for leaf in shape.get_family()]
    finish(dim(shape))
    first, second = shape.submobjects
    assert (first.get_fill_opacity(), first.get_stroke_opacity()) == pytest.approx((DIM, DIM))
    assert second.get_fill_opacity() == pytest.approx(DIM)
    assert (first.get_fill_color(), first.get_stroke_color(), second.get_fill_color()) == (RED, INK, INK)
    finish(light(shape))
    assert first.get_fill_opacity() == first.get_stroke_opacity() == 1.0
    assert all(np.array_equal(a, leaf.points) for a, leaf in zip(places, shape.get_family(), strict=True))


def test_light_fills_nothing_that_was_not_filled() -> None:
    frame = Square(1.0).set_fill(opacity=0.0).set_stroke(INK, 2.0, 1.0)
    finish([Light(frame, 0.5)])
    assert (frame.get_fill_opacity(), frame.get_stroke_opacity()) == pytest.approx((0.0, 0.5))


def test_what_flies_leaves_its_source_where_it_is() -> None:
    source, target = Label("cat", em=0.5, colour=RED), Label("cat", em=0.3, colour=INK).shift(RIGHT * 3 + UP)
    before, after = source.points.copy(), target.points.copy()
    flight = fly(source, target)
    at(flight, 0.5)
    assert np.array_equal(source.points, before)
    halfway = flight.mobject
    assert halfway is not source
    assert halfway.get_center() == pytest.approx((source.get_center() + target.get_center()) / 2, abs=0.05)
    flight.interpolate(1.0)
    assert flight.mobject.get_center() == pytest.approx(target.get_center(), abs=1e-6)
    assert np.array_equal(target.points, after)


# Zones


@pytest.mark.parametrize("aspect", FRAMES)
def test_the_zones_of_every_frame_lie_apart_inside_its_margin(aspect: str) -> None:
    layout = layout_for(aspect, 0.42, 0.3)
    assert min(layout.frame.width, layout.frame.height) == pytest.approx(8.0)
    assert layout.frame.centre == pytest.approx([0, 0, 0])
    assert layout.header.top == pytest.approx(layout.frame.top - 0.42)
    assert layout.header.bottom > layout.stage.top > layout.stage.bottom > layout.band.top
    assert layout.band.bottom == pytest.approx(layout.frame.bottom + 0.42)
    for zone in (layout.header, layout.stage, layout.band):
        assert (zone.left, zone.right) == pytest.approx((layout.frame.left + 0.42, layout.frame.right - 0.42))


def test_columns_of_a_zone_share_its_width() -> None:
    left, right = ZONE.columns(1, 3, gap=0.4)
    assert (left.left, right.right) == pytest.approx((ZONE.left, ZONE.right))
    assert right.left - left.right == pytest.approx(0.4)
    assert right.width == pytest.approx(3 * left.width)


def test_the_stage_of_manims_default_frame_is_the_film() -> None:
    assert FRAMES["16:9"] == pytest.approx((config.frame_width, config.frame_height))
