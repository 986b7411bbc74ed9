"""Each fault that the audit is for, planted on purpose: it is found, where and when it is, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from explainer.audit.faults import Fault
from explainer.audit.task import CheckTask
from explainer.audit.worker import check_chapter
from scenes.story import load_story
from tests.explainer.audit.plants import load_planted

ROOT = Path(__file__).parents[3]
STORY = ROOT / "stories" / "cat_ate_fish.toml"
SECOND = 1.7  # the first beat: a move of 0.3 s, read after one, and 0.7 s of standing still


def audited(name: str, folder: Path, *, only_ends: bool = False, story: tuple[str, ...] = ()) -> list[Fault]:
    """The faults of a planted chapter."""
    task = CheckTask(load_planted, name, load_story(STORY, story), only_ends, folder)
    faults, _, _ = check_chapter(task, lambda title, index, count: None)
    assert all((folder / fault.picture).stat().st_size > 0 for fault in faults)
    return faults


@pytest.mark.parametrize(
    ("name", "kind", "found"),
    [
        ("Nudged", "number", "30.7 %"),
        ("WithoutSource", "number", "50.0 %"),
        ("WrongSource", "number", "50.0 %"),
        ("Disguised", "number", "2.83"),
        ("TooFine", "number", "30.570 %"),
        ("OffFrame", "frame", "beyond the edge"),
        ("MarkOffFrame", "frame", "beyond the edge"),
        ("Overlapped", "overlap", "shared"),
        ("OnLine", "overlap", "on the stroke"),
        ("AcrossRim", "overlap", "on the stroke"),
        ("Covered", "overlap", "under the Cell"),
        ("Tiny", "size", "capitals 1/1"),
        ("GreyOnGrey", "contrast", ":1"),
        ("WhiteOnLight", "contrast", ":1"),
        ("FaintMark", "contrast", ":1"),
        ("Empty", "emptiness", "nothing on it"),
        ("TooFast", "caption", "30.0 characters a second"),
        ("ThreeLines", "caption", "3 lines"),
    ],
)
def test_a_planted_fault_is_found_once_where_it_begins(name: str, kind: str, found: str, tmp_path: Path) -> None:
    (fault,) = audited(name, tmp_path)
    assert (fault.kind, fault.beat) == (kind, "second")
    assert fault.time == pytest.approx(SECOND, abs=0.04)
    assert found in fault.found


@pytest.mark.parametrize(
    "name",
    [
        "Clean", "TrueNumber", "Counting", "GroundOffFrame", "PassingBy", "OnGround", "BesideSlant", "InCell", "Marked",
        "SlowStrobe",
    ],
)  # fmt: skip
def test_the_same_without_the_fault_is_clean(name: str, tmp_path: Path) -> None:
    assert audited(name, tmp_path) == []


def test_a_strobe_is_found_once_its_second_is_full(tmp_path: Path) -> None:
    (fault,) = audited("Strobe", tmp_path)
    assert (fault.kind, fault.beat) == ("flash", "second")
    assert SECOND + 0.5 < fault.time < SECOND + 1.1


def test_a_number_that_lags_behind_is_found_while_it_does(tmp_path: Path) -> None:
    (fault,) = audited("CountingLate", tmp_path)
    assert fault.kind == "number"
    assert fault.time == pytest.approx(SECOND + 0.3 * 1.5, abs=0.11)
    # Known from the first picture in which it is seen to the last.
    assert 0.3 * 1.5 - 0.2 < fault.duration <= 0.3 * 1.5


def test_a_beat_that_does_not_come_to_rest_is_found(tmp_path: Path) -> None:
    faults = audited("Restless", tmp_path)
    (fault,) = (fault for fault in faults if fault.kind == "stillness")
    assert fault.beat == "third"
    assert fault.found == "still for 0.03 s"


def test_a_caption_outside_of_its_beat_is_found(tmp_path: Path) -> None:
    kinds = {(fault.kind, fault.beat) for fault in audited("OutOfBeat", tmp_path)}
    assert kinds == {("caption", "second")}


@pytest.mark.parametrize(
    ("name", "kind"), [("Nudged", "number"), ("Overlapped", "overlap"), ("GreyOnGrey", "contrast")]
)
def test_a_look_at_the_ends_of_beats_alone_finds_what_stands_there(name: str, kind: str, tmp_path: Path) -> None:
    (fault,) = audited(name, tmp_path, only_ends=True)
    assert (fault.kind, fault.beat) == (kind, "second")


def test_what_stands_back_is_judged_by_the_theme(tmp_path: Path) -> None:
    assert audited("Marked", tmp_path, story=("look.theme=light",)) == []
    colours = ("look.theme=light", 'look.colours.key="#E0E0DC"')
    assert {fault.kind for fault in audited("Marked", tmp_path, story=colours)} == {"contrast"}
