"""Every word spends its budget on the values of all: what is drawn, what is written, and what is said of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from explainer.audit.glyphs import alphabet, face_file, read
from scenes.blending import about_chain, about_change, about_rest, about_scaling, statement
from tests.scenes.stage import Mark, Performance, Picture, played, shown_by

CAT, MOUSE, SIX = "stories/cat_ate_fish.toml", "stories/mouse_eats_cheese.toml", "stories/the_cat_sat.toml"
ONE, BLIND = "tests/stories/one_word.toml", "tests/stories/blind_row.toml"
QUICK = (CAT, SIX, ONE, BLIND)
KNOWN = alphabet(face_file())
NAMES = ("cat", "ate", "fish")


def stories() -> Iterator[object]:
    """Every story that the chapter shows; those that are not few, at night."""
    for name in shown_by("blending"):
        yield name if name in QUICK else pytest.param(name, marks=pytest.mark.nightly)


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played("blending", CAT)


@pytest.fixture(params=stories(), scope="module")
def chapter(request: pytest.FixtureRequest) -> Performance:
    return played("blending", request.param)


def text_of(number: Mark) -> str:
    return read(number.points, KNOWN).text


def row(picture: Picture, start: str) -> list[str]:
    """What the numbers show whose source begins with ``start``, from top to bottom and from left to right."""
    found = [number for number in picture.of("number") if number.source.startswith(start)]
    return [
        text_of(number) for number in sorted(found, key=lambda number: (-round(number.middle[1], 1), number.low[0]))
    ]


def said_in(played: Performance, beat: str) -> str:
    (found,) = (b for b in played.beats if b.name == beat)
    return " ".join(cue.text.replace("\n", " ").replace("\u00a0", " ") for cue in found.cues)


def touch(arrow: Mark, point: np.ndarray) -> bool:
    """Whether an arrow's outline has a corner at ``point``."""
    return bool(np.linalg.norm(arrow.points - point, axis=1).min() < 1e-6)


def arrows_that_touch(pictures: list[Picture], beat: str, point: np.ndarray) -> int:
    """The most arrows that have a corner at ``point`` in any picture of a beat."""
    return max(
        (sum(touch(arrow, point) for arrow in p.of("arrow")) for p in pictures if p.beat == beat),
        default=0,
    )


# The chain


def test_the_chain_of_scaled_arrows_ends_at_the_new_arrow_of_every_word(chapter: Performance) -> None:
    scene = chapter.chapter
    cast, plane = scene.cast, scene.plane
    for i in range(cast.n):
        end = plane.point(cast.points("content", cast.outputs[i]))
        beat = "tip_to_tail" if i == cast.focus else "every_word"
        # The last arrow of the chain that has a length, and the blend, where it has one.
        seen = int(cast.points("content", cast.contributions[i]).any()) + int(cast.outputs[i].any())
        assert arrows_that_touch(list(chapter.settled), beat, end) >= seen, cast.words[i]


def test_the_shadow_of_a_blend_is_the_blend_of_the_shadows(chapter: Performance) -> None:
    cast = chapter.chapter.cast
    shadows = cast.points("content", cast.values)
    assert cast.weights @ shadows == pytest.approx(cast.points("content", cast.outputs), rel=1e-9, abs=1e-9)


def test_with_even_shares_the_chain_ends_at_the_plain_average(cat: Performance) -> None:
    # (1, −1) + (0, −2) + (1, 1), by three.
    end = cat.chapter.plane.point((2 / 3, -2 / 3))
    assert arrows_that_touch(list(cat.settled), "plain_average", end) == 2
    assert arrows_that_touch(list(cat.settled), "pull", end) >= 3  # the blend comes back to it


# The running example


def test_the_row_of_weights_becomes_a_column_of_bars(cat: Performance) -> None:
    picture = cat.end_of("the_question")
    assert row(picture, "attention.weights[0, 0, ") == ["30.6 %", "62.0 %", "7.4 %"]
    filled = [np.ptp(fill[:, 0]) / np.ptp(track[:, 0]) for track, fill in picture.bars]
    assert filled == pytest.approx(list(cat.chapter.cast.weights[0]))


def test_the_trusted_words_key_and_value_are_two_arrows(cat: Performance) -> None:
    plane, arrows = cat.chapter.plane, cat.end_of("why_values").of("arrow")
    for tip in ((-1, 1), (1, 1), (0, -2)):  # x, k and v of "ate"
        assert sum(touch(arrow, plane.point(tip)) for arrow in arrows) == 1
    assert "another arrow" in said_in(cat, "why_values")


def test_where_key_and_value_are_alike_it_is_said(cat: Performance) -> None:
    assert "happen to be alike" in said_in(played("blending", MOUSE), "why_values")


def test_all_words_hand_over_their_values(cat: Performance) -> None:
    assert row(cat.end_of("hand_over"), "values[0, ") == ["1", "−1", "0", "−2", "1", "1"]


def test_each_value_shrinks_to_its_share(cat: Performance) -> None:
    picture = cat.end_of("scale")
    # 30.6 % of (1, −1), 62.0 % of (0, −2), 7.4 % of (1, 1)
    assert row(picture, "contributions[0, 0, ") == ["0.31", "−0.31", "0.00", "−1.24", "0.07", "0.07"]
    plane, arrows = cat.chapter.plane, picture.of("arrow")
    for part in cat.chapter.cast.contributions[0]:
        assert any(touch(arrow, plane.point(part)) for arrow in arrows)
    strips = [
        np.ptp(mark.points[:, 0]) for mark in picture.of("Rectangle") if mark.colour.to_hex() == cat.theme.colours.value
    ]
    tracks = [np.ptp(track[:, 0]) for track, _ in picture.bars]
    assert [s / t for s, t in zip(strips, tracks, strict=True)] == pytest.approx(list(cat.chapter.cast.weights[0]))


def test_the_new_arrow_is_written_as_a_sum(cat: Performance) -> None:
    picture = cat.end_of("tip_to_tail")
    assert row(picture, "attention.output[0, 0, ") == ["0.38", "−1.47"] * 2  # under the table, and in the band
    band = [n for n in picture.of("number") if cat.layout.band.bottom < n.middle[1] < cat.layout.band.top]
    assert [text_of(n) for n in sorted(band, key=lambda n: n.low[0])] == ["30.6 %", "62.0 %", "7.4 %", "0.38", "−1.47"]


def test_even_shares_pull_nowhere_and_the_budget_pulls_to_the_verb(cat: Performance) -> None:
    between = [p for p in cat.settled if p.beat == "pull" and any(text_of(n) == "33.3 %" for n in p.of("number"))]
    assert between
    assert {"Pulled toward “ate”"} <= {label.said for label in cat.end_of("pull").of("label")}
    assert row(cat.end_of("pull"), "attention.weights[0, 0, ") == ["30.6 %", "62.0 %", "7.4 %"]
    assert said_in(cat, "pull").endswith("The budget pulls it toward ate.")


def test_every_word_gets_its_row_of_z(cat: Performance) -> None:
    picture = cat.end_of("every_word")
    assert [row(picture, f"output[{i}, ") for i in range(3)] == [
        ["0.38", "−1.47"],
        ["0.80", "−0.40"],
        ["0.23", "−1.68"],
    ]
    plane = cat.chapter.plane
    for z in cat.chapter.cast.outputs:
        assert sum(touch(arrow, plane.point(z)) for arrow in picture.of("arrow")) == 1


def test_v_goes_into_the_formula_when_it_has_done_its_work(cat: Performance) -> None:
    before, after = cat.end_of("pull"), cat.end_of("every_word")
    letter = cat.chapter.formula.letters["V"].points
    assert not any(np.array_equal(mark.points, letter) for mark in before.of("formula"))
    assert any(np.array_equal(mark.points, letter) for mark in after.of("formula"))
    assert row(after, "values[") == row(after, "contributions[") == []


def test_the_old_arrow_stands_beside_the_new_one_and_the_value_that_it_carries(cat: Performance) -> None:
    picture, plane = cat.end_of("old_and_new"), cat.chapter.plane
    tips = [(0, 1), tuple(cat.chapter.cast.outputs[0]), (0, -2)]
    assert all(sum(touch(arrow, plane.point(tip)) for arrow in picture.of("arrow")) == 1 for tip in tips)
    assert "cat now carries “ate”" in {label.said for label in picture.of("label")}


def test_in_the_end_all_words_stand_beside_what_they_were_and_are(cat: Performance) -> None:
    picture = cat.ends[-1]
    assert [row(picture, f"embeddings[{i}, ") for i in range(3)] == [["0", "1"], ["−1", "1"], ["1", "0"]]
    assert [row(picture, f"output[{i}, ") for i in range(3)] == [
        ["0.38", "−1.47"],
        ["0.80", "−0.40"],
        ["0.23", "−1.68"],
    ]


# Other stories


def test_equal_weights_pull_nowhere() -> None:
    equal = played("blending", "tests/stories/all_equal.toml")
    assert "pull" not in {beat.name for beat in equal.beats}
    assert "even blend" in said_in(equal, "old_and_new")


def test_a_single_word_has_no_average_and_takes_its_value_whole() -> None:
    alone = played("blending", ONE)
    assert not {"plain_average", "pull"} & {beat.name for beat in alone.beats}
    assert row(alone.end_of("scale"), "attention.weights") == ["100.0 %"]


def test_a_word_that_sees_nothing_becomes_nothing() -> None:
    blind = played("blending", BLIND)
    asker = blind.story.focus
    assert set(row(blind.end_of("tip_to_tail"), f"attention.output[0, {asker}, ")) == {"0.00"}
    assert "nobody carries nothing" in {label.said for label in blind.end_of("old_and_new").of("label")}


def test_arrows_of_many_dimensions_are_said_to_be_shadows() -> None:
    six = played("blending", SIX)
    assert {"A shadow of", "dimensions"} <= {label.said for label in six.ends[-1].of("label")}
    assert row(six.end_of("hand_over"), "values[0, 0, ") == row(six.end_of("hand_over"), "values[0, 4, ")  # "the"
    assert len(row(six.end_of("hand_over"), "values[0, 0, ")) == 2  # the first and the last entry


# Sentences


def weights(*shares: float) -> np.ndarray:
    return np.array(shares)


@pytest.mark.parametrize(
    ("shares", "change", "stated"),
    [
        (weights(0.3, 0.6, 0.1), "cat now carries what ate had to say, more than all else.", "cat now carries “ate”"),
        (weights(0.6, 0.3, 0.1), "cat takes most of all from its own value.", "cat listens most to itself"),
        (weights(1 / 3, 1 / 3, 1 / 3), "cat now carries an even blend of all.", "cat carries an even blend"),
        (weights(0.1, 0.45, 0.45), "cat now carries what ate and fish had to say, more than all else.",
         "cat now carries “ate” and “fish”"),
        (weights(0, 0, 0), "cat sees no word, and carries nothing.", "cat carries nothing"),
    ],
)  # fmt: skip
def test_what_has_changed_is_said_by_the_largest_weight(shares: np.ndarray, change: str, stated: str) -> None:
    assert about_change(shares, NAMES, 0) == change
    assert statement(shares, NAMES, 0) == stated


def test_a_single_word_is_spoken_of_as_one() -> None:
    assert about_rest(1) == "A single word: its new arrow is all of Z."
    assert about_rest(3).startswith("Every other word")
    assert about_scaling(1) != about_scaling(2)


def test_an_empty_budget_leads_nowhere() -> None:
    assert about_chain(weights(0, 0), "cat") == "Nothing is taken of any: cat's new arrow is zero."
    assert about_chain(weights(0, 1), "cat") == "Laid tip to tail, they lead to cat's new arrow, z."
