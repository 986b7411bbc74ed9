"""The rules that hold the house together, read off the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scenes.film import CHAPTERS

ROOT = Path(__file__).parents[1]
PACKAGES = ("math_core", "scenes", "explainer")

# What math_core may use of Python: nothing that knows of files, clocks, chance, processes or the environment.
PURE = {
    "__future__", "abc", "collections", "dataclasses", "enum", "functools", "itertools", "math", "numbers",
    "operator", "types", "typing",
}  # fmt: skip

# Only the processes that draw load Manim: importing it takes a second.
MAY_DRAW = {
    "explainer.audit.copyist", "explainer.audit.player", "explainer.audit.worker", "explainer.camera",
    "explainer.encoder", "explainer.worker", "explainer.writer",
}  # fmt: skip

# Names of Manim's that call LaTeX, at least unless they are told not to.
LATEX = {
    "Tex", "MathTex", "SingleStringMathTex", "TexTemplate", "Title", "BulletedList", "DecimalNumber",
    "Integer", "Variable", "Matrix", "DecimalMatrix", "IntegerMatrix", "MobjectMatrix", "DecimalTable",
    "IntegerTable", "MathTable", "BarChart", "BraceLabel", "add_coordinates", "add_labels", "add_numbers",
    "get_tex", "get_axis_labels", "get_x_axis_label", "get_y_axis_label", "get_graph_label",
    "get_number_mobject",
}  # fmt: skip

REGISTRIES = re.compile(
    # Cut in two, so that this file does not name them either.
    r"py" r"pi\.org|python" r"hosted\.org|deb\.deb" r"ian\.org|archive\.ubu" r"ntu\.com|npm" r"js\.(?:org|com)"
    r"|conda\.ana" r"conda\.org"
)
MACHINE_PATHS = re.compile(r"(?<![\w.~$}-])/(?:work|root)/")


def modules(*packages: str) -> dict[str, Path]:
    """Every module of some packages by its name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for package in packages
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def imports(path: Path) -> set[str]:
    """The modules that a file imports, anywhere in it, whether or not it is only for types."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are written out in full"
            found |= {node.module or ""} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def top(names: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in names}


def project_files() -> Iterator[Path]:
    """Every text file that belongs to the project."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if listed.returncode != 0:
        pytest.skip("not a clone")
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file() and b"\0" not in path.read_bytes():
            yield path


def test_the_house_has_its_three_packages() -> None:
    for package in PACKAGES:
        assert f"{package}.__init__" in modules(package)


@pytest.mark.parametrize(
    ("package", "above"), [("math_core", {"scenes", "explainer"}), ("scenes", {"explainer"})]
)
def test_imports_run_one_way(package: str, above: set[str]) -> None:
    wrong = {name: top(imports(path)) & above for name, path in modules(package).items()}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_numbers_know_nothing_but_numbers() -> None:
    allowed = PURE | {"numpy", "scipy", "math_core"}
    wrong = {name: top(imports(path)) - allowed for name, path in modules("math_core").items()}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_no_chapter_is_imported_by_another_part_of_the_scenes() -> None:
    chapters = {chapter.module for chapter in CHAPTERS.values()}
    assert chapters <= set(modules("scenes"))
    wrong = {name: imports(path) & chapters - {name} for name, path in modules("scenes", "explainer").items()}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_the_mobjects_do_not_know_the_beat_machinery_or_the_story() -> None:
    above = {"scenes.chapter", "scenes.story", "scenes.film", *(c.module for c in CHAPTERS.values())}
    wrong = {name: imports(path) & above for name, path in modules("scenes/mobjects").items()}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_only_the_processes_that_draw_load_manim() -> None:
    users = {name for name, path in modules("explainer").items() if "manim" in top(imports(path))}
    assert users <= MAY_DRAW
    loaded = subprocess.run(
        [sys.executable, "-c", "import explainer.cli, explainer.render, sys; print('manim' in sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert loaded.stdout.strip() == "False"


def test_nothing_calls_latex() -> None:
    wrong = []
    for name, path in modules("scenes", "explainer").items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            word = {ast.Name: "id", ast.Attribute: "attr", ast.alias: "name"}.get(type(node), "")
            if word and getattr(node, word) in LATEX:
                wrong.append(f"{name}: {getattr(node, word)}")
            if isinstance(node, ast.keyword) and node.arg == "include_numbers":
                wrong.append(f"{name}: include_numbers")
    assert wrong == []


def test_nothing_imports_everything_from_a_module() -> None:
    wrong = [
        str(path.relative_to(ROOT))
        for path in project_files()
        if path.suffix == ".py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and any(alias.name == "*" for alias in node.names)
    ]
    assert wrong == []


def test_no_file_names_a_package_registry_or_a_place_on_one_machine() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in project_files()
        for pattern in (REGISTRIES, MACHINE_PATHS)
        if (found := pattern.search(path.read_text(encoding="utf-8", errors="replace")))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "words", [("from ", "/", "work/main"), ("'", "/", "root/.cache'"), ("py", "pi", ".org/x")]
)
def test_the_search_for_such_places_finds_them(words: tuple[str, ...]) -> None:
    # In pieces, for this file is searched as well.
    text = "".join(words)
    assert REGISTRIES.search(text) or MACHINE_PATHS.search(text)
