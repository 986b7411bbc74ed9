"""The commands as a person calls them: what they print, what they pass on, what they leave alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result

from scenes.film import WALKTHROUGH

ROOT = Path(__file__).parents[2]
CAT = str(ROOT / "stories" / "cat_ate_fish.toml")
Explain = Callable[..., Result]


def run(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own, from a folder and with variables of one's choice."""
    return subprocess.run(
        [sys.executable, "-m", "explainer", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def rendered(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What would have been rendered, call by call; nothing is."""
    import explainer.render

    calls: list[dict[str, Any]] = []

    def render_film(story: Any, **options: Any) -> SimpleNamespace:
        calls.append({"story": story, **options})
        return SimpleNamespace(path=options["out"] / story.stem / f"{options['film_name']}.mp4")

    monkeypatch.setattr(explainer.render, "render_film", render_film)
    return calls


@pytest.mark.parametrize("command", ["render", "numbers", "new", "chapters", "doctor"])
def test_every_command_has_help_with_an_example(explain: Explain, command: str) -> None:
    result = explain(command, "--help")
    assert result.exit_code == 0
    assert f"Example:\n    explainer {command}" in result.stdout


def test_render_passes_the_defaults_on(explain: Explain, rendered: list[dict[str, Any]]) -> None:
    result = explain("render")
    assert result.exit_code == 0
    (call,) = rendered
    assert call.pop("story").title == "cat ate fish"
    assert call == {
        "chapters": WALKTHROUGH,
        "film_name": "walkthrough",
        "quality": "high",
        "format": "mp4",
        "out": Path("renders"),
        "jobs": None,
        "burn_captions": False,
    }
    assert result.stdout == f"{Path('renders/cat_ate_fish/walkthrough.mp4')}\n"


def test_render_passes_every_option_on(explain: Explain, rendered: list[dict[str, Any]]) -> None:
    result = explain(
        *("render", CAT, "--chapters", "worked_example", "--quality", "draft", "--format", "webm"),
        *("--out", "my films", "--jobs", "2", "--burn-captions"),
        *("--set", "look.theme=light", "--set", "look.pace=2"),
    )
    assert result.exit_code == 0
    (call,) = rendered
    story = call.pop("story")
    assert (story.stem, story.look.theme, story.look.pace) == ("cat_ate_fish", "light", 2.0)
    assert call == {
        "chapters": ("worked_example",),
        "film_name": "worked-example",
        "quality": "draft",
        "format": "webm",
        "out": Path("my films"),
        "jobs": 2,
        "burn_captions": True,
    }


def test_the_command_chooses_what_to_show_over_the_story(
    explain: Explain, rendered: list[dict[str, Any]], tmp_path: Path
) -> None:
    story = tmp_path / "my.toml"
    story.write_text('[sentence]\ntokens = ["a", "b"]\n[film]\nchapters = ["worked_example"]\n')
    assert explain("render", str(story)).exit_code == 0
    assert explain("render", str(story), "--film", "worked-example").exit_code == 0
    assert [call["film_name"] for call in rendered] == ["worked-example", "worked-example"]


def test_work_that_fails_is_told_in_a_line_with_status_1(
    explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    import explainer.render

    def fail(*_: Any, **__: Any) -> None:
        raise explainer.render.RenderError("the disk is full: make room")

    monkeypatch.setattr(explainer.render, "render_film", fail)
    result = explain("render")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "the disk is full: make room\n"


def test_numbers_shows_every_stage_with_the_words_beside_it(explain: Explain) -> None:
    result = explain("numbers", CAT)
    assert result.exit_code == 0
    for line in [
        "cat ate fish: d_model = 2, d_k = 2, d_v = 2, heads = 1, scores divided by √d_k, mask: none",
        "embeddings X  (3 × 2)",
        "scores Q Kᵀ  (3 × 3)",
        "  cat     1    2    −1",
        "  cat   30.6 %  62.0 %   7.4 %",
        "  cat   0.38  −1.47",
    ]:
        assert line in result.stdout.splitlines()
    assert "masked" not in result.stdout


def test_numbers_follows_the_storys_decimals_and_shows_what_is_hidden(explain: Explain) -> None:
    result = explain("numbers", CAT, "--set", "look.decimals=4", "--set", "attention.mask=causal")
    assert "masked scores  (3 × 3)" in result.stdout
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["cat", "0.7071", "−∞", "−∞"] in rows
    assert ["cat", "100.0", "%", "0.0", "%", "0.0", "%"] in rows


def test_numbers_shows_heads_one_by_one_and_what_mixes_them(explain: Explain) -> None:
    result = explain("numbers", CAT, "--set", "attention.heads=2", "--set", "projections.output=identity")
    lines = result.stdout.splitlines()
    for heading in ("weights A of head 1  (3 × 3)", "weights A of head 2  (3 × 3)", "W_O  (2 × 2)"):
        assert heading in lines
    assert "concatenated outputs  (3 × 2)" in lines


def test_numbers_names_the_context_in_the_columns(explain: Explain) -> None:
    result = explain("numbers", CAT, "--set", 'context.tokens=["le", "chat"]')
    assert "context  (2 × 2)" in result.stdout
    assert "weights A  (3 × 2)" in result.stdout


def test_json_of_a_mask_has_null_where_a_score_is_hidden(explain: Explain) -> None:
    trace = json.loads(explain("numbers", CAT, "--json", "--set", "attention.mask=causal").stdout)
    assert trace["attention"]["masked"][0][0][1:] == [None, None]
    assert trace["attention"]["weights"][0][0] == [1.0, 0.0, 0.0]
    assert trace["attention"]["mask"] is not None


def test_chapters_lists_what_there_is_with_a_line_each(explain: Explain) -> None:
    result = explain("chapters")
    assert result.exit_code == 0
    assert "worked_example  Every number of one small sentence" in result.stdout
    assert "alignment       The dot product tells" in result.stdout
    assert "worked-example  worked_example\n" in result.stdout
    assert "summary (the default)" in result.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
def test_any_terminal_encoding_gets_the_numbers(encoding: str) -> None:
    result = run(
        *("numbers", "--set", "attention.mask=causal", "--set", 'sentence.tokens=["→", "b", "c"]'),
        *("--set", "sentence.focus=b"),
        LC_ALL="C",
        PYTHONIOENCODING=encoding,
    )
    assert result.returncode == 0
    assert result.stderr == b""
    assert (b"-inf" in result.stdout) == (encoding != "utf-8")


def test_a_fault_in_any_terminal_encoding_is_a_line() -> None:
    result = run("numbers", "kätzchen→.toml", LC_ALL="C", PYTHONIOENCODING="ascii")
    assert result.returncode == 2
    assert b"no such file" in result.stderr
    assert b"Traceback" not in result.stderr


def test_a_reader_that_stops_reading_ends_the_command_quietly(tmp_path: Path) -> None:
    story = tmp_path / "long.toml"
    words = ", ".join(f'"w{i}"' for i in range(120))
    story.write_text(f"[sentence]\ntokens = [{words}]\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "explainer", "numbers", str(story)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.wait(timeout=30)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that takes nothing")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["chapters"], ["numbers"], ["numbers", "--json"], ["--help"]])
def test_output_that_cannot_be_written_is_a_line_and_status_1(arguments: list[str], unbuffered: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "explainer", *arguments],
            cwd=ROOT, env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "the output could not be written (No space left on device): send it somewhere else"
    ]


@pytest.mark.parametrize("name", ["...toml", "..toml"])
def test_a_story_that_would_lead_out_of_the_output_folder_is_told_with_status_2(
    explain: Explain, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text('[sentence]\ntokens = ["a", "b"]\n')
    result = explain("render", str(tmp_path / name), "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "rename the story's file" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_names_of_files_with_any_character_work(tmp_path: Path) -> None:
    folder = tmp_path / "it's #1 of 100%, für 猫"
    folder.mkdir()
    assert run("new", "my story.toml", cwd=folder).returncode == 0
    assert run("numbers", "my story.toml", cwd=folder).returncode == 0


def _modules_after(*arguments: str) -> set[str]:
    code = (
        "import sys\nfrom explainer.cli import explainer\n"
        f"try: explainer({list(arguments)!r})\nexcept SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return set(result.stderr.split())


@pytest.mark.parametrize("arguments", [["--help"], ["render", "--help"], ["new", "--help"]])
def test_help_loads_neither_manim_nor_numpy(arguments: list[str]) -> None:
    assert not _modules_after(*arguments) & {"manim", "numpy", "scipy", "av", "rich"}


@pytest.mark.parametrize(
    "arguments", [["numbers"], ["numbers", "--json"], ["chapters"], ["render", "no such story.toml"]]
)
def test_what_draws_nothing_does_not_load_manim(arguments: list[str]) -> None:
    assert not _modules_after(*arguments) & {"manim", "av", "moderngl"}


def _written(folder: Path) -> Iterator[Path]:
    return folder.rglob("*")


def test_looking_at_numbers_and_chapters_writes_nothing(explain: Explain, tmp_path: Path) -> None:
    for arguments in (["numbers"], ["numbers", "--json"], ["chapters"], ["--help"]):
        assert explain(*arguments).exit_code == 0
    assert list(_written(tmp_path)) == []
