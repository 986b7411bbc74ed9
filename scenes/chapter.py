"""The beat machinery: a chapter is a Manim scene whose ``construct`` only runs its beats.

    class Scores(Chapter):
        name, title = "scores", "Everyone asks everyone"

        @beat("{asker} meets {asked}: {score}.")
        def first_cell(self) -> None: ...

The order of definition is the order of the story. A beat is a Manim section; its texts are its captions, filled from
:meth:`Chapter.words` and never typed; it starts where its section starts, and holds still at its end until the
caption can be read. Its length is measured in frames that were drawn.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from manim import UP, ManimColor, Scene, VGroup, Wait, config

from math_core import Trace
from scenes.captions import LONGEST, cut, reading_time
from scenes.film import CHAPTERS, cannot_show
from scenes.layout import CAPTION_STRIP, Layout, layout_for
from scenes.mobjects.text import Label
from scenes.played import Cue, PlayedBeat
from scenes.story import Story, StoryError, story_from_environment
from scenes.theme import Theme, theme_for


@dataclass(frozen=True)
class Beat:
    """A beat as it is written: its texts and the method that plays it."""

    name: str
    title: str
    texts: tuple[str, ...]
    method: Callable[[Any], None]
    when: Callable[[Any], bool]


def beat(
    *texts: str, title: str | None = None, when: Callable[[Any], bool] = lambda chapter: True
) -> Callable[[Callable[[Any], None]], Beat]:
    """Make a method a beat with one caption or several; ``{names}`` in them are filled from :meth:`Chapter.words`.

    A caption that comes out empty for a story is not said (the first of a beat never is). ``title`` is what a player
    shows at its chapter mark; left out, it is the beat's name in words. ``when`` tells from the chapter, once it is
    open, whether the story has a use for the beat; a beat that it has no use for is left out.
    """
    if not texts:
        raise TypeError("a beat needs at least one caption")

    def written(method: Callable[[Any], None]) -> Beat:
        name = method.__name__
        return Beat(name, title or name.replace("_", " ").capitalize(), texts, method, when)

    return written


class Chapter(Scene):
    """A film of one idea, in beats. Subclasses set ``name``, and write beats; ``title`` is what :mod:`film` calls them.

    ``story`` may be assigned before rendering; else it is the one that ``EXPLAINER_STORY`` names, or the default.
    """

    name: ClassVar[str] = ""
    title: ClassVar[str] = ""

    story: Story | None = None
    burn_captions: bool = False
    on_beat: Callable[[str, int, int], None] | None = None

    _beats: ClassVar[tuple[Beat, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if cls.name in CHAPTERS:
            cls.title = CHAPTERS[cls.name].title
        found = [value for value in vars(cls).values() if isinstance(value, Beat)]
        for taken in (b.name for b in found if hasattr(Scene, b.name) or hasattr(Chapter, b.name)):
            raise TypeError(f"a beat of {cls.__name__} cannot be called {taken!r}: Manim's Scene uses that name")
        cls._beats = (*cls._beats, *found)

    @classmethod
    def beats(cls) -> tuple[Beat, ...]:
        """The beats in the order of the story."""
        return cls._beats

    # What a chapter may use

    theme: Theme
    layout: Layout
    trace: Trace

    def words(self) -> Mapping[str, str]:
        """What ``{names}`` in captions stand for, made from the trace."""
        return {}

    def sources(self) -> Mapping[str, Any]:
        """What the paths of numbers begin with: every field of the trace by its name, and what a chapter adds.

        An auditor looks up here what a number ought to show.
        """
        trace = self.trace
        derived = {name: getattr(trace, name) for name in ("contributions", "plain_average", "d_k", "d_v", "d_model")}
        return {**{field.name: getattr(trace, field.name) for field in fields(trace)}, **derived}

    def open(self) -> None:
        """Prepare the mobjects that the beats share. Called once, before the first beat."""

    def play(self, *animations: Any, run_time: float | None = None, **kwargs: Any) -> None:
        """Manim's ``play``, its run time divided by the story's pace and rounded to whole frames.

        Standing still goes by :meth:`hold`.
        """
        self._turn_page()
        seconds = self.theme.time.move if run_time is None else run_time
        # Manim counts frames with arange: a hair less than n frames makes exactly n, whatever float rounding does.
        super().play(*animations, run_time=self._frames(seconds) / config.frame_rate - 1e-6, **kwargs)

    def hold(self, seconds: float | None = None) -> None:
        """Stand still."""
        self._stand(self._frames(self.theme.time.hold if seconds is None else seconds))

    def next_cue(self) -> None:
        """Go on to the beat's next caption, after giving the one before it time to be read.

        Where that one came out empty for this story, the beat stays with what it has said.
        """
        self._finish_text()
        if pages := self._waiting.popleft():
            self._start_cue(pages)

    # How it runs

    def setup(self) -> None:
        """Load the story and everything that follows from it."""
        if self.story is None:
            self.story = story_from_environment()
        if self.name in CHAPTERS and (faults := cannot_show(self.story, [self.name])):
            raise StoryError(faults)
        look = self.story.look
        self.trace = self.story.trace()
        self.theme = theme_for(look.theme, look.colours)
        self.layout = layout_for(look.aspect, self.theme.space.margin, self.theme.space.gap)
        self.camera.background_color = ManimColor(self.theme.colours.ground)
        self.played: list[PlayedBeat] = []
        self._cues: list[Cue] = []
        self._waiting: deque[deque[str]] = deque()
        self._rest: deque[str] = deque()
        self._caption_picture: VGroup | None = None
        if self.burn_captions:
            self._make_room_for_captions()

    def construct(self) -> None:
        """Run the beats."""
        self.open()
        wanted = [script for script in self._beats if script.when(self)]
        for index, script in enumerate(wanted):
            if self.on_beat is not None:
                self.on_beat(script.title, index, len(wanted))
            self._run(script)

    @property
    def frame(self) -> int:
        """How many frames have been drawn."""
        return round(self.renderer.time * config.frame_rate)

    def _run(self, script: Beat) -> None:
        start = self.frame
        self.next_section(script.name)
        words = self.words()
        self._cues = []
        self._waiting = deque(_pages(text.format_map(words)) for text in script.texts)
        self._start_cue(self._waiting.popleft())
        script.method(self)
        while self._waiting:
            self.next_cue()
        self._finish_text()
        self._stand(self._frames(self.theme.time.hold))
        self._end_cue()
        end = self.frame
        self.played.append(PlayedBeat(script.name, script.title, start, end, tuple(self._cues)))
        self._write_subcaptions()

    def _start_cue(self, pages: deque[str]) -> None:
        self._end_cue()
        self._rest = pages
        text = pages.popleft()
        self._cues.append(Cue(text, self.frame, -1))
        self._show_caption(text)

    def _finish_text(self) -> None:
        """Hold until what stands can be read, page by page."""
        self._hold_until_read()
        while self._rest:
            self._start_cue(self._rest)
            self._hold_until_read()

    def _turn_page(self) -> None:
        """Go on to the rest of a long text as soon as what stands has been read."""
        if self._rest and self._unread() <= 0:
            self._start_cue(self._rest)

    def _hold_until_read(self) -> None:
        self._stand(self._unread())

    def _unread(self) -> int:
        """How many frames the caption that stands must still stand to be read."""
        cue = self._cues[-1]
        # Reading does not go faster because the film does: no pace here.
        return cue.start + math.ceil(reading_time(cue.text) * config.frame_rate) - self.frame

    def _end_cue(self) -> None:
        if self._cues and self._cues[-1].end < 0:
            cue = self._cues[-1]
            longest = cue.start + int(LONGEST * config.frame_rate)
            self._cues[-1] = Cue(cue.text, cue.start, min(self.frame, longest))

    def _frames(self, seconds: float) -> int:
        assert self.story is not None
        return max(1, round(seconds / self.story.look.pace * config.frame_rate))

    def _stand(self, frames: int) -> None:
        if frames > 0:
            # Not ``self.wait``, which would come back to our own ``play``. A hair more than n frames: here Manim cuts.
            super().play(Wait(run_time=frames / config.frame_rate + 1e-6, frozen_frame=True))

    def _write_subcaptions(self) -> None:
        """Tell Manim's own file writer, for those who render with Manim's own command."""
        for cue in self._cues:
            self.add_subcaption(
                cue.text,
                duration=(cue.end - cue.start) / config.frame_rate,
                offset=cue.start / config.frame_rate - self.renderer.time,
            )

    # Captions drawn into the picture

    def _make_room_for_captions(self) -> None:
        """Let the camera see a strip more at the bottom, and as much more at the sides as keeps the shape."""
        camera = self.camera
        grown = (self.layout.frame.height + CAPTION_STRIP) / self.layout.frame.height
        camera.frame_width, camera.frame_height = camera.frame_width * grown, camera.frame_height * grown
        camera.frame_center = camera.frame_center - UP * CAPTION_STRIP / 2

    def _show_caption(self, text: str) -> None:
        if not self.burn_captions:
            return
        if self._caption_picture is not None:
            self.remove(self._caption_picture)
        em = self.theme.type.note
        lines = [Label(line, em=em, colour=ManimColor(self.theme.colours.ink)) for line in text.split("\n")]
        middle = self.layout.frame.centre - UP * (self.layout.frame.height + CAPTION_STRIP * 0.8) / 2
        for number, line in enumerate(lines):
            line.set_middle(middle + UP * 1.25 * em * ((len(lines) - 1) / 2 - number))
        self._caption_picture = VGroup(*lines)
        self.add(self._caption_picture)


def _pages(text: str) -> deque[str]:
    """A caption as cues; none where it is empty."""
    return deque(cut(text)) if text.strip() else deque()
