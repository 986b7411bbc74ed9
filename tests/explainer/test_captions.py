"""Captions as text."""

from __future__ import annotations

from itertools import pairwise

import pytest
import srt
from hypothesis import given
from hypothesis import strategies as st

from explainer.captions import mov_text, to_srt, to_vtt, vtt_text
from explainer.timeline import Cue
from tests.explainer.fake_chapters import WICKED

CUES = (Cue("Mouse eats cheese.", 0, 45), Cue(f"{WICKED}\nsecond line", 45, 107))


def test_srt_gives_frames_as_hours_minutes_seconds_and_milliseconds() -> None:
    assert to_srt([Cue("late", 30 * 3725 + 1, 30 * 3725 + 2)], 30).splitlines()[:2] == [
        "1",
        "01:02:05,033 --> 01:02:05,067",
    ]


def test_vtt_gives_frames_as_hours_minutes_seconds_and_milliseconds() -> None:
    assert to_vtt([Cue("late", 30 * 3725 + 1, 30 * 3725 + 2)], 30) == (
        "WEBVTT\n\n1\n01:02:05.033 --> 01:02:05.067\nlate\n"
    )


def test_srt_keeps_every_character_as_it_is() -> None:
    read = list(srt.parse(to_srt(CUES, 30)))
    assert [subtitle.content for subtitle in read] == [cue.text for cue in CUES]


def test_vtt_escapes_what_it_would_take_for_its_own_signs() -> None:
    assert vtt_text("a < b & c > d --> e") == "a &lt; b &amp; c &gt; d --&gt; e"
    assert vtt_text("\"quotes\" 'stay' {\\as} they #are") == "\"quotes\" 'stay' {\\as} they #are"


def test_vtt_has_one_block_a_cue_separated_by_blank_lines() -> None:
    blocks = to_vtt(CUES, 30).rstrip("\n").split("\n\n")
    assert blocks[0] == "WEBVTT"
    assert [block.splitlines()[0] for block in blocks[1:]] == ["1", "2"]


def test_a_film_without_captions_has_empty_but_valid_files() -> None:
    assert to_srt([], 30) == ""
    assert to_vtt([], 30) == "WEBVTT\n"


@pytest.mark.parametrize("text", ["cat", "猫 é", "two\nlines", "{\\an8}<b>&"])
def test_a_sample_of_an_mp4s_text_track_is_its_length_in_bytes_and_its_text(text: str) -> None:
    sample = mov_text(text)
    assert int.from_bytes(sample[:2], "big") == len(text.encode()) == len(sample) - 2
    assert sample[2:].decode() == text


@given(
    fps=st.sampled_from([10, 15, 25, 30, 60]),
    lengths=st.lists(st.integers(min_value=1, max_value=500), min_size=1, max_size=20),
)
def test_cues_that_follow_each_other_never_overlap_in_srt(fps: int, lengths: list[int]) -> None:
    cues, start = [], 0
    for length in lengths:
        cues.append(Cue("word", start, start + length))
        start += length
    read = list(srt.parse(to_srt(cues, fps)))
    assert len(read) == len(cues)
    assert all(one.end == two.start for one, two in pairwise(read))
    for cue, subtitle in zip(cues, read, strict=True):
        # No more than half a millisecond from the frame.
        assert abs(subtitle.start.total_seconds() - cue.start / fps) <= 0.0005 + 1e-9
