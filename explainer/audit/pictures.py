"""A fault's picture: the frame as it is then, with the place marked and a line that says what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from explainer.audit.colours import seen_by
from explainer.audit.faults import Sighting
from explainer.audit.glyphs import face_file
from explainer.audit.moment import Pixels
from explainer.audit.picture import Box

_RED, _WHITE, _BLACK = (255, 40, 80), (255, 255, 255), (0, 0, 0)
_LETTERS, _LINE, _AROUND = 14, 22, 6
_SWATCH = 160


def save_marked(pixels: Pixels, frame: Box, sighting: Sighting, target: Path) -> None:
    """Store a picture of the frame as PNG, a box around the sighting's place, what it is written below."""
    height, width = pixels.shape[:2]
    lines = [f"{sighting.kind}: {sighting.what}", f"found {sighting.found}; allowed {sighting.allowed}"]
    picture = Image.new("RGB", (width, height + _LINE * len(lines)), _BLACK)
    picture.paste(Image.fromarray(np.ascontiguousarray(pixels[:, :, :3])), (0, 0))
    draw = ImageDraw.Draw(picture)
    if sighting.place is not None:
        _mark(draw, sighting.place, frame, width, height)
    font = ImageFont.truetype(str(face_file()), _LETTERS)
    for number, line in enumerate(lines):
        draw.text((_AROUND, height + _LINE * number + 2), line, fill=_WHITE, font=font)
    picture.save(target)


def _mark(draw: ImageDraw.ImageDraw, place: Box, frame: Box, width: int, height: int) -> None:
    scale = np.array([width, height]) / frame.size
    left, bottom = (place.low - frame.low) * scale
    right, top = (place.high - frame.low) * scale
    # A place outside of the frame is marked at its edge.
    x0, x1 = (float(np.clip(x, 1, width - 2)) for x in (left - _AROUND, right + _AROUND))
    y0, y1 = (float(np.clip(height - y, 1, height - 2)) for y in (top + _AROUND, bottom - _AROUND))
    draw.rectangle((x0 - 1, y0 - 1, x1 + 1, y1 + 1), outline=_WHITE, width=4)
    draw.rectangle((x0, y0, x1, y1), outline=_RED, width=2)


def save_swatches(colours: Sequence[str], eye: str, target: Path) -> None:
    """Store colours side by side as PNG, as an eye with that deficiency sees them."""
    picture = Image.new("RGB", (_SWATCH * len(colours), _SWATCH))
    for number, colour in enumerate(colours):
        seen = tuple(round(255 * channel) for channel in seen_by(colour, eye).tolist())
        picture.paste(seen, (_SWATCH * number, 0, _SWATCH * (number + 1), _SWATCH))
    picture.save(target)
