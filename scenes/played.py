"""What a chapter tells of how it was played: beats and captions, counted in the frames that were drawn. No Manim."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cue:
    """One caption, from its first frame to the frame after its last, counted from the chapter's start."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class PlayedBeat:
    """A beat as it was drawn, in frames from the chapter's start."""

    name: str
    title: str
    start: int
    end: int
    cues: tuple[Cue, ...]
