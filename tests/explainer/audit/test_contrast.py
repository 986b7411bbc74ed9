"""Texts and marks are held against the pixels really behind and beside them."""

from __future__ import annotations

import numpy as np
import pytest

from explainer.audit.contrast import is_plain, marks_too_faint, roles_too_close, too_faint
from explainer.audit.moment import Pixels
from explainer.audit.picture import Box, Colour, Mark, Outline, Paint, Part, Snapshot, Text
from scenes.theme import PALETTES

FRAME = Box(np.array([-8.0, -4.5]), np.array([8.0, 4.5]))
DARK = vars(PALETTES["dark"])
BLACK, WHITE, GREY = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), (0x77 / 255,) * 3


def ground(colour: Colour, right: Colour | None = None) -> Pixels:
    """A picture in one colour, or in two: the second is at the right of the middle."""
    pixels = np.zeros((90, 160, 4), dtype=np.uint8)
    pixels[:, :, :3] = np.round(255 * np.array(colour))
    if right is not None:
        pixels[:, 80:, :3] = np.round(255 * np.array(right))
    return pixels


def row(left: float, right: float, y: float = 0.0) -> Outline:
    """Forty short curves side by side, as a text has them."""
    x = np.linspace(left, right, 41)
    points = np.linspace(np.column_stack([x[:-1], x[:-1]]), np.column_stack([x[1:], x[1:]]), 4, axis=1)[:, :, 0]
    return Outline(np.stack([points, np.full_like(points, y), np.zeros_like(points)], axis=2).reshape(-1, 3))


def text(colour: Colour, opacity: float = 1.0, left: float = -3.0, right: float = -1.0) -> Text:
    outline = row(left, right)
    return Text(1, "label", outline, (Part(outline, colour, opacity),), said="planted")


def faults(*texts: Text, behind: Pixels) -> list[str]:
    return [sighting.found for sighting in too_faint(Snapshot(texts), behind, FRAME)]


def test_the_limits_of_wcag_are_met_to_the_grey() -> None:
    # #767676 on white is the lightest grey that passes 4.5:1.
    passes, fails = ((level / 255,) * 3 for level in (0x76, 0x7B))
    assert faults(text(passes), behind=ground(WHITE)) == []
    assert faults(text(fails), behind=ground(WHITE)) != []


def test_what_has_stepped_back_is_seen_at_two_to_one() -> None:
    assert faults(text(WHITE, 0.46), behind=ground(BLACK)) == []
    assert faults(text(WHITE, 0.2), behind=ground(BLACK)) == ["1.7:1 at opacity 0.20"]


def test_a_text_is_held_against_what_is_behind_it_and_not_beside_it() -> None:
    two = ground(BLACK, WHITE)
    assert faults(text(WHITE), behind=two) == []
    assert faults(text(WHITE, left=1.0, right=3.0), behind=two) == ["1.0:1 at opacity 1.00"]


def test_a_text_half_on_its_own_colour_is_found_and_a_hair_behind_it_is_not() -> None:
    two = ground(BLACK, WHITE)
    assert faults(text(WHITE, left=-1.0, right=1.0), behind=two) != []
    assert faults(text(WHITE, left=-1.9, right=0.1), behind=two) == []


def test_each_part_of_a_formula_is_judged_by_itself() -> None:
    parts = tuple(Part(row(x, x + 1), colour, 1.0) for x, colour in ((-3.0, WHITE), (-1.5, GREY)))
    formula = Text(1, "formula", row(-3.0, -0.5), parts)
    found = list(too_faint(Snapshot((formula,)), ground(GREY), FRAME))
    assert [sighting.key for sighting in found] == [(1, 1)]


def mark(name: str, opacity: float = 1.0, *, is_ground: bool = False) -> Mark:
    colour = tuple(int(DARK[name][i : i + 2], 16) / 255 for i in (1, 3, 5))
    return Mark(1, "Line", row(-3.0, -1.0), Paint(BLACK, 0.0, colour, opacity, 0.03), is_ground)


@pytest.mark.parametrize(
    ("drawn", "count"),
    [
        (mark("key"), 0), (mark("axis"), 0), (mark("key", 0.46), 0), (mark("key", 0.2), 1), (mark("axis", 0.46), 0),
        (mark("grid"), 0), (mark("cell"), 0), (mark("key", 0.2, is_ground=True), 0),
    ],
)  # fmt: skip
def test_a_mark_that_means_something_stands_out_from_the_ground(drawn: Mark, count: int) -> None:
    behind = ground(tuple(int(DARK["ground"][i : i + 2], 16) / 255 for i in (1, 3, 5)))
    assert len(list(marks_too_faint(Snapshot((drawn,)), behind, FRAME, DARK))) == count


def test_a_mark_on_something_like_it_is_found() -> None:
    behind = ground(tuple(int(DARK["query"][i : i + 2], 16) / 255 for i in (1, 3, 5)))
    assert len(list(marks_too_faint(Snapshot((mark("key"),)), behind, FRAME, DARK))) == 1


@pytest.mark.parametrize(
    ("drawn", "plain"),
    [(mark("grid"), True), (mark("cell"), True), (mark("axis"), False), (mark("axis", is_ground=True), False)],
)
def test_a_mark_without_a_meaning_of_its_own_is_there_for_others_to_lie_on(drawn: Mark, plain: bool) -> None:
    assert is_plain(drawn, DARK) is plain


def test_roles_that_an_eye_takes_for_one_are_named() -> None:
    for palette in PALETTES.values():
        assert list(roles_too_close(vars(palette))) == []
    # Red and olive of one lightness are the same to who has no green cones, and only to them.
    close = {**DARK, "query": "#C83232", "key": "#8A7A00", "value": "#FFFFFF", "weight": "#000060"}
    assert [(one, other, eye) for one, other, eye, _ in roles_too_close(close)] == [("query", "key", "deuteranopia")]
