"""How a value becomes characters: to the nearest, never nudged, never more than it is."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explainer.audit.glyphs import said
from scenes.numerals import COUNT, SHARE, NumberStyle, relation, style_for, sums_up

finite = st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300)


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (2.8284271247461903, 2, "2.83"),
        (-1.4678, 2, "−1.47"),
        (0.0, 2, "0.00"),
        (7.0, 0, "7"),
        (1.414213562373095, 3, "1.414"),
        (0.999, 2, "1.00"),
        (99999.99, 1, "100000.0"),
        # Neither 1.005 nor 2.675 is a float: the nearest ones lie just below.
        (1.005, 2, "1.00"),
        (2.675, 2, "2.67"),
    ],
)
def test_a_number_is_rounded_to_the_nearest_from_its_true_value(value: float, decimals: int, text: str) -> None:
    assert NumberStyle(decimals).text(value) == text


@pytest.mark.parametrize(("value", "text"), [(0.125, "0.12"), (0.375, "0.38"), (-0.125, "−0.12"), (2.5, "2.50")])
def test_a_true_tie_goes_to_the_even_digit(value: float, text: str) -> None:
    assert NumberStyle(2).text(value) == text


@pytest.mark.parametrize("value", [-0.0, -1e-9, -0.004, -0.0049999])
def test_what_rounds_to_nothing_has_no_minus(value: float) -> None:
    assert NumberStyle(2).text(value) == "0.00"
    assert SHARE.text(value / 100) == "0.0 %"


def test_the_first_value_that_does_not_round_to_nothing_has_its_minus() -> None:
    assert NumberStyle(2).text(-0.0051) == "−0.01"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.893999, "89.4 %"), (1 / 3, "33.3 %"), (1.0, "100.0 %"), (0.0005, "0.1 %"), (0.05285, "5.3 %"), (0.0, "0.0 %")],
)
def test_a_share_is_a_percentage_of_its_exact_value(value: float, text: str) -> None:
    assert SHARE.text(value) == text


def test_multiplying_by_a_hundred_rounds_no_share() -> None:
    # 0.285 * 100 in floats is 28.499999999999996; the float 0.285 itself lies just below 0.285.
    share = 0.285
    assert NumberStyle(0, percent=True).text(share) == f"{(Decimal(share) * 100).quantize(Decimal(1))} %"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e5, "1.0×10⁵"), (-123456.0, "−1.2×10⁵"), (9.96e5, "1.0×10⁶"), (7.7e23, "7.7×10²³"), (1e100, "1.0×10¹⁰⁰")],
)
def test_a_big_number_is_a_power_of_ten(value: float, text: str) -> None:
    assert NumberStyle(2).text(value) == text
    assert COUNT.text(value) == text


def test_infinities_have_their_sign_and_what_is_no_number_is_refused() -> None:
    assert (COUNT.text(np.inf), COUNT.text(-np.inf)) == ("∞", "−∞")
    with pytest.raises(ValueError, match="NaN"):
        COUNT.text(np.nan)


@given(value=finite, decimals=st.integers(0, 6))
def test_every_number_is_the_nearest_of_its_length(value: float, decimals: int) -> None:
    text = said(NumberStyle(decimals).text(value))
    assert abs(text.value - Decimal(value)) <= text.last_digit / 2
    assert text.decimals == decimals or text.is_power


@given(share=st.floats(0, 1), decimals=st.integers(0, 6))
def test_every_share_is_the_nearest_percentage_of_its_length(share: float, decimals: int) -> None:
    text = said(NumberStyle(decimals, percent=True).text(share))
    assert abs(text.value - Decimal(share)) <= text.last_digit / 2
    assert (text.decimals, text.is_percent) == (decimals, True)


@given(value=finite, decimals=st.integers(0, 6))
def test_a_number_and_its_opposite_differ_by_the_minus_only(value: float, decimals: int) -> None:
    style = NumberStyle(decimals)
    assert style.text(-abs(value)).removeprefix("−") == style.text(abs(value))


# Exactness and relations


@pytest.mark.parametrize(
    ("style", "value", "exact"),
    [
        (NumberStyle(2), 2.5, True),
        (NumberStyle(2), 0.1 + 0.2, True),  # floats cannot say 0.3 any better
        (NumberStyle(2), 2**0.5, False),
        (NumberStyle(1), 0.25, False),
        (COUNT, 4.0, True),
        (COUNT, 123456.0, False),
        (COUNT, 120000.0, True),
        (SHARE, 0.25, True),
        (SHARE, 1 / 3, False),
        (NumberStyle(2), 0.001, False),
        (COUNT, -np.inf, True),
    ],
)
def test_a_text_is_exact_when_it_says_all_of_its_value(style: NumberStyle, value: float, exact: bool) -> None:
    assert style.is_exact(value) is exact
    assert relation(style.is_exact(value)) == ("=" if exact else "≈")


@pytest.mark.parametrize(
    ("parts", "total", "adds_up"),
    [
        (["1.00", "16.92", "1.00"], "18.92", True),
        (["0.3", "0.3", "0.3"], "1.0", False),
        (["33.3 %", "33.3 %", "33.3 %"], "100 %", False),
        (["5.3 %", "89.4 %", "5.3 %"], "100.0 %", True),
        (["−1.50", "2.75"], "1.25", True),
        (["1.0×10⁵", "1"], "100001", True),
        (["0.1"] * 3, "0.3", True),
    ],
)
def test_figures_sum_up_when_their_digits_do(parts: list[str], total: str, adds_up: bool) -> None:
    assert sums_up(parts, total) is adds_up


# Styles of tables


@pytest.mark.parametrize(
    ("values", "decimals"),
    [
        ([[1, 2], [-3, 0]], 0),
        ([[1, 2.5]], 2),
        ([[1e6, -4.0]], 0),
        ([[-np.inf, 2.0]], 0),
        ([[-np.inf, 2.5]], 2),
        ([0.0], 0),
    ],
)
def test_a_table_of_whole_numbers_stays_plain_and_any_other_has_its_decimals(values: object, decimals: int) -> None:
    assert style_for(np.array(values), 2) == NumberStyle(decimals)


def test_a_number_one_off_in_its_thirteenth_digit_is_not_said_in_full() -> None:
    assert NumberStyle(2).is_exact(1e12)
    assert not NumberStyle(2).is_exact(1e12 + 1)
