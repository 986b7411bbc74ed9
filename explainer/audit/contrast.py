"""Whether colours can be told apart: texts from the pixels really behind them, roles from each other by every eye.

Contrast is WCAG 2.2's (1.4.3 for what is read, 1.4.11 for marks); what has stepped back is to be seen, not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from explainer.audit.colours import DEFICIENCIES, distance, luminance, ratio
from explainer.audit.faults import Sighting
from explainer.audit.picture import STRONG, Array, Box, Part, Snapshot, Text

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""A picture of the frame, ``(height, width, 3)`` or more, the top row first."""

READ, SEEN = 4.5, 2.0
"""Contrast of what is read, and of what has stepped back."""
APART = 0.12
"""Distance in OKLab of the colours of two roles."""
ROLES = ("query", "key", "value", "weight")

_WORST = 3
"""The contrast of a text is that at the fourth worst of its 32 samples: a hair-line behind it does not matter."""


def too_faint(snapshot: Snapshot, behind: Pixels, frame: Box) -> Iterator[Sighting]:
    """Texts that do not stand out from what is behind them; ``behind`` is the picture without its texts."""
    parts = [(text, number, part) for text in snapshot.texts for number, part in enumerate(text.parts)]
    if not parts:
        return
    grounds = colours_at(np.stack([part.outline.samples for _, _, part in parts]), behind, frame)
    found = _contrasts([part for _, _, part in parts], grounds)
    for (text, number, part), contrast in zip(parts, found.tolist(), strict=True):
        allowed = READ if part.opacity > STRONG else SEEN
        # A pixel holds whole steps of 255 only.
        if contrast < allowed - 0.02:
            yield _sighting(text, number, part, contrast, allowed)


def colours_at(points: Array, pixels: Pixels, frame: Box) -> Array:
    """The colours, ``(..., 3)``, of a picture of the frame at some points ``(..., 2)``."""
    height, width = pixels.shape[:2]
    across, up = np.moveaxis((points - frame.low) / frame.size, -1, 0)
    columns = np.clip((across * width).astype(int), 0, width - 1)
    rows = np.clip(((1 - up) * height).astype(int), 0, height - 1)
    return pixels[rows, columns, :3] / 255


def roles_too_close(colours: Mapping[str, str]) -> Iterator[tuple[str, str, str, float]]:
    """Every two roles whose colours some eye takes for one: both roles, the eye, and the colours' distance."""
    for eye in ("", *DEFICIENCIES):
        for one, other in combinations(ROLES, 2):
            if (apart := distance(colours[one], colours[other], eye)) < APART:
                yield one, other, eye, apart


def _contrasts(parts: list[Part], grounds: Array) -> Array:
    """The contrast of each part with the colours behind its samples."""
    colours = np.array([part.colour for part in parts])[:, None]
    opacities = np.array([part.opacity for part in parts])[:, None, None]
    seen = opacities * colours + (1 - opacities) * grounds
    found = ratio(luminance(seen), luminance(grounds))
    return np.asarray(np.partition(found, _WORST, axis=1)[:, _WORST])


def _sighting(text: Text, number: int, part: Part, contrast: float, allowed: float) -> Sighting:
    found = f"{contrast:.1f}:1 at opacity {part.opacity:.2f}"
    return Sighting("contrast", (text.owner, number), text.name, found, f"{allowed:g}:1", part.outline.box)
