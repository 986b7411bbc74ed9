"""Everything on the screen of the worked example can be read, at every beat's end of every story.

What the audit asks of every picture, and what a board of tables beside a plane asks besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from manim import DOWN, RIGHT, UP, Line, ManimColor, Mobject, tempconfig

from explainer.audit.glyphs import face_file
from explainer.audit.layout import Overlaps, beyond_margin, too_small
from explainer.audit.picture import Box
from scenes.layout import Zone, layout_for
from scenes.mobjects.cells import Cell
from scenes.mobjects.number import Number
from scenes.mobjects.text import Label
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from tests.scenes.stage import Mark, Performance, Picture, performance, seen_in, settings, shown_by

TOUCH = 0.005
"""Units up to which two boxes that meet are said to be apart."""


@dataclass(frozen=True)
class Fault:
    story: str
    beat: str
    kind: str
    who: str
    how_much: str

    def __str__(self) -> str:
        return f"{self.story:16} {self.beat:22} {self.kind:18} {self.who:60} {self.how_much}"


def test_every_picture_of_every_story_can_be_read() -> None:
    faults = [fault for name in shown_by("worked_example") for fault in faults_of(performance(name))]
    assert not faults, f"{len(faults)} faults\n" + "\n".join(map(str, faults))


def faults_of(played: Performance) -> Iterator[Fault]:
    for picture in played.ends:
        for kind, who, how_much in faults_in(picture, played.layout.frame):
            yield Fault(played.story.stem, picture.beat, kind, who, how_much)


Found = Iterator[tuple[str, str, str]]


def faults_in(picture: Picture, frame: Zone) -> Found:
    low, high = np.array([frame.left, frame.bottom]), np.array([frame.right, frame.top])
    for rule in (beyond_margin(picture.snapshot, Box(low, high)), too_small(picture.snapshot)):
        yield from ((found.kind, found.what, found.found) for found in rule)
    yield from ((found.kind, found.what, found.found) for found in Overlaps().sightings(picture.snapshot))
    yield from box_on_box(picture)
    yield from box_on_plane(picture)


def name_of(mark: Mark) -> str:
    where = f"({mark.middle[0]:.1f}, {mark.middle[1]:.1f})"
    source = f" <{mark.source}>" if mark.source else ""
    return f"{mark.said or mark.kind}{source} at {where}"[:60]


def meetings(some: list[Mark], others: list[Mark], touch: float = TOUCH) -> Iterator[tuple[Mark, Mark, str]]:
    """Every two boxes that have more in common than a touch, and how much."""
    if some and others:
        low, high = ([getattr(mark, side) for mark in some] for side in ("low", "high"))
        other_low, other_high = ([getattr(mark, side) for mark in others] for side in ("low", "high"))
        common = np.minimum(np.array(high)[:, None], other_high) - np.maximum(np.array(low)[:, None], other_low)
        for i, j in np.argwhere((common > touch).all(axis=2)):
            width, height = common[i, j]
            yield some[i], others[j], f"{width:.2f} x {height:.2f}"


def each_two(marks: list[Mark]) -> Iterator[tuple[Mark, Mark, str]]:
    return ((a, b, size) for a, b, size in meetings(marks, marks) if a.order < b.order)


def box_on_box(picture: Picture) -> Found:
    for a, b, size in each_two(picture.of("Cell")):
        yield "cell on cell", f"{name_of(a)} | {name_of(b)}", size


def box_on_plane(picture: Picture) -> Found:
    """A table or a bar on the lines of a plane, which are the only long ones."""
    lines = [line for line in picture.of("line") if max(line.size) > 2]
    for box, line, size in meetings(picture.boxes, lines, touch=-TOUCH):
        yield "box on the plane", f"{name_of(box)} | {name_of(line)}", size


# The search finds what is planted


THEME = theme_for("dark", {})
INK = ManimColor(THEME.colours.ink)
FRAME = layout_for("16:9", 0.42, 0.3).frame


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def word(em: float = 0.5) -> Label:
    return Label("Scores", em=em, colour=INK)


def figures(value: float, em: float = 0.5) -> Number:
    style = COUNT if value == int(value) else NumberStyle(2)
    return Number(value, style, face=face_file(), em=em, colour=INK, source="planted")


def kinds_in(*mobjects: Mobject) -> set[str]:
    return {kind for kind, _, _ in faults_in(seen_in(mobjects), FRAME)}


def test_a_picture_without_faults_has_none() -> None:
    cell = Cell(1.2, 0.6, THEME)
    number = figures(2.83).set_middle(cell.get_center())
    assert kinds_in(cell, number, word().shift(UP), word(0.28).shift(DOWN), Line(3 * RIGHT, 6 * RIGHT)) == set()


def test_planted_faults_are_found() -> None:
    cell = Cell(1.2, 0.6, THEME)
    inside = figures(2.83).set_middle(cell.get_center())
    beyond = word().shift(RIGHT * (FRAME.right - 1.4))
    assert kinds_in(beyond) == {"frame"}
    assert kinds_in(word(), word().shift(RIGHT * 0.6)) == {"overlap"}
    assert kinds_in(word(0.26)) == {"size"}
    assert kinds_in(inside, cell) == {"overlap"}
    assert kinds_in(cell, inside.copy().shift(RIGHT * 0.4)) == {"overlap"}
    assert kinds_in(cell, Cell(1.2, 0.6, THEME).shift(RIGHT)) == {"cell on cell"}
    assert kinds_in(cell, Line(3 * DOWN, 3 * UP)) == {"box on the plane"}
    broken = word()
    broken.points[3] = np.nan
    assert "frame" in kinds_in(broken)
