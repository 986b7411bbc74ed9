"""What an auditing process is given to do. No Manim, for it is made by the process that asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from scenes.story import Story

RATE = 30
"""Frames a second at which chapters are played: times in the table are those of a film of any rate, to a frame."""


@dataclass(frozen=True)
class CheckTask:
    """One chapter to audit; ``folder`` is empty and the task's own, pictures of faults are put into it."""

    load_chapter: Callable[[str], type]
    chapter: str
    story: Story
    only_ends: bool
    folder: Path
