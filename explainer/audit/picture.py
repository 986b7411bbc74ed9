"""What is drawn at one moment, copied off the scene: outlines, colours, opacities. Plain records, nothing of Manim.

Lengths are in Manim units, the frame's shorter side is 8 of them; colours are red, green and blue from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
Colour: TypeAlias = tuple[float, float, float]

SEEN = 0.05
"""Opacity from which on something counts as drawn."""
HINT = 0.3
"""Opacity below which something is only on its way in or out."""
STRONG = 0.9
"""Opacity from which on a text is there to be read; one that has stepped back is fainter."""

_SAMPLES = 32


@dataclass(frozen=True, eq=False)
class Box:
    """A rectangle of the frame, ``low`` its lower left and ``high`` its upper right corner, each ``(2,)``."""

    low: Array
    high: Array

    @property
    def size(self) -> Array:
        """Width and height."""
        return self.high - self.low

    @property
    def area(self) -> float:
        """Width times height."""
        return float(np.prod(self.size))

    @property
    def middle(self) -> Array:
        """The point halfway between the corners."""
        return (self.low + self.high) / 2

    def grown(self, by: float) -> Box:
        """The rectangle with all its sides moved outwards."""
        return Box(self.low - by, self.high + by)

    def around(self, other: Box) -> Box:
        """The smallest rectangle that holds both."""
        return Box(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def contains(self, other: Box) -> bool:
        """Whether nothing of the other sticks out."""
        return bool((self.low <= other.low).all() and (other.high <= self.high).all())


@dataclass(frozen=True, eq=False)
class Outline:
    """Cubic curves, four points each: ``points`` is ``(4k, 3)``. The same object means the same place and shape."""

    points: Array

    @cached_property
    def is_finite(self) -> bool:
        """Whether every point has a place, and there is a whole curve."""
        return len(self.points) >= 4 and bool(np.isfinite(self.points).all())

    @cached_property
    def box(self) -> Box:
        """The box around the points, and so around the curves."""
        flat = self.points[:, :2]
        return Box(flat.min(axis=0), flat.max(axis=0))

    @cached_property
    def curves(self) -> Array:
        """The curves in the plane, ``(k, 4, 2)``; points left over at the end, which draw nothing, are dropped."""
        count = len(self.points) // 4
        return self.points[: 4 * count, :2].reshape(count, 4, 2)

    @cached_property
    def starts(self) -> npt.NDArray[np.intp]:
        """The numbers of the curves that do not begin where the one before them ends."""
        curves = self.curves
        jumps = np.abs(curves[1:, 0] - curves[:-1, 3]).max(axis=1) > 1e-6
        return np.concatenate([[0], np.flatnonzero(jumps) + 1])

    @cached_property
    def glyphs(self) -> Array:
        """The boxes of the glyphs from left to right, ``(g, 2, 2)``: lower left and upper right corner of each.

        Parts of the outline that lie above each other belong to one glyph.
        """
        curves = self.curves
        lows = np.minimum.reduceat(curves.min(axis=1), self.starts, axis=0)
        highs = np.maximum.reduceat(curves.max(axis=1), self.starts, axis=0)
        order = np.argsort(lows[:, 0], kind="stable")
        lows, highs = lows[order], highs[order]
        reach = np.maximum.accumulate(highs[:, 0])
        first = np.concatenate([[0], np.flatnonzero(lows[1:, 0] >= reach[:-1]) + 1])
        return np.stack([np.minimum.reduceat(lows, first, axis=0), np.maximum.reduceat(highs, first, axis=0)], axis=1)

    @cached_property
    def samples(self) -> Array:
        """Points along the outline, evenly dealt out among its curves, ``(32, 2)``."""
        places = np.linspace(0, len(self.curves), _SAMPLES, endpoint=False)
        chosen = places.astype(int)
        t = (places - chosen)[:, None]
        a, b, c, d = np.moveaxis(self.curves[chosen], 1, 0)
        return np.asarray(a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3)


@dataclass(frozen=True)
class Paint:
    """How an outline is painted: its fill, and its stroke with its width in units.

    An image is one filled rectangle in its mean colour; another ``texture`` means other pixels.
    """

    fill: Colour
    fill_opacity: float
    stroke: Colour
    stroke_opacity: float
    stroke_width: float
    texture: int = 0

    @property
    def opacity(self) -> float:
        """The opacity of what is seen most."""
        return max(self.fill_opacity, self.stroke_opacity)

    @property
    def reach(self) -> float:
        """How far what is painted sticks out of the outline."""
        return self.stroke_width / 2 if self.stroke_opacity > SEEN else 0.0


@dataclass(frozen=True)
class NumberFacts:
    """What a number says of itself: where its value comes from, what is true now, how it is to be written.

    ``true`` is what the function gives that makes it true at this moment, None where it has none.
    """

    source: str
    true: float | None
    decimals: int
    is_percent: bool
    is_strong: bool


@dataclass(frozen=True, eq=False)
class Part:
    """What of a text has a colour of its own."""

    outline: Outline
    colour: Colour
    opacity: float


@dataclass(frozen=True, eq=False)
class Text:
    """Something that is written. ``said`` is what it claims to say, ``em`` its size, where it knows them."""

    owner: int
    kind: str
    outline: Outline
    parts: tuple[Part, ...]
    said: str = ""
    em: float | None = None
    number: NumberFacts | None = None

    @cached_property
    def opacity(self) -> float:
        """The opacity of what is seen most of it."""
        return max(part.opacity for part in self.parts)

    @property
    def box(self) -> Box:
        """The box around what is written."""
        return self.outline.box

    @property
    def name(self) -> str:
        """What to call it in a line."""
        text = f"“{self.said}”" if self.said else self.kind
        return f"{text} <{self.number.source}>" if self.number and self.number.source else text


@dataclass(frozen=True, eq=False)
class Mark:
    """Something drawn that is not written. A ground is meant to lie under writing."""

    owner: int
    kind: str
    outline: Outline
    paint: Paint
    is_ground: bool = False

    @property
    def opacity(self) -> float:
        """The opacity of what is seen most of it."""
        return self.paint.opacity

    @cached_property
    def box(self) -> Box:
        """The box around what is painted."""
        return self.outline.box.grown(self.paint.reach)

    @property
    def name(self) -> str:
        """What to call it in a line."""
        x, y = self.outline.box.middle
        return f"{self.kind} at ({x:.1f}, {y:.1f})"


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything drawn at one moment, the lowest first; what is ``broken`` has a place that is no number."""

    drawn: tuple[Text | Mark, ...]
    broken: tuple[Text | Mark, ...] = ()

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """What is written."""
        return tuple(thing for thing in self.drawn if isinstance(thing, Text))

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """All the rest."""
        return tuple(thing for thing in self.drawn if isinstance(thing, Mark))

    @cached_property
    def order(self) -> dict[int, int]:
        """Where each thing, by its ``id``, lies in the order of drawing."""
        return {id(thing): place for place, thing in enumerate(self.drawn)}


def same(some: Sequence[object], others: Sequence[object]) -> bool:
    """Whether two sequences hold the very same things."""
    return len(some) == len(others) and all(one is other for one, other in zip(some, others, strict=True))
