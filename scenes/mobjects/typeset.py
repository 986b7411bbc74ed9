"""What all writing on screen has in common: an em, a baseline and a pen, whatever happened to it since it was set.

Texts that stand in one line share a baseline, so they are placed by pen and em and never by their boxes. Words and
formulas come from Typst, which shapes every script and needs nothing of the machine's own fonts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Self

import numpy as np
import typst
from manim import RIGHT, UP, Typst, VMobject
from manim.typing import Point3D, Point3D_Array

_STRUT = "#box(width: 1em, height: 1em, fill: black)"
"""A square on the baseline at both ends: from it the em, the baseline and the pen are read back, then it is dropped."""


class Writing(VMobject):
    """Something written: knows its size (``em``, in units) and its baseline, through any shift and scale.

    Subclasses call :meth:`_written` with the outline in ems each time that their outline changes.
    """

    def _written(self, reference: Point3D_Array, advance: float) -> None:
        self._reference = reference
        self._advance = advance

    @property
    def em(self) -> float:
        """The size of the letters in units, as it is now."""
        now, then = self.get_all_points(), self._reference
        axis = int(np.argmax(np.ptp(then[:, :2], axis=0)))
        return float(np.ptp(now[:, axis]) / np.ptp(then[:, axis]))

    @property
    def pen(self) -> Point3D:
        """Where the baseline begins."""
        return np.asarray(self.get_all_points()[0] - self._reference[0] * self.em)

    @property
    def pen_end(self) -> Point3D:
        """Where the next letter would begin."""
        return np.asarray(self.pen + RIGHT * self.advance)

    @property
    def advance(self) -> float:
        """The width of the line in units, with the room at the sides of its letters."""
        return self._advance * self.em

    def set_pen(self, point: Point3D) -> Self:
        """Move so that the baseline begins at ``point``."""
        return self.shift(point - self.pen)

    def set_middle(self, point: Point3D, cap_height: float = 0.66) -> Self:
        """Move so that ``point`` lies in the middle of the line's width and of its capitals' height."""
        middle = self.pen + RIGHT * self.advance / 2 + UP * cap_height * self.em / 2
        return self.shift(point - middle)

    def set_em(self, em: float) -> Self:
        """Scale to ``em`` units, the pen staying where it is."""
        return self.scale(em / self.em, about_point=self.pen)


@dataclass(frozen=True)
class SetPart:
    """The outline of one part of a line in ems."""

    points: Point3D_Array


@dataclass(frozen=True)
class SetLine:
    """A line as Typst set it: its parts' outlines in ems, and the pen's advance."""

    parts: tuple[SetPart, ...]
    advance: float


def quoted(text: str) -> str:
    """``text`` as a Typst string, to appear literally whatever it holds."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


@cache
def set_line(parts: Sequence[str], preamble: str, font_folders: Sequence[Path]) -> SetLine:
    """Set Typst markup on one line; each of ``parts`` comes back as an outline of its own.

    The parts are told apart by their fill, since Typst is free to draw them in any order.
    """
    marked = "".join(f'#text(fill: rgb("#0000{i + 1:02x}"))[{part}]' for i, part in enumerate(parts))
    fonts = typst.Fonts(include_system_fonts=False, font_paths=[str(folder) for folder in font_folders])
    drawn = Typst(_STRUT + marked + _STRUT, typst_preamble=preamble, font_paths=fonts, should_center=False)
    first, last = drawn.submobjects[0], drawn.submobjects[-1]
    em = first.height
    pen = np.array([first.get_right()[0], first.get_bottom()[1], 0.0])
    outlines: list[list[Point3D_Array]] = [[] for _ in parts]
    for leaf in drawn.submobjects[1:-1]:
        outlines[_part_of(leaf)].append(_filled(leaf))
    gathered = (np.concatenate(found) if found else np.zeros((0, 3)) for found in outlines)
    return SetLine(
        tuple(SetPart((points - pen * (len(points) > 0)) / em) for points in gathered),
        float(last.get_left()[0] - pen[0]) / em,
    )


def _part_of(leaf: VMobject) -> int:
    colour = leaf.fill_color if leaf.get_fill_opacity() else leaf.stroke_color
    return int(colour.to_hex()[-2:], 16) - 1


def _filled(leaf: VMobject) -> Point3D_Array:
    """The outline of a glyph; a rule (fraction bar, root) becomes a thin filled box, to scale like a glyph."""
    if leaf.get_fill_opacity():
        return np.asarray(leaf.points)
    start, end = leaf.get_start(), leaf.get_end()
    along = end - start
    across = np.array([-along[1], along[0], 0.0])
    across *= _RULE * leaf.stroke_width / 2 / np.linalg.norm(along)
    return np.concatenate(
        [np.linspace(a, b, 4) for a, b in _edges(start + across, end + across, end - across, start - across)]
    )


_RULE = 0.01
"""Manim's stroke width in units: a width of 100 is one unit."""


def _edges(*corners: Point3D) -> list[tuple[Point3D, Point3D]]:
    return list(zip(corners, (*corners[1:], corners[0]), strict=True))
