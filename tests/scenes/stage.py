"""Chapters played without making a film, and what stood on the screen: for tests.

A picture is copied off the scene as outlines, so that what is asserted is what would have been drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt
from manim import CairoRenderer, Camera, Line, ManimColor, Mobject, Scene, VMobject, tempconfig

from explainer.audit.copyist import Copyist, leaves_of
from explainer.audit.picture import Snapshot
from scenes.film import cannot_show, load_chapter
from scenes.layout import Layout
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane
from scenes.mobjects.budget_bar import BudgetBar
from scenes.mobjects.number import Number
from scenes.mobjects.text import FormulaPart, Label
from scenes.played import PlayedBeat
from scenes.story import Story, load_story
from scenes.theme import Theme
from tests.scenes.by_hand import ByHand

Points = npt.NDArray[np.float64]

ROOT = Path(__file__).parents[2]
SHIPPED = tuple(sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "stories").glob("*.toml")))
WICKED = tuple(sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests/stories").glob("*.toml")))
STORIES = (*SHIPPED, *WICKED)


@cache
def shown_by(chapter: str) -> tuple[str, ...]:
    """The stories of the project that a chapter can show."""
    return tuple(name for name in STORIES if not cannot_show(load_story(ROOT / name), [chapter]))


WRITING = ("number", "label", "formula")
RATE = 30
SEEN = 0.02
"""Opacity from which on something counts as drawn."""


@dataclass(frozen=True, repr=False)
class Mark:
    """One thing drawn: its outline and how it is filled; ``order`` tells what lies over what.

    Of a number and a label, ``said`` is what they claim to show; of a number, ``source`` is where it claims to
    come from.
    """

    kind: str
    order: int
    points: Points
    colour: ManimColor
    opacity: float
    said: str = ""
    source: str = ""

    @cached_property
    def low(self) -> Points:
        return self.points[:, :2].min(axis=0)

    @cached_property
    def high(self) -> Points:
        return self.points[:, :2].max(axis=0)

    @property
    def middle(self) -> Points:
        return (self.low + self.high) / 2

    @property
    def size(self) -> Points:
        return self.high - self.low


@dataclass(frozen=True, repr=False)
class Picture:
    """What stands on the screen at one moment; ``bars`` are the tracks and fills of budget bars.

    ``snapshot`` is the same as the audit sees it, where all kinds of marks were asked for.
    """

    beat: str
    frame: int
    marks: tuple[Mark, ...]
    bars: tuple[tuple[Points, Points], ...]
    snapshot: Snapshot

    def of(self, *kinds: str) -> list[Mark]:
        """The marks of some kinds, in the order in which they are drawn."""
        return [mark for mark in self.marks if mark.kind in kinds]

    @property
    def writings(self) -> list[Mark]:
        """Everything that is made of letters and figures."""
        return self.of(*WRITING)

    @property
    def boxes(self) -> list[Mark]:
        """Everything that writing may stand in: cells, badges, bars."""
        return self.of("Cell", "Rectangle", "RoundedRectangle")


@dataclass(frozen=True, repr=False)
class Performance:
    """One story played once: the pictures at its beats' ends, and writing and arrows after every single move.

    ``first`` is what stands before the first move; ``chapter`` is the scene as it is at the end.
    """

    path: Path
    story: Story
    by_hand: ByHand
    chapter: Any
    layout: Layout
    theme: Theme
    first: Picture
    first_mobjects: list[Mobject]
    ends: tuple[Picture, ...]
    settled: tuple[Picture, ...]
    beats: tuple[PlayedBeat, ...]

    @property
    def plane(self) -> ArrowPlane:
        """The plane of the worked example."""
        plane: ArrowPlane = self.chapter.plane
        return plane

    def end_of(self, beat: str) -> Picture:
        (picture,) = (picture for picture in self.ends if picture.beat == beat)
        return picture


def performance(name: str) -> Performance:
    """The worked example of the story at ``name`` (from the project's root), played once in a run of the tests."""
    return played("worked_example", name)


@cache
def played(chapter: str, name: str, *overrides: str) -> Performance:
    """A chapter of the story at ``name``, with some of its keys overridden, played once in a run of the tests."""
    path = ROOT / name
    story = load_story(path, overrides)
    with TemporaryDirectory() as folder, tempconfig(settings(folder)):
        scene = _watched(load_chapter(chapter))(renderer=CairoRenderer(camera_class=Blind, skip_animations=True))
        scene.story = story
        scene.render()
    return Performance(
        path=path,
        story=story,
        by_hand=ByHand.of(path),
        chapter=scene,
        layout=scene.layout,
        theme=scene.theme,
        first=scene.first_picture,
        first_mobjects=scene.first_mobjects,
        ends=tuple(scene.ends),
        settled=tuple(scene.settled),
        beats=tuple(scene.played),
    )


def settings(folder: str | Path) -> dict[str, Any]:
    """Manim's settings for playing without drawing."""
    return {
        "media_dir": str(folder),
        "pixel_width": 64,
        "pixel_height": 36,
        "frame_rate": RATE,
        "verbosity": "WARNING",
        "progress_bar": "none",
        "write_to_movie": False,
        "disable_caching": True,
    }


def seen_in(mobjects: Iterable[Mobject], beat: str = "", frame: int = 0, kinds: Sequence[str] = ()) -> Picture:
    """What would be drawn of some mobjects, or only the marks of some kinds."""
    mobjects = list(mobjects)
    family = {id(member): member for mobject in mobjects for member in mobject.get_family()}.values()
    drawn = [member for member in family if isinstance(member, VMobject)]
    bars = (bar for bar in drawn if isinstance(bar, BudgetBar) and bar.fill.get_fill_opacity() > SEEN)
    return Picture(
        beat,
        frame,
        tuple(_marks(drawn, kinds)),
        tuple((bar.track.points.copy(), bar.fill.points.copy()) for bar in bars),
        Snapshot(()) if kinds else Copyist().snapshot((), leaves_of(mobjects)),
    )


class Blind(Camera):
    """Draws nothing."""

    def capture_mobjects(self, mobjects: Any, **kwargs: Any) -> None:
        pass


class _Watching(Scene):
    """Keeps what can be seen of a chapter whenever it stands still."""

    frame: int

    def setup(self) -> None:
        self.ends: list[Picture] = []
        self.settled: list[Picture] = []
        self.first_picture: Picture | None = None
        super().setup()

    def play(self, *animations: Any, **kwargs: Any) -> None:
        super().play(*animations, **kwargs)
        self.settled.append(seen_in(self.mobjects, self._beat, self.frame, (*WRITING, "arrow")))

    def _run(self, script: Any) -> None:
        if self.first_picture is None:
            self.first_picture = seen_in(self.mobjects, script.name, 0)
            self.first_mobjects = [mobject.copy() for mobject in self.mobjects]
        self._beat = script.name
        super()._run(script)  # type: ignore[misc]
        self.ends.append(seen_in(self.mobjects, script.name, self.frame))


def _watched(chapter: type) -> Any:
    return type(f"Watched{chapter.__name__}", (_Watching, chapter), {})


def _marks(family: Iterable[VMobject], kinds: Sequence[str]) -> Iterator[Mark]:
    for order, mobject in enumerate(family):
        if kinds and _kind(mobject) not in kinds:
            continue
        fill, stroke = mobject.get_fill_opacity(), mobject.get_stroke_opacity() * (mobject.get_stroke_width() > 0)
        if len(mobject.points) and max(fill, stroke) > SEEN:
            colour = mobject.get_fill_color() if fill > SEEN else mobject.get_stroke_color()
            facts = _facts(mobject)
            yield Mark(_kind(mobject), order, mobject.points.copy(), colour, float(max(fill, stroke)), **facts)


def _kind(mobject: VMobject) -> str:
    kinds = (Number, "number"), (Label, "label"), (FormulaPart, "formula"), (Arrow, "arrow"), (Line, "line")
    # Everything else that is drawn has a class that names its shape.
    return next((name for kind, name in kinds if isinstance(mobject, kind)), type(mobject).__name__)


def _facts(mobject: VMobject) -> dict[str, str]:
    if isinstance(mobject, Number):
        return {"said": mobject.shown_text(), "source": mobject.source}
    return {"said": mobject.shown_text()} if isinstance(mobject, Label) else {}
