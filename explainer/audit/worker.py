"""What one auditing process does: one chapter, from its story to its faults. Started by ``explainer.pool``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from itertools import count
from typing import Any

import numpy as np
from manim import tempconfig

from explainer.audit.auditor import Auditor, Stage
from explainer.audit.faults import Fault, Sighting
from explainer.audit.moment import Pixels
from explainer.audit.picture import Box
from explainer.audit.pictures import save_marked
from explainer.audit.player import Player
from explainer.audit.task import RATE, CheckTask
from explainer.timeline import PlayedChapter
from explainer.worker import OnChapterBeat, known_settings, played_in, playing_settings, serve
from scenes.layout import FRAMES, Zone, layout_for
from scenes.theme import theme_for

_PIXELS_A_UNIT = 30


def main() -> None:
    """Take a task from stdin and audit its chapter."""
    serve(_checked)


def check_chapter(task: CheckTask, on_beat: OnChapterBeat) -> tuple[list[Fault], PlayedChapter, int]:
    """Play a chapter: its faults, what was played, and how many pictures were looked at."""
    numbers = count(1)

    def keep(pixels: Pixels, sighting: Sighting) -> str:
        name = f"{next(numbers):03}.png"
        save_marked(pixels, frame, sighting, task.folder / name)
        return name

    def end_beat(photograph: Any, is_over: bool) -> None:
        auditor.end_beat(chapter.played[-1], photograph, is_last=is_over)

    with tempconfig(known_settings(_settings(task))):
        chapter: Any = task.load_chapter(task.chapter)(
            renderer=Player(lambda moment: auditor.look(moment), end_beat, only_ends=task.only_ends)
        )
        chapter.story = task.story
        chapter.on_beat = on_beat
        frame = _box(*FRAMES[task.story.look.aspect])
        auditor = Auditor(task.chapter, _stage(task), chapter.sources, keep, only_ends=task.only_ends)
        chapter.render()
    return auditor.faults(), played_in(chapter), auditor.moments


def _checked(task: CheckTask, on_beat: OnChapterBeat) -> Mapping[str, Any]:
    faults, played, moments = check_chapter(task, on_beat)
    return {"faults": [asdict(fault) for fault in faults], "played": played.to_json(), "moments": moments}


def _stage(task: CheckTask) -> Stage:
    look = task.story.look
    theme = theme_for(look.theme, look.colours)
    layout = layout_for(look.aspect, theme.space.margin, theme.space.gap)
    below = _zone(layout.stage).around(_zone(layout.band))
    words = {*task.story.tokens, *task.story.context_tokens, task.story.title}
    return Stage(_zone(layout.frame), below, RATE, look.pace, words, vars(theme.colours))


def _settings(task: CheckTask) -> dict[str, Any]:
    aspect = task.story.look.aspect
    width, height = (round(_PIXELS_A_UNIT * units) for units in FRAMES[aspect])
    return {**playing_settings(task.folder, aspect, (width, height), RATE), "dry_run": True}


def _zone(zone: Zone) -> Box:
    return Box(np.array([zone.left, zone.bottom]), np.array([zone.right, zone.top]))


def _box(width: float, height: float) -> Box:
    half = np.array([width, height]) / 2
    return Box(-half, half)
