"""Vectors that change in their places, blends as arrows, opposite arrows, and the icons of the pipeline's stations."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from manim import ORIGIN

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import ArrowPlane
from scenes.mobjects.blend_arrows import BlendArrows
from scenes.mobjects.icons import ChainIcon, RowIcon, ScoresIcon, vector_line
from scenes.mobjects.live_vector import LiveVector, bracketed
from scenes.mobjects.number import Number
from scenes.mobjects.opposite_arrows import OppositeArrows
from scenes.mobjects.station import Station, link
from scenes.mobjects.text import Label, Row
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from tests.scenes.moments import moments

THEME = theme_for("dark", {})
TWO = NumberStyle(2)
ZONE = Zone(-1.4, 1.4, -0.8, 0.8)


def text(row: Row) -> str:
    """What stands on a line, from the left."""
    return " ".join(piece.shown_text() for piece in row.pieces if isinstance(piece, Label | Number))


def live(*vectors: list[float]) -> LiveVector:
    return LiveVector("z", THEME.colours.ink, np.array(vectors), TWO, THEME).place(ORIGIN, 9.0)


# Vectors


def test_a_vector_is_written_in_brackets_and_a_long_one_by_its_ends() -> None:
    lines = [bracketed(Working(THEME), np.arange(float(d)), COUNT, "x[{c}]") for d in (1, 2, 3, 4, 512)]
    assert [text(line.row()) for line in lines] == [
        "[ 0 ]", "[ 0 , 1 ]", "[ 0 , 1 , 2 ]", "[ 0 , … , 3 ]", "[ 0 , … , 511 ]",
    ]  # fmt: skip
    assert [number.source for number in lines[-1].numbers] == ["x[0]", "x[511]"]


@pytest.mark.parametrize(
    ("vector", "shown"),
    [
        ([1.0, -2.0, 3.0], "[ 1.00 , −2.00 , 3.00 ]"),
        ([-12.5, 23.25, -34.75], "[ −12.50 , … , −34.75 ]"),
        ([-123.5, 1.0, 1.0, -123.5], "[ −123.50 , … ]"),
    ],
)
def test_of_a_vector_as_many_entries_are_shown_as_can_be_read(vector: list[float], shown: str) -> None:
    line = vector_line(np.array(vector), TWO, "x[{c}]", 2.43, THEME)
    assert text(line) == shown
    assert line.em_within(2.43) >= THEME.type.readable


def test_a_live_vector_says_equals_only_where_its_figures_say_all_of_its_numbers() -> None:
    vector = live([0.5, -2.0], [1 / 3, 0.0])
    vector.show(np.array([0.5, -2.0]))
    assert (vector.exactly.get_fill_opacity(), vector.roughly.get_fill_opacity()) == (1.0, 0.0)
    vector.show(np.array([1 / 3, 0.0]))
    assert (vector.exactly.get_fill_opacity(), vector.roughly.get_fill_opacity()) == (0.0, 1.0)


def test_a_live_vector_keeps_its_brackets_close_and_its_beginning_where_it_is() -> None:
    vector = live([0.0, 0.0], [-10.25, -10.25])
    start, gaps = vector.row.pieces[0].pen, None
    for values in ([0.0, 0.0], [-10.25, 3.0], [-10.25, -10.25]):
        vector.show(np.array(values))
        now = [float((b.pen - a.pen_end)[0]) for a, b in pairwise(vector.row.pieces)]
        assert vector.row.pieces[0].pen == pytest.approx(start)
        assert gaps is None or now == pytest.approx(gaps)
        gaps = now


def test_a_live_vector_counts_and_every_number_is_held_against_what_is_shown() -> None:
    vector = live([0.0, 2.0], [1.0, -2.0]).show(np.array([0.0, 2.0]))
    for share in moments(vector.count_to(np.array([1.0, -2.0]), "z[{c}]")):
        assert [n.value for n in vector.numbers] == pytest.approx([share, 2.0 - 4.0 * share])
        assert [n.truth() for n in vector.numbers if n.truth] == pytest.approx([share, 2.0 - 4.0 * share])
    assert [(n.source, n.truth) for n in vector.numbers] == [("z[0]", None), ("z[1]", None)]


# Arrows


def test_the_total_of_a_blend_is_drawn_where_its_parts_add_up_to() -> None:
    values = np.array([[1.0, -1.0], [0.0, -2.0], [1.0, 1.0]])
    arrows = BlendArrows(ArrowPlane(Zone(-3, 3, -3, 3), values, THEME), values, THEME)
    assert arrows.drawn_total() == pytest.approx([0.0, 0.0])
    arrows.show(values / 3)
    assert arrows.drawn_parts() == pytest.approx(values / 3)
    assert arrows.drawn_total() == pytest.approx([2 / 3, -2 / 3])


@pytest.mark.parametrize("length", [0.0, 1.0, 2.5, 4.0])
def test_opposite_arrows_are_as_long_as_told_and_stay_with_their_names_in_their_zone(length: float) -> None:
    zone = Zone(0.0, 5.0, 0.0, 1.0)
    arrows = OppositeArrows(zone, 4.0, "fish", THEME).show(length)
    assert arrows.length == pytest.approx(length)
    query, key = (arrow.tip - arrows.start for arrow in (arrows.query, arrows.key))
    assert query == pytest.approx(-key)
    assert zone.left - 1e-6 <= arrows.get_left()[0] < arrows.get_right()[0] <= zone.right + 1e-6


def test_a_chain_leaves_out_parts_that_cannot_be_seen_and_ends_where_its_total_ends() -> None:
    icon = ChainIcon(ZONE, np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 2.0]]), THEME.colours.value, THEME)
    assert len(icon.parts) == 2
    assert icon.parts[0].tip == pytest.approx(icon.parts[1].start_point)
    assert icon.parts[-1].tip == pytest.approx(icon.total.tip)
    assert icon.plane.vector(icon.total.tip) == pytest.approx([1.0, 2.0])


# Scores


@pytest.mark.parametrize(("n", "legible"), [(1, True), (3, True), (8, False)])
def test_of_all_scores_only_one_row_has_numbers_and_only_where_they_can_be_read(n: int, legible: bool) -> None:
    scores = np.arange(float(n * n)).reshape(n, n)
    icon = ScoresIcon(Zone(-1.4, 1.4, -0.75, 0.75), scores, n - 1, COUNT, "s[{i}, {j}]", THEME)
    shown = [member for member in icon.get_family() if isinstance(member, Number)]
    assert icon.legible == legible
    assert [number.value for number in shown] == (scores[-1].tolist() if legible else [])
    assert all(number.em >= THEME.type.readable for number in shown)


def row_of(scores: list[float], before: list[float]) -> RowIcon:
    line = Working(THEME, THEME.type.note).sign("/").number(2.0, COUNT, "c").row()
    given = np.array(scores), np.array(before)
    zone = Zone(-1.5, 1.5, -0.9, 0.9)
    return RowIcon(
        zone, *given, (TWO, COUNT), THEME, source="m[{j}]", source_before="s[{j}]", largest=4.0, line=line
    )  # fmt: skip


def test_a_hidden_score_is_a_hatched_cell_without_a_number() -> None:
    icon = row_of([0.5, -np.inf, 1.0], [1.0, 7.0, 2.0])
    shown = [member for member in icon.get_family() if isinstance(member, Number) and member.source != "c"]
    assert [(number.shown_text(), number.source) for number in shown] == [("0.50", "m[0]"), ("1.00", "m[2]")]
    assert icon.seen == [0, 2]
    (hatch,) = icon.hatches
    assert hatch.get_center() == pytest.approx(icon.cells[1].get_center(), abs=0.02)


def test_a_row_goes_back_to_what_it_was_and_counts_to_what_it_is() -> None:
    icon = row_of([0.5, -1.0], [1.0, -2.0]).go_back()
    assert [(n.shown_text(), n.source) for n in icon.numbers] == [("1", "s[0]"), ("−2", "s[1]")]
    for animation in icon.count():
        for _ in moments(animation):
            pass
    assert [(n.shown_text(), n.source) for n in icon.numbers] == [("0.50", "m[0]"), ("−1.00", "m[1]")]


@pytest.mark.parametrize(("n", "lines"), [(1, 1), (4, 1), (5, 2), (8, 2)])
def test_a_long_row_stands_on_two_lines(n: int, lines: int) -> None:
    icon = row_of([float(j) for j in range(n)], [float(j) for j in range(n)])
    assert len({round(float(cell.get_y()), 6) for cell in icon.cells}) == lines
    assert [number.value for number in icon.numbers] == [float(j) for j in range(n)]


# Stations


def test_the_links_of_stations_lead_from_edge_to_edge_beside_and_below() -> None:
    left, right, below = Zone(0, 2, 2, 4), Zone(3, 5, 2, 4), Zone(2.5, 5, 0, 1)
    arrows = [link(left, right, THEME), link(right, left, THEME), link(right, below, THEME)]
    ends = [(arrow.start_point[:2].tolist(), arrow.tip[:2].tolist()) for arrow in arrows]
    assert ends == [([2, 3], [3, 3]), ([3, 3], [2, 3]), ([4, 2], [4, 1])]


def test_what_stands_in_a_station_has_room_beside_its_title_or_below_it() -> None:
    station = Station("budget", Zone(0, 4, 0, 3), THEME)
    assert station.inside.top < station.title.get_bottom()[1]
    assert station.beside.left > station.title.get_right()[0]
