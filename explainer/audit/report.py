"""What an audit has found, as a table for a person and as JSON for a program."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from explainer.audit.faults import Fault

_HEADS = ("chapter", "time", "beat", "what", "how much", "allowed", "picture")


@dataclass(frozen=True)
class Report:
    """The faults of a film in the order of its time; their pictures are in ``folder``.

    ``duration`` is the film's in seconds, ``pictures_seen`` how many moments were looked at.
    """

    film: str
    story: str
    theme: str
    chapters: tuple[str, ...]
    duration: float
    pictures_seen: int
    only_ends: bool
    folder: Path
    faults: tuple[Fault, ...]

    def as_table(self) -> str:
        """One line a fault under a line of heads, and a line that sums up."""
        rows = [_HEADS, *map(_row, self.faults)] if self.faults else []
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        return "\n".join([*lines, self._summary()]) + "\n"

    def as_json(self) -> str:
        """One JSON object."""
        record = {
            "film": self.film,
            "story": self.story,
            "theme": self.theme,
            "chapters": list(self.chapters),
            "duration": self.duration,
            "pictures_seen": self.pictures_seen,
            "beat_ends_only": self.only_ends,
            "folder": str(self.folder) if self.faults else None,
            "faults": [fault.to_json() for fault in self.faults],
        }
        return json.dumps(record, ensure_ascii=False, indent=2) + "\n"

    def _summary(self) -> str:
        count = len(self.faults)
        found = "no faults" if not count else f"{count} fault{'s' * (count != 1)}, with pictures in {self.folder}"
        seen = f"{self.pictures_seen} pictures of {_clock(self.duration)}"
        return f"{self.film} ({self.story}, {self.theme}): {found}; looked at {seen}"


def _row(fault: Fault) -> tuple[str, ...]:
    lasting = f"{fault.found}, for {fault.duration:.1f} s" if fault.duration >= 0.1 else fault.found
    what = f"{fault.kind}: {fault.what}"
    return fault.chapter, _clock(fault.time), fault.beat, what, lasting, fault.allowed, fault.picture


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds, 1), 60)
    return f"{minutes:.0f}:{rest:04.1f}"
