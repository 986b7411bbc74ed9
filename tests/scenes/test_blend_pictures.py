"""What a blend is drawn with: arrows that end where their sum is, numbers true on the way, a line that adds up."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from manim import Animation, ManimColor, tempconfig

from explainer.audit.glyphs import alphabet, face_file, read, said
from scenes.layout import Zone
from scenes.mobjects.arrow_plane import ArrowPlane
from scenes.mobjects.asker import Asker
from scenes.mobjects.blend_table import Blends, BlendTable
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import CellSize, NumberGrid, slots
from scenes.mobjects.text import Label
from scenes.mobjects.value_chain import ValueChain
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from scenes.workings.blend import Blend, blend
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
KNOWN = alphabet(face_file())
VALUE, INK = ManimColor(THEME.colours.value), ManimColor(THEME.colours.ink)
MOMENTS = np.linspace(0, 1, 11)

VALUES = np.array([[1.0, -1.0], [0.0, -2.0], [1.0, 1.0]])
WEIGHTS = np.array([[0.25, 0.5, 0.25], [0.5, 0.0, 0.5], [0.125, 0.75, 0.125]])
EVEN = np.full(3, 1 / 3)


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def text_of(number: Number) -> str:
    return read(number.points, KNOWN).text


def tells(number: Number, value: float) -> bool:
    return said(text_of(number)).is_nearest_to(Decimal(value))


def finish(animation: Animation) -> None:
    animation.begin()
    animation.interpolate(1.0)
    animation.finish()


# The chain


def chain_of(values: np.ndarray) -> ValueChain:
    plane = ArrowPlane(Zone(-3.0, 3.0, -3.0, 3.0), values, THEME)
    return ValueChain(plane, values, VALUE, INK)


@pytest.mark.parametrize("i", range(3))
def test_laid_tip_to_tail_the_last_tip_is_the_blend(i: int) -> None:
    chain = chain_of(VALUES).lay(WEIGHTS[i], 1.0)
    assert chain.tip() == pytest.approx(WEIGHTS[i] @ VALUES, abs=1e-12)
    assert chain.plane.vector(chain.result.tip) == pytest.approx(WEIGHTS[i] @ VALUES, abs=1e-12)


def test_each_arrow_begins_where_the_one_before_it_ends() -> None:
    chain = chain_of(VALUES).lay(WEIGHTS[0], 1.0)
    assert chain.arrows[0].start_point == pytest.approx(chain.plane.origin)
    for before, after in zip(chain.arrows, chain.arrows[1:], strict=False):
        assert after.start_point == pytest.approx(before.tip, abs=1e-12)


vectors = st.lists(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), min_size=1, max_size=8).map(np.array)


@hypothesis_settings(max_examples=40, deadline=None)
@given(vectors, st.integers(0, 2**32 - 1))
def test_any_values_in_any_shares_end_at_their_blend(values: np.ndarray, seed: int) -> None:
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(values)))
    chain = chain_of(values).lay(shares, 1.0)
    assert chain.tip() == pytest.approx(shares @ values, abs=1e-9)


def test_while_it_is_laid_every_arrow_keeps_its_length_and_direction() -> None:
    chain = chain_of(VALUES).lay(WEIGHTS[2], 0.0)
    laying = chain.move(laid=1.0)
    laying.begin()
    for moment in MOMENTS:
        laying.interpolate(moment)
        drawn = [(arrow.tip - arrow.start_point)[:2] / chain.plane.unit for arrow in chain.arrows]
        assert np.array(drawn) == pytest.approx(WEIGHTS[2][:, np.newaxis] * VALUES, abs=1e-12)


def test_while_shares_change_the_chain_and_its_blend_follow() -> None:
    chain = chain_of(VALUES).lay(EVEN, 1.0)
    moving = chain.move(shares=WEIGHTS[0], with_result=True)
    moving.begin()
    for moment in MOMENTS:
        moving.interpolate(moment)
        assert chain.shares.sum() == pytest.approx(1)
        assert chain.tip() == pytest.approx(chain.shares @ VALUES, abs=1e-12)
        assert chain.plane.vector(chain.result.tip) == pytest.approx(chain.tip(), abs=1e-12)
    assert chain.shares.tolist() == WEIGHTS[0].tolist()


def test_of_a_value_of_which_nothing_is_taken_nothing_is_seen() -> None:
    chain = chain_of(VALUES).lay(WEIGHTS[1], 1.0)
    assert [arrow.get_fill_opacity() for arrow in chain.arrows] == [1, 0, 1]


# The table


BLENDS = Blends(
    weights=WEIGHTS,
    values=VALUES,
    contributions=WEIGHTS[:, :, np.newaxis] * VALUES,
    outputs=WEIGHTS @ VALUES,
    weights_source="attention.weights[0, {i}, {j}]",
    values_source="values[0, {j}, {c}]",
    contributions_source="contributions[0, {i}, {j}, {c}]",
    outputs_source="attention.output[0, {i}, {c}]",
)


def table_of(blends: Blends = BLENDS, left: float = -4.0) -> BlendTable:
    values = blends.values
    grid = NumberGrid(
        values,
        COUNT,
        THEME,
        CellSize(0.9, 0.8, 0.1),
        source="values[0, {i}, {j}]",
        colour=VALUE,
        later=["−0.33"],
        columns=slots(values.shape[1]),
    )
    return BlendTable(blends, grid, left, THEME, COUNT, NumberStyle(2))


def shown(table: BlendTable) -> list[list[str]]:
    return [[text_of(number) for number in row] for row in table.grid.numbers]


def assert_true(table: BlendTable, budget: np.ndarray, taken: np.ndarray) -> None:
    assert all(tells(number, share) for number, share in zip(table.shares, budget, strict=True))
    for bar, strip, share, part in zip(table.bars, table.strips, budget, taken, strict=True):
        assert bar.fill.width == pytest.approx(share * bar.track.width, abs=1e-12)
        assert strip.width == pytest.approx(part * bar.track.width, abs=1e-12)
    for row, value, part in zip(table.grid.numbers, table.blends.values, taken, strict=True):
        assert all(tells(number, entry * part) for number, entry in zip(row, value, strict=True))
    assert all(tells(number, entry) for number, entry in zip(table.sums, taken @ table.blends.values, strict=True))


def test_a_strip_is_as_long_beside_its_track_as_an_arrow_is_beside_its_value() -> None:
    table, chain = table_of(), chain_of(VALUES)
    table.show(WEIGHTS[0], WEIGHTS[0])
    chain.lay(WEIGHTS[0], 0.0)
    for bar, strip, arrow, value in zip(table.bars, table.strips, chain.arrows, VALUES, strict=True):
        length = np.linalg.norm(arrow.tip - arrow.start_point) / chain.plane.unit
        assert strip.width / bar.track.width == pytest.approx(length / np.linalg.norm(value))


@pytest.mark.parametrize(
    ("budget", "taken"), [(WEIGHTS[0], WEIGHTS[0]), (WEIGHTS[1], np.ones(3)), (EVEN, EVEN), (EVEN, np.zeros(3))]
)
def test_on_the_way_to_any_budget_every_number_bar_and_strip_is_true(budget: np.ndarray, taken: np.ndarray) -> None:
    table = table_of().show(WEIGHTS[2], np.ones(3))
    moving = table.move(budget=budget, taken=taken)
    moving.rate_func = lambda alpha: alpha
    moving.begin()
    for moment in MOMENTS:
        moving.interpolate(moment)
        now = WEIGHTS[2] + moment * (budget - WEIGHTS[2]), 1 + moment * (taken - 1)
        assert_true(table, *now)
        every = (*table.shares, *table.numbers, *table.sums)
        assert all(tells(number, number.truth()) for number in every)
    moving.finish()
    assert_true(table, budget, taken)


def test_at_rest_numbers_come_from_where_they_were_computed() -> None:
    table = table_of().rest_on(1, scaled=True)
    assert table.shares[2].source == "attention.weights[0, 1, 2]"
    assert table.grid.numbers[0][1].source == "contributions[0, 1, 0, 1]"
    assert table.sums[1].source == "attention.output[0, 1, 1]"
    assert all(number.truth is None for number in (*table.shares, *table.numbers, *table.sums))
    assert [text_of(number) for number in table.sums] == ["1.00", "0.00"]
    table.rest_on(1, scaled=False)
    assert table.grid.numbers[0][1].source == "values[0, 0, 1]"


def test_whole_values_are_written_plainly_and_scaled_ones_with_digits() -> None:
    table = table_of().rest_on(0, scaled=False)
    assert shown(table) == [["1", "−1"], ["0", "−2"], ["1", "1"]]
    assert shown(table.rest_on(0, scaled=True)) == [["0.25", "−0.25"], ["0.00", "−1.00"], ["0.25", "0.25"]]


def test_of_wide_values_the_first_and_the_last_entry_are_summed() -> None:
    values = np.arange(15, dtype=np.float64).reshape(3, 5)
    wide = Blends(
        **{**vars(BLENDS), "values": values, "contributions": WEIGHTS[:, :, None] * values, "outputs": WEIGHTS @ values}
    )
    table = table_of(wide).rest_on(0, scaled=True)
    assert [text_of(number) for number in table.sums] == ["5.00", "9.00"]
    assert [number.source for number in table.sums] == ["attention.output[0, 0, 0]", "attention.output[0, 0, 4]"]


def test_where_bars_have_no_room_percentages_stand_alone() -> None:
    table = table_of(left=-2.0)
    assert table.bars == table.strips == ()
    assert [text_of(number) for number in table.rest_on(0, scaled=True).shares] == ["25.0 %", "50.0 %", "25.0 %"]


# The line


def line_of(weights: list[float], output: list[float], style: NumberStyle, width: float = 13.0) -> tuple[str, ...]:
    words = [f"word{j}" for j in range(len(weights))]
    what = Blend(words, 0, np.array(weights), np.array(output), style, "w[{j}]", "z[{c}]")
    line = blend(THEME, what, width)
    return tuple(p.shown_text() if isinstance(p, (Number, Label)) else "·" for p in line.working.row().pieces)


def test_a_blend_is_written_as_shares_times_values_and_what_they_make() -> None:
    assert line_of([0.25, 0.5, 0.25], [0.5, -1.0], NumberStyle(2)) == (
        "·", "=", "25.0 %", "·", "+", "50.0 %", "·", "+", "25.0 %", "·", "=", "[", "0.50", ",", "−1.00", "]",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("weights", "output", "signs"),
    [
        ([0.25, 0.75], [0.5], "=="),
        ([1 / 3, 2 / 3], [0.5], "≈≈"),  # shares that are rounded do not give the entries as they are shown
        ([0.25, 0.75], [1 / 3], "=≈"),
        ([1.0, 1e-30], [0.5], "≈≈"),  # a share too small to be seen is still one
        ([1.0, 0.0], [0.5], "=="),
    ],
)
def test_equal_is_said_only_of_digits_that_are_equal(weights: list[float], output: list[float], signs: str) -> None:
    line = line_of(weights, output, NumberStyle(2))
    assert "".join(piece for piece in line if piece in "=≈") == signs


def test_where_all_terms_have_no_room_the_first_and_the_last_stand_for_them() -> None:
    line = line_of([0.125] * 8, [0.0, 1.0], NumberStyle(1))
    assert line[2:8] == ("12.5 %", "·", "+", "…", "+", "12.5 %")


def test_of_a_wide_output_the_first_and_the_last_entry_are_written() -> None:
    assert line_of([1.0], [1.0, 2.0, 3.0, 4.0], COUNT)[-7:] == ("[", "1", ",", "…", ",", "4", "]")


def test_the_numbers_of_a_line_know_where_they_come_from() -> None:
    what = Blend(["a", "b", "c"], 1, WEIGHTS[0], np.array([1.0, 2.0]), COUNT, "w[1, {j}]", "z[1, {c}]")
    line = blend(THEME, what, 13.0)
    assert line.terms == (0, 1, 2)
    assert [number.source for number in line.shares] == ["w[1, 0]", "w[1, 1]", "w[1, 2]"]
    assert [number.source for number in line.results] == ["z[1, 0]", "z[1, 1]"]


# Who spends


def test_a_word_too_long_beside_its_verb_is_cut_and_the_verb_is_not() -> None:
    left = np.array([-3.0, 1.0, 0.0])
    asker = Asker("electroencephalogram", 3, "spends", left, 2.0, THEME)
    assert asker.get_left()[0] == pytest.approx(-3.0)
    assert asker.get_right()[0] <= -1.0 + 1e-6
    assert asker.verb.pen[1] == pytest.approx(asker.token.label.pen[1])
