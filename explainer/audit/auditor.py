"""One chapter's audit: every moment is judged by every rule, and what lasts is kept as faults with their pictures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol

from explainer.audit import layout, numbers
from explainer.audit.captions import caption_faults
from explainer.audit.contrast import Pixels, too_faint
from explainer.audit.faults import Fault, Ledger, Sighting
from explainer.audit.motion import Flashes, emptiness, restlessness
from explainer.audit.picture import Box, Snapshot
from explainer.timeline import PlayedChapter


class Moment(Protocol):
    """A picture that stands for some frames, as the player hands it on."""

    @property
    def beat(self) -> str: ...
    @property
    def frame(self) -> int: ...
    @property
    def frames(self) -> int: ...
    @property
    def snapshot(self) -> Snapshot: ...
    @property
    def behind(self) -> Pixels: ...
    @property
    def has_changed(self) -> bool: ...
    @property
    def photograph(self) -> Callable[[], Pixels]: ...


@dataclass(frozen=True)
class Stage:
    """What the rules must know of a chapter: its frame and the zones under its header, and how it is told."""

    frame: Box
    stage: Box
    rate: float
    pace: float
    words: Collection[str]


KeepPicture = Callable[[Pixels, Sighting], str]
"""Stores a picture with what is wrong in it, and tells its name."""


class Auditor:
    """Judges the moments of a chapter.

    ``sources`` gives what numbers come from, asked for at every moment since a chapter may change it.
    """

    def __init__(
        self,
        chapter: str,
        stage: Stage,
        sources: Callable[[], Mapping[str, Any]],
        keep_picture: KeepPicture,
        *,
        only_ends: bool,
    ) -> None:
        self._stage, self._sources, self._keep = stage, sources, keep_picture
        self._only_ends = only_ends
        self._ledger = Ledger(chapter, stage.rate, patience=0.0 if only_ends else 1.0)
        self._afterwards: list[Fault] = []
        self._chapter = chapter
        self._overlaps = layout.Overlaps()
        self._flashes = Flashes(stage.rate)
        self._moved = 0
        self._ends: dict[str, Pixels] = {}
        self._last: Moment | None = None
        self.moments = 0

    def look(self, moment: Moment) -> None:
        """Judge a moment."""
        self.moments += 1
        if self._last is not None and self._last.beat != moment.beat:
            pass
        if moment.has_changed:
            self._moved = moment.frame
        photographs: list[Pixels] = []

        def take(sighting: Sighting) -> str:
            if not photographs:
                photographs.append(moment.photograph())
            return self._keep(photographs[0], sighting)

        self._ledger.see(self._sightings(moment), moment.beat, moment.frame, moment.frames, take)

    def _sightings(self, moment: Moment) -> Iterator[Sighting]:
        stage, snapshot = self._stage, moment.snapshot
        yield from numbers.sightings(snapshot, self._sources(), stage.words)
        yield from layout.beyond_margin(snapshot, stage.frame)
        yield from layout.too_small(snapshot)
        yield from self._overlaps.sightings(snapshot)
        yield from too_faint(snapshot, moment.behind, stage.frame)
        yield from emptiness(snapshot, stage.stage)
        if not self._only_ends:
            yield from self._flashes.sightings(moment.behind, moment.frame, stage.frame)
