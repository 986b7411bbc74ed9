"""Outlines of figures, read from the font file once and set side by side by array.

Manim's own numbers copy and re-import every digit at every change; a film that counts needs outlines that are
only placed. Words need shaping (kerning, ligatures, joined letters) and are set by ``typeset`` instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from manim.typing import Point3D_Array

_RAISED = {raised: plain for plain, raised in zip("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻", strict=True)}
_RAISE = 0.33
_RAISED_SIZE = 0.72


@dataclass(frozen=True)
class Outline:
    """Cubic curves (4 points each) in ems, the pen starting at the origin of the baseline, and the pen's advance."""

    points: Point3D_Array
    advance: float


class _CubicPen(BasePen):
    """Collects a glyph as Manim stores it: four points a curve, straight lines with handles at the thirds."""

    def __init__(self, glyphs: object) -> None:
        super().__init__(glyphs)
        self.curves: list[tuple[tuple[float, float], ...]] = []
        self._start = (0.0, 0.0)

    def _moveTo(self, pt: tuple[float, float]) -> None:
        self._start = pt

    def _lineTo(self, pt: tuple[float, float]) -> None:
        (x0, y0), (x1, y1) = self._getCurrentPoint(), pt
        if (x0, y0) == (x1, y1):
            return
        thirds = tuple((x0 + (x1 - x0) * t, y0 + (y1 - y0) * t) for t in (1 / 3, 2 / 3))
        self.curves.append(((x0, y0), *thirds, (x1, y1)))

    def _curveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float], pt3: tuple[float, float]) -> None:
        self.curves.append((self._getCurrentPoint(), pt1, pt2, pt3))

    def _closePath(self) -> None:
        self._lineTo(self._start)


@cache
def _font(path: Path) -> tuple[TTFont, Mapping[int, str]]:
    font = TTFont(path, lazy=True)
    return font, font.getBestCmap()


@cache
def glyph(path: Path, char: str) -> Outline:
    """The outline of one character of the font file at ``path``; raises :class:`KeyError` if it has none."""
    font, characters = _font(path)
    glyphs = font.getGlyphSet()
    name = characters[ord(char)]
    pen = _CubicPen(glyphs)
    glyphs[name].draw(pen)
    em = font["head"].unitsPerEm
    flat = np.array(pen.curves, dtype=np.float64).reshape(-1, 2) / em
    return Outline(np.column_stack([flat, np.zeros(len(flat))]), glyphs[name].width / em)


@cache
def figures(path: Path, text: str) -> Outline:
    """``text`` set on one line; raised figures (10⁵) are plain ones, smaller and lifted."""
    pieces: list[Point3D_Array] = []
    pen = 0.0
    for char in text:
        raised = char in _RAISED
        size = _RAISED_SIZE if raised else 1.0
        outline = glyph(path, _RAISED.get(char, char))
        pieces.append(outline.points * size + np.array([pen, _RAISE if raised else 0.0, 0.0]))
        pen += outline.advance * size
    return Outline(np.concatenate(pieces) if pieces else np.zeros((0, 3)), pen)
