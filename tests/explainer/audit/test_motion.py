"""Flashes are counted as WCAG counts them; an empty stage and a restless end are seen."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from explainer.audit.moment import Pixels
from explainer.audit.motion import Flashes, emptiness, restlessness
from explainer.audit.picture import Box, Mark, Outline, Paint, Snapshot

RATE = 30
PLACE = Box(np.array([-7.0, -4.0]), np.array([7.0, 4.0]))


def grey(level: int, share: float = 1.0) -> Pixels:
    """A picture of which a share, at its left, has one grey and the rest is black."""
    pixels = np.zeros((96, 160, 4), dtype=np.uint8)
    pixels[:, : round(share * 160), :3] = level
    return pixels


def flashes(pictures: Iterable[Pixels], step: int) -> str:
    """What is found wrong with pictures ``step`` frames apart, at the worst."""
    counter = Flashes(RATE)
    found = [s.found for k, p in enumerate(pictures) for s in counter.sightings(p, step * k, PLACE)]
    return max(found, default="")


def alternating(low: int, high: int, share: float = 1.0) -> list[Pixels]:
    return [grey(high if k % 2 else low, share) for k in range(20)]


def test_a_strobe_is_counted_by_its_flashes_a_second() -> None:
    # Black and white change every tenth of a second: five flashes.
    assert flashes(alternating(0, 255), step=3) == "5 flashes a second"


def test_three_flashes_a_second_are_borne() -> None:
    assert flashes(alternating(0, 255), step=5) == ""
    assert flashes(alternating(0, 255), step=4) == "4 flashes a second"


def test_a_small_place_may_flash() -> None:
    assert flashes(alternating(0, 255, share=0.2), step=3) == ""
    assert flashes(alternating(0, 255, share=0.3), step=3) != ""


@pytest.mark.parametrize(
    ("low", "high", "flashing"),
    # Relative luminance of a grey of 255: 0 -> 0, 80 -> 0.08, 100 -> 0.13, 230 -> 0.79, 232 -> 0.81.
    [(0, 80, False), (0, 100, True), (225, 255, True), (235, 255, False)],
)
def test_only_a_tenth_of_light_or_more_is_a_flash_and_only_where_the_darker_is_no_white(
    low: int, high: int, flashing: bool
) -> None:
    assert bool(flashes(alternating(low, high), step=3)) is flashing


def test_light_that_rises_bit_by_bit_and_falls_again_is_one_flash() -> None:
    ramp = [grey(level) for level in (*range(0, 250, 25), *range(250, 0, -25))]
    assert flashes(ramp * 3, step=1) == ""
    # The same three times as fast.
    assert flashes((ramp * 6)[::3], step=1) == "5 flashes a second"


def test_a_picture_that_stands_does_not_flash() -> None:
    assert flashes([grey(255)] * 40, step=1) == ""


def square(left: float, bottom: float) -> Mark:
    x, y = left, bottom
    corners = np.array([(x, y, 0), (x + 1, y, 0), (x + 1, y + 1, 0), (x, y + 1, 0)], dtype=np.float64)
    edges = [np.linspace(a, b, 4) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    paint = Paint((1.0, 1.0, 1.0), 1.0, (1.0, 1.0, 1.0), 0.0, 0.0)
    return Mark(0, "Square", Outline(np.concatenate(edges)), paint)


def test_a_stage_is_empty_when_all_that_is_drawn_lies_outside_of_it() -> None:
    stage = Box(np.array([-7.0, -4.0]), np.array([7.0, 2.5]))
    assert [s.kind for s in emptiness(Snapshot((square(0, 2.6),)), stage)] == ["emptiness"]
    assert [s.kind for s in emptiness(Snapshot(()), stage)] == ["emptiness"]
    assert list(emptiness(Snapshot((square(0, 2.6), square(0, 2.4))), stage)) == []


@pytest.mark.parametrize(
    ("still", "pace", "faults"), [(0.5, 1, 0), (0.4, 1, 1), (0.4, 0.5, 1), (0.25, 2, 0), (0.2, 2, 1)]
)
def test_a_beat_rests_half_a_second_at_its_end_or_less_in_a_faster_film(still: float, pace: float, faults: int) -> None:
    assert len(list(restlessness(still, pace, PLACE))) == faults
