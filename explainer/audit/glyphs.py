"""Reads numbers off outlines, whatever drew them: an eye that shares nothing with the hand.

Fresh glyphs are rasters that FreeType makes of the font's file. An outline is cut into glyphs, each is filled and
compared with them as a picture; size and place on the line then decide between characters of the same shape (a
full stop lies on the baseline, a middle dot does not) and tell a raised figure. What is no known character, or
overlaps its neighbour, reads as "\N{REPLACEMENT CHARACTER}".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFont

from explainer.audit.picture import Array

CHARACTERS = "0123456789−.%≈=×()[],+·/∞√"
UNREADABLE = "\N{REPLACEMENT CHARACTER}"
RAISED = dict(zip("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", strict=True))

_EM = 400
"""Pixels an em of the fresh glyphs."""
_GRID = 32
"""Pixels along each side of the pictures that are compared."""
_ALIKE = 0.05
"""Mean difference of two pictures up to which they show the same shape; different figures differ by 0.13 or more."""
_ASPECT = 0.1
"""Up to which difference in the logarithm of width over height two shapes may be the same."""
_SLACK = 0.03
"""How far, in ems, a glyph may be from its place, and its size from that of the line."""
_SPACE = 0.08
"""From this gap in ems on there is a space between two glyphs."""


@cache
def face_file(weight: str = "Regular") -> Path:
    """The film's face as a file, found as any program would find the package's data."""
    spec = find_spec("font_source_sans_pro")
    assert spec is not None
    assert spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0]) / "files" / f"SourceSansPro-{weight}.otf"


@dataclass(frozen=True)
class Reading:
    """What a line says, the size of its letters and the height of its baseline, in the units of its points."""

    text: str
    em: float
    baseline: float


@dataclass(frozen=True)
class _Box:
    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom


@dataclass(frozen=True)
class _Shape:
    """A character of the font: its ink and advance in ems, and its ink as a picture."""

    char: str
    ink: _Box
    advance: float
    picture: Array


@dataclass(frozen=True)
class _Guess:
    """A glyph on the line read as a character."""

    shape: _Shape
    box: _Box

    @property
    def em(self) -> float:
        """The size at which the character has the glyph's larger side."""
        if self.shape.ink.width > self.shape.ink.height:
            return self.box.width / self.shape.ink.width
        return self.box.height / self.shape.ink.height

    @property
    def baseline(self) -> float:
        return self.box.bottom - self.shape.ink.bottom * self.em

    @property
    def pen(self) -> float:
        return self.box.left - self.shape.ink.left * self.em

    @property
    def pen_end(self) -> float:
        return self.pen + self.shape.advance * self.em

    def rank(self, em: float, baseline: float) -> str:
        """As what the glyph stands on a line of that size: "figure", "raised" or "" (not at all)."""
        lift, size = (self.baseline - baseline) / em, self.em / em
        if abs(lift) < _SLACK and abs(size - 1) < _SLACK:
            return "figure"
        if self.shape.char in RAISED and 0.25 < lift < 0.5 and 0.5 < size < 0.85:
            return "raised"
        return ""


@dataclass(frozen=True, eq=False)
class Alphabet:
    """The characters that a reader knows, as one font draws them."""

    shapes: tuple[_Shape, ...]

    @cached_property
    def pictures(self) -> Array:
        """The shapes' pictures, one after the other."""
        return np.stack([shape.picture for shape in self.shapes])

    @cached_property
    def aspects(self) -> Array:
        """The logarithm of the width of each shape's ink over its height."""
        return np.log([shape.ink.width / shape.ink.height for shape in self.shapes])


@cache
def alphabet(face: Path, characters: str = CHARACTERS) -> Alphabet:
    """Some characters of a font file, as FreeType draws them."""
    font = ImageFont.truetype(str(face), _EM, layout_engine=ImageFont.Layout.BASIC)
    return Alphabet(tuple(_shape(font, char) for char in characters))


def drawn_alphabet(outlines: Mapping[str, Array]) -> Alphabet:
    """Characters given as outlines, for fonts that are in no file. Only their looks are known, not their places."""
    shapes = []
    for char, points in outlines.items():
        glyph = _subpaths(np.asarray(points)[:, :2].reshape(-1, 4, 2))
        box = _bounds(glyph)
        shapes.append(_Shape(char, box, box.width, _filled(glyph, box)))
    return Alphabet(tuple(shapes))


def read(points: Array, known: Alphabet) -> Reading:
    """The line of text whose outline ``points`` (4 a cubic curve, ``(4k, 3)``) are.

    A lone mark that is told from another by its height only, such as "·", needs its line around it.
    """
    if not len(points):
        return Reading("", 0.0, 0.0)
    line, low, size = _to_scale(points)
    reading = _read(line.tobytes(), known)
    return Reading(reading.text, reading.em * size, float(low[1]) + reading.baseline * size)


def look_alikes(points: Array, known: Alphabet) -> str:
    """For each glyph, the character that it looks like wherever it stands; nothing for one that is none of them."""
    line, _, _ = _to_scale(points)
    glyphs = _glyphs(_subpaths(line.reshape(-1, 4, 2)))
    return "".join(guess.shape.char for glyph in glyphs for guess in _guesses(glyph, known)[:1])


def sizes(points: Array, known: Alphabet) -> list[tuple[str, float]]:
    """Each glyph that looks like a character, and the em at which that character is as large."""
    line, _, size = _to_scale(points)
    return [(char, em * size) for char, em in _sizes(line.tobytes(), known)]


@lru_cache(maxsize=20_000)
def _sizes(line: bytes, known: Alphabet) -> list[tuple[str, float]]:
    glyphs = _glyphs(_subpaths(np.frombuffer(line, dtype=np.float64).reshape(-1, 4, 2)))
    return [(guess.shape.char, guess.em) for glyph in glyphs for guess in _guesses(glyph, known)[:1]]


def _to_scale(points: Array) -> tuple[Array, Array, float]:
    """The outline in a box of size 1, its lower left corner, and its size."""
    flat = np.asarray(points, dtype=np.float64)[:, :2]
    low = flat.min(axis=0)
    size = float((flat.max(axis=0) - low).max())
    return np.round((flat - low) / size, 5), low, size


@lru_cache(maxsize=20_000)
def _read(line: bytes, known: Alphabet) -> Reading:
    curves = np.frombuffer(line, dtype=np.float64).reshape(-1, 4, 2)
    guesses = [_guesses(glyph, known) for glyph in _glyphs(_subpaths(curves))]
    em, baseline = _line_of(guesses)
    return Reading(_text(guesses, em, baseline), em, baseline)


def _subpaths(curves: Array) -> list[Array]:
    """Polygons along the curves, cut where a curve does not begin where the one before it ended."""
    cuts = np.flatnonzero(np.abs(curves[1:, 0] - curves[:-1, 3]).max(axis=1) > 1e-4) + 1
    t = np.linspace(0, 1, 9)[None, :-1, None]
    a, b, c, d = (curves[:, k, None] for k in range(4))
    along = a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3
    paths = (part.reshape(-1, 2) for part in np.split(along, cuts))
    return [path for path in paths if np.ptp(path, axis=0).max() > 1e-3]


def _glyphs(paths: list[Array]) -> list[list[Array]]:
    """Subpaths that lie above each other belong to one glyph; glyphs from left to right."""
    glyphs: list[list[Array]] = []
    right = -np.inf
    for path in sorted(paths, key=lambda path: float(path[:, 0].min())):
        if path[:, 0].min() >= right:
            glyphs.append([])
        glyphs[-1].append(path)
        right = max(right, float(path[:, 0].max()))
    return glyphs


def _bounds(glyph: list[Array]) -> _Box:
    everything = np.concatenate(glyph)
    (left, bottom), (right, top) = everything.min(axis=0), everything.max(axis=0)
    return _Box(float(left), float(right), float(bottom), float(top))


def _guesses(glyph: list[Array], known: Alphabet) -> list[_Guess]:
    """The characters whose shape the glyph has, the likest first."""
    box = _bounds(glyph)
    everything = (np.concatenate(glyph) - [box.left, box.bottom]) / [box.width, box.height]
    cuts = tuple(np.cumsum([len(path) for path in glyph])[:-1].tolist())
    aspect = round(float(np.log(box.width / box.height)), 3)
    return [_Guess(shape, box) for shape in _likely(np.round(everything, 3).tobytes(), cuts, aspect, known)]


@lru_cache(maxsize=20_000)
def _likely(outline: bytes, cuts: tuple[int, ...], aspect: float, known: Alphabet) -> list[_Shape]:
    """The characters that have the shape of an outline in the unit square, the likest first.

    The same figure comes up all the time, at other places of other lines: it is looked at once.
    """
    paths = np.split(np.frombuffer(outline, dtype=np.float64).reshape(-1, 2), cuts)
    picture = _filled(paths, _Box(0.0, 1.0, 0.0, 1.0))
    differences = np.abs(known.pictures - picture).mean(axis=(1, 2))
    fitting = np.flatnonzero((differences < _ALIKE) & (np.abs(aspect - known.aspects) < _ASPECT))
    return [known.shapes[k] for k in sorted(fitting, key=lambda k: float(differences[k]))]


def _filled(glyph: list[Array], box: _Box) -> Array:
    """The glyph stretched over the whole picture and filled by the even-odd rule."""
    side = 4 * _GRID
    picture = Image.new("1", (side, side))
    for path in glyph:
        scaled = (path - [box.left, box.top]) / [box.width, -box.height] * (side - 1)
        layer = Image.new("1", (side, side))
        ImageDraw.Draw(layer).polygon([tuple(point) for point in scaled], fill=1)
        picture = ImageChops.logical_xor(picture, layer)
    return _compared(picture.convert("L"))


def _compared(picture: Image.Image) -> Array:
    return np.asarray(picture.resize((_GRID, _GRID), Image.Resampling.BOX), dtype=np.float64) / 255


def _shape(font: ImageFont.FreeTypeFont, char: str) -> _Shape:
    margin = _EM // 2
    canvas = Image.new("L", (2 * _EM, 2 * _EM))
    baseline = 2 * _EM - margin
    ImageDraw.Draw(canvas).text((margin, baseline), char, fill=255, font=font, anchor="ls")
    bounds = canvas.getbbox()
    assert bounds is not None, f"the face has no {char!r}"
    left, top, right, bottom = bounds
    ink = _Box(*((x - margin) / _EM for x in (left, right)), *((baseline - y) / _EM for y in (bottom, top)))
    return _Shape(char, ink, font.getlength(char) / _EM, _compared(canvas.crop(bounds)))


def _line_of(guesses: Sequence[Sequence[_Guess]]) -> tuple[float, float]:
    """The size and the baseline at which most glyphs stand as characters, the larger size if several do."""

    def fitting(line: _Guess) -> tuple[int, float]:
        fits = sum(any(guess.rank(line.em, line.baseline) for guess in glyph) for glyph in guesses)
        return fits, round(line.em, 6)

    # A figure measures the line better than a mark does.
    candidates = sorted((g for glyph in guesses for g in glyph), key=lambda g: -g.box.height)
    best = max(candidates, key=fitting, default=None)
    return (best.em, best.baseline) if best else (1.0, 0.0)


def _text(guesses: Sequence[Sequence[_Guess]], em: float, baseline: float) -> str:
    text = ""
    end: float | None = None
    for glyph in guesses:
        standing = ((guess, guess.rank(em, baseline)) for guess in glyph)
        guess, rank = next(((g, r) for g, r in standing if r), (None, ""))
        if guess is None:
            text, end = text + UNREADABLE, None
            continue
        gap = 0.0 if end is None else (guess.pen - end) / em
        text += " " if gap > _SPACE else UNREADABLE if gap < -_SLACK else ""
        text += RAISED[guess.shape.char] if rank == "raised" else guess.shape.char
        end = guess.pen_end
    return text


@dataclass(frozen=True)
class Said:
    """A number as its characters say it: its value digit for digit, and what its last digit is worth."""

    value: Decimal
    decimals: int
    last_digit: Decimal
    is_percent: bool
    is_power: bool

    def is_nearest_to(self, value: Decimal) -> bool:
        """Whether no other number of as many digits is nearer to ``value`` (at a tie, either neighbour will do)."""
        # The values on screen are floats: what comes out as a tie in decimals may be a hair beside it in them.
        hair = Decimal("1e-13") * max(abs(value), self.last_digit)
        return abs(self.value - value) <= self.last_digit / 2 + hair


_NUMBER = re.compile(r"(−?)(\d+(?:\.(\d+))?)(?:×10([⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+))?( %)?")
_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


@lru_cache(maxsize=4096)
def said(text: str) -> Said:
    """What a number's characters say; raises :class:`ValueError` for what is no well-formed number."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no number")
    minus, digits, fraction, power, percent = match.groups()
    exponent = int(power.translate(_LOWERED)) if power else 0
    exponent -= 2 if percent else 0
    value = Decimal(digits).scaleb(exponent)
    if minus and not value:
        raise ValueError(f"{text!r} is a negative zero")
    decimals = len(fraction or "")
    last = Decimal(1).scaleb(exponent - decimals)
    return Said(-value if minus else value, decimals, last, percent is not None, power is not None)
