"""``explainer check`` as a person calls it: what it prints, its exit status, what it passes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from explainer.audit.faults import Fault
from explainer.audit.report import Report

ROOT = Path(__file__).parents[2]
CAT = str(ROOT / "stories" / "cat_ate_fish.toml")
Explain = Callable[..., Result]

FAULT = Fault("scores", 12.3, 0.5, "first_cell", "overlap", "“a” | “b”", "0.10 x 0.20 shared", "apart", "001.png")


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What would have been audited, call by call; the audit finds a fault where the story is light."""
    import explainer.audit.check

    calls: list[dict[str, Any]] = []

    def check_film(story: Any, **options: Any) -> Report:
        calls.append({"story": story, **options})
        return Report(
            film=options["film_name"],
            story=story.path.name,
            theme=story.look.theme,
            chapters=options["chapters"],
            duration=61.0,
            pictures_seen=7,
            only_ends=options["only_ends"],
            folder=options["out"] / "check",
            faults=(FAULT,) if story.look.theme == "light" else (),
        )

    monkeypatch.setattr(explainer.audit.check, "check_film", check_film)
    return calls


def test_help_has_an_example(explain: Explain) -> None:
    result = explain("check", "--help")
    assert result.exit_code == 0
    assert "Example:\n    explainer check" in result.stdout


def test_a_clean_film_is_told_so_with_status_0(explain: Explain, checked: list[dict[str, Any]]) -> None:
    result = explain("check", CAT, "--chapters", "worked_example")
    assert result.exit_code == 0
    assert result.stdout == ("worked-example (cat_ate_fish.toml, dark): no faults; looked at 7 pictures of 1:01.0\n")
    (call,) = checked
    assert call.pop("story").title == "cat ate fish"
    assert call == {
        "chapters": ("worked_example",),
        "film_name": "worked-example",
        "out": Path("renders"),
        "jobs": None,
        "only_ends": False,
    }


def test_faults_are_listed_with_status_1(explain: Explain, checked: list[dict[str, Any]]) -> None:
    result = explain("check", CAT, "--set", "look.theme=light")
    assert result.exit_code == 1
    assert "scores   0:12.3  first_cell  overlap: “a” | “b”  0.10 x 0.20 shared, for 0.5 s  apart" in result.stdout


def test_json_is_one_object(explain: Explain, checked: list[dict[str, Any]]) -> None:
    result = explain("check", CAT, "--set", "look.theme=light", "--json")
    assert result.exit_code == 1
    (fault,) = json.loads(result.stdout)["faults"]
    assert fault["time"] == 12.3


def test_every_option_is_passed_on(explain: Explain, checked: list[dict[str, Any]]) -> None:
    explain("check", CAT, "--film", "worked-example", "--out", "my films", "--jobs", "2", "--beat-ends")
    (call,) = checked
    assert {key: call[key] for key in ("out", "jobs", "only_ends")} == {
        "out": Path("my films"), "jobs": 2, "only_ends": True,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.toml"], "nowhere.toml"),
        ([CAT, "--chapters", "cores"], '"cores"'),
        ([CAT, "--set", "look.theme=drak"], "drak"),
        ([CAT, "--chapters", "worked_example", "--film", "worked-example"], "mutually exclusive"),
        ([CAT, "--jobs", "0"], "--jobs"),
    ],
)
def test_what_cannot_be_done_is_refused_with_status_2(
    explain: Explain, checked: list[dict[str, Any]], arguments: list[str], said: str
) -> None:
    result = explain("check", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""
    assert checked == []


def test_a_place_that_cannot_be_written_is_refused_with_status_2(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    result = explain("check", CAT, "--chapters", "worked_example", "--out", "file")
    assert result.exit_code == 2
    assert "is a file" in result.stderr
