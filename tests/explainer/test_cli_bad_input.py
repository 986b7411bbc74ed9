"""Whatever cannot be done ends with status 2 and a line that says so: no traceback, nothing written."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[2]
Explain = Callable[..., Result]

GOOD = """\
title = "a b"
[sentence]
tokens = ["a", "b"]
embeddings = [[1, 0], [0, 1]]
focus = "a"
[projections]
query = "identity"
[attention]
heads = 1
mask = "none"
[look]
theme = "dark"
aspect = "16:9"
decimals = 2
[look.colours]
query = "#FFB000"
[film]
chapters = "worked-example"
"""

TOKENS, EMBEDDINGS, MASK = "sentence.tokens", "sentence.embeddings", "attention.mask"
DECIMALS, COLOUR = "look.decimals", "look.colours.query"
DIGITS = "a whole number from 0 to 6"
ZERO_ONE = "rows of 0 and 1"
NUMBERS = "a number from -1e6 to 1e6"
HASH = '"#RRGGBB"'

# What is wrong: the line of GOOD that is replaced, what replaces it, the key, what is found, what is allowed.
BAD_VALUES = {
    "an unknown key": ("title", "titel = 'x'", "titel", "an unknown key", 'did you mean "title"?'),
    "an unknown table": ("[film]", "[films]", "films", "an unknown key", 'did you mean "film"?'),
    "no tokens": ("tokens", "tokens = []", TOKENS, "an empty list", "a list of 1 to 1000"),
    "tokens left out": ("tokens", "", TOKENS, "nothing", "a list of 1 to 1000"),
    "an empty token": ("tokens", 'tokens = ["a", ""]', TOKENS, '"" (blank)', "not blank"),
    "a blank token": ("tokens", 'tokens = ["a", "  "]', TOKENS, '"  " (blank)', "not blank"),
    "a token that is a number": ("tokens", 'tokens = ["a", 1]', TOKENS, "1 at position 2", "text of"),
    "a token of two lines": ("tokens", 'tokens = ["a", "b\\nc"]', TOKENS, "U+000A", "control"),
    "a token without a font": ("tokens", 'tokens = ["a", "\\U000F0000"]', TOKENS, "U+F0000", "font"),
    "too many tokens": ("tokens", f"tokens = {['a'] * 1001}", TOKENS, "a list of 1001", "1 to 1000"),
    "ragged rows": ("emb", "embeddings = [[1, 2], [3]]", EMBEDDINGS, "rows of 2 and of 1", "equal"),
    "a missing row": ("emb", "embeddings = [[1, 2]]", EMBEDDINGS, "1 row", "2 rows"),
    "text for a number": ("emb", "embeddings = [[1, 'x'], [3, 4]]", EMBEDDINGS, '"x" in row 1', NUMBERS),
    "true for a number": ("emb", "embeddings = [[1, true], [3, 4]]", EMBEDDINGS, "true in row 1", NUMBERS),
    "NaN": ("emb", "embeddings = [[1, nan], [3, 4]]", EMBEDDINGS, "nan in row 1, column 2", NUMBERS),
    "infinity": ("emb", "embeddings = [[1, 2], [-inf, 4]]", EMBEDDINGS, "-inf in row 2", NUMBERS),
    "a number too large": ("emb", "embeddings = [[1, 2], [3, 1e7]]", EMBEDDINGS, "10000000.0", NUMBERS),
    "no rows at all": ("emb", "embeddings = []", EMBEDDINGS, "an empty list", "rows of equal length"),
    "one flat row": ("emb", "embeddings = [1, 2]", EMBEDDINGS, "1 as row 1", "rows of equal length"),
    "a projection of other rows": ('query = "i', "query = [[1, 2]]", "projections.query", "1 row", "2 rows"),
    "a misspelt projection": ('query = "i', "query = 'identiy'", "projections.query", '"identiy"', "ident"),
    "heads that do not divide": ("heads", "heads = 3", "attention.heads", "3", "divides the 2 columns"),
    "no heads": ("heads", "heads = 0", "attention.heads", "0", "a whole number from 1 to 64"),
    "half a head": ("heads", "heads = 0.5", "attention.heads", "0.5", "a whole number from 1 to 64"),
    "a mask of another shape": ("mask", "mask = [[1, 0]]", MASK, "1 x 2", "2 x 2"),
    "a mask with a 2": ("mask", "mask = [[1, 0], [2, 1]]", MASK, "2 in row 2, column 1", ZERO_ONE),
    "a mask with a half": ("mask", "mask = [[1, 0], [0.5, 1]]", MASK, "0.5 in row 2", ZERO_ONE),
    "a mask of true": ("mask", "mask = [[1, 0], [1, true]]", MASK, "true in row 2", ZERO_ONE),
    "an unknown mask": ("mask", "mask = 'causl'", MASK, '"causl"', 'did you mean "causal"?'),
    "a focus that is not there": ("focus", "focus = 'c'", "sentence.focus", '"c"', "one of sentence.tokens"),
    "a focus past the end": ("focus", "focus = 3", "sentence.focus", "3", "its position from 1 to 2"),
    "a focus before the start": ("focus", "focus = 0", "sentence.focus", "0", "its position from 1 to 2"),
    "a colour that is none": ('query = "#', "query = 'amber'", COLOUR, '"amber"', HASH),
    "a colour too short": ('query = "#', "query = '#FFF'", COLOUR, '"#FFF"', HASH),
    "a colour of no digits": ('query = "#', "query = '#GGGGGG'", COLOUR, '"#GGGGGG"', HASH),
    "a colour of nothing": ('query = "#', "qeury = '#FFFFFF'", "look.colours.qeury", "unknown", COLOUR),
    "decimals -1": ("decimals", "decimals = -1", DECIMALS, "-1", DIGITS),
    "decimals 40": ("decimals", "decimals = 40", DECIMALS, "40", DIGITS),
    "decimals true": ("decimals", "decimals = true", DECIMALS, "true", DIGITS),
    "an unknown theme": ("theme", "theme = 'drak'", "look.theme", '"drak"', 'did you mean "dark"?'),
    "an unknown aspect": ("aspect", "aspect = '16:10'", "look.aspect", '"16:10"', '"4:3", "1:1"'),
    "an unknown film": ("chap", "chapters = 'worked'", "film.chapters", '"worked"', '"worked-example"'),
    "an unknown chapter": ("chap", "chapters = ['x']", "film.chapters", '"x"', "worked_example"),
}  # fmt: skip


def _with(beginning: str, replacement: str) -> str:
    lines = GOOD.splitlines()
    (place,) = [i for i, line in enumerate(lines) if line.startswith(beginning)]
    lines[place] = replacement
    return "\n".join(lines) + "\n"


def _assert_refused(result: Result, folder: Path, before: set[Path]) -> list[str]:
    """Status 2, whole lines on stderr alone, and the folder as it was. Gives the lines."""
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert set(folder.rglob("*")) == before
    return result.stderr.splitlines()


def test_the_story_that_the_others_are_made_from_is_good(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(GOOD)
    assert explain("numbers", "my.toml").exit_code == 0


@pytest.mark.parametrize("what", BAD_VALUES)
@pytest.mark.parametrize("command", ["render", "numbers"])
def test_a_bad_value_is_refused_with_key_found_and_allowed(
    explain: Explain, tmp_path: Path, command: str, what: str
) -> None:
    beginning, replacement, key, found, allowed = BAD_VALUES[what]
    (tmp_path / "my.toml").write_text(_with(beginning, replacement))
    before = set(tmp_path.rglob("*"))
    lines = _assert_refused(explain(command, "my.toml"), tmp_path, before)
    (line,) = [line for line in lines if line.startswith(f"my.toml: {key}: found ")]
    said, _, rest = line.partition("; allowed: ")
    assert found in said
    assert allowed in rest


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (None, "no such file"),
        ("folder", "a folder"),
        (b"[sentence", "no TOML"),
        (b"tokens = ", "no TOML"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "bytes that are not UTF-8"),
        (b"", "nothing"),
    ],
)
def test_a_story_that_is_none_is_refused(
    explain: Explain, tmp_path: Path, content: bytes | str | None, found: str
) -> None:
    path = tmp_path / "my.toml"
    if content == "folder":
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    before = set(tmp_path.rglob("*"))
    (line,) = _assert_refused(explain("render", "my.toml"), tmp_path, before)
    assert line.startswith("my.toml: ")
    assert f"found {found}" in line
    assert "; allowed: " in line


def test_an_empty_path_of_a_story_is_refused(explain: Explain, tmp_path: Path) -> None:
    (line,) = _assert_refused(explain("render", ""), tmp_path, set())
    assert line.startswith('"": found an empty path; allowed: a story file')


def test_a_story_whose_name_is_not_utf8_is_refused(tmp_path: Path) -> None:
    name = b"caf\xe9.toml"
    try:
        (tmp_path / os.fsdecode(name)).write_text(GOOD)
    except OSError:
        pytest.skip("this file system takes no such name")
    story = os.fsencode(tmp_path / os.fsdecode(name))
    command = [sys.executable, "-m", "explainer", "render", story, "--out", tmp_path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"found a file name that is not UTF-8; allowed: " in done.stderr
    assert b"Traceback" not in done.stderr
    assert os.listdir(os.fsencode(tmp_path)) == [name]


def test_what_the_chapters_cannot_show_is_refused(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text(GOOD)
    before = set(tmp_path.rglob("*"))
    result = explain("render", "my.toml", "--set", "attention.heads=2", "--set", "look.aspect=4:3")
    lines = _assert_refused(result, tmp_path, before)
    assert any(line.startswith("my.toml: attention.heads: found 2 heads; allowed: 1, for") for line in lines)
    assert any('look.aspect: found "4:3"; allowed: "16:9"' in line for line in lines)
    assert explain("numbers", "my.toml", "--set", "attention.heads=2").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--chapters", "worked_exampel"], '--chapters: found "worked_exampel" at position 1; allowed: '),
        (["--chapters", "worked_exampel"], '(did you mean "worked_example"?)'),
        (["--chapters", ""], '--chapters: found "" at position 1; allowed: '),
        (["--chapters", "worked_example,worked_example"], "one of them twice"),
        (["--film", "worked_example"], '(did you mean "worked-example"?)'),
        (["--film", ""], '--film: found ""; allowed: '),
        (["--set", "look.theme"], '--set: found "look.theme"; allowed: key=value'),
        (["--set", "look.thme=light"], '(did you mean "look.theme"?)'),
        (["--set", "look.theme=ligt"], '--set: look.theme: found "ligt"'),
        (["--film", "worked-example", "--chapters", "worked_example"], "mutually exclusive"),
        (["--quality", "ultra"], "'draft', 'standard', 'high', '4k'"),
        (["--format", "avi"], "'mp4', 'webm', 'gif', 'png'"),
        (["--jobs", "0"], "x>=1"),
        (["--jobs", "many"], "not a valid integer"),
    ],
)
def test_a_bad_option_is_refused_with_what_is_allowed(
    explain: Explain, tmp_path: Path, arguments: list[str], words: str
) -> None:
    assert words in "\n".join(_assert_refused(explain("render", *arguments), tmp_path, set()))


def test_an_output_folder_that_is_a_file_is_refused(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "films").write_text("mine")
    before = set(tmp_path.rglob("*"))
    (line,) = _assert_refused(explain("render", "--out", "films"), tmp_path, before)
    assert "films" in line
    assert (tmp_path / "films").read_text() == "mine"


def test_an_output_folder_that_cannot_be_written_is_refused(
    explain: Explain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.mkdir

    # A stand-in, for an administrator may write everywhere.
    def refuse(path: Path, *arguments: object, **options: object) -> None:
        if path.is_relative_to(tmp_path / "films"):
            raise PermissionError(13, "Permission denied", str(path))
        real(path, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "mkdir", refuse)
    (line,) = _assert_refused(explain("render", "--out", "films"), tmp_path, set())
    assert "films" in line
    assert "Permission denied" in line


def test_a_film_whose_name_is_taken_by_a_folder_is_refused(explain: Explain, tmp_path: Path) -> None:
    taken = tmp_path / "renders" / "cat_ate_fish" / "walkthrough.mp4" / "holiday.txt"
    taken.parent.mkdir(parents=True)
    taken.write_text("mine")
    before = set(tmp_path.rglob("*"))
    (line,) = _assert_refused(explain("render"), tmp_path, before)
    assert "walkthrough.mp4 is a folder" in line
    assert taken.read_text() == "mine"


def test_a_command_that_does_not_exist_is_refused_with_the_nearest(explain: Explain, tmp_path: Path) -> None:
    lines = _assert_refused(explain("rendr"), tmp_path, set())
    assert any("render" in line for line in lines)


FUZZED = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "stories").glob("*.toml"))] + [GOOD]
SNIPPETS = [*"[]{}\"'=.#-\\\n\0é", "nan", "inf", "1e999", "[[", "true", "1979-05-27"]


def _damaged(chance: random.Random) -> bytes:
    """A good story after a few random edits, some of them in its bytes."""
    text = chance.choice(FUZZED)
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 3, 20]))
        text = text[:start] + chance.choice([*SNIPPETS, text[end : end + 15], ""]) + text[end:]
    content = bytearray(text.encode())
    if chance.random() < 0.2 and content:
        content[chance.randrange(len(content))] = chance.randrange(256)
    return bytes(content)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # the folder is left as it was by each example
@given(st.randoms(use_true_random=False))
def test_a_damaged_story_is_told_or_refused_and_nothing_else(tmp_path: Path, chance: random.Random) -> None:
    from explainer.cli import explainer

    path = tmp_path / "my.toml"
    path.write_bytes(_damaged(chance))
    result = CliRunner().invoke(explainer, ["numbers", str(path)])
    if result.exit_code == 0:
        assert result.exception is None
    else:
        lines = _assert_refused(result, tmp_path, {path})
        assert lines
        assert all("found " in line and "; allowed: " in line for line in lines)
