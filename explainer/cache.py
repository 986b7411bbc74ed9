"""Chapters that have been drawn before, kept so that they need not be drawn again.

Manim's own cache does not see every change of code, and believes in files that were cut short. Here a chapter
is known by all that settles its picture - our source, the story, the settings, the libraries - and enters the
cache whole.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hashlib import file_digest, sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

import cairo
import manimpango
import numpy as np

from explainer.timeline import PlayedChapter

_PACKAGES = ("math_core", "scenes", "explainer")
_LIBRARIES = (
    "manim", "numpy", "scipy", "av", "typst", "pycairo", "manimpango", "pillow", "fonttools", "svgelements",
    "skia-pathops", "font-source-sans-pro", "manimgx-fonts", "manimgx-fonts-cjk",
)  # fmt: skip

LIMIT = 4 * 2**30
"""Bytes that the cache may hold; the chapters that have not been used for longest go first."""


def cache_folder() -> Path | None:
    """Where this system keeps what programs can make again; None where there is no such place."""
    try:
        if named := os.environ.get("XDG_CACHE_HOME"):
            base = Path(named)
        elif sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = Path.home() / ".cache"
    except RuntimeError:
        return None
    return base / "explainer" if base.is_absolute() else None


def chapter_key(load_chapter: Callable[[str], type], chapter: str, *settled_by: object) -> str:
    """The name of a chapter's clip in the cache: the same for the same picture, another for any change.

    ``settled_by`` is what settles the picture apart from code and libraries: the story and the settings, as
    dataclasses, arrays, mappings, sequences and plain values; TypeError for anything else.
    """
    parts = (chapter, _source_digest(load_chapter), tuple(_versions()), *settled_by)
    return sha256("\n".join(_canonical(parts)).encode("utf-8", "surrogatepass")).hexdigest()


class ClipCache:
    """A folder of finished chapters. One that cannot be read or written is an empty one, never an error."""

    def __init__(self, folder: Path | None, limit: int = LIMIT) -> None:
        self._folder = folder
        self._limit = limit

    def find(self, key: str) -> tuple[Path, PlayedChapter] | None:
        """The clip with this name and what was played in it; None if it is not there or not whole."""
        if self._folder is None:
            return None
        entry = self._folder / key
        try:
            record = json.loads((entry / "chapter.json").read_text(encoding="utf-8"))
            clip = entry / record["clip"]
            if _clip_digest(clip) != record["sha256"]:
                return None
            played = PlayedChapter.from_json(record["played"])
            os.utime(entry)
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return clip, played

    def keep(self, key: str, clip: Path, played: PlayedChapter) -> None:
        """Take a copy of a clip into the cache and throw out what no longer fits."""
        if self._folder is None or clip.stat().st_size > self._limit:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            part = Path(mkdtemp(prefix="part-", dir=self._folder))
            try:
                shutil.copyfile(clip, part / clip.name)
                record = {"clip": clip.name, "sha256": _clip_digest(clip), "played": played.to_json()}
                (part / "chapter.json").write_text(json.dumps(record), encoding="utf-8")
                shutil.rmtree(self._folder / key, ignore_errors=True)
                part.rename(self._folder / key)
            finally:
                shutil.rmtree(part, ignore_errors=True)
            self._prune()

    def _prune(self) -> None:
        assert self._folder is not None
        entries = sorted(self._folder.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)
        total = 0
        for entry in entries:
            total += sum(file.stat().st_size for file in entry.glob("*"))
            if total > self._limit:
                shutil.rmtree(entry, ignore_errors=True)


def _clip_digest(clip: Path) -> str:
    with clip.open("rb") as content:
        return file_digest(content, "sha256").hexdigest()


def _source_digest(load_chapter: Callable[[str], type]) -> str:
    """A digest of all code of ours that a picture can depend on."""
    files = [Path(inspect.getfile(load_chapter))]
    for package in _PACKAGES:
        spec = find_spec(package)
        for place in (spec.submodule_search_locations if spec else None) or ():
            files += sorted(Path(place).rglob("*.py"))
    digest = sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _versions() -> Iterator[str]:
    yield f"{platform.python_version()} {sys.platform} {platform.machine()}"
    for library in _LIBRARIES:
        with suppress(PackageNotFoundError):
            yield f"{library} {version(library)}"
    # These two come with the system and draw every line and letter.
    yield f"cairo {cairo.cairo_version_string()}"
    yield f"pango {manimpango.pango_version()}"


def _canonical(value: object) -> Iterator[str]:
    """``value`` as lines of text that are the same for equal values, in every process."""
    if dataclasses.is_dataclass(value):
        yield type(value).__name__
        yield from _canonical({field.name: getattr(value, field.name) for field in dataclasses.fields(value)})
    elif isinstance(value, np.ndarray):
        yield f"array {value.dtype.str} {value.shape} {np.ascontiguousarray(value).tobytes().hex()}"
    elif isinstance(value, Mapping):
        yield f"mapping {len(value)}"
        for key in sorted(value):
            yield from _canonical(key)
            yield from _canonical(value[key])
    elif isinstance(value, list | tuple):
        yield f"sequence {len(value)}"
        for item in value:
            yield from _canonical(item)
    elif isinstance(value, Path):
        # Where a story lies does not change its film.
        yield f"path {value.name!r}"
    elif value is None or isinstance(value, str | bool | int | float):
        yield f"{type(value).__name__} {value!r}"
    else:
        raise TypeError(f"no way to tell whether two values of the kind {type(value).__name__} are the same")
