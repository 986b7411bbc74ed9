"""Chapter 1 shows what it says: lists become arrows, and arrows are added, stretched and measured, on any story."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from explainer.audit.glyphs import alphabet, face_file, read
from scenes.arrows import about_shape, about_sum, how_it_points
from tests.scenes.stage import Mark, Performance, Picture, Points, played

CAT = "stories/cat_ate_fish.toml"
WIDE = "stories/the_cat_sat.toml"
KNOWN = alphabet(face_file())


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played("arrows", CAT)


def read_off(picture: Picture, source: str) -> list[str]:
    """What the outlines of the numbers say that claim to come from ``source``."""
    return [read(mark.points, KNOWN).text for mark in picture.of("number") if mark.source == source]


def labels(picture: Picture) -> list[str]:
    return [mark.said for mark in picture.of("label")]


def tips(picture: Picture, played: Performance) -> list[tuple[float, float]]:
    """The vectors of the plane that arrows point to: their outlines' corner that is farthest from their blunt end."""
    plane = played.chapter.closing.plane
    return [tuple((plane.vector(tip_of(arrow)) + 0.0).round(9).tolist()) for arrow in picture.of("arrow")]


def tip_of(arrow: Mark) -> Points:
    outline = arrow.points[::4]
    return outline[3] if len(outline) == 7 else outline.mean(axis=0)


# The sentence and the naive way


def test_the_words_come_before_anything_else_in_their_order(cat: Performance) -> None:
    assert labels(cat.end_of("the_sentence")) == ["cat", "ate", "fish", "A word is an arrow"]


def test_letters_pile_up_and_leave_the_question_open(cat: Performance) -> None:
    said = [labels(picture) for picture in cat.settled if picture.beat == "letters_pile_up"]
    # Once each in the sentence, once in the question, and once in the pile that is no sum.
    assert max(texts.count("cat") for texts in said) == max(texts.count("ate") for texts in said) == 3
    below = [mark for mark in cat.ends[1].of("label") if mark.middle[1] < cat.layout.stage.centre[1]]
    assert [mark.said for mark in sorted(below, key=lambda mark: mark.low[0])] == ["cat", "+", "ate", "=", "?"]


def test_the_question_waits_in_the_band_until_it_is_answered_there(cat: Performance) -> None:
    waiting = [
        mark
        for beat in ("words_become_lists", "every_word_is_an_arrow")
        for mark in cat.end_of(beat).of("label")
        if mark.said == "?"
    ]
    assert len(waiting) == 2
    for mark in waiting:
        assert cat.layout.band.bottom < mark.middle[1] < cat.layout.band.top
    answered = cat.end_of("arrows_add_up")
    assert "?" not in labels(answered)
    assert read_off(answered, "sum[0]") == ["−1"]
    assert read_off(answered, "sum[1]") == ["2"]


# Lists and arrows


def test_every_list_shows_the_numbers_of_its_word(cat: Performance) -> None:
    picture = cat.end_of("words_become_lists")
    shown = [[read_off(picture, f"embeddings[{i}, {c}]") for c in (0, 1)] for i in range(3)]
    assert shown == [[["0"], ["1"]], [["−1"], ["1"]], [["1"], ["0"]]]
    assert labels(picture).count("[") == labels(picture).count("]") == 3


def test_the_steps_of_the_first_arrow_go_along_the_axis_and_then_up(cat: Performance) -> None:
    # "ate" is (−1, 1), the first word with two steps that lead somewhere.
    assert cat.chapter.guide == 1
    plane = cat.chapter.closing.plane
    way = cat.chapter._way(1)
    ends = [plane.vector(point) for leg in way[::2] for point in (leg.get_start(), leg.get_end())]
    assert np.allclose(ends, [(0, 0), (-1, 0), (-1, 0), (-1, 1)])
    assert [number.shown_text() for number in way[1::2]] == ["−1", "1"]


def test_every_arrow_ends_where_its_list_says(cat: Performance) -> None:
    assert tips(cat.end_of("every_word_is_an_arrow"), cat) == [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0)]


def test_the_sum_ends_where_the_second_arrow_does_that_begins_at_the_first_ones_tip(cat: Performance) -> None:
    assert sorted(tips(cat.end_of("arrows_add_up"), cat)) == [
        (-1.0, 1.0), (-1.0, 2.0), (-1.0, 2.0), (0.0, 1.0), (1.0, 0.0),
    ]  # fmt: skip
    moved = cat.chapter.tried.moved
    assert np.allclose(cat.chapter.closing.plane.vector(moved.start_point), (0, 1))


def test_the_stretched_arrow_is_twice_as_long(cat: Performance) -> None:
    picture = cat.end_of("arrows_stretch")
    assert (0.0, 2.0) in tips(picture, cat)
    assert read_off(picture, "stretched[0]") + read_off(picture, "stretched[1]") == ["0", "2"]


def test_the_angle_is_written_at_its_arc_and_in_the_band(cat: Performance) -> None:
    picture = cat.end_of("arrows_have_an_angle")
    assert read_off(picture, "angles[0, 1]") == ["45.0", "45.0"]
    (arc,) = picture.of("AngleMark")
    origin = cat.chapter.closing.plane.origin
    first, last = (arc.points[end] - origin for end in (0, -1))
    cosine = first @ last / np.linalg.norm(first) / np.linalg.norm(last)
    assert np.degrees(np.arccos(cosine)) == pytest.approx(45.0)


def test_the_shape_of_the_table_counts_its_rows_as_they_come(cat: Performance) -> None:
    counted = [read_off(picture, "shape(embeddings)[-2]") for picture in cat.settled if picture.beat == "the_table"]
    said = [texts[0] for texts in counted if texts]
    assert list(dict.fromkeys(said)) == ["1", "2", "3"]


def test_the_arrows_stay_while_the_table_is_built(cat: Performance) -> None:
    for picture in cat.settled:
        if picture.beat == "the_table":
            assert tips(picture, cat)[:3] == [(0.0, 1.0), (-1.0, 1.0), (1.0, 0.0)]


def test_the_size_of_a_real_model_is_said_beside_the_storys_own(cat: Performance) -> None:
    (before,) = [a for a, b in pairwise(cat.settled) if a.beat == "hundreds_of_axes" and b is cat.settled[-1]]
    numbers = [read(mark.points, KNOWN).text for mark in before.of("number") if mark.points[:, 1].max() < -2.6]
    assert numbers == ["2", "512"]


# Any story


def test_what_has_no_direction_has_no_angle_and_is_not_stretched() -> None:
    beats = {beat.name for beat in played("arrows", "tests/stories/all_zero.toml").beats}
    assert {"arrows_have_an_angle", "arrows_stretch"}.isdisjoint(beats)


def test_one_word_alone_is_added_to_itself_and_measured_against_nobody() -> None:
    alone = played("arrows", "tests/stories/one_word.toml")
    beats = [beat.name for beat in alone.beats]
    assert "every_word_is_an_arrow" not in beats
    assert "arrows_have_an_angle" not in beats
    assert (4.0, -2.0) in tips(alone.end_of("arrows_add_up"), alone)


def test_an_angle_in_a_shadow_is_the_true_one() -> None:
    wide = played("arrows", WIDE)
    x = wide.chapter.trace.embeddings
    i, j = wide.chapter.pair
    cosine = x[i] @ x[j] / np.linalg.norm(x[i]) / np.linalg.norm(x[j])
    written = read_off(wide.end_of("arrows_have_an_angle"), f"angles[{i}, {j}]")
    assert written
    assert all(text == f"{np.degrees(np.arccos(cosine)):.1f}" for text in written)


def test_a_shadow_is_said_to_be_one_and_has_no_ticks() -> None:
    picture = played("arrows", WIDE).ends[-1]
    assert "A shadow of" in labels(picture)
    assert not [mark for mark in picture.of("number") if mark.source.startswith("axis")]


# Captions


def test_captions_say_of_an_arrow_what_is_true_of_it() -> None:
    assert how_it_points(np.array([0.0, 0.0]), "no", 2) == "Zeros lead nowhere: no is an arrow without length."
    assert how_it_points(np.array([3.0, 0.0]), "cat", 1) == "Its number goes along the axis: there points cat."
    assert "8 axes" in how_it_points(np.array([3.0, 1.0]), "cat", 8)
    assert about_sum(np.array([0.0, 0.0]), "pull", "push") == "Here nothing remains: an arrow without length."
    assert about_sum(np.array([1.0, 0.0]), "cat", "ate") == "So cat + ate is an arrow again."
    assert about_shape(1, 2) == "1 word, 2 numbers each."
    assert about_shape(3, 1) == "3 words, 1 number each."
