"""Captions that cannot be read, and captions that can."""

from __future__ import annotations

import pytest

from explainer.audit.captions import caption_faults
from scenes.played import Cue, PlayedBeat

RATE = 10


def found(*cues: tuple[str, int, int], beat: tuple[int, int] = (100, 200), is_last: bool = False) -> list[str]:
    """What is wrong with a beat's cues, in words."""
    played = PlayedBeat("beat", "Beat", *beat, tuple(Cue(*cue) for cue in cues))
    return [fault.what for fault in caption_faults(played, RATE, is_last=is_last)]


def test_cues_within_all_limits_have_no_fault() -> None:
    assert found(("a" * 42 + "\n" + "b" * 42, 100, 151), ("c" * 17, 151, 161), ("d" * 30, 166, 200)) == []
    assert found() == []


@pytest.mark.parametrize(
    ("cue", "what"),
    [
        (("a" * 35, 100, 120), "too fast"),
        (("a" * 43, 100, 140), "too wide"),
        (("a\nb\nc", 100, 120), "too high"),
        (("a", 100, 109), "too short"),
        (("a", 100, 171), "too long"),
        (("a", 102, 120), "comes after its beat has begun"),
        (("a", 98, 120), "is outside its beat"),
        (("a", 150, 202), "is outside its beat"),
    ],
)
def test_a_cue_beyond_a_limit_is_found(cue: tuple[str, int, int], what: str) -> None:
    assert what in found(cue)


def test_a_frame_more_or_less_is_no_fault() -> None:
    assert found(("a", 101, 120)) == found(("a", 99, 120)) == []
    assert "is outside its beat" not in found(("a", 150, 201))


def test_the_last_cue_does_not_outlast_the_film_by_a_frame() -> None:
    assert "outlasts the film" in found(("a", 150, 201), is_last=True)
    assert "outlasts the film" not in found(("a", 150, 200), is_last=True)


def test_cues_follow_each_other_at_once_or_after_a_gap_that_is_seen() -> None:
    first = ("a", 100, 120)
    assert found(first, ("b", 120, 140)) == found(first, ("b", 125, 140)) == []
    assert found(first, ("b", 121, 140)) == found(first, ("b", 124, 140)) == ["flickers"]
    assert found(first, ("b", 119, 140)) == ["starts before the last one ends"]
