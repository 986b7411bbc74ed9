"""When what happens in a film: beats, captions and chapter marks, counted in frames.

Pure records and arithmetic. Frames become seconds here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Any

from scenes.played import Cue, PlayedBeat


@dataclass(frozen=True)
class PlayedChapter:
    """A chapter as it was drawn. ``poster_beat`` is the beat whose last frame may stand for the film."""

    name: str
    title: str
    beats: tuple[PlayedBeat, ...]
    poster_beat: str | None = None

    @property
    def frames(self) -> int:
        """How many frames the chapter has."""
        return self.beats[-1].end

    def to_json(self) -> dict[str, Any]:
        """Plain dictionaries and lists."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> PlayedChapter:
        """The chapter that :meth:`to_json` was asked for. Raises KeyError or TypeError for anything else."""
        beats = tuple(
            PlayedBeat(**{**beat, "cues": tuple(Cue(**cue) for cue in beat["cues"])})
            for beat in data["beats"]
        )
        return cls(**{**data, "beats": beats})


@dataclass(frozen=True)
class Mark:
    """A place to jump to in a player."""

    title: str
    start: int
    end: int


@dataclass(frozen=True)
class Timeline:
    """The chapters of a film one after the other."""

    chapters: tuple[PlayedChapter, ...]
    fps: int

    @property
    def starts(self) -> tuple[int, ...]:
        """The frame at which each chapter starts."""
        return tuple(accumulate((chapter.frames for chapter in self.chapters[:-1]), initial=0))

    @property
    def frames(self) -> int:
        """How many frames the film has."""
        return sum(chapter.frames for chapter in self.chapters)

    def seconds(self, frames: int) -> float:
        """Frames as seconds, to the microsecond."""
        return round(frames / self.fps, 6)

    def cues(self) -> tuple[Cue, ...]:
        """Every caption, in frames from the film's start."""
        return tuple(
            Cue(cue.text, start + cue.start, start + cue.end)
            for start, chapter in zip(self.starts, self.chapters, strict=True)
            for beat in chapter.beats
            for cue in beat.cues
        )

    def marks(self) -> tuple[Mark, ...]:
        """Where a player can jump to: the chapters, or the beats of a film that is one chapter."""
        if len(self.chapters) == 1:
            return tuple(Mark(beat.title, beat.start, beat.end) for beat in self.chapters[0].beats)
        return tuple(
            Mark(chapter.title, start, start + chapter.frames)
            for start, chapter in zip(self.starts, self.chapters, strict=True)
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """One row a beat, with all times in seconds from the film's start: what a narrator needs."""
        for start, chapter in zip(self.starts, self.chapters, strict=True):
            for beat in chapter.beats:
                yield {
                    "chapter": chapter.name,
                    "beat": beat.name,
                    "title": beat.title,
                    "start": self.seconds(start + beat.start),
                    "end": self.seconds(start + beat.end),
                    "caption": " ".join(" ".join(cue.text for cue in beat.cues).split()),
                    "captions": [
                        {
                            "text": cue.text,
                            "start": self.seconds(start + cue.start),
                            "end": self.seconds(start + cue.end),
                        }
                        for cue in beat.cues
                    ],
                }
