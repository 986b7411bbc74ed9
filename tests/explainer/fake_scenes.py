"""Fake chapters: tiny, quick, and known frame by frame. Importing this imports Manim."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from manim import BLUE, GREEN, RED, FadeIn, Scene, Square, config

from explainer.timeline import Cue, PlayedBeat
from tests.explainer.fake_chapters import WICKED, FakeStory


class Fake(Scene):
    name = ""
    title = ""
    story: Any = None
    burn_captions = False
    on_beat: Any = None
    colours: Any = (RED, GREEN)
    seconds = 1.0

    def construct(self) -> None:
        self.played = []
        for index, colour in enumerate(self.colours):
            self.on_beat(f"Beat {index + 1}", index, len(self.colours))
            self.next_section(f"beat_{index}")
            start = self.frame()
            self.clear()
            if colour is not None:
                self.add(Square(side_length=4, fill_color=colour, fill_opacity=1, stroke_width=0))
            self.wait(self.seconds + 1e-6, frozen_frame=True)
            self.between(index)
            end = self.frame()
            cues = (
                Cue(f"{self.story.word} {WICKED}\nin {self.name}", start, start + 4),
                Cue(f"beat {index + 1}", start + 4, end - 1),
            )
            self.played.append(PlayedBeat(f"beat_{index}", f"Beat {index + 1} {WICKED}", start, end, cues))

    def frame(self) -> int:
        return round(self.renderer.time * config.frame_rate)

    def between(self, index: int) -> None:
        pass


class First(Fake):
    name, title = "first", f"First {WICKED}"

    def between(self, index: int) -> None:
        self.play(FadeIn(Square(side_length=1)), run_time=0.5 - 1e-6)


class Second(Fake):
    name, title = "second", "Second"
    colours = (BLUE, RED, None)
    seconds = 0.7


class Named(Second):
    name, title = "named", "Named"
    poster_beat = "beat_0"


class Broken(Fake):
    name, title = "broken", "Broken"

    def between(self, index: int) -> None:
        raise ValueError("no such number")


class Crashing(Fake):
    name, title = "crashing", "Crashing"

    def between(self, index: int) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Endless(Fake):
    name, title = "endless", "Endless"

    def between(self, index: int) -> None:
        time.sleep(600)


class Miscounting(Fake):
    name, title = "miscounting", "Miscounting"

    def frame(self) -> int:
        return super().frame() + len(self.played)


class Configured(Fake):
    """Shows in its caption what Manim is configured to."""

    name, title = "configured", "Configured"
    colours = (RED,)

    def between(self, index: int) -> None:
        keys = ("frame_height", "seed", "from_animation_number", "plugins")
        self.story = FakeStory(
            word=" ".join(str(value) for value in (self.burn_captions, *map(config.get, keys)))
        )


CHAPTERS = {
    chapter.name: chapter
    for chapter in (First, Second, Named, Broken, Crashing, Endless, Miscounting, Configured)
}
