"""What this machine has of what the tool needs, and the command that brings what is missing."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from scenes import fonts

OLDEST_PYTHON = (3, 11)
NEEDED_SPACE = 10**9
"""Bytes: a long film at 4k and what is set aside while it is made."""

# Package and module. Manim is only looked up: what breaks in it are the compiled packages below, and loading
# it would read a manim.cfg that happens to lie here.
PACKAGES = (
    ("manim", ""),
    ("numpy", "numpy"),
    ("scipy", "scipy.special"),
    ("pycairo", "cairo"),
    ("manimpango", "manimpango"),
    ("av", "av"),
    ("typst", "typst"),
    ("srt", "srt"),
    ("cloup", "cloup"),
    ("rich", "rich"),
    ("fonttools", "fontTools.ttLib"),
)
SYSTEM_PACKAGES = {
    "linux": "apt-get install libcairo2-dev libpango1.0-dev pkg-config gcc python3-dev",
    "darwin": "brew install cairo pango pkg-config",
}


@dataclass(frozen=True)
class Finding:
    """One thing looked at; ``mend`` is the command, or the advice, for when it is not fine."""

    name: str
    fine: bool
    found: str
    mend: str = ""
    required: bool = True

    @property
    def mark(self) -> str:
        """How serious it is, in a word."""
        return "ok" if self.fine else "missing" if self.required else "optional"


def examine(out: Path) -> list[Finding]:
    """Everything that rendering into ``out`` needs. Nothing is left behind."""
    return [_python(), *(_package(*each) for each in PACKAGES), *_fonts(), _space(out), _writable(out)]


def _python() -> Finding:
    oldest = ".".join(map(str, OLDEST_PYTHON))
    found = ".".join(map(str, sys.version_info[:3]))
    return Finding("Python", sys.version_info >= OLDEST_PYTHON, found, f"install Python {oldest} or newer")


def _package(package: str, module: str) -> Finding:
    mend = f"pip install {package}"
    if package in ("pycairo", "manimpango") and sys.platform in SYSTEM_PACKAGES:
        mend = f"{SYSTEM_PACKAGES[sys.platform]} && {mend}"
    try:
        installed = version(package)
        if module:
            import_module(module)
    except PackageNotFoundError:
        return Finding(package, False, "not installed", mend)
    except Exception as error:  # a broken compiled package can fail with anything
        return Finding(package, False, f"installed, but cannot be loaded ({error})", mend)
    return Finding(package, True, installed)


def _fonts() -> Iterator[Finding]:
    mend = f"pip install {fonts.FILM_PACKAGE}"
    try:
        face = fonts.film_face()
    except fonts.FontError:
        yield Finding("font of the film", False, "not installed", mend)
        return
    lost = [path.name for path in (face.regular, face.semibold) if not path.is_file()]
    found = f"{', '.join(lost)} is not there" if lost else face.name
    yield Finding("font of the film", not lost, found, f"{mend} --force-reinstall")
    for extra, package in fonts.EXTRA_PACKAGES.items():
        there = fonts.folder_of(package) is not None
        yield Finding(
            f"fonts: {extra}", there, package if there else "not installed", f"pip install {package}", False
        )


def _space(out: Path) -> Finding:
    free = min(shutil.disk_usage(place).free for place in (_existing(out), Path(tempfile.gettempdir())))
    mend = f"make room: at least {NEEDED_SPACE / 1e9:g} GB"
    return Finding("disk space", free >= NEEDED_SPACE, f"{free / 1e9:.1f} GB free", mend)


def _writable(out: Path) -> Finding:
    place = _existing(out)
    fine = place.is_dir() and os.access(place, os.W_OK | os.X_OK)
    found = f"{place.resolve()} can{'' if fine else 'not'} be written"
    return Finding("place for films", fine, found, "go to a folder of yours, or name one with --out")


def _existing(path: Path) -> Path:
    """The path, or the nearest of the folders above it that exists."""
    return next(place for place in (path, *path.absolute().parents) if place.exists())
