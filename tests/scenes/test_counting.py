"""Numbers that count: at every moment the outline says the value of that moment, in its place and size."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from manim import ManimColor

from explainer.audit.glyphs import alphabet, face_file, read, said
from scenes.mobjects.number import Number, all_exact
from scenes.numerals import COUNT, SHARE, NumberStyle

KNOWN = alphabet(face_file())
INK = ManimColor("#E8ECF4")
MOMENTS = np.linspace(0, 1, 21)


def number(value: float, style: NumberStyle, **given: object) -> Number:
    return Number(value, style, face=face_file(), em=0.5, colour=INK, **given).shift([1.5, -0.75, 0.0])


def text_of(shown: Number) -> str:
    return read(shown.points, KNOWN).text


@pytest.mark.parametrize(
    ("first", "last", "style"),
    [
        (0.0, 2.8284271247461903, NumberStyle(2)),
        (1.47, -1.47, NumberStyle(2)),
        (-0.02, 0.02, NumberStyle(1)),
        (0.0, 0.893999, SHARE),
        (7.0, -12.0, COUNT),
        (99_990.0, 100_050.0, NumberStyle(1)),
        (-2e6, 3e5, NumberStyle(2)),
        (0.5, 0.5, NumberStyle(3)),
    ],
)
def test_while_a_number_counts_its_outline_says_the_value_of_that_moment(
    first: float, last: float, style: NumberStyle
) -> None:
    shown = number(first, style)
    counting = shown.count_to(last)
    counting.begin()
    for share in MOMENTS:
        counting.interpolate(share)
        value = first + float(share) * (last - first)
        assert said(text_of(shown)).is_nearest_to(Decimal(value)), share
        assert text_of(shown) == shown.shown_text()
    counting.finish()
    assert shown.value == last
    assert said(text_of(shown)).is_nearest_to(Decimal(last))


@settings(max_examples=40, deadline=None)
@given(st.floats(-1e4, 1e4), st.floats(-1e4, 1e4), st.integers(0, 4), st.floats(0, 1))
def test_any_count_at_any_moment_says_the_value_of_that_moment(first: float, last: float, n: int, share: float) -> None:
    shown = number(first, NumberStyle(n))
    counting = shown.count_to(last)
    counting.begin()
    counting.interpolate(share)
    assert said(text_of(shown)).is_nearest_to(Decimal(first + share * (last - first)))
    assert said(text_of(shown)).decimals == n


def test_a_count_runs_evenly() -> None:
    shown = number(0.0, NumberStyle(2))
    counting = shown.count_to(1.0)
    counting.begin()
    values = []
    for share in (0.25, 0.5, 0.75):
        counting.interpolate(share)
        values.append(text_of(shown))
    assert values == ["0.25", "0.50", "0.75"]


def test_between_two_styles_the_finer_one_is_used_until_the_end() -> None:
    shown = number(4.0, COUNT)
    counting = shown.count_to(2.5, "attention.scaled[0, 0, 0]", NumberStyle(1))
    counting.begin()
    counting.interpolate(0.5)
    assert (text_of(shown), shown.source) == ("3.2", "")  # 3.25, a tie
    counting.finish()
    assert (text_of(shown), shown.source) == ("2.5", "attention.scaled[0, 0, 0]")

    back = shown.count_to(4.0, style=COUNT)
    back.begin()
    back.interpolate(0.5)
    assert text_of(shown) == "3.2"
    back.finish()
    assert text_of(shown) == "4"


@pytest.mark.parametrize(("align", "share"), [("left", 0.0), ("centre", 0.5), ("right", 1.0)])
def test_a_number_stays_on_its_baseline_and_at_its_edge_while_it_counts(align: str, share: float) -> None:
    shown = number(9.5, NumberStyle(2), align=align)
    before = shown.pen * (1 - share) + shown.pen_end * share
    shown.set_value(-1234.5)
    reading = read(shown.points, KNOWN)
    assert reading.text == "−1234.50"
    assert reading.em == pytest.approx(0.5, rel=0.01)
    assert reading.baseline == pytest.approx(-0.75, abs=0.005)
    assert np.allclose(shown.pen * (1 - share) + shown.pen_end * share, before, atol=1e-9)
    assert np.allclose(shown.anchor, before, atol=1e-9)


def test_figures_have_equal_width_so_that_a_count_does_not_tremble() -> None:
    assert len({round(number(value, NumberStyle(2)).advance, 9) for value in (1.11, 8.88, 0.0, 7.47)}) == 1


def test_a_number_that_was_moved_and_scaled_counts_where_it_is_now() -> None:
    shown = number(1.0, NumberStyle(1))
    shown.scale(0.6).shift([2.0, 1.0, 0.0])
    pen, em = shown.anchor.copy(), shown.em
    shown.set_value(8.5)
    reading = read(shown.points, KNOWN)
    assert reading.text == "8.5"
    assert reading.em == pytest.approx(0.3, rel=0.01)
    assert (shown.em, shown.anchor[1]) == pytest.approx((em, pen[1]))


def test_a_copy_counts_by_itself() -> None:
    shown = number(1.0, COUNT)
    copy = shown.copy()
    copy.set_value(7.0)
    assert (text_of(shown), text_of(copy)) == ("1", "7")


@pytest.mark.parametrize(("value", "text"), [(math.inf, "∞"), (-math.inf, "−∞")])
def test_infinities_are_drawn(value: float, text: str) -> None:
    assert text_of(number(value, NumberStyle(2))) == text


def test_a_value_that_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="NaN"):
        number(math.nan, COUNT)


def test_numbers_are_all_exact_when_each_says_all_of_its_value() -> None:
    assert all_exact([number(2.5, NumberStyle(1)), number(4.0, COUNT)])
    assert not all_exact([number(2.5, NumberStyle(1)), number(2.55, NumberStyle(1))])
