"""A film is audited chapter by chapter in processes of their own, and what is found is told and shown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from explainer.audit.check import check_film
from explainer.audit.report import Report
from explainer.errors import PlaceError, RenderError
from explainer.progress import Silence
from scenes.story import Story, load_story
from tests.explainer.audit.plants import load_planted

ROOT = Path(__file__).parents[3]
STORY = ROOT / "stories" / "cat_ate_fish.toml"


def check(out: Path, *chapters: str, story: Story | None = None, **options: object) -> Report:
    settled = {"load_chapter": load_planted, "progress": Silence(), "film_name": "film", "out": out}
    return check_film(story or load_story(STORY), chapters=chapters, **{**settled, **options})  # type: ignore[arg-type]


class Heard(Silence):
    """Remembers what the audit told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin(self, film: str, chapters: Sequence[str]) -> None:
        self.told.append(f"begin {film}")

    def beat(self, chapter: str, title: str, index: int, count: int) -> None:
        self.told.append(f"{chapter} {index}/{count} {title}")

    def done(self, chapter: str, *, was_cached: bool) -> None:
        self.told.append(f"{chapter} done")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    """Of two chapters, the second with a fault."""
    return check(tmp_path_factory.mktemp("it's 50 % é"), "Clean", "Tiny")


def test_times_are_those_of_the_film(report: Report) -> None:
    (fault,) = report.faults
    first = check_length(report)
    assert (fault.chapter, fault.beat) == ("Tiny", "second")
    assert fault.time == pytest.approx(first + 1.7, abs=0.04)


def check_length(report: Report) -> float:
    """Both chapters are equally long."""
    return report.duration / 2


def test_each_fault_has_a_picture_with_its_place_marked(report: Report) -> None:
    (fault,) = report.faults
    assert fault.picture == "001_size_Tiny.png"
    assert [path.name for path in report.folder.iterdir()] == [fault.picture]
    with Image.open(report.folder / fault.picture) as image:
        pixels = np.asarray(image.convert("RGB")).astype(int)
    red = np.argwhere((pixels[..., 0] > 200) & (pixels[..., 1] < 80))
    # The label stands under the middle of the frame, a unit (an eighth of its height) down.
    height = 480
    middle = (red.min(axis=0) + red.max(axis=0)) / 2
    assert middle == pytest.approx([height / 2 + height / 8, pixels.shape[1] / 2], abs=height / 10)


def test_a_table_has_a_line_a_fault_and_one_that_sums_up(report: Report) -> None:
    heads, line, summary = report.as_table().splitlines()
    assert heads.split() == ["chapter", "time", "beat", "what", "how", "much", "allowed", "picture"]
    assert re.match(r"Tiny +0:0\d\.\d +second +size: “Hardly” +capitals 1/109 of the frame, for ", line)
    assert summary.startswith("film (cat_ate_fish.toml, dark): 1 fault, with pictures in ")


def test_json_tells_the_same(report: Report) -> None:
    told = json.loads(report.as_json())
    assert told["chapters"] == ["Clean", "Tiny"]
    assert told["duration"] == report.duration
    (fault,) = told["faults"]
    assert fault["kind"] == "size"
    assert Path(told["folder"], fault["picture"]).is_file()


def test_a_clean_film_leaves_nothing_behind_not_even_older_pictures(tmp_path: Path) -> None:
    folder = tmp_path / "cat_ate_fish" / "check"
    folder.mkdir(parents=True)
    (folder / "001_size_Tiny.png").write_bytes(b"")
    (folder / "notes.txt").write_text("mine")
    clean = check(tmp_path, "Clean", only_ends=True)
    assert clean.faults == ()
    assert "no faults" in clean.as_table()
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    elsewhere = check(tmp_path / "new", "Clean", only_ends=True)
    assert elsewhere.faults == ()
    assert not (tmp_path / "new").exists()


def test_each_beat_is_told_as_it_starts(tmp_path: Path) -> None:
    heard = Heard()
    check(tmp_path, "Clean", progress=heard, jobs=1, only_ends=True)
    assert heard.told == ["begin film", "Clean 0/2 First", "Clean 1/2 Second", "Clean done"]


def test_roles_that_an_eye_takes_for_one_are_a_fault_of_the_look(tmp_path: Path) -> None:
    colours = ['look.colours.key="#FAB844"']
    found = check(tmp_path, "Clean", story=load_story(STORY, colours), only_ends=True).faults
    assert all(fault.kind == "contrast" and fault.time == 0 for fault in found)
    assert {fault.what for fault in found} >= {
        f"the colours of query and key for {eye}" for eye in ("all eyes", "protanopia", "deuteranopia", "tritanopia")
    }
    assert all((tmp_path / "cat_ate_fish" / "check" / fault.picture).is_file() for fault in found)


def test_a_chapter_that_cannot_be_played_is_named(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="the chapter Nonsense could not be drawn: KeyError"):
        check(tmp_path, "Nonsense")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["file", "file/below"])
def test_a_file_where_a_folder_is_needed_is_refused_before_anything_is_played(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    heard = Heard()
    with pytest.raises(PlaceError, match="is a file"):
        check(tmp_path / place, "Clean", progress=heard)
    assert heard.told == []
    assert (tmp_path / "file").read_text() == "mine"
