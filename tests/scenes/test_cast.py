"""The cast of a walkthrough: sizes that fit, rows that stay, arrows of many dimensions drawn as their shadow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from manim import Mobject, tempconfig

from math_core import length
from scenes.cast import Cast
from scenes.handover.alignment import after_alignment
from scenes.handover.arrows import after_arrows
from scenes.handover.blending import after_blending
from scenes.handover.grids import after_budget, after_cooling, after_scores
from scenes.handover.picture import Picture
from scenes.handover.roles import after_roles
from scenes.layout import layout_for
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NumberGrid, shown, slots
from scenes.story import load_story
from scenes.theme import theme_for
from tests.scenes.stage import ROOT, settings, shown_by

PICTURES = (after_arrows, after_roles, after_alignment, after_scores, after_cooling, after_budget, after_blending)
CAT, SIX = "stories/cat_ate_fish.toml", "stories/the_cat_sat.toml"


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def cast_of(name: str, *overrides: str) -> Cast:
    story = load_story(ROOT / name, overrides)
    theme = theme_for(story.look.theme, story.look.colours)
    return Cast(story, theme, layout_for(story.look.aspect, theme.space.margin, theme.space.gap))


def numbers_of(picture: Picture) -> list[Number]:
    return [m for part in picture.parts() for m in part.get_family() if isinstance(m, Number)]


# Wide vectors


@pytest.mark.parametrize(
    ("count", "places"), [(1, (0,)), (2, (0, 1)), (3, (0, 1, 2)), (4, (0, None, 3)), (64, (0, None, 63))]
)
def test_of_more_than_three_entries_the_first_and_the_last_are_shown(
    count: int, places: tuple[int | None, ...]
) -> None:
    assert slots(count) == places
    assert shown(places) == tuple(place for place in places if place is not None)


def test_a_wide_table_shows_the_entries_that_its_sources_name() -> None:
    cast = cast_of(SIX)
    Q = cast.tables().Q
    assert Q.shown_columns == (0, 7)
    assert [[number.source for number in row] for row in Q.numbers] == [
        [f"queries[0, {i}, {j}]" for j in (0, 7)] for i in range(6)
    ]
    assert np.array_equal(Q.values(), cast.queries[:, [0, 7]])


def test_a_table_on_its_side_leaves_out_rows() -> None:
    cast = cast_of(SIX)
    KT = cast.tables().KT
    assert (KT.shown_rows, KT.shown_columns) == ((0, 7), tuple(range(6)))
    assert np.array_equal(KT.values(), cast.keys.T[[0, 7]])
    assert len(KT.gaps_in_columns) == 6
    assert KT.gaps_in_rows == []


def test_dots_stand_between_the_entries_that_are_shown() -> None:
    grid: NumberGrid = cast_of(SIX).tables().Q
    for cells, dots in zip(grid.cells, grid.gaps_in_rows, strict=True):
        assert cells[0].get_right()[0] < dots.get_left()[0] < dots.get_right()[0] < cells[1].get_left()[0]
        assert dots.get_center()[1] == pytest.approx(cells[0].get_center()[1])


# Arrows


def test_arrows_in_two_dimensions_are_drawn_as_they_are() -> None:
    cast = cast_of(CAT)
    assert np.array_equal(cast.points("matching", cast.queries), cast.queries)
    assert cast.plane_note(cast.role_plane(), "words", "matching", "content") == ()
    assert cast.role_plane().ticks


def test_the_plane_of_a_shadow_has_no_numbers_and_says_what_it_is() -> None:
    cast = cast_of(SIX)
    plane = cast.role_plane()
    assert plane.ticks == []
    (note,) = cast.plane_note(plane, "words")
    assert [(n.value, n.source) for n in note.pieces if isinstance(n, Number)] == [(8.0, "d_model")]


def test_a_shadow_is_never_longer_than_its_arrow() -> None:
    cast = cast_of("tests/stories/eight_words.toml")
    drawn, true = cast.points("matching", cast.queries), cast.queries
    assert np.all(length(drawn) <= length(true) * (1 + 1e-12))


# Pictures


@pytest.mark.parametrize("name", shown_by("arrows"))
def test_every_hand_over_picture_fits_into_the_frame(name: str) -> None:
    cast = cast_of(name)
    frame = cast.layout.frame.inset(left=0.3, right=0.3, bottom=0.3, top=0.3)
    outside = [
        (make.__name__, type(part).__name__)
        for make in PICTURES
        for part in make(cast).parts()
        if part.get_left()[0] < frame.left
        or part.get_right()[0] > frame.right
        or part.get_bottom()[1] < frame.bottom
        or part.get_top()[1] > frame.top
    ]
    assert outside == []


@pytest.mark.parametrize("name", shown_by("arrows"))
def test_every_number_of_a_hand_over_picture_can_be_read(name: str) -> None:
    cast = cast_of(name)
    ticks = [id(tick) for plane in (cast.word_plane(), cast.role_plane()) for tick in plane.ticks]
    small = [
        (make.__name__, number.source, number.em)
        for make in PICTURES
        for number in numbers_of(make(cast))
        if number.em < cast.theme.type.readable - 1e-6 and id(number) not in ticks
    ]
    assert small == []


def test_a_word_keeps_its_row_from_picture_to_picture() -> None:
    cast = cast_of(CAT)
    rows = [
        [token.left_middle()[1] for token in make(cast).tokens.tokens]  # type: ignore[attr-defined]
        for make in PICTURES
    ]
    assert all(np.allclose(row, rows[0]) for row in rows)


def test_a_picture_remembers_how_it_was_made() -> None:
    picture = after_scores(cast_of(CAT))
    made: Mobject = picture.as_made[-2]
    before = made.get_all_points()
    picture.grid.shift((1.0, 0.0, 0.0))
    assert np.array_equal(made.get_all_points(), before)
    assert not np.array_equal(picture.grid.get_all_points(), before)
