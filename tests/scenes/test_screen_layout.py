"""Everything on the screen can be read: inside the frame, apart, large enough, in its box and under nothing."""

from __future__ import annotations

import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import pytest
from manim import DOWN, RIGHT, UP, Line, ManimColor, Mobject, tempconfig

from explainer.audit.glyphs import alphabet, face_file, sizes
from scenes.layout import Zone, layout_for
from scenes.mobjects.cells import Cell
from scenes.mobjects.number import Number
from scenes.mobjects.text import Label
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from tests.scenes.stage import Mark, Performance, Picture, performance, seen_in, settings, shown_by

SAFE = 0.3
"""Units from the frame's edge that nothing may come into."""
READ, SEEN = 8 / 45, 8 / 60
"""Height of capitals and figures: of what must be read, and of anything at all."""
TOUCH = 0.005
"""Units up to which two boxes that meet are said to be apart."""

_LETTERS = string.ascii_letters + string.digits
_REGULAR, _STRONG = (alphabet(face_file(weight), _LETTERS + "−+=≈×·/()[],%√") for weight in ("Regular", "Semibold"))
_CAPITAL = next(shape.ink.height for shape in _REGULAR.shapes if shape.char == "H")


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
    yield from not_finite(picture)
    yield from beyond_the_margin(picture, frame)
    yield from text_on_text(picture)
    yield from too_small(picture)
    yield from out_of_its_box(picture)
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


def not_finite(picture: Picture) -> Found:
    for mark in picture.marks:
        if not np.isfinite(mark.points).all():
            yield "not finite", name_of(mark), ""


def beyond_the_margin(picture: Picture, frame: Zone) -> Found:
    low, high = np.array([frame.left, frame.bottom]) + SAFE, np.array([frame.right, frame.top]) - SAFE
    for mark in picture.writings:
        room = float(min(*(mark.low - low), *(high - mark.high)))
        if room < -1e-6:
            yield "near the edge", name_of(mark), f"{SAFE + room:.2f} from it"


def text_on_text(picture: Picture) -> Found:
    for a, b, size in each_two(picture.writings):
        yield "text on text", f"{name_of(a)} | {name_of(b)}", size


def too_small(picture: Picture) -> Found:
    for mark in picture.writings:
        height, raised = capital_heights(mark)
        allowed = READ if mark.opacity > 0.9 else SEEN
        if height < allowed - 1e-4:
            yield "small", name_of(mark), f"{height:.3f}, at least {allowed:.3f}"
        if raised < SEEN - 1e-4:
            yield "small exponent", name_of(mark), f"{raised:.3f}, at least {SEEN:.3f}"


def capital_heights(mark: Mark) -> tuple[float, float]:
    """The height that capitals have in a writing, and in what is raised in it, found from the shapes of its letters.

    The letters of a formula that are set in a face of mathematics are measured as they are.
    """
    known = _STRONG if mark.source.startswith("step ") else _REGULAR
    found = sizes(mark.points, known)
    if mark.kind == "label":
        found = max(found, sizes(mark.points, _STRONG), key=len)
    letters = [em for char, em in found if char in _LETTERS] or [em for _, em in found]
    if not letters:
        return float(mark.size[1]), np.inf
    if mark.kind == "number":
        return _CAPITAL * max(letters), _CAPITAL * min(letters)
    return _CAPITAL * median(letters), np.inf


def out_of_its_box(picture: Picture) -> Found:
    for mark, box, size in meetings(picture.writings, picture.boxes):
        who = f"{name_of(mark)} | {name_of(box)}"
        if (mark.low < box.low - TOUCH).any() or (mark.high > box.high + TOUCH).any():
            yield "across an edge", who, size
        elif box.order > mark.order and box.opacity > 0.5:
            yield "covered", who, ""


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
    assert kinds_in(beyond) == {"near the edge"}
    assert kinds_in(word(), word().shift(RIGHT * 0.6)) == {"text on text"}
    assert kinds_in(word(0.26)) == {"small"}
    assert kinds_in(word(0.26).set_opacity(0.5)) == set()
    assert kinds_in(word(0.19).set_opacity(0.5)) == {"small"}
    assert kinds_in(figures(2.83, 0.26)) == {"small"}
    assert kinds_in(figures(1e6, 0.272)) == {"small exponent"}
    assert kinds_in(inside, cell) == {"covered"}
    assert kinds_in(cell, inside.copy().shift(RIGHT * 0.4)) == {"across an edge"}
    assert kinds_in(cell, Cell(1.2, 0.6, THEME).shift(RIGHT)) == {"cell on cell"}
    assert kinds_in(cell, Line(3 * DOWN, 3 * UP)) == {"box on the plane"}
    broken = word()
    broken.points[3] = np.nan
    assert "not finite" in kinds_in(broken)
