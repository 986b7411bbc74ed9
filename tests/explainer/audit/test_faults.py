"""What is seen again and again is one fault, and what passes in a moment is none."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from explainer.audit.faults import Fault, Ledger, Sighting

RATE = 30


def sighting(kind: str, key: int = 0) -> Sighting:
    return Sighting(kind, (key,), f"thing {key}", "this", "that")


def faults(*moments: tuple[int, int, Sequence[Sighting]], patience: float = 1.0) -> list[Fault]:
    """The faults that moments (frame, frames, what is seen) add up to; a picture is named by its sighting."""
    ledger = Ledger("chapter", RATE, patience)
    for frame, frames, seen in moments:
        beat = "first" if frame < 100 else "second"
        ledger.see(seen, beat, frame, frames, lambda found: f"{found.kind}.png")
    return ledger.faults()


def test_what_is_seen_in_many_pictures_is_one_fault_from_the_first_to_the_last() -> None:
    seen = [sighting("number")]
    (fault,) = faults((90, 1, seen), (93, 1, seen), (96, 30, seen), (126, 1, []))
    assert (fault.time, fault.duration, fault.beat) == (3.0, 1.2, "first")
    assert (fault.chapter, fault.kind, fault.found, fault.allowed) == ("chapter", "number", "this", "that")
    assert fault.picture == "number.png"


def test_what_comes_again_is_another_fault() -> None:
    seen = [sighting("number")]
    assert [fault.time for fault in faults((0, 1, seen), (3, 1, []), (6, 1, seen))] == [0.0, 0.2]


def test_things_are_told_apart_by_kind_and_key() -> None:
    seen = [sighting("number", 1), sighting("number", 2), sighting("frame", 1)]
    assert [(fault.kind, fault.what) for fault in faults((0, 1, seen))] == [
        ("frame", "thing 1"),
        ("number", "thing 1"),
        ("number", "thing 2"),
    ]


@pytest.mark.parametrize(
    ("kind", "borne", "too_long"), [("overlap", 7, 8), ("size", 15, 16), ("contrast", 15, 16), ("emptiness", 30, 31)]
)
def test_what_passes_in_a_moment_is_borne(kind: str, borne: int, too_long: int) -> None:
    assert faults((0, borne, [sighting(kind)])) == []
    assert len(faults((0, too_long, [sighting(kind)]))) == 1


def test_a_slower_film_may_take_longer_and_pictures_that_stand_have_no_excuse() -> None:
    moment = 0, 10, [sighting("overlap")]
    assert len(faults(moment)) == 1
    assert faults(moment, patience=2.0) == []
    assert len(faults((0, 1, [sighting("overlap")]), patience=0.0)) == 1


def test_one_picture_is_taken_as_soon_as_it_is_a_fault_and_while_it_can_be_seen() -> None:
    taken: list[int] = []
    ledger = Ledger("chapter", RATE)
    for frame in range(0, 30, 3):
        ledger.see([sighting("overlap")], "beat", frame, 1, lambda found, frame=frame: taken.append(frame) or "x.png")
    assert taken == [9]


def test_a_fault_of_a_later_chapter_is_later_in_the_film() -> None:
    (fault,) = faults((15, 1, [sighting("number")]))
    assert fault.later(61.25).time == 61.75
    assert fault.to_json()["time"] == 0.5
