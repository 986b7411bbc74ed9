"""One chapter's audit: every moment is judged by every rule, and what lasts is kept as faults with their pictures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from explainer.audit import layout, numbers
from explainer.audit.captions import caption_faults
from explainer.audit.contrast import is_plain, marks_too_faint, too_faint
from explainer.audit.faults import Fault, Ledger, Sighting
from explainer.audit.moment import Moment, Pixels
from explainer.audit.motion import Flashes, emptiness, restlessness
from explainer.audit.picture import Box, Mark, same
from scenes.played import PlayedBeat


@dataclass(frozen=True)
class Stage:
    """What the rules must know of a chapter: its frame and the zones under its header, and how it is told."""

    frame: Box
    stage: Box
    rate: float
    pace: float
    words: Collection[str]
    colours: Mapping[str, str]


KeepPicture = Callable[[Pixels, Sighting], str]
"""Stores a picture with what is wrong in it, and tells its name."""


class _Backdrop:
    """A picture of marks, drawn anew only where they, or the ground's colour, have changed."""

    def __init__(self) -> None:
        self._marks: Sequence[Mark] = ()
        self._ground = ""
        self._pixels: Pixels | None = None

    def of(self, moment: Moment, marks: Sequence[Mark]) -> Pixels:
        """The picture of some marks of a moment; the same array, the same picture."""
        if self._pixels is None or self._ground != moment.ground or not same(self._marks, marks):
            self._marks, self._ground, self._pixels = marks, moment.ground, moment.draw(marks)
        return self._pixels


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
        only_ends: bool = False,
    ) -> None:
        self._chapter, self._stage, self._sources, self._keep = chapter, stage, sources, keep_picture
        self._only_ends = only_ends
        # In a film at half the pace everything takes twice as long to come and go.
        patience = 0.0 if only_ends else 1 / min(1.0, stage.pace)
        self._ledger = Ledger(chapter, stage.rate, patience)
        self._of_beats: list[Fault] = []
        self._overlaps = layout.Overlaps()
        self._flashes = Flashes(stage.rate)
        self._behind, self._quiet = _Backdrop(), _Backdrop()
        self._judged: Sequence[Mark] = ()
        self._faint: tuple[Sighting, ...] = ()
        self._changed = 0
        self.moments = 0

    def look(self, moment: Moment) -> None:
        """Judge a moment."""
        self.moments += 1
        if moment.has_changed:
            self._changed = moment.frame
        photograph = cache(moment.photograph)

        def take_picture(sighting: Sighting) -> str:
            return self._keep(photograph(), sighting)

        self._ledger.see(self._sightings(moment), moment.beat, moment.frame, moment.frames, take_picture)

    def end_beat(self, beat: PlayedBeat, photograph: Callable[[], Pixels], *, is_last: bool) -> None:
        """Judge a beat that is over: its captions, and whether it has come to rest."""
        frame, rate = self._stage.frame, self._stage.rate
        for fault in caption_faults(beat, rate, is_last=is_last):
            cue = fault.cue
            what = f"“{cue.text}” {fault.what}".replace("\n", " / ")
            sighting = Sighting("caption", (), what, fault.found, fault.allowed)
            self._add(beat, cue.start, cue.end, sighting, photograph)
        if not self._only_ends:
            still = (beat.end - self._changed) / rate
            for sighting in restlessness(still, self._stage.pace, frame):
                self._add(beat, self._changed, beat.end, sighting, photograph)

    def faults(self) -> list[Fault]:
        """All that was found, in the order of time. Nothing is looked at any more after this."""
        return sorted([*self._ledger.faults(), *self._of_beats], key=lambda fault: (fault.time, fault.kind, fault.what))

    def _sightings(self, moment: Moment) -> Iterator[Sighting]:
        stage, snapshot = self._stage, moment.snapshot
        yield from numbers.sightings(snapshot, self._sources(), stage.words)
        yield from layout.beyond_margin(snapshot, stage.frame)
        yield from layout.too_small(snapshot)
        yield from self._overlaps.sightings(snapshot, is_moving=moment.frames == 1 and not self._only_ends)
        behind = self._behind.of(moment, snapshot.marks)
        yield from too_faint(snapshot, behind, stage.frame)
        yield from self._faint_marks(moment)
        yield from emptiness(snapshot, stage.stage)
        if not self._only_ends:
            yield from self._flashes.sightings(behind, moment.frame, stage.frame)

    def _faint_marks(self, moment: Moment) -> tuple[Sighting, ...]:
        stage, marks = self._stage, moment.snapshot.marks
        if not same(self._judged, marks):
            quiet = self._quiet.of(moment, [mark for mark in marks if is_plain(mark, stage.colours)])
            self._judged = marks
            self._faint = tuple(marks_too_faint(moment.snapshot, quiet, stage.frame, stage.colours))
        return self._faint

    def _add(
        self, beat: PlayedBeat, start: int, end: int, sighting: Sighting, photograph: Callable[[], Pixels]
    ) -> None:
        rate = self._stage.rate
        self._of_beats.append(
            Fault(
                chapter=self._chapter,
                time=round(start / rate, 3),
                duration=round((end - start) / rate, 3),
                beat=beat.name,
                kind=sighting.kind,
                what=sighting.what,
                found=sighting.found,
                allowed=sighting.allowed,
                picture=self._keep(photograph(), sighting),
            )
        )
