"""Chapter 9: the whole pipeline on one screen, with the focus word's own numbers, told twice."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scenes.chapter import Chapter
from scenes.summary import Summary
from tests.scenes.stage import RATE, Performance, Picture, Points, played

CAT = "stories/cat_ate_fish.toml"
NAME = "summary"
VARIED = (
    CAT,
    "stories/the_cat_sat.toml",
    "tests/stories/eight_words.toml",
    "tests/stories/fillers.toml",
)
RETELLING = ("asking_again", "spending_again", "the_one_picture")
WHOLE = ("softmax", "Q", "K", "T", "divide", "close", "V")


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played(NAME, CAT)


def said(picture: Picture, source: str) -> list[str]:
    """The numbers of one source, from the left."""
    found = [(float(n.middle[0]), n.said) for n in picture.of("number") if n.source.startswith(source)]
    return [text for _, text in sorted(found)]


def test_the_last_picture_holds_the_focus_words_numbers_of_every_stage(cat: Performance) -> None:
    end = cat.ends[-1]
    assert said(end, "embeddings[0") == ["0", "1"]
    assert said(end, "attention.scores[0, 0") == ["1", "2", "−1"]
    assert said(end, "attention.divisor") == ["1.414"]
    assert said(end, "attention.masked[0, 0") == ["0.71", "1.41", "−0.71"]
    assert said(end, "attention.weights[0, 0") == ["30.6 %", "62.0 %", "7.4 %"]
    assert said(end, "attention.output[0, 0") == ["0.38", "−1.47"]


def test_its_stations_stand_in_the_order_of_the_pipeline(cat: Performance) -> None:
    titles = ["arrow in", "three roles", "all-pairs match", "cool", "budget", "blend", "arrow out"]
    places = {mark.said: mark.middle for mark in cat.ends[-1].of("label") if mark.said in titles}
    assert list(places) == titles
    upper, lower = [places[title] for title in titles[:4]], [places[title] for title in titles[4:]]
    assert [place[0] for place in upper] == sorted(place[0] for place in upper)
    assert [place[0] for place in lower] == sorted((place[0] for place in lower), reverse=True)
    assert max(place[1] for place in lower) < min(place[1] for place in upper)


def test_the_words_chain_ends_where_its_new_arrow_ends(cat: Performance) -> None:
    blend = cat.chapter.closing.blend
    assert blend.parts[-1].tip == pytest.approx(blend.total.tip)
    unit = math.dist(blend.plane.point((0, 0)), blend.plane.point((1, 0)))
    powers = [math.exp(score / math.sqrt(2)) for score in (1, 2, -1)]
    shares = np.array(powers) / sum(powers)
    z = shares @ np.array([[1, -1], [0, -2], [1, 1]])
    assert (blend.total.tip - blend.plane.origin)[:2] / unit == pytest.approx(z)


@pytest.mark.parametrize("story", VARIED)
def test_at_most_two_dozen_numbers_stand_at_once(story: str) -> None:
    for picture in played(NAME, story).ends[1:]:
        assert len([n for n in picture.of("number") if not n.source.startswith("step")]) <= 24, picture.beat


# The formula


@pytest.mark.parametrize(
    ("beat", "below"),
    [
        ("arrow_comes_in", ()),
        ("three_roles", ()),
        ("all_pairs", ("Q", "K", "T")),
        ("cooling_down", ("Q", "K", "T", "divide")),
        ("one_budget", ("softmax", "Q", "K", "T", "divide", "close")),
        ("blending_values", WHOLE),
        ("the_one_picture", WHOLE),
    ],
)
def test_each_piece_of_the_formula_comes_down_when_its_stage_is_shown(
    cat: Performance, beat: str, below: tuple[str, ...]
) -> None:
    header = cat.layout.header
    formula = cat.end_of(beat).of("formula")
    row = cat.chapter.closing.formula.pieces[1].letters
    assert [name for name, letter in row.items() if any(_same(letter.points, mark.points) for mark in formula)] == [
        name for name in WHOLE if name in below
    ]
    assert sum(mark.middle[1] > header.bottom for mark in formula) == len(WHOLE) - len(below)


def _same(a: Points, b: Points) -> bool:
    return a.shape == b.shape and np.allclose(a, b, atol=1e-6)


def test_another_divisor_is_called_c_and_shown_with_its_value() -> None:
    two = played(NAME, "tests/stories/two_words.toml")
    assert said(two.ends[-1], "attention.divisor") == ["49"]
    assert not two.chapter.by_root


# Masks


def test_what_the_focus_word_may_not_see_is_hatched_and_has_no_number_and_no_share() -> None:
    end = played(NAME, CAT, "attention.mask=causal").ends[-1]
    hatches = [mark for mark in end.marks if mark.kind == "Hatch"]
    assert len(hatches) == 4  # two cells of the cooled row, two bars
    assert said(end, "attention.masked[0, 0") == ["0.71"]
    assert said(end, "attention.weights[0, 0") == ["100.0 %", "0.0 %", "0.0 %"]


def test_a_word_that_may_see_nobody_has_an_empty_budget_and_a_caption_says_so() -> None:
    blind = played(NAME, "tests/stories/blind_row.toml")
    assert said(blind.ends[-1], "attention.weights") == ["0.0 %"] * 3
    assert said(blind.ends[-1], "attention.masked") == []
    captions = " ".join(cue.text.replace("\n", " ") for beat in blind.beats for cue in beat.cues)
    assert "its budget stays empty" in captions
    assert "one whole" not in captions


# Told again


def test_the_retelling_empties_the_picture_and_runs_through_it_once_more(cat: Performance) -> None:
    counts = [
        len([n for n in picture.of("number") if not n.source.startswith("step")])
        for picture in cat.settled
        if picture.beat in RETELLING
    ]
    whole = len([n for n in cat.ends[-1].of("number") if not n.source.startswith("step")])
    assert counts[0] == 0
    assert counts == sorted(counts)
    assert counts[-1] == whole


def test_the_retelling_has_a_cue_a_stage_and_one_to_end_with_and_stops_only_between_its_beats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stops: list[tuple[str, int]] = []
    stand = Chapter._stand

    def noted(chapter: Summary, frames: int) -> None:
        stops.append((chapter._beat, max(0, frames)))
        stand(chapter, frames)

    monkeypatch.setattr(Chapter, "_stand", noted)
    cat = played.__wrapped__(NAME, CAT)
    assert [len(beat.cues) for beat in cat.beats if beat.name in RETELLING] == [3, 3, 2]
    for beat in RETELLING[:2]:
        *between, _, _ = [frames for name, frames in stops if name == beat]
        assert max(between) <= 0.2 * RATE


def test_the_film_is_known_by_its_last_picture(cat: Performance) -> None:
    assert Summary.poster_beat == cat.beats[-1].name
