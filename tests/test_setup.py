"""What a new machine goes through: ``run``, the pinned versions, continuous integration."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")

# Stands in for Python: makes environments that hold itself, notes what pip and tools are asked for.
PYTHON = """#!BASH
case "$1 $2" in
    '-m venv') echo venv >>"$NOTES"; mkdir -p "${@: -1}/bin"; cp "$0" "${@: -1}/bin/python" ;;
    '-m pip')
        [ "$3" != --version ] || exit 0
        echo "$@" >>"$NOTES"
        sleep "${SLOW:-0}"
        exit "${PIP_STATUS:-0}" ;;
    '-m explainer' | '-m ruff' | '-m mypy' | '-m pytest')
        echo "$@" >>"$NOTES"
        [ "$2" != "${FAILS:-}" ] || exit 3 ;;
    *)  case "$2" in *Python.h* | *ensurepip*) exit "${LACKING:-0}" ;; esac
        exec REAL "$@" ;;
esac
"""
NOTE = '#!BASH\necho "${0##*/} $*" >>"$NOTES"\n'
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def pins() -> dict[str, str]:
    found = [Requirement(line) for line in LOCK if line and not line.startswith("#")]
    return {canonicalize_name(pin.name): str(pin.specifier) for pin in found}


def needed(requirements: list[str], extra: str = "") -> set[str]:
    """The names of everything that some requirements bring along on this machine."""
    names: set[str] = set()
    for requirement in map(Requirement, requirements):
        if requirement.marker and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        names.add(name)
        for wanted in ("", *requirement.extras):
            try:
                names |= needed(distribution(name).requires or [], wanted)
            except PackageNotFoundError:
                continue
    return names


def test_every_package_that_the_project_brings_along_is_pinned() -> None:
    extras = [name for names in PROJECT["optional-dependencies"].values() for name in names]
    assert needed(PROJECT["dependencies"] + extras) - set(pins()) == set()


def test_a_pin_is_one_version_and_names_no_address() -> None:
    for line in LOCK:
        assert line.startswith("#") or re.fullmatch(r'[\w.-]+==[\w.]+( ; [\w.]+ [=<>]+ "[\w.]+")?', line), (
            line
        )


def test_the_tests_run_with_the_pinned_versions() -> None:
    differ = {}
    for name, pin in pins().items():
        try:
            installed = version(name)
        except PackageNotFoundError:
            continue
        if pin != f"=={installed}":
            differ[name] = (pin, installed)
    assert differ == {}


def test_the_pinned_versions_run_on_the_oldest_python_that_is_promised() -> None:
    # Debian 12 has 3.11.2, and some packages leave out the first releases of a series.
    refused = {}
    for name in pins():
        try:
            metadata = distribution(name).metadata
        except PackageNotFoundError:
            continue
        if not SpecifierSet(metadata.get("Requires-Python") or "").contains("3.11.2"):
            refused[name] = metadata["Requires-Python"]
    assert refused == {}


def test_continuous_integration_runs_the_tests_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert lines == ["#!/usr/bin/env bash", 'exec "$(dirname -- "$0")/../run" test']
    for path in (".ci/run", "run"):
        assert os.access(ROOT / path, os.X_OK)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of a clone as ``run`` looks at, in a folder with a wicked name, on a machine of stand-ins."""
    folder = tmp_path / "it's a #1 clone é"
    folder.mkdir()
    for name in ("run", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, folder / name)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in (
        "bash",
        "dirname",
        "cat",
        "cksum",
        "head",
        "rm",
        "mv",
        "cp",
        "mkdir",
        "env",
        "sleep",
        "flock",
    ):
        if found := shutil.which(tool):
            (tools / tool).symlink_to(found)
    write_tool(tools / "python3", PYTHON)
    write_tool(tools / "id", "#!BASH\necho 1000\n")
    write_tool(tools / "uname", "#!BASH\necho Linux\n")
    return folder


def write_tool(path: Path, text: str) -> None:
    bash = shutil.which("bash") or "bash"
    path.write_text(text.replace("BASH", bash).replace("REAL", sys.executable))
    path.chmod(0o755)


def equip(clone: Path) -> None:
    """Give the machine the system packages."""
    for tool in ("pkg-config", "cc"):
        write_tool(clone.parent / "tools" / tool, "#!BASH\nexit 0\n")


def environment(clone: Path, **more: str) -> dict[str, str]:
    return {"PATH": str(clone.parent / "tools"), "NOTES": str(clone.parent / "notes"), **more}


def run(clone: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [clone / "run", *arguments],
        cwd="/", env=environment(clone, **more), capture_output=True, text=True, timeout=60,
    )  # fmt: skip


def notes(clone: Path) -> list[str]:
    path = clone.parent / "notes"
    return path.read_text().splitlines() if path.exists() else []


def installs(clone: Path) -> int:
    return sum(line.startswith("-m pip install") for line in notes(clone))


@needs_bash
def test_without_a_command_the_commands_are_told(clone: Path) -> None:
    told = run(clone)
    assert told.returncode == 0
    assert "./run film" in told.stdout
    wrong = run(clone, "flim")
    assert (wrong.returncode, wrong.stderr.splitlines()[-1]) == (2, "run: no such command: flim")
    assert notes(clone) == []


@needs_bash
def test_the_first_call_sets_up_from_the_pinned_versions_and_the_next_does_not(clone: Path) -> None:
    equip(clone)
    first = run(clone, "python", "-c", "print(6 * 7)")
    assert (first.returncode, first.stdout) == (0, "42\n"), first.stderr
    assert len(notes(clone)) == 2
    assert notes(clone)[0] == "venv"
    assert notes(clone)[1].endswith("--constraint requirements.lock --editable .[test]")
    assert "index" not in notes(clone)[1]
    start = time.monotonic()
    second = run(clone, "python", "-c", "print(6 * 7)")
    assert time.monotonic() - start < 1
    assert (second.stdout, second.stderr) == ("42\n", "")
    assert installs(clone) == 1


@needs_bash
def test_changed_requirements_are_installed_into_the_environment_that_is_there(clone: Path) -> None:
    equip(clone)
    run(clone, "python", "-c", "")
    with (clone / "requirements.lock").open("a") as lock:
        lock.write("one-more==1.0\n")
    run(clone, "python", "-c", "")
    assert [line.split()[0] for line in notes(clone)] == ["venv", "-m", "-m"]


@needs_bash
def test_an_interrupted_set_up_is_finished_by_the_next_call(clone: Path) -> None:
    equip(clone)
    failed = run(clone, "python", "-c", "", PIP_STATUS="1")
    assert failed.returncode == 1
    assert failed.stderr.splitlines()[-1] == "run: pip could not install the packages (see above)"
    assert run(clone, "python", "-c", "print(1)").stdout == "1\n"
    shutil.rmtree(clone / ".venv" / "bin")
    assert run(clone, "python", "-c", "print(2)").stdout == "2\n"


@needs_bash
def test_a_clone_that_was_moved_gets_a_new_environment(clone: Path) -> None:
    equip(clone)
    run(clone, "python", "-c", "")
    moved = clone.rename(clone.parent / "moved")
    assert run(moved, "python", "-c", "print(1)").stdout == "1\n"
    assert notes(moved).count("venv") == 2


@needs_bash
@pytest.mark.skipif(shutil.which("flock") is None, reason="needs flock")
def test_two_calls_at_once_set_up_once(clone: Path) -> None:
    equip(clone)
    calls = [
        subprocess.Popen(
            [clone / "run", "python", "-c", "print(1)"],
            env=environment(clone, SLOW="0.5"), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    assert [call.communicate(timeout=60)[0] for call in calls] == ["1\n"] * 3
    assert installs(clone) == 1


@needs_bash
def test_who_may_not_install_is_told_the_one_line_to_type(clone: Path) -> None:
    write_tool(clone.parent / "tools" / "apt-get", NOTE)
    told = run(clone, "film", LACKING="1")
    series = ".".join(map(str, sys.version_info[:2]))
    assert told.returncode == 1
    assert told.stderr == (
        "run: missing system packages; type: sudo apt-get update && sudo apt-get install -y pkg-config "
        f"build-essential libcairo2-dev libpango1.0-dev python{series}-dev python{series}-venv\n"
    )
    assert notes(clone) == []


@needs_bash
def test_root_installs_only_what_is_missing_after_an_update(clone: Path) -> None:
    equip(clone)
    write_tool(clone.parent / "tools" / "id", "#!BASH\necho 0\n")
    write_tool(clone.parent / "tools" / "apt-get", NOTE)
    (clone.parent / "tools" / "cc").unlink()
    run(clone, "python", "-c", "")
    apt = [line for line in notes(clone) if line.startswith("apt-get")]
    assert [line.split("Timeout=300 ")[1] for line in apt] == [
        "update", "install -y --no-install-recommends build-essential",
    ]  # fmt: skip


@needs_bash
@pytest.mark.parametrize(
    ("system", "line"),
    [
        ("Darwin", "type: brew install cairo pango pkg-config"),
        ("Linux", "missing system packages (Debian's names): pkg-config build-essential libcairo2-dev"),
    ],
)
def test_systems_without_apt_are_told_what_is_missing(clone: Path, system: str, line: str) -> None:
    write_tool(clone.parent / "tools" / "uname", f"#!BASH\necho {system}\n")
    told = run(clone, "film")
    assert told.returncode == 1
    assert line in told.stderr


@needs_bash
def test_an_old_python_is_said_to_be_too_old(clone: Path) -> None:
    write_tool(clone.parent / "tools" / "python3", "#!BASH\nexit 1\n")
    told = run(clone, "film")
    assert told.returncode == 1
    assert "Python 3.11 or newer is needed" in told.stderr


@needs_bash
def test_film_renders_into_the_clone_wherever_it_is_called_from(clone: Path) -> None:
    equip(clone)
    assert run(clone, "film", "--quality", "draft").returncode == 0
    assert notes(clone)[-1] == f"-m explainer render --out {clone}/renders --quality draft"


@needs_bash
def test_test_runs_lint_types_and_tests_and_ends_with_the_first_that_fails(clone: Path) -> None:
    equip(clone)
    assert run(clone, "test", "-k", "captions", "--all").returncode == 0
    assert notes(clone)[-3:] == ["-m ruff check --quiet .", "-m mypy", "-m pytest -k captions -m "]
    failed = run(clone, "test", FAILS="mypy")
    assert (failed.returncode, failed.stderr.splitlines()[-1]) == (3, "run: mypy failed")
    assert notes(clone)[-1] == "-m mypy"


@needs_bash
@pytest.mark.nightly
def test_a_fresh_copy_sets_itself_up_and_can_draw(tmp_path: Path) -> None:
    copy = tmp_path / "it's a fresh copy"
    hidden = shutil.ignore_patterns(".git", ".venv*", "renders", "*_cache", "__pycache__", "*.egg-info")
    shutil.copytree(ROOT, copy, ignore=hidden)
    done = subprocess.run(
        [copy / "run", "explainer", "render", "--quality", "draft", "--out", tmp_path / "out"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).stat().st_size > 100_000
