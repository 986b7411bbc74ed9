"""Tiny chapters with one fault each, planted on purpose, and the same without it. Importing this imports Manim."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from manim import DOWN, LEFT, RIGHT, UP, FadeIn, Line, ManimColor, Rectangle, linear

from scenes.chapter import Chapter, beat
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.cells import Cell
from scenes.mobjects.number import CountTo, Number
from scenes.mobjects.overlaps import as_ground
from scenes.mobjects.text import Label
from scenes.numerals import SHARE, NumberStyle
from scenes.played import Cue, PlayedBeat


class Clean(Chapter):
    """A word comes in and stands; then something else may happen."""

    name = "clean"
    title = "Clean"

    @beat("Here is a word.")
    def first(self) -> None:
        self.word = self.label("Word")
        self.play(FadeIn(self.word), run_time=0.3)

    @beat("Here is what is planted.")
    def second(self) -> None:
        self.plant()
        self.hold(1.0)

    def plant(self) -> None:
        """Where nothing is planted, nothing happens."""

    def label(self, text: str, em: float = 0.5, colour: str | None = None) -> Label:
        return Label(text, em=em, colour=ManimColor(colour or self.theme.colours.ink))

    def number(self, value: float, style: NumberStyle, source: str = "", **more: Any) -> Number:
        ink = ManimColor(self.theme.colours.ink)
        return Number(value, style, face=self.theme.figures, em=0.5, colour=ink, source=source, **more).shift(DOWN)

    def mark(self, colour: str) -> Arrow:
        return Arrow(2 * DOWN + LEFT, 2 * DOWN + RIGHT, ManimColor(colour), 0.07)


class TrueNumber(Clean):
    nudge: ClassVar[float] = 0.0

    def plant(self) -> None:
        weight = float(self.trace.attention.weights[0, 0, 0])
        self.add(self.number(weight + self.nudge, SHARE, "attention.weights[0, 0, 0]"))


class Nudged(TrueNumber):
    nudge = 0.001


class WithoutSource(Clean):
    def plant(self) -> None:
        self.add(self.number(0.5, SHARE))


class WrongSource(Clean):
    def plant(self) -> None:
        self.add(self.number(0.5, SHARE, "attention.wishes[0, 0, 0]"))


class Disguised(Clean):
    def plant(self) -> None:
        self.add(self.label("2.83").shift(DOWN))


class TooFine(Clean):
    def plant(self) -> None:
        weight = float(self.trace.attention.weights[0, 0, 0])
        number = self.number(weight, NumberStyle(3, percent=True), "attention.weights[0, 0, 0]")
        number.style = SHARE
        self.add(number)


class Counting(Clean):
    """Counts from 0 to 1; what is true goes along, or stays behind."""

    is_late: ClassVar[bool] = False

    def plant(self) -> None:
        number = self.number(0.0, NumberStyle(2), truth=lambda: 0.0)
        self.add(number)
        count = CountTo(number, 1.0, "whole", NumberStyle(2))
        if self.is_late:
            count = _CountLate(number, 1.0, "whole", NumberStyle(2))
        self.play(count, run_time=1.5)

    def sources(self) -> dict[str, Any]:
        return {**super().sources(), "whole": 1.0}


class CountingLate(Counting):
    is_late = True


class _CountLate(CountTo):
    """Shows in the middle of its way what was true a while ago."""

    def interpolate_mobject(self, alpha: float) -> None:
        super().interpolate_mobject(alpha)
        if 0.3 < alpha < 0.6:
            self.mobject.set_value(self._now - 0.05)


class OffFrame(Clean):
    def plant(self) -> None:
        self.add(self.label("gone").move_to(self.layout.frame.centre + RIGHT * self.layout.frame.width / 2))


class MarkOffFrame(Clean):
    ground: ClassVar[Callable[[Any], Any]] = staticmethod(lambda mobject: mobject)

    def plant(self) -> None:
        edge = UP * self.layout.frame.height / 2
        self.add(self.ground(Line(edge + LEFT, edge + RIGHT, stroke_color=self.theme.colours.axis)))


class GroundOffFrame(MarkOffFrame):
    ground = staticmethod(as_ground)


class Overlapped(Clean):
    def plant(self) -> None:
        self.add(self.label("Other").shift(RIGHT * 0.4))


class PassingBy(Clean):
    """One word crosses another in much less than a quarter of a second."""

    def plant(self) -> None:
        other = self.label("Other").shift(2 * UP)
        self.play(FadeIn(other), run_time=0.3)
        self.play(other.animate.shift(4 * DOWN), run_time=0.6, rate_func=linear)


class OnLine(Clean):
    ground: ClassVar[Callable[[Any], Any]] = staticmethod(lambda mobject: mobject)

    def plant(self) -> None:
        self.add(self.ground(Line(3 * LEFT, 3 * RIGHT, stroke_color=self.theme.colours.grid, stroke_width=1.5)))
        self.bring_to_front(self.word)


class OnGround(OnLine):
    ground = staticmethod(as_ground)


class BesideSlant(Clean):
    """A slanted line crosses the corner of a word's box, and none of its letters."""

    def plant(self) -> None:
        corner = self.word.get_corner(UP + LEFT)
        along = 0.12 * (UP + RIGHT)
        self.add(Line(corner - along, corner + along, stroke_color=self.theme.colours.axis))


class AcrossRim(Clean):
    def plant(self) -> None:
        cell = Cell(1.0, 0.6, self.theme, ManimColor(self.theme.colours.query)).shift(RIGHT * 0.4)
        self.add(cell)
        self.bring_to_front(self.word)


class InCell(Clean):
    def plant(self) -> None:
        self.add(Cell(2.0, 0.8, self.theme, ManimColor(self.theme.colours.query)).move_to(self.word))
        self.bring_to_front(self.word)


class Covered(Clean):
    def plant(self) -> None:
        self.add(Cell(2.0, 0.8, self.theme).move_to(self.word))


class Tiny(Clean):
    """Ten pixels of 1080."""

    def plant(self) -> None:
        self.add(self.label("Hardly", em=8 * 10 / 1080 / 0.66).shift(DOWN))


class GreyOnGrey(Clean):
    def plant(self) -> None:
        self.add(self.label("Hidden", colour="#3A4150").shift(DOWN))


class WhiteOnLight(Clean):
    """What can be read on the ground cannot be read on what is really behind it."""

    def plant(self) -> None:
        plate = Rectangle(width=3, height=1, fill_color="#C0C4CC", fill_opacity=1, stroke_width=0).move_to(self.word)
        self.add(plate)
        self.bring_to_front(self.word)


class FaintMark(Clean):
    def plant(self) -> None:
        self.add(self.mark(self.theme.colours.key).set_opacity(0.25))


class Marked(Clean):
    def plant(self) -> None:
        self.add(self.mark(self.theme.colours.key))


class Strobe(Clean):
    """Black and white, five times a second for two seconds."""

    pause: ClassVar[float] = 0.1

    def plant(self) -> None:
        white = as_ground(Rectangle(width=12, height=5, fill_color="#FFFFFF", fill_opacity=1, stroke_width=0))
        self.remove(self.word)
        for _ in range(round(1 / self.pause)):
            self.add(white)
            self.hold(self.pause)
            self.remove(white)
            self.hold(self.pause)
        self.add(self.word)


class SlowStrobe(Strobe):
    pause = 0.25


class Empty(Clean):
    def plant(self) -> None:
        self.remove(self.word)
        self.hold(1.5)
        self.add(self.word)


class Restless(Clean):
    """The second beat ends as soon as its move does."""

    @beat("It moves and moves.")
    def third(self) -> None:
        self.play(self.word.animate.shift(UP), run_time=2.0)

    def _stand(self, frames: int) -> None:
        if len(self.played) < 2:
            super()._stand(frames)


class Spoken(Clean):
    """The last beat's cues are replaced by others."""

    cues: ClassVar[tuple[Cue, ...]] = ()

    def _run(self, script: Any) -> None:
        super()._run(script)
        if script.name == "second":
            played = self.played[-1]
            moved = (Cue(cue.text, played.start + cue.start, played.start + cue.end) for cue in self.cues)
            self.played[-1] = PlayedBeat(played.name, played.title, played.start, played.end, tuple(moved))


class TooFast(Spoken):
    """Thirty-six characters in 1.2 seconds: thirty a second."""

    cues = (Cue("Nobody can read this as fast as that", 0, 36),)


class ThreeLines(Spoken):
    cues = (Cue("one\ntwo\nthree", 0, 40),)


class OutOfBeat(Spoken):
    cues = (Cue("too late for all", 10, 1000),)


CHAPTERS = {
    value.__name__: value for value in list(vars().values()) if isinstance(value, type) and issubclass(value, Clean)
}


def load_planted(name: str) -> type:
    """The chapter with a planted fault, by the name of its class."""
    return CHAPTERS[name]
