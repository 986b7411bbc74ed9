"""A key that turns and stretches: whatever it does, what is read off the screen is one and the same q · k."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from explainer.audit.glyphs import alphabet, face_file, read, said
from scenes.layout import layout_for
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.turning_pair import TurningPair
from scenes.numerals import NumberStyle
from scenes.theme import theme_for
from tests.scenes.moments import moments

Array = npt.NDArray[np.float64]

THEME = theme_for("dark", {})
LAYOUT = layout_for("16:9", THEME.space.margin, THEME.space.gap)
KNOWN = alphabet(face_file())
HALF_A_DIGIT = 0.005 + 1e-9


def pair(query: float = 2.0, key: float = 1.5, turn: float = 0.0) -> TurningPair:
    words = ("cat", "ate")
    made = TurningPair(
        LAYOUT.stage, THEME, query, key, words=words, style=NumberStyle(2), largest=query * key, turn=turn
    )
    made.chart.trace_at(turn)
    return made


def drawn(arrow: Arrow, start: Array) -> Array:
    """From the start to the farthest corner of the outline: the tip."""
    around = arrow.points[:, :2] - start[:2]
    farthest: Array = around[np.argmax(np.linalg.norm(around, axis=1))]
    return farthest


def score_of_arrows(shown: TurningPair, query: float) -> float:
    """q · k of the outlines, measured by the query's true length."""
    q, k = (drawn(arrow, shown.origin) for arrow in (shown.query, shown.key))
    return float(q @ k / (q @ q) * query**2)


def shown_score(shown: TurningPair) -> float:
    return float(said(read(shown.chip.number.points, KNOWN).text).value)


def assert_all_agree(shown: TurningPair, query: float, key: float, turn: float, stretch: float) -> None:
    true = query * key * stretch * np.cos(np.radians(turn))
    assert score_of_arrows(shown, query) == pytest.approx(true, abs=1e-9)
    assert shown_score(shown) == pytest.approx(true, abs=HALF_A_DIGIT)
    assert read(shown.angle.points, KNOWN).text == f"{turn:.0f}"
    assert shown.chart.dot() == pytest.approx([turn, true], abs=1e-9)
    x, y = shown.chart.traced().T
    assert y == pytest.approx(query * key * stretch * np.cos(np.radians(x)), abs=1e-9)


@hypothesis_settings(max_examples=25, deadline=None)
@given(st.integers(0, 180), st.floats(0.5, 1.5))
def test_arrows_score_angle_and_curve_agree_in_any_state(turn: int, stretch: float) -> None:
    assert_all_agree(pair().show(float(turn), stretch), 2.0, 1.5, float(turn), stretch)


def test_they_agree_at_every_moment_of_a_half_turn_and_of_a_stretch() -> None:
    shown = pair()
    for share in moments(shown.turn_to(180.0), np.arange(0, 37) / 36):
        assert_all_agree(shown, 2.0, 1.5, 180 * share, 1.0)
    for share in moments(shown.stretch_to(1.5), (0.0, 0.25, 0.5, 1.0)):
        assert_all_agree(shown, 2.0, 1.5, 180.0, 1.0 + share / 2)
    for share in moments(shown.return_to(60.0), (0.0, 0.25, 0.5, 1.0)):
        assert_all_agree(shown, 2.0, 1.5, 180 - 120 * share, 1.5 - share / 2)


def test_the_curve_is_traced_from_where_the_key_began_to_where_it_has_come() -> None:
    shown = pair(turn=30.0)
    for share in moments(shown.turn_to(180.0), (0.5,)):
        x = shown.chart.traced()[:, 0]
        assert (x[0], x[-1]) == pytest.approx((30.0, 30.0 + 150 * share))


def test_numbers_vouch_for_themselves_by_the_arrows_that_are_drawn() -> None:
    shown = pair().show(60.0, 1.0)
    for number, true in ((shown.chip.number, 1.5), (shown.angle, 60.0)):
        assert number.truth is not None
        assert number.truth() == pytest.approx(true)
    # Were the arrow alone to move, the score would be found out.
    shown.key.point_to(shown.query.tip)
    assert shown.chip.number.truth is not None
    assert shown.chip.number.truth() == pytest.approx(4.0)


@pytest.mark.parametrize(("query", "key"), [(1.0, 1.0), (100.0, 1.0), (1.0, 100.0), (1e-3, 1e-3), (1e6, 2e6)])
def test_all_of_it_stays_on_the_stage_whatever_the_lengths(query: float, key: float) -> None:
    shown, stage = pair(query, key), LAYOUT.stage
    for turn in range(0, 181, 15):
        shown.show(float(turn), 1.5 if turn == 0 else 1.0)
        low, high = shown.get_corner([-1, -1, 0]), shown.get_corner([1, 1, 0])
        assert stage.left - 0.01 <= low[0] <= high[0] <= stage.right + 0.01
        assert stage.bottom - 0.01 <= low[1] <= high[1] <= stage.top + 0.01


def test_the_query_never_moves() -> None:
    shown = pair()
    before = shown.query.points.copy()
    shown.show(77.0, 1.4)
    assert np.array_equal(shown.query.points, before)
