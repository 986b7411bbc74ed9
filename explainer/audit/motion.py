"""What is wrong in the course of time: flashes, an empty stage, and beats that do not come to rest."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np

from explainer.audit.colours import luminance
from explainer.audit.faults import Sighting
from explainer.audit.moment import Pixels
from explainer.audit.picture import Array, Box, Snapshot

STEP, BRIGHT = 0.1, 0.8
"""WCAG 2.2's general flash: relative luminance goes up and down by a tenth, the darker of both below 0.8."""
AREA = 0.25
"""Share of the picture that flashes at once: ITU-R BT.1702's quarter of the screen. WCAG's own measure, a quarter of
ten degrees of sight, comes to the same for a film that is watched from where its whole picture takes ten degrees."""
FLASHES = 3
"""Flashes within a second that are borne."""
STILL = 0.5
"""Seconds that a beat stands still at its end, so that a lecturer can pause there."""

_COARSE = 4


class Flashes:
    """Counts flashes in pictures that follow each other."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._pixels: Pixels | None = None
        self._extreme: Array | None = None
        self._rising: Array | None = None
        self._turns: deque[tuple[int, bool]] = deque()

    def sightings(self, pixels: Pixels, frame: int, place: Box) -> Iterator[Sighting]:
        """Too many flashes in the second that ends with this picture."""
        if pixels is not self._pixels:
            self._pixels = pixels
            light = luminance(pixels[::_COARSE, ::_COARSE, :3] / 255)
            for is_up in (True, False):
                if self._turned(light, is_up).mean() >= AREA and (not self._turns or self._turns[-1][1] != is_up):
                    self._turns.append((frame, is_up))
        while self._turns and frame - self._turns[0][0] > self._rate:
            self._turns.popleft()
        flashes = len(self._turns) // 2
        if flashes > FLASHES:
            yield Sighting("flash", (), "the picture", f"{flashes} flashes a second", f"{FLASHES}", place)

    def _turned(self, light: Array, is_up: bool) -> Array:
        """Where the light has just gone up (or down) by a step from its last extreme."""
        if self._extreme is None or self._rising is None:
            self._extreme = light.copy()
            self._rising = np.zeros(light.shape)
        change = light - self._extreme if is_up else self._extreme - light
        darker = np.minimum(light, self._extreme)
        sign = 1.0 if is_up else -1.0
        turned = (change >= STEP) & (darker < BRIGHT) & (self._rising != sign)
        # While it goes on the same way, the extreme goes along.
        follows = (self._rising == sign) & (change > 0)
        self._rising[turned] = sign
        moved = turned | follows
        self._extreme[moved] = light[moved]
        return np.asarray(turned)


def emptiness(snapshot: Snapshot, stage: Box) -> Iterator[Sighting]:
    """A stage on which nothing is drawn."""
    for thing in snapshot.drawn:
        box = thing.box
        if (np.minimum(box.high, stage.high) > np.maximum(box.low, stage.low)).all():
            return
    yield Sighting("emptiness", (), "the stage", "nothing on it", "something", stage)


def restlessness(still: float, pace: float, place: Box) -> Iterator[Sighting]:
    """A beat whose picture has stood still for only so many seconds at its end."""
    # Who asks for a film twice as fast asks for half the rest.
    allowed = STILL / max(1.0, pace)
    if still < allowed - 1e-6:
        yield Sighting("stillness", (), "the beat's end", f"still for {still:.2f} s", f"{allowed:.2g} s", place)
