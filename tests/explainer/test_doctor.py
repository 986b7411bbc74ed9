"""What `explainer doctor` finds, and the command that it gives for what is missing."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import Result

from explainer import doctor
from scenes import fonts

Explain = Callable[..., Result]


def line_of(result: Result, name: str) -> str:
    (line,) = [line for line in result.stdout.splitlines() if line[10:].startswith(f"{name} ")]
    return line


def test_a_machine_that_renders_lacks_nothing(explain: Explain, tmp_path: Path) -> None:
    result = explain("doctor")
    assert result.exit_code == 0
    assert "missing" not in result.stdout
    assert line_of(result, "manim").endswith(version("manim"))
    assert line_of(result, "font of the film").endswith("Source Sans Pro")
    assert list(tmp_path.iterdir()) == []


def test_a_package_that_is_not_there_comes_with_its_command(
    explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_srt(package: str) -> str:
        if package == "srt":
            raise PackageNotFoundError(package)
        return version(package)

    monkeypatch.setattr(doctor, "version", without_srt)
    result = explain("doctor")
    assert result.exit_code == 1
    assert line_of(result, "srt").startswith("missing ")
    assert line_of(result, "srt").endswith("not installed; to mend: pip install srt")


def test_a_package_that_cannot_be_loaded_comes_with_the_reason(
    explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_cairo(module: str) -> None:
        if module == "cairo":
            raise ImportError("libcairo.so.2: cannot open shared object file")

    monkeypatch.setattr(doctor, "import_module", without_cairo)
    monkeypatch.setattr(sys, "platform", "linux")
    result = explain("doctor")
    assert result.exit_code == 1
    assert "libcairo.so.2: cannot open" in line_of(result, "pycairo")
    assert "apt-get install libcairo2-dev" in line_of(result, "pycairo")


def test_without_the_film_face_its_package_is_named(
    explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_face() -> fonts.Face:
        raise fonts.FontError("not installed")

    monkeypatch.setattr(fonts, "film_face", no_face)
    result = explain("doctor")
    assert result.exit_code == 1
    assert line_of(result, "font of the film").endswith("to mend: pip install font-source-sans-pro")


def test_fonts_for_other_scripts_are_wanted_and_not_required(
    explain: Explain, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = fonts.folder_of
    monkeypatch.setattr(
        fonts, "folder_of", lambda package: real(package) if package == fonts.FILM_PACKAGE else None
    )
    result = explain("doctor")
    assert result.exit_code == 0
    assert line_of(result, "fonts: cjk").startswith("optional ")
    assert line_of(result, "fonts: cjk").endswith("pip install manimgx-fonts-cjk")


def test_a_full_disk_is_told(explain: Explain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=10**8))
    result = explain("doctor")
    assert result.exit_code == 1
    assert "0.1 GB free; to mend: make room: at least 1 GB" in line_of(result, "disk space")


def test_a_place_that_cannot_be_written_is_told(explain: Explain, tmp_path: Path) -> None:
    (tmp_path / "renders").write_text("a file where the folder belongs")
    result = explain("doctor")
    assert result.exit_code == 1
    assert "cannot be written" in line_of(result, "place for films")
