"""Whether colours can be told apart: texts from the pixels really behind them, roles from each other by every eye.

Contrast is WCAG 2.2's (1.4.3 for what is read, 1.4.11 for marks); what has stepped back is to be seen, not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from explainer.audit.colours import DEFICIENCIES, distance, luminance, ratio, srgb
from explainer.audit.faults import Sighting
from explainer.audit.moment import Pixels
from explainer.audit.picture import SEEN as DRAWN
from explainer.audit.picture import STRONG, Array, Box, Colour, Mark, Part, Snapshot, Text

READ, MARKED, SEEN = 4.5, 3.0, 2.0
"""Contrast of what is read, of marks, and of what has stepped back."""
APART = 0.12
"""Distance in OKLab of the colours of two roles."""
ROLES = ("query", "key", "value", "weight")
MEANT = ("ink", *ROLES)
"""What marks of these colours mean is still to be seen when it has stepped back."""
MEANT_AT_WORK = ("quiet", "axis", "masked")
"""What marks of these colours mean is to be seen while it is at work."""
PLAIN = frozenset(("ground", "grid", "cell", "positive", "negative"))
"""What marks of these colours mean is said by what lies on them."""

ROUNDING = 0.99
"""A pixel holds whole steps of 255 only: a contrast that has so much of what is asked for has all of it."""
_WORST = 3
"""The contrast of a text or a mark is that at the fourth worst of its 32 samples: a hair-line behind it is borne."""


def too_faint(snapshot: Snapshot, behind: Pixels, frame: Box) -> Iterator[Sighting]:
    """Texts that do not stand out from what is behind them; ``behind`` is the picture without its texts."""
    parts = [(text, number, part) for text in snapshot.texts for number, part in enumerate(text.parts)]
    if not parts:
        return
    grounds = colours_at(np.stack([part.outline.samples for *_, part in parts]), behind, frame)
    found = _contrasts([part.colour for *_, part in parts], [part.opacity for *_, part in parts], grounds)
    for (text, number, part), contrast in zip(parts, found.tolist(), strict=True):
        allowed = READ if part.opacity > STRONG else SEEN
        if contrast < ROUNDING * allowed:
            yield _sighting(text, number, part, contrast, allowed)


def marks_too_faint(snapshot: Snapshot, quiet: Pixels, frame: Box, colours: Mapping[str, str]) -> Iterator[Sighting]:
    """Marks in a colour that means something which do not stand out from the ground that they lie on.

    ``quiet`` is the picture of the marks that are :func:`is_plain`. Marks of two meanings, or twins of one, may lie on
    each other: the palette keeps their colours apart. ``colours`` is the palette.
    """
    judged = [(mark, *meaning) for mark in snapshot.marks if (meaning := _meaning(mark, colours)) is not None]
    if not judged:
        return
    grounds = colours_at(np.stack([mark.outline.samples for mark, *_ in judged]), quiet, frame)
    found = _contrasts([colour for _, colour, *_ in judged], [opacity for _, _, opacity, _ in judged], grounds)
    for (mark, _, opacity, allowed), contrast in zip(judged, found.tolist(), strict=True):
        if contrast < ROUNDING * allowed:
            shown = f"{contrast:.1f}:1 at opacity {opacity:.2f}"
            yield Sighting("contrast", (mark.owner,), mark.name, shown, f"{allowed:g}:1", mark.box)


def is_plain(mark: Mark, colours: Mapping[str, str]) -> bool:
    """Whether a mark is there for others to lie on: a cell, a track, a grid line, a heat map."""
    if _meaning(mark, colours) is not None:
        return False
    paint = mark.paint
    if paint.texture or mark.kind == "Cell":
        return True
    colour = paint.fill if paint.fill_opacity > DRAWN else paint.stroke
    return bool(_names(colour, tuple(colours.items())) & PLAIN)


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


def _meaning(mark: Mark, colours: Mapping[str, str]) -> tuple[Colour, float, float] | None:
    """The colour of a mark that means something, its opacity and the contrast that it must have."""
    if mark.is_ground:
        return None
    paint = mark.paint
    painted = [(paint.fill, paint.fill_opacity)]
    if paint.stroke_width > 0:
        painted.append((paint.stroke, paint.stroke_opacity))
    for colour, opacity in painted:
        names = _names(colour, tuple(colours.items()))
        if opacity > STRONG and names & {*MEANT, *MEANT_AT_WORK}:
            return colour, opacity, MARKED
        if opacity > DRAWN and names & set(MEANT):
            return colour, opacity, SEEN
    return None


@lru_cache(maxsize=4096)
def _names(colour: Colour, colours: tuple[tuple[str, str], ...]) -> frozenset[str]:
    """The meanings that a colour has in a palette."""
    return frozenset(name for name, known in colours if np.abs(srgb(known) - colour).max() < 1 / 255)


def _contrasts(colours: Sequence[Colour], opacities: Sequence[float], grounds: Array) -> Array:
    """The contrast of each thing, with its colour and opacity, with the colours behind its samples ``(n, 32, 3)``."""
    share = np.array(opacities)[:, None, None]
    seen = share * np.array(colours)[:, None] + (1 - share) * grounds
    found = ratio(luminance(seen), luminance(grounds))
    return np.asarray(np.partition(found, _WORST, axis=1)[:, _WORST])


def _sighting(text: Text, number: int, part: Part, contrast: float, allowed: float) -> Sighting:
    found = f"{contrast:.1f}:1 at opacity {part.opacity:.2f}"
    return Sighting("contrast", (text.owner, number), text.name, found, f"{allowed:g}:1", part.outline.box)
