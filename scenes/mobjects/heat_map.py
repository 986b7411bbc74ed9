"""A square table too large for figures: cells while they can be told apart, then one image, drawn from the values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from manim import LEFT, RIGHT, UP, Animation, Group, ImageMobject, ManimColor, Mobject, Rectangle, VGroup
from manim.typing import Point3D
from numpy.typing import ArrayLike, NDArray
from PIL.Image import Resampling

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import nice_step
from scenes.mobjects.cells import Cell, shade
from scenes.mobjects.number import Number
from scenes.numerals import COUNT
from scenes.theme import Theme

Pixels = NDArray[np.uint8]

_SMALLEST_CELL = 0.16
"""Cells narrower than this, in units, become pixels of an image."""
_GAP = 0.08
"""The room between cells, as a share of the way from one to the next."""
_BLOCK = 6
"""How many pixels of the image lie along the side of a cell that has room for a shape."""
_RIM = 1
"""How many of them, at each side, a negative cell leaves to the ground."""
_FINEST = 150
"""With more cells than this along a side, each is one pixel."""
_DULL = 0.6
"""How strong the colour of a negative cell of one pixel is: as if it left its rim to the ground."""
_MOST_LABELS = 5
_OPAQUE = 255


class HeatMap(Group):
    """Every value of an ``n × n`` table as a shade, with the positions of some rows and columns beside it.

    Negative cells differ from positive ones by more than their hue: they bear a minus sign; as parts of an image they
    are smaller; and as single pixels they are duller.

    Parameters
    ----------
    values
        ``(n, n)``, finite.
    zone
        The map and its labels are as large as fits, and in the middle of it.
    largest
        The magnitude that has the full colour; left out, the greatest there is.
    """

    def __init__(self, values: ArrayLike, zone: Zone, theme: Theme, *, largest: float | None = None) -> None:
        super().__init__()
        self.theme = theme
        self._values = np.array(values, dtype=np.float64)
        self.n = len(self._values)
        self._largest = float(np.abs(self._values).max(initial=0.0)) if largest is None else largest
        self._count, self._opacity = self._values.size, 1.0
        self._set_out(zone)
        self.in_cells = self._pitch >= _SMALLEST_CELL
        self.cells = VGroup(*self._boxes()) if self.in_cells else VGroup()
        self.image = None if self.in_cells else self._picture()
        self.labels = VGroup(*self._labels())
        self.field: Mobject = self.cells if self.image is None else self.image
        self.add(self.field, self.labels)

    # Readers

    @property
    def opacity(self) -> float:
        """The opacity of what is shown."""
        return self._opacity

    def colours(self) -> Pixels:
        """The colour of each cell as it is drawn, ``(n, n, 3)``."""
        if self.image is None:
            rgb = [cell[0].get_fill_color().to_int_rgb() for cell in self.cells]
            return np.array(rgb, dtype=np.uint8).reshape(self.n, self.n, 3)
        middle = slice(self._block // 2, None, self._block)
        return np.array(self.image.pixel_array[middle, middle, :3])

    # Verbs

    def arrive(self, **timing: Any) -> Animation:
        """Draw the cells in reading order, until all are there."""
        return _Arrive(self, **timing)

    def light(self, opacity: float, **timing: Any) -> Animation:
        """Bring cells and labels to one opacity; cheaper than fading by Manim's own means, which mixes whole images."""
        return _Light(self, opacity, **timing)

    def show_first(self, count: int) -> Self:
        """Show only the first ``count`` cells in reading order."""
        self._count = count
        return self._veil()

    def set_opacity(self, opacity: float) -> Self:
        """Draw the cells that are shown, and the labels, at one opacity."""
        self._opacity = opacity
        self.labels.set_fill(opacity=opacity)
        return self._veil()

    def _veil(self) -> Self:
        if self.image is None:
            for k, cell in enumerate(self.cells):
                cell.set_fill(opacity=self._opacity if k < self._count else 0.0)
            return self
        shown = (np.arange(self.n**2) < self._count).reshape(self.n, self.n)
        alpha = np.where(shown, round(_OPAQUE * self._opacity), 0).astype(np.uint8)
        self.image.pixel_array[..., 3] = _enlarged(alpha, self._block)
        return self

    # Setting out

    def _set_out(self, zone: Zone) -> None:
        em, tight = self.theme.type.readable, self.theme.space.tight
        longest = self._number(self.n).advance
        beside, above = longest + tight, 0.66 * em + tight
        below = 0.33 * em
        side = min(zone.width - 2 * beside, zone.height - above - below)
        most = int(np.clip(side / (longest + 2 * tight), 1, _MOST_LABELS))
        self._step = max(1, round(nice_step(self.n, most)))
        self._pitch = side / self.n
        middle = zone.centre + UP * (below - above) / 2
        self._corner = middle + side / 2 * (LEFT + UP)
        self._block = _BLOCK if self.n <= _FINEST else 1

    def _middle(self, i: float, j: float) -> Point3D:
        """Where the middle of a cell lies."""
        return np.asarray(self._corner + self._pitch * ((j + 0.5) * RIGHT - (i + 0.5) * UP))

    def _boxes(self) -> Iterator[VGroup]:
        size = self._pitch * (1 - _GAP)
        for (i, j), value in np.ndenumerate(self._values):
            cell = Cell(size, size, self.theme)
            cell.set_fill(shade(value, self._largest, self.theme)).set_stroke(width=0.0)
            mark = [minus(size, self.theme)] if value < 0 else []
            yield VGroup(cell, *mark).move_to(self._middle(i, j))

    def _picture(self) -> ImageMobject:
        values = self._values
        if self._block == 1:
            values = np.where(values < 0, _DULL * values, values)
        colours = shades(values, self._largest, self.theme)
        pixels = np.dstack([colours, np.full(colours.shape[:2], _OPAQUE, dtype=np.uint8)])
        pixels = _enlarged(pixels, self._block)
        if self._block > 1:
            rim = np.ones((self._block, self._block), dtype=np.bool_)
            rim[_RIM:-_RIM, _RIM:-_RIM] = False
            left_free = _enlarged(values < 0, self._block) & np.tile(rim, values.shape)
            pixels[left_free, :3] = ManimColor(self.theme.colours.ground).to_int_rgb()
        image = ImageMobject(pixels, resampling_algorithm=Resampling.NEAREST)
        image.scale_to_fit_height(self._pitch * self.n)
        return image.move_to(self._middle((self.n - 1) / 2, (self.n - 1) / 2))

    def _labels(self) -> Iterator[Number]:
        em, tight = self.theme.type.readable, self.theme.space.tight
        for position in range(self._step, self.n + 1, self._step):
            row, column = self._number(position), self._number(position)
            left = self._middle(position - 1, 0) + LEFT * (self._pitch / 2 + tight + row.advance / 2)
            top = self._middle(0, position - 1) + UP * (self._pitch / 2 + tight + 0.33 * em)
            yield row.set_middle(left)
            yield column.set_middle(top)

    def _number(self, position: int) -> Number:
        return Number(
            position,
            COUNT,
            face=self.theme.figures,
            em=self.theme.type.readable,
            colour=ManimColor(self.theme.colours.quiet),
            truth=lambda: float(position),
        )


class _Arrive(Animation):
    """Shows more and more cells of a :class:`HeatMap`."""

    def interpolate_mobject(self, alpha: float) -> None:
        heat_map = self.mobject
        heat_map.show_first(round(self.rate_func(alpha) * heat_map.n**2))


class _Light(Animation):
    """Brings a :class:`HeatMap` to one opacity."""

    def __init__(self, heat_map: HeatMap, opacity: float, **timing: Any) -> None:
        self._last = opacity
        super().__init__(heat_map, **timing)

    def begin(self) -> None:
        self._first = self.mobject.opacity
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.set_opacity(self._first + share * (self._last - self._first))


def minus(size: float, theme: Theme) -> Rectangle:
    """The minus sign that tells a negative cell of ``size`` units from a positive one."""
    colour = ManimColor(theme.colours.on_cell)
    return Rectangle(width=0.36 * size, height=0.06 * size, fill_color=colour, fill_opacity=1.0, stroke_width=0.0)


def shades(values: NDArray[np.float64], largest: float, theme: Theme) -> Pixels:
    """What :func:`scenes.mobjects.cells.shade` gives for each of ``values``, as ``(..., 3)`` bytes."""
    ground, positive, negative = (
        ManimColor(colour).to_rgb() for colour in (theme.colours.cell, theme.colours.positive, theme.colours.negative)
    )
    strength = np.minimum(np.abs(values) / largest, 1.0) if largest > 0 else np.zeros_like(values)
    full = np.where((values < 0)[..., np.newaxis], negative, positive)
    colours = ground + strength[..., np.newaxis] * (full - ground)
    return np.asarray(np.round(255 * colours), dtype=np.uint8)


def _enlarged(pixels: NDArray[Any], block: int) -> NDArray[Any]:
    """Each pixel as a square of ``block`` by ``block``."""
    return pixels.repeat(block, axis=0).repeat(block, axis=1)
