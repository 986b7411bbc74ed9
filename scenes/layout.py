"""Where things go: the frame and its zones, for each aspect ratio. No sizes of letters, no colours.

The command line reads the aspect ratios from here, so nothing in this file may load Manim.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from manim.typing import Point3D

FRAMES: Mapping[str, tuple[float, float]] = {
    "16:9": (128 / 9, 8.0),
    "4:3": (32 / 3, 8.0),
    "1:1": (8.0, 8.0),
    "9:16": (8.0, 128 / 9),
}
"""Width and height of the frame in units; the shorter side is always 8."""

CAPTION_STRIP = 1.3
"""Height in units of the strip that is added below the frame when captions are drawn into the picture."""

_HEADER = 0.74
_BAND = {"16:9": 0.86, "4:3": 0.86, "1:1": 1.0, "9:16": 1.6}


@dataclass(frozen=True)
class Zone:
    """A rectangle of the frame, in units."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From bottom to top."""
        return self.top - self.bottom

    @property
    def centre(self) -> Point3D:
        """The middle of the zone."""
        return np.array([(self.left + self.right) / 2, (self.bottom + self.top) / 2, 0.0])

    def columns(self, *shares: float, gap: float = 0.0) -> tuple[Zone, ...]:
        """Zones side by side, as wide as their shares, ``gap`` apart."""
        free = self.width - gap * (len(shares) - 1)
        widths = [free * share / sum(shares) for share in shares]
        lefts = [self.left + sum(widths[:i]) + gap * i for i in range(len(widths))]
        return tuple(Zone(left, left + width, self.bottom, self.top) for left, width in zip(lefts, widths, strict=True))

    def inset(self, *, left: float = 0, right: float = 0, bottom: float = 0, top: float = 0) -> Zone:
        """The zone with some of its sides moved inwards."""
        return Zone(self.left + left, self.right - right, self.bottom + bottom, self.top - top)


@dataclass(frozen=True)
class Layout:
    """The three zones of a chapter: header (step and title), stage, and the band for the formula at work."""

    frame: Zone
    header: Zone
    stage: Zone
    band: Zone


def layout_for(aspect: str, margin: float, gap: float) -> Layout:
    """The zones for an aspect ratio, ``margin`` units away from the frame's edges and ``gap`` from each other."""
    width, height = FRAMES[aspect]
    frame = Zone(-width / 2, width / 2, -height / 2, height / 2)
    safe = frame.inset(left=margin, right=margin, bottom=margin, top=margin)
    header = Zone(safe.left, safe.right, safe.top - _HEADER, safe.top)
    band = Zone(safe.left, safe.right, safe.bottom, safe.bottom + _BAND[aspect])
    return Layout(frame, header, Zone(safe.left, safe.right, band.top + gap, header.bottom - gap), band)
