"""Narration is cut into cues that can be read: two lines of 42 characters, 17 characters a second."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenes.captions import cut, reading_time

words = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=30)
texts = st.lists(words, min_size=1, max_size=60).map(" ".join)


@given(texts)
def test_every_line_has_at_most_42_characters_and_every_cue_two_lines(text: str) -> None:
    for cue in cut(text):
        assert 1 <= len(cue.split("\n")) <= 2
        assert all(0 < len(line) <= 42 for line in cue.split("\n"))


@given(texts)
def test_no_word_is_lost_changed_or_moved(text: str) -> None:
    assert " ".join(cut(text)).replace("\n", " ").replace("\u00a0", " ").split(" ") == text.split(" ")


@given(texts)
def test_a_cue_stands_long_enough_to_be_read(text: str) -> None:
    for cue in cut(text):
        seconds = reading_time(cue)
        assert 1.0 <= seconds <= 7.0
        assert len(cue) / seconds <= 17


def test_what_fits_on_one_line_stays_on_one_line() -> None:
    assert cut("A key is what a word offers to be found by.") == ("A key is what a word\noffers to be found by.",)
    assert cut("x" * 20 + " " + "y" * 21) == ("x" * 20 + " " + "y" * 21,)


def test_two_lines_are_as_equal_as_they_can_be() -> None:
    (cue,) = cut("one two three four five six seven eight nine ten")
    assert cue == "one two three four five\nsix seven eight nine ten"


def test_a_text_of_more_than_two_lines_becomes_several_cues() -> None:
    pages = cut(" ".join(["abcdefghi"] * 12))  # four to a line, three lines
    assert [page.count("abcdefghi") for page in pages] == [8, 4]


def test_a_word_longer_than_a_line_is_shortened_with_an_ellipsis() -> None:
    assert cut("w" * 100) == ("w" * 41 + "…",)


def test_blanks_and_line_breaks_in_the_text_count_as_one_space() -> None:
    assert cut("one  two\nthree\t four") == ("one two three four",)


def test_a_percentage_keeps_its_sign_on_its_line() -> None:
    (cue,) = cut("shares of one budget, and of all of it 89.4 % goes to the one word that matches")
    assert any("89.4\u00a0%" in line for line in cue.split("\n"))


@pytest.mark.parametrize("text", ["Brackets {x} and <b> & co", 'C# \\ `$x$` "quoted" it\'s'])
def test_marks_of_markup_are_characters_like_any_other(text: str) -> None:
    assert " ".join(cut(text)).replace("\n", " ") == text
