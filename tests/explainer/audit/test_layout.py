"""Sizes, margins and overlaps, judged on outlines that are made by hand or by the font."""

from __future__ import annotations

import numpy as np
import pytest

from explainer.audit.glyphs import face_file
from explainer.audit.ink import Ink
from explainer.audit.layout import LEAST, READ, Overlaps, beyond_margin, capital_heights, too_small
from explainer.audit.picture import Array, Box, Mark, NumberFacts, Outline, Paint, Part, Snapshot, Text
from scenes.mobjects.glyphs import figures

FRAME = Box(np.array([-64 / 9, -4.0]), np.array([64 / 9, 4.0]))
WHITE = (1.0, 1.0, 1.0)
FILLED, LINE = Paint(WHITE, 1.0, WHITE, 0.0, 0.0), Paint(WHITE, 0.0, WHITE, 1.0, 0.02)
CAPITAL = 0.66  # Source Sans Pro's capitals, in ems


def polygon(*corners: tuple[float, float]) -> Outline:
    points = np.array([(x, y, 0.0) for x, y in corners])
    edges = zip(points, np.roll(points, -1, axis=0), strict=True)
    return Outline(np.concatenate([np.linspace(a, b, 4) for a, b in edges]))


def line(*ends: tuple[float, float]) -> Outline:
    (a, b) = (np.array([x, y, 0.0]) for x, y in ends)
    return Outline(np.linspace(a, b, 4))


def box(left: float, bottom: float, right: float, top: float) -> Outline:
    return polygon((left, bottom), (right, bottom), (right, top), (left, top))


def text(shown: str, x: float = 0.0, y: float = 0.0, em: float = 0.5, opacity: float = 1.0, owner: int = 1) -> Text:
    """Figures of the film's face, their pen beginning at a point."""
    outline = Outline(figures(face_file(), shown).points * em + [x, y, 0.0])
    facts = NumberFacts(f"planted[{owner}]", 0.0, 0, False, False)
    return Text(owner, "number", outline, (Part(outline, WHITE, opacity),), number=facts)


def mark(outline: Outline, paint: Paint = FILLED, *, is_ground: bool = False) -> Mark:
    return Mark(99, "Mark", outline, paint, is_ground)


def overlaps(*drawn: Text | Mark) -> list[str]:
    return [sighting.found for sighting in Overlaps().sightings(Snapshot(drawn))]


# Sizes


@pytest.mark.parametrize("em", [0.2, 0.287, 0.5, 1.3])
def test_capitals_are_measured_from_the_shapes_of_the_letters(em: float) -> None:
    whole, smallest = capital_heights(text("40.7 %", em=em))
    assert whole == pytest.approx(CAPITAL * em, rel=0.02)
    assert smallest == pytest.approx(CAPITAL * em, rel=0.02)


def test_raised_figures_are_measured_by_themselves() -> None:
    whole, smallest = capital_heights(text("1.1×10⁶", em=0.5))
    assert whole == pytest.approx(CAPITAL * 0.5, rel=0.02)
    assert smallest == pytest.approx(0.72 * CAPITAL * 0.5, rel=0.03)


@pytest.mark.parametrize(
    ("height", "opacity", "small"),
    [(1.03 * READ, 1.0, False), (0.97 * READ, 1.0, True), (0.97 * READ, 0.5, False), (0.97 * LEAST, 0.5, True)],
)
def test_what_must_be_read_is_larger_than_what_has_stepped_back(height: float, opacity: float, small: bool) -> None:
    found = list(too_small(Snapshot((text("40", em=height / CAPITAL, opacity=opacity),))))
    assert bool(found) is small


# The frame


@pytest.mark.parametrize(
    ("x", "faults"), [(64 / 9 - 0.85, 0), (64 / 9 - 0.4, 1), (64 / 9 - 0.2, 1), (-64 / 9 + 0.2, 1)]
)
def test_a_text_keeps_away_from_the_edge(x: float, faults: int) -> None:
    assert len(list(beyond_margin(Snapshot((text("00", x),)), FRAME))) == faults


def test_the_stroke_of_a_mark_counts_as_part_of_it() -> None:
    near = line((0.0, 3.695), (1.0, 3.695))
    assert list(beyond_margin(Snapshot((mark(near, Paint(WHITE, 0, WHITE, 1, 0.005)),)), FRAME)) == []
    assert len(list(beyond_margin(Snapshot((mark(near, LINE),)), FRAME))) == 1
    assert list(beyond_margin(Snapshot((mark(near, LINE, is_ground=True),)), FRAME)) == []


def test_what_is_at_no_place_is_told() -> None:
    broken = mark(Outline(np.full((4, 3), np.nan)))
    (found,) = beyond_margin(Snapshot((), (broken,)), FRAME)
    assert found.found == "at no place"


# Overlaps


def test_texts_that_share_a_box_of_glyphs_overlap() -> None:
    assert overlaps(text("123"), text("456", x=0.3, owner=2)) != []
    assert overlaps(text("123"), text("456", x=0.9, owner=2)) == []


def test_texts_whose_boxes_meet_but_not_their_glyphs_lie_apart() -> None:
    # The second stands in the space of the first.
    assert overlaps(text("1" + " " * 8 + "2"), text("4", x=0.6, owner=2)) == []


def test_a_text_that_has_nearly_faded_covers_nothing() -> None:
    assert overlaps(text("123"), text("456", x=0.3, owner=2, opacity=0.2)) == []


def test_a_line_through_a_text_overlaps_it_and_one_above_it_does_not() -> None:
    assert overlaps(mark(line((-1, 0.15), (2, 0.15)), LINE), text("88")) != []
    assert overlaps(mark(line((-1, 0.45), (2, 0.45)), LINE), text("88")) == []


def test_a_slanted_line_at_the_corner_of_a_box_does_not_touch_the_ink() -> None:
    # The upper right corner of a 7 is inked, the lower right one is not.
    seven = text("7")
    low, high = seven.box.low, seven.box.high
    reach = 0.06
    lower = line((high[0] - reach, low[1] - 0.01), (high[0] + 0.01, low[1] + reach))
    upper = line((high[0] - reach, high[1] + 0.01), (high[0] + 0.01, high[1] - reach))
    assert overlaps(mark(lower, LINE), seven) == []
    assert overlaps(mark(upper, LINE), seven) != []


def test_a_text_stands_on_a_shape_or_beside_it_but_not_across_its_edge() -> None:
    number = text("88")
    assert overlaps(mark(box(-1, -1, 2, 1)), number) == []
    assert overlaps(mark(box(1, -1, 2, 1)), number) == []
    assert overlaps(mark(box(-1, -1, 0.25, 1)), number) != []
    assert overlaps(mark(box(-1, -1, 0.25, 1), is_ground=True), number) == []


def test_a_shape_that_need_not_be_a_rectangle_is_looked_at_closely() -> None:
    number = text("88")
    assert overlaps(mark(polygon((-2, -1), (3, -1), (0.3, 4))), number) == []
    assert overlaps(mark(polygon((-2, 0.1), (3, 0.1), (0.3, 4))), number) != []


def test_a_shape_over_a_text_covers_it_even_if_it_is_a_ground() -> None:
    cover = mark(box(-1, -1, 2, 1), is_ground=True)
    assert overlaps(text("88"), cover) == ["100% of it under the Mark"]


def test_a_plate_hides_what_is_under_it() -> None:
    through, plate = mark(line((-1, 0.15), (2, 0.15)), LINE), mark(box(-0.5, -0.5, 1.0, 1.0))
    assert overlaps(through, plate, text("88")) == []
    assert overlaps(plate, through, text("88")) != []


def test_a_copy_may_lie_on_its_original_while_it_leaves_or_where_nobody_sees_it() -> None:
    watch = Overlaps()
    number, moved = text("88"), text("88", x=0.1)
    assert list(watch.sightings(Snapshot((number, text("88"))), is_moving=True)) == []
    assert list(watch.sightings(Snapshot((number, moved)), is_moving=True)) == []
    # Other things move; this one has not left: it stands there.
    assert len(list(watch.sightings(Snapshot((number, moved)), is_moving=True))) == 1
    assert overlaps(number, moved) != []
    assert overlaps(number, text("88")) == []


# Ink


def test_ink_is_shared_by_as_much_as_lies_inside() -> None:
    ink = Ink(box(0, 0, 1, 1))
    half: Array = np.array([ink.meeting(box(-1, -1, x, 2), FILLED).on_fill for x in (0.0, 0.25, 0.5, 1.0)])
    assert half == pytest.approx([0.0, 0.25, 0.5, 1.0], abs=0.02)


def test_a_stroke_is_as_wide_as_it_is_painted() -> None:
    ink = Ink(box(0, 0, 1, 1))
    across = line((-1, 0.5), (2, 0.5))
    assert ink.meeting(across, Paint(WHITE, 0, WHITE, 1, 0.2)).on_stroke == pytest.approx(0.2, abs=0.01)
    assert ink.meeting(across, Paint(WHITE, 0, WHITE, 0, 0.2)).on_stroke == 0
    place = ink.meeting(across, Paint(WHITE, 0, WHITE, 1, 0.2)).place
    assert place.low == pytest.approx([0, 0.4], abs=0.03)
    assert place.high == pytest.approx([1, 0.6], abs=0.03)
