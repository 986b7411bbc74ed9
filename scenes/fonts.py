"""The faces that text is set in, found in installed packages and named by the path of their files.

What the machine has installed never counts, so that the same story gives the same picture everywhere. Here
are files, families and which characters they can draw; sizes and weights belong to ``theme``, drawing to
``mobjects``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

FILM_PACKAGE = "font-source-sans-pro"
EXTRA_PACKAGES = {"scripts": "manimgx-fonts", "cjk": "manimgx-fonts-cjk"}
"""The project's optional extras and the package of fonts that each one brings."""

# The first word of a character's Unicode name is its script, as the extra packages sort them.
# fmt: off
_CJK_NAMES = frozenset((
    "BOPOMOFO", "CJK", "FULLWIDTH", "HALFWIDTH", "HANGUL", "HIRAGANA", "IDEOGRAPHIC", "KANGXI",
    "KATAKANA", "KATAKANA-HIRAGANA",
))
_SCRIPT_NAMES = frozenset((
    "ARABIC", "ARMENIAN", "BENGALI", "CYRILLIC", "DEVANAGARI", "ETHIOPIC", "GEORGIAN", "GREEK",
    "GUJARATI", "GURMUKHI", "HEBREW", "KANNADA", "KHMER", "LAO", "LATIN", "MALAYALAM", "MYANMAR",
    "ORIYA", "SINHALA", "TAMIL", "TELUGU", "THAI",
))
# fmt: on
_SYMBOL_RANGES = ((0x2100, 0x2BFF), (0x1F000, 0x1FAFF))
# What Unicode calls default ignorable and no category tells: the grapheme joiner, Khmer inherent vowels,
# the variation selectors, and what is reserved.
_IGNORABLE_RANGES = (
    (0x034F, 0x034F), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2065, 0x2065), (0xFE00, 0xFE0F),
    (0xFFF0, 0xFFF8), (0xE0000, 0xE0FFF),
)  # fmt: skip
# The Hangul fillers and the Braille cell without dots: a font has to have them, and draws nothing for them.
_EMPTY_GLYPHS = frozenset("\u115f\u1160\u3164\uffa0\u2800")


class FontError(Exception):
    """The film's own face is not there."""


@dataclass(frozen=True)
class Face:
    """One typeface as files.

    ``name`` is the family that Pango and Typst know it by. A variable font has its weights in one file, so
    there ``regular`` and ``semibold`` are the same path.
    """

    name: str
    regular: Path
    semibold: Path


def folder_of(package: str) -> Path | None:
    """The folder of an installed package, by its name in the package index; None when it is not installed."""
    spec = find_spec(package.replace("-", "_"))
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) if places else None


@cache
def film_face() -> Face:
    """The face of all that the film says itself, its figures of equal width.

    Raises :class:`FontError` when its package is not installed.
    """
    folder = folder_of(FILM_PACKAGE)
    if folder is None:
        raise FontError(f"the film's face is not installed: pip install {FILM_PACKAGE}")
    files = folder / "files"
    return Face("Source Sans Pro", files / "SourceSansPro-Regular.otf", files / "SourceSansPro-Semibold.otf")


@cache
def faces() -> tuple[Face, ...]:
    """Every face there is, in the order in which a text tries them: the film's first, the largest last."""
    return (film_face(), *(face for package in EXTRA_PACKAGES.values() for face in _noto_faces(package)))


def face_for(text: str) -> Face | None:
    """The first face that can draw every character of ``text``; None when no single one can."""
    needed = _characters(text)
    return next((face for face in _film_face_first() if not _lacking(needed, face)), None)


def missing(text: str) -> str:
    """The characters of ``text``, each once and in order, that no available face can draw."""
    needed = _characters(text)
    for face in _film_face_first():
        needed = _lacking(needed, face)
        if not needed:
            break
    return "".join(needed)


def draws_nothing(text: str) -> bool:
    """Whether there is nothing to see in ``text``, whatever face draws it; the empty text is one such."""
    return all(_is_invisible(char) or char in _EMPTY_GLYPHS for char in text)


def what_to_install(text: str) -> str:
    """The command that brings faces for what is :func:`missing`; empty when nothing known would help."""
    extras = {_extra_for(char) for char in missing(text)}
    wanted = [package for extra, package in EXTRA_PACKAGES.items() if extra in extras and folder_of(package) is None]
    return f"pip install {' '.join(wanted)}" if wanted else ""


def _film_face_first() -> Iterator[Face]:
    """All faces, without looking at the extra packages before the film's own face has failed."""
    yield film_face()
    yield from faces()[1:]


def _noto_faces(package: str) -> Iterator[Face]:
    folder = folder_of(package)
    if folder is None:
        return
    upright = [path for path in folder.glob("*.tt[fc]") if "Italic" not in path.name]
    # "NotoSans[" holds the wide range of Latin, Greek and Cyrillic, so it goes before the single scripts.
    for path in sorted(upright, key=lambda path: (not path.name.startswith("NotoSans["), path.name)):
        yield Face(_family(path), path, path)


def _family(path: Path) -> str:
    """The typographic family (name 16) where a font states one, else the family (name 1)."""
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True, fontNumber=0) as font:
        names = font["name"]
        return str(names.getDebugName(16) or names.getDebugName(1))


@cache
def _code_points(path: Path) -> frozenset[int]:
    from fontTools.ttLib import TTFont

    with TTFont(path, lazy=True, fontNumber=0) as font:
        return frozenset(font["cmap"].getBestCmap())


def _characters(text: str) -> list[str]:
    """What must have a glyph, each character once: the composed text without what is drawn as nothing."""
    return [char for char in dict.fromkeys(unicodedata.normalize("NFC", text)) if not _is_invisible(char)]


def _is_invisible(char: str) -> bool:
    """Spaces, joiners and other format characters, and the selectors of a variant of another character."""
    return unicodedata.category(char) in ("Cf", "Zs") or _inside(char, _IGNORABLE_RANGES)


def _lacking(chars: list[str], face: Face) -> list[str]:
    known = _code_points(face.regular)

    def is_drawn(char: str) -> bool:
        # The shaper puts an accented letter together from its parts where the face has none for the whole.
        return ord(char) in known or known.issuperset(map(ord, unicodedata.normalize("NFD", char)))

    return [char for char in chars if not is_drawn(char)]


def _extra_for(char: str) -> str:
    kind = unicodedata.name(char, "").split(" ", 1)[0]
    if kind in _CJK_NAMES:
        return "cjk"
    return "scripts" if kind in _SCRIPT_NAMES or _inside(char, _SYMBOL_RANGES) else ""


def _inside(char: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(char) <= last for first, last in ranges)
