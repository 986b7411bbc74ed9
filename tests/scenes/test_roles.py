"""Chapter 2 shows what it says: one arrow finds only itself, and three matrices make a query, a key and a value."""

from __future__ import annotations

import numpy as np
import pytest

from explainer.audit.glyphs import alphabet, face_file, read
from scenes.roles import about_closest, closest_of
from tests.scenes.stage import Performance, Picture, played

CAT = "stories/cat_ate_fish.toml"
WIDE = "stories/the_cat_sat.toml"
KNOWN = alphabet(face_file())


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played("roles", CAT)


def read_off(picture: Picture, source: str) -> list[str]:
    return [read(mark.points, KNOWN).text for mark in picture.of("number") if mark.source == source]


def in_the_band(picture: Picture, played: Performance) -> list[str]:
    """The numbers of the band, from left to right."""
    low = [mark for mark in picture.of("number") if mark.high[1] < played.layout.band.top]
    return [read(mark.points, KNOWN).text for mark in sorted(low, key=lambda mark: mark.low[0])]


def arrows_of(picture: Picture, played: Performance, colour: str) -> list[tuple[float, ...]]:
    """The vectors that arrows of a colour point to."""
    plane = played.chapter.plane
    wanted = getattr(played.theme.colours, colour)
    found = [mark for mark in picture.of("arrow") if mark.colour.to_hex() == wanted]
    return [tuple((plane.vector(mark.points[::4][3]) + 0.0).round(9).tolist()) for mark in found]


# One arrow for two jobs


def test_asked_with_its_own_arrow_a_word_is_closest_to_itself(cat: Performance) -> None:
    picture = cat.end_of("one_arrow_finds_itself")
    # (0, 1) against itself, (−1, 1) and (1, 0).
    assert [read_off(picture, f"angles[{i}]") for i in range(3)] == [["0.0"], ["45.0"], ["90.0"]]
    assert "One arrow would only find itself" in [mark.said for mark in picture.of("label")]


def test_an_angle_is_written_in_the_row_of_its_word(cat: Performance) -> None:
    numbers = cat.end_of("one_arrow_finds_itself").of("number")
    for i in range(3):
        (written,) = (mark for mark in numbers if mark.source == f"angles[{i}]")
        (entry,) = (mark for mark in numbers if mark.source == f"embeddings[{i}, 0]")
        assert written.middle[1] == pytest.approx(entry.middle[1], abs=0.05)
        assert written.low[0] > entry.high[0]


def test_who_is_as_close_as_the_word_itself_is_named() -> None:
    assert closest_of(np.array([0.0, 45.0, 90.0])) == [0]
    assert closest_of(np.array([45.0, 0.0, np.nan, 0.0])) == [1, 3]
    names = ("Mouse", "eats", "cheese")
    assert about_closest(np.array([0.0, 63.4, 0.0]), 0, names) == (
        "Its own arrow, of course, and what points the same way: cheese."
    )
    assert about_closest(np.array([0.0, 63.4, 9.0]), 0, names) == (
        "Its own arrow, of course. It would only find itself."
    )
    assert about_closest(np.array([np.nan] * 3), 0, names) == ""


def test_a_word_without_direction_asks_nobody() -> None:
    beats = [beat.name for beat in played("roles", "tests/stories/all_zero.toml").beats]
    assert "one_arrow_finds_itself" not in beats


# Three of one


def test_the_query_is_worked_out_entry_by_entry_from_the_row_and_the_columns(cat: Performance) -> None:
    picture = cat.end_of("row_meets_column")
    # x = (0, 1), W_Q = ((0, 2), (1, 1)): 0 · 0 + 1 · 1 and 0 · 2 + 1 · 1.
    assert in_the_band(picture, cat) == ["0", "0", "1", "1", "0", "2", "1", "1", "1", "1"]
    sources = [
        mark.source
        for mark in sorted(picture.of("number"), key=lambda mark: mark.low[0])
        if mark.high[1] < cat.layout.band.top
    ]
    assert sources == [
        "embeddings[0, 0]", "W_Q[0, 0]", "embeddings[0, 1]", "W_Q[1, 0]",
        "embeddings[0, 0]", "W_Q[0, 1]", "embeddings[0, 1]", "W_Q[1, 1]",
        "queries[0, 0, 0]", "queries[0, 0, 1]",
    ]  # fmt: skip


def test_the_columns_of_the_matrix_stand_over_what_comes_of_them(cat: Performance) -> None:
    numbers = cat.end_of("row_meets_column").of("number")
    stage = [mark for mark in numbers if mark.low[1] > cat.layout.band.top]
    for c in (0, 1):
        column = [mark for mark in stage if mark.source in (f"W_Q[0, {c}]", f"W_Q[1, {c}]", f"queries[0, 0, {c}]")]
        assert len(column) == 3
        assert np.ptp([mark.middle[0] for mark in column]) < 0.05


@pytest.mark.parametrize(
    ("beat", "colour", "tip"),
    [("the_query", "query", (1.0, 1.0)), ("the_key", "key", (1.0, 0.0)), ("the_value", "value", (1.0, -1.0))],
)
def test_the_arrow_of_a_role_ends_where_its_numbers_say(
    cat: Performance, beat: str, colour: str, tip: tuple[float, float]
) -> None:
    assert arrows_of(cat.end_of(beat), cat, colour) == [tip]


def test_the_words_own_arrow_stays_dimmed_beside_those_of_its_roles(cat: Performance) -> None:
    picture = cat.end_of("the_value")
    (x,) = (mark for mark in picture.of("arrow") if mark.colour.to_hex() == cat.theme.colours.ink)
    assert np.allclose(cat.chapter.plane.vector(x.points[::4][3]), (0, 1))
    assert x.opacity < 0.5
    assert {mark.opacity for mark in picture.of("arrow") if mark is not x} == {1.0}


def test_every_card_has_its_question_its_numbers_and_its_matrix(cat: Performance) -> None:
    picture = cat.end_of("the_value")
    said = [mark.said for mark in picture.of("label")]
    for question in ("What am I looking for?", "What do I offer?", "What do I carry?"):
        assert said.count(question) == 1
    for field, numbers in (("queries", ["1", "1"]), ("keys", ["1", "0"]), ("values", ["1", "−1"])):
        assert [read_off(picture, f"{field}[0, 0, {c}]") for c in (0, 1)] == [[number] for number in numbers]
    for letter, matrix in (("Q", "0211"), ("K", "0−110"), ("V", "111−1")):
        shown = [read_off(picture, f"W_{letter}[{i}, {j}]") for i in (0, 1) for j in (0, 1)]
        assert "".join(text for (text,) in shown) == matrix


def test_the_sizes_of_a_real_model_are_said_beside_the_storys_own(cat: Performance) -> None:
    assert in_the_band(cat.end_of("what_is_learned"), cat) == ["2", "2", "512", "64"]


def test_in_the_end_every_word_has_its_row_in_three_tables_with_their_shapes(cat: Performance) -> None:
    picture = cat.ends[-1]
    expected = {
        "queries": [["1", "1"], ["1", "−1"], ["0", "2"]],
        "keys": [["1", "0"], ["1", "1"], ["0", "−1"]],
        "values": [["1", "−1"], ["0", "−2"], ["1", "1"]],
    }
    for field, rows in expected.items():
        shown = [[read_off(picture, f"{field}[0, {i}, {c}]") for c in (0, 1)] for i in range(3)]
        assert shown == [[[text] for text in row] for row in rows]
        assert read_off(picture, f"shape({field})[-2]") + read_off(picture, f"shape({field})[-1]") == ["3", "2"]


def test_every_other_word_turns_into_its_own_three_arrows(cat: Performance) -> None:
    seen = {
        colour: {
            tip for picture in cat.settled if picture.beat == "every_word" for tip in arrows_of(picture, cat, colour)
        }
        for colour in ("query", "key", "value")
    }
    assert {(1.0, -1.0), (0.0, 2.0)} <= seen["query"]
    assert {(1.0, 1.0), (0.0, -1.0)} <= seen["key"]
    assert {(0.0, -2.0), (1.0, 1.0)} <= seen["value"]


def test_wide_vectors_are_worked_out_by_their_first_and_last_terms() -> None:
    wide = played("roles", WIDE)
    picture = wide.end_of("row_meets_column")
    assert len(in_the_band(picture, wide)) == 5
    assert "…" in [mark.said for mark in picture.of("label")]
    f = wide.chapter.cast.focus
    q = wide.chapter.trace.embeddings[f] @ wide.chapter.trace.W_Q[:, -1]
    assert read_off(picture, f"queries[0, {f}, 7]")[-1].replace("−", "-") == f"{q:.2f}"
