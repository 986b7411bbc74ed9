"""A row of scores becomes a budget: as it is worked out, as it fails the naive way, and for every word in the end."""

from __future__ import annotations

import math

import pytest

from explainer.audit.glyphs import alphabet, face_file, read
from tests.scenes.stage import Mark, Performance, Picture, played

CAT, MOUSE = "stories/cat_ate_fish.toml", "stories/mouse_eats_cheese.toml"
SIX = "stories/the_cat_sat.toml"
KNOWN = alphabet(face_file())
PROPERTIES = {"positive", "contrast", "smooth"}


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played("budget", CAT)


def text_of(number: Mark) -> str:
    return read(number.points, KNOWN).text


def numbers(picture: Picture, start: str) -> dict[str, str]:
    """What the numbers show whose source begins with ``start``, by what stands in its brackets."""
    found = [number for number in picture.of("number") if number.source.startswith(start)]
    return {number.source.removeprefix(start).rstrip("]"): text_of(number) for number in found}


def row_of(picture: Picture, field: str, asker: int = 0) -> list[str]:
    return list(numbers(picture, f"{field}[0, {asker}, ").values())


def labels(picture: Picture) -> set[str]:
    return {label.said for label in picture.of("label")}


def names_of(played: Performance) -> set[str]:
    return {beat.name for beat in played.beats}


def said_in(played: Performance, beat: str) -> str:
    (found,) = (b for b in played.beats if b.name == beat)
    return " ".join(cue.text.replace("\n", " ").replace("\u00a0", " ") for cue in found.cues)


# The running example


def test_the_cats_row_stands_in_a_column_of_its_own(cat: Performance) -> None:
    assert row_of(cat.end_of("lift_a_row"), "attention.masked") == ["0.71", "1.41", "−0.71"]


def test_divided_by_their_sum_the_scores_are_no_shares_of_a_budget(cat: Performance) -> None:
    picture = cat.end_of("divide_by_the_sum")
    column = {source: text for source, text in numbers(picture, "plain.").items() if source.startswith("shares")}
    assert column == {"shares[0": "50.0 %", "shares[1": "100.0 %", "shares[2": "−50.0 %"}
    assert numbers(picture, "plain.total") == {"": "1.41"}
    assert "of a budget?" in labels(picture)
    assert "−50.0 % for fish? No one can spend less than nothing." in said_in(cat, "divide_by_the_sum")


def test_nothing_of_plain_division_is_left_when_exp_comes(cat: Performance) -> None:
    assert numbers(cat.end_of("exponentials"), "plain.") == {}
    assert row_of(cat.end_of("exponentials"), "steps.exponentials") == ["2.03", "4.11", "0.49"]


def test_each_exponential_over_the_total_is_a_share(cat: Performance) -> None:
    picture = cat.end_of("divide_by_the_total")
    assert numbers(picture, "steps.totals") == {"[0, 0, 0": "6.63"}
    assert row_of(picture, "attention.weights") == ["30.6 %", "62.0 %", "7.4 %"]
    shares = [fill[:, 0].max() - fill[:, 0].min() for _, fill in picture.bars]
    whole = [track[:, 0].max() - track[:, 0].min() for track, _ in picture.bars]
    exponentials = [math.exp(score / math.sqrt(2)) for score in (1, 2, -1)]
    by_hand = [e / sum(exponentials) for e in exponentials]
    assert [s / w for s, w in zip(shares, whole, strict=True)] == pytest.approx(by_hand)


def test_stacked_they_make_one_whole_and_the_formula_is_called_softmax(cat: Performance) -> None:
    picture = cat.end_of("stack_up")
    assert numbers(picture, "whole") == {"": "100 %"}
    assert "62.0 % go to ate." in said_in(cat, "stack_up")
    before = len(cat.end_of("divide_by_the_total").of("formula"))
    assert len(picture.of("formula")) == before + 2  # "softmax(" and ")"


def test_far_behind_a_share_is_small_but_seen_and_the_others_have_grown(cat: Performance) -> None:
    picture = cat.end_of("positive")
    assert row_of(picture, "attention.masked") == ["0.71", "−3.29", "−0.71"]  # four points below 0.71
    assert row_of(picture, "attention.weights") == ["79.3 %", "1.5 %", "19.3 %"]


def test_one_point_ahead_is_e_times_as_much(cat: Performance) -> None:
    picture = cat.end_of("contrast")
    assert row_of(picture, "attention.masked") == ["0.71", "1.71", "−0.71"]
    band = [text_of(n) for n in picture.of("number") if cat.layout.band.bottom < n.middle[1] < cat.layout.band.top]
    assert sorted(band) == ["2.03", "2.72", "5.51"]
    assert "2.72 times as much" in said_in(cat, "contrast")


def test_after_it_was_moved_the_row_is_the_cats_own_again(cat: Performance) -> None:
    picture = cat.end_of("smooth")
    assert row_of(picture, "attention.masked") == ["0.71", "1.41", "−0.71"]
    assert row_of(picture, "attention.weights") == ["30.6 %", "62.0 %", "7.4 %"]


def test_every_row_becomes_a_whole_budget(cat: Performance) -> None:
    picture = cat.ends[-1]
    assert [row_of(picture, "attention.weights", i) for i in range(3)] == [
        ["30.6 %", "62.0 %", "7.4 %"],
        ["40.1 %", "19.8 %", "40.1 %"],
        ["18.7 %", "76.8 %", "4.5 %"],
    ]
    assert set(numbers(picture, "budgets[0, ").values()) == {"100 %"}
    assert [label.said for label in picture.of("label") if label.said in "=≈"] == ["=", "=", "="]
    assert numbers(picture, "attention.scaled") == {}


def test_a_total_says_about_equal_where_the_shown_shares_miss_it() -> None:
    # 16.6 + 6.6 + 0.9 + 5.5 + 16.6 + 53.9 = 100.1
    picture = played("budget", SIX).ends[-1]
    assert [label.said for label in picture.of("label") if label.said in "=≈"] == ["=", "=", "=", "≈", "=", "="]


# Other rows


def test_a_row_that_plain_division_suits_is_shown_to_suit_it_by_luck() -> None:
    mouse = played("budget", MOUSE)
    picture = mouse.end_of("divide_by_the_sum")
    # 0, 4, 0 over √2, the first moved to −4/3 over √2.
    assert row_of(picture, "attention.masked") == ["−0.94", "2.83", "0.00"]
    assert numbers(picture, "plain.shares[") == {"0": "−50.0 %", "1": "150.0 %", "2": "0.0 %"} | {"0": "−50.0 %"}
    assert row_of(mouse.end_of("exponentials"), "attention.masked") == ["0.00", "2.83", "0.00"]


def test_scores_that_add_up_to_nothing_are_divided_by_nothing() -> None:
    zero = played("budget", "tests/stories/all_zero.toml")
    picture = zero.end_of("divide_by_the_sum")
    assert numbers(picture, "plain.") == {"total": "0"}
    assert {"Divided by zero: no shares", "?"} <= labels(picture)


def test_hidden_scores_become_minus_infinity_and_then_exactly_nothing() -> None:
    causal = played("budget", SIX, "attention.mask=causal")
    hidden = causal.end_of("hide")
    assert [text_of(n) for n in hidden.of("number") if n.source.startswith("attention.masked")] == ["−∞"] * 15
    assert len(hidden.of("Hatch")) == 15
    weights = numbers(causal.ends[-1], "attention.weights[0, ")
    above = [text for place, text in weights.items() if int(place.split(", ")[1]) > int(place.split(", ")[0])]
    assert above == ["0.0 %"] * 15
    assert len(causal.ends[-1].of("Hatch")) == 15


def test_a_story_without_a_mask_hides_nothing(cat: Performance) -> None:
    assert "hide" not in names_of(cat)
    assert cat.ends[0].of("Hatch") == []


def test_a_word_that_sees_nothing_spends_nothing() -> None:
    blind = played("budget", CAT, "attention.mask=[[0,0,0],[1,1,1],[1,1,1]]")
    assert not {"divide_by_the_sum", *PROPERTIES} & names_of(blind)
    assert row_of(blind.end_of("stack_up"), "attention.weights") == ["0.0 %"] * 3
    assert numbers(blind.end_of("stack_up"), "whole") == {"": "0 %"}
    assert sorted(numbers(blind.ends[-1], "budgets[0, ").values()) == ["0 %", "100 %", "100 %"]
    assert "cat sees no word and spends 0 %." in said_in(blind, "every_row")


def test_a_single_word_keeps_its_whole_budget_and_moves_no_score() -> None:
    alone = played("budget", "tests/stories/one_word.toml")
    assert not PROPERTIES & names_of(alone)
    assert row_of(alone.ends[-1], "attention.weights") == ["100.0 %"]


def test_of_scores_too_large_for_exp_the_largest_is_taken_off_first() -> None:
    huge = played("budget", "tests/stories/huge_scores.toml")
    assert "Less the largest score" in said_in(huge, "exponentials")
    # SHOUT asks, and its own score is the largest by far: exp of nothing beside exp of minus many thousands.
    assert row_of(huge.end_of("exponentials"), "steps.exponentials", 2) == ["0.00000", "0.00000", "1.00000"]
    # Four points behind: 1 / (1 + e⁴) of the budget.
    assert sorted(row_of(huge.end_of("positive"), "attention.weights", 2)) == ["0.0 %", "1.8 %", "98.2 %"]
