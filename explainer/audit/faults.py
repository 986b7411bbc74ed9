"""What is found: a sighting at one moment, and the fault that sightings of the same thing add up to.

What passes in a moment is no fault of a film: each kind has a time that it must last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from explainer.audit.picture import Box

LASTING: Mapping[str, float] = {"overlap": 0.25, "size": 0.5, "contrast": 0.5, "emptiness": 1.0}
"""Seconds from which on a sighting of a kind is a fault; of all other kinds any is."""


@dataclass(frozen=True)
class Sighting:
    """Something wrong at one moment. ``key`` tells it from others of its kind, ``place`` is where it is seen."""

    kind: str
    key: tuple[Any, ...]
    what: str
    found: str
    allowed: str
    place: Box | None = None


@dataclass(frozen=True)
class Fault:
    """Something wrong in a chapter; times in seconds, from the chapter's start until a film's offset is added.

    ``picture`` is the name of a PNG with the place marked.
    """

    chapter: str
    time: float
    duration: float
    beat: str
    kind: str
    what: str
    found: str
    allowed: str
    picture: str

    def later(self, seconds: float) -> Fault:
        """The same fault in a film in which the chapter starts after so many seconds."""
        return replace(self, time=round(self.time + seconds, 3))

    def to_json(self) -> dict[str, Any]:
        """A plain dictionary."""
        return asdict(self)


@dataclass
class _Open:
    """A sighting that goes on: since when, in which beat, until when, and its picture once it is a fault."""

    first: Sighting
    beat: str
    start: int
    end: int
    picture: str = ""


TakePicture = Callable[[Sighting], str]
"""Stores a picture of this moment with the sighting's place marked and tells its name."""


class Ledger:
    """Adds sightings up to faults.

    Parameters
    ----------
    chapter
        The chapter's name.
    rate
        Frames a second.
    patience
        What the times of LASTING are multiplied by; 0 where all moments are known to last.
    """

    def __init__(self, chapter: str, rate: float, patience: float = 1.0) -> None:
        self._chapter, self._rate, self._patience = chapter, rate, patience
        self._open: dict[tuple[str, tuple[Any, ...]], _Open] = {}
        self._faults: list[Fault] = []

    def see(self, sightings: Iterable[Sighting], beat: str, frame: int, frames: int, take_picture: TakePicture) -> None:
        """What is seen at ``frame`` and stands for ``frames`` frames; what is not seen any more is over."""
        seen = {(sighting.kind, sighting.key): sighting for sighting in sightings}
        for key in [key for key in self._open if key not in seen]:
            self._close(self._open.pop(key))
        for key, sighting in seen.items():
            entry = self._open.setdefault(key, _Open(sighting, beat, frame, frame))
            entry.end = frame + frames
            if not entry.picture and self._lasts(entry):
                entry.picture = take_picture(sighting)

    def faults(self) -> list[Fault]:
        """All faults, in the order of their times. Nothing is seen any more after this."""
        for entry in self._open.values():
            self._close(entry)
        self._open.clear()
        return sorted(self._faults, key=lambda fault: (fault.time, fault.kind, fault.what))

    def _lasts(self, entry: _Open) -> bool:
        least = LASTING.get(entry.first.kind, 0.0) * self._patience
        return (entry.end - entry.start) / self._rate > least

    def _close(self, entry: _Open) -> None:
        if entry.picture:
            first = entry.first
            self._faults.append(
                Fault(
                    chapter=self._chapter,
                    time=round(entry.start / self._rate, 3),
                    duration=round((entry.end - entry.start) / self._rate, 3),
                    beat=entry.beat,
                    kind=first.kind,
                    what=first.what,
                    found=first.found,
                    allowed=first.allowed,
                    picture=entry.picture,
                )
            )
