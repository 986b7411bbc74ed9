"""Whether captions can be read: how fast, how wide, how long, and whether they keep to their beats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from scenes.played import Cue, PlayedBeat

SPEED = 17.0
"""Characters a second."""
LINE, LINES = 42, 2
SHORTEST, LONGEST = 1.0, 7.0
FLICKER = 0.5
"""A gap between two cues of a beat is none, or seconds enough to be seen as one."""


@dataclass(frozen=True)
class CaptionFault:
    """What is wrong with a cue."""

    cue: Cue
    what: str
    found: str
    allowed: str


def caption_faults(beat: PlayedBeat, rate: float, *, is_last: bool = False) -> Iterator[CaptionFault]:
    """Everything wrong with the captions of a beat played at ``rate`` frames a second; the last beat ends the film."""
    for cue in beat.cues:
        yield from _unreadable(cue, rate)
        yield from _off_beat(beat, cue, rate, is_last)
    for before, cue in pairwise(beat.cues):
        gap = (cue.start - before.end) / rate
        if gap < 0:
            yield CaptionFault(cue, "starts before the last one ends", f"{-gap:.2f} s", "0 s")
        elif 0 < gap < FLICKER:
            yield CaptionFault(cue, "flickers", f"after a gap of {gap:.2f} s", f"none, or {FLICKER:g} s")
    if beat.cues and beat.cues[0].start - beat.start > 1:
        late = (beat.cues[0].start - beat.start) / rate
        yield CaptionFault(beat.cues[0], "comes after its beat has begun", f"{late:.2f} s", "1 frame")


def _unreadable(cue: Cue, rate: float) -> Iterator[CaptionFault]:
    seconds = (cue.end - cue.start) / rate
    lines = cue.text.split("\n")
    letters = len(cue.text.replace("\n", " "))
    if letters > SPEED * seconds + 1e-9:
        speed = f"{letters / seconds:.1f} characters a second" if seconds > 0 else "no time"
        yield CaptionFault(cue, "too fast", speed, f"{SPEED:g} characters a second")
    if (longest := max(map(len, lines))) > LINE:
        yield CaptionFault(cue, "too wide", f"{longest} characters a line", f"{LINE}")
    if len(lines) > LINES:
        yield CaptionFault(cue, "too high", f"{len(lines)} lines", f"{LINES}")
    if not SHORTEST - 1e-9 <= seconds <= LONGEST + 1e-9:
        length = "too short" if seconds < SHORTEST else "too long"
        yield CaptionFault(cue, length, f"{seconds:.2f} s", f"{SHORTEST:g} to {LONGEST:g} s")


def _off_beat(beat: PlayedBeat, cue: Cue, rate: float, is_last: bool) -> Iterator[CaptionFault]:
    early, late = beat.start - cue.start, cue.end - beat.end
    if is_last and late > 0:
        yield CaptionFault(cue, "outlasts the film", f"by {late / rate:.2f} s", "0 s")
    elif max(early, late) > 1:
        yield CaptionFault(cue, "is outside its beat", f"by {max(early, late) / rate:.2f} s", "1 frame")
