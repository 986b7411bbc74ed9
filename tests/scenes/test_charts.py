"""Charts: what is drawn is what the numbers say, at rest and at every moment of a motion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from manim import DOWN, RIGHT, UP, ManimColor, Mobject, Square, tempconfig
from scipy.special import ndtri

from explainer.audit.glyphs import alphabet, face_file, read
from math_core import softmax
from scenes.layout import Zone
from scenes.mobjects.curve_chart import CurveChart
from scenes.mobjects.dots import Dots
from scenes.mobjects.hatch import Hatch, Padlock
from scenes.mobjects.histogram import Histogram
from scenes.mobjects.number import Number
from scenes.mobjects.overlaps import is_ground
from scenes.mobjects.ridge import Ridge
from scenes.mobjects.softmax_chart import SoftmaxChart
from scenes.mobjects.text import Label, Row
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import theme_for
from tests.scenes.moments import moments, play
from tests.scenes.stage import settings

Array = npt.NDArray[np.float64]

THEME = theme_for("dark", {})
INK = ManimColor(THEME.colours.ink)
ZONE = Zone(-4.0, 4.0, -2.5, 2.5)
KNOWN = alphabet(face_file())
THREE = np.array([0.0, np.log(2.0), np.log(5.0)])
"""Scores whose shares are an eighth, a quarter and five eighths."""


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def box(mobject: Mobject) -> tuple[float, float, float, float]:
    return mobject.get_left()[0], mobject.get_right()[0], mobject.get_bottom()[1], mobject.get_top()[1]


def apart(mobjects: Iterable[Mobject], by: float = 0.04) -> bool:
    """Whether no two of the mobjects, which stand in a line from left to right, come nearer than that."""
    return all(b.get_left()[0] - a.get_right()[0] > by for a, b in pairwise(mobjects))


def reads(number: Number) -> str:
    return read(number.points, KNOWN).text


def is_true(number: Number) -> bool:
    """Whether a number shows what its truth says."""
    return number.truth is not None and number.value == pytest.approx(number.truth(), rel=1e-12, abs=1e-12)


# Softmax


@pytest.fixture
def chart() -> SoftmaxChart:
    return SoftmaxChart(THREE, softmax, ZONE, THEME, words=("cat", "ate", "fish"), score_style=NumberStyle(2))


def test_bars_are_as_high_as_their_shares_of_the_track(chart: SoftmaxChart) -> None:
    assert chart.values() == pytest.approx([1 / 8, 1 / 4, 5 / 8])
    for track, fill in zip(chart.tracks, chart.fills, strict=True):
        assert fill.get_bottom() == pytest.approx(track.get_bottom())
        assert fill.width == pytest.approx(track.width)
    assert [reads(number) for number in chart.shares] == chart.shown_text() == ["12.5 %", "25.0 %", "62.5 %"]
    assert [reads(number) for number in chart.scores_shown] == ["0.00", "0.69", "1.61"]


def test_a_hidden_bar_has_no_height_at_all_and_is_hatched() -> None:
    chart = SoftmaxChart([0.0, -np.inf, 0.0], softmax, ZONE, THEME, score_style=NumberStyle(1))
    assert chart.values().tolist() == [0.5, 0.0, 0.5]
    assert chart.shown_text() == ["50.0 %", "0.0 %", "50.0 %"]
    assert chart.scores_shown[1].shown_text() == "−∞"
    assert [len(hatch.points) > 0 for hatch in chart.hatches] == [False, True, False]
    assert box(chart.hatches[1]) == pytest.approx(box(chart.tracks[1]), abs=0.2)


def test_a_row_that_sees_nothing_is_empty() -> None:
    chart = SoftmaxChart([-np.inf, -np.inf], softmax, ZONE, THEME)
    assert chart.values().tolist() == [0.0, 0.0]
    assert chart.shown_text() == ["0.0 %", "0.0 %"]


def test_when_scores_move_every_bar_is_their_softmax_in_every_frame(chart: SoftmaxChart) -> None:
    last = np.array([1.5, -2.0, 0.25])
    for share in moments(chart.turn_to(last)):
        scores = (1 - share) * THREE + share * last
        expected = np.exp(scores) / np.exp(scores).sum()
        assert chart.scores == pytest.approx(scores)
        assert chart.values() == pytest.approx(expected)
        assert [number.value for number in chart.shares] == pytest.approx(expected)
        assert [number.value for number in chart.scores_shown] == pytest.approx(scores)
        assert all(map(is_true, (*chart.shares, *chart.scores_shown)))
        assert [reads(number) for number in chart.shares] == chart.shown_text()
    assert chart.scores.tolist() == last.tolist()


def test_scores_end_exactly_where_they_were_sent() -> None:
    first, last = np.random.default_rng(0).normal(size=(2, 40))
    chart = SoftmaxChart(first, softmax, ZONE, THEME)
    play(chart.turn_to(last))
    assert chart.scores.tolist() == last.tolist()


def test_a_score_that_gets_hidden_falls_and_takes_its_bar_to_nothing_without_a_jump(chart: SoftmaxChart) -> None:
    heights = []
    for share in moments(chart.turn_to([0.0, np.log(2.0), -np.inf])):
        # exp of what is left of the way cubed: 5 (1 - share)^3 against 1 and 2.
        left = 5 * (1 - share) ** 3
        assert chart.values() == pytest.approx([1 / (3 + left), 2 / (3 + left), left / (3 + left)])
        heights.append(chart.hatches[2].height)
    assert chart.values().tolist() == pytest.approx([1 / 3, 2 / 3, 0.0])
    assert chart.values()[2] == 0.0
    assert heights == sorted(heights)
    assert chart.shown_text()[2] == "0.0 %"
    for share in moments(chart.turn_to(THREE), (0.5,)):
        assert chart.values()[2] == pytest.approx(5 / 8 / (3 + 5 / 8) if share == 0.5 else 5 / 8)
    assert chart.values() == pytest.approx([1 / 8, 1 / 4, 5 / 8])
    assert not len(chart.hatches[2].points)


def test_what_is_hidden_before_and_after_stays_hidden() -> None:
    chart = SoftmaxChart([1.0, -np.inf, 0.0], softmax, ZONE, THEME)
    for _ in moments(chart.turn_to([0.0, -np.inf, 3.0])):
        assert chart.values()[1] == 0.0
        assert len(chart.hatches[1].points)


def test_bars_grow_to_their_shares(chart: SoftmaxChart) -> None:
    for share in moments(chart.grow()):
        assert chart.values() == pytest.approx(share * np.array([1 / 8, 1 / 4, 5 / 8]))
        assert all(map(is_true, chart.shares))
    assert chart.values() == pytest.approx([1 / 8, 1 / 4, 5 / 8])


def test_bars_follow_scores_that_something_else_moves(chart: SoftmaxChart) -> None:
    moving = np.zeros(3)
    chart.follow(lambda: moving)
    assert chart.values() == pytest.approx([1 / 3] * 3)
    moving[:] = THREE
    chart.update()
    assert chart.values() == pytest.approx([1 / 8, 1 / 4, 5 / 8])
    assert all(map(is_true, (*chart.shares, *chart.scores_shown)))
    chart.rest("weights[0, {j}]", "scores[0, {j}]")
    moving[:] = 0.0
    chart.update()
    assert chart.values() == pytest.approx([1 / 8, 1 / 4, 5 / 8])
    assert [number.source for number in chart.shares] == [f"weights[0, {j}]" for j in range(3)]
    assert chart.scores_shown[2].source == "scores[0, 2]"
    assert all(number.truth is None for number in (*chart.shares, *chart.scores_shown))


def test_numbers_come_from_where_they_are_said_to_and_else_stay_true() -> None:
    named = SoftmaxChart(THREE, softmax, ZONE, THEME, source="weights[{j}]")
    assert [(number.source, number.truth) for number in named.shares] == [(f"weights[{j}]", None) for j in range(3)]
    play(named.turn_to([0.0, 0.0, 0.0]))
    assert all(number.source == "" and is_true(number) for number in named.shares)
    play(named.turn_to(THREE, source="others[{j}]"))
    assert [(number.source, number.truth) for number in named.shares] == [(f"others[{j}]", None) for j in range(3)]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 16])
@pytest.mark.parametrize("width", [2.4, 4.0, 8.0])
def test_a_chart_stays_in_its_zone_and_its_texts_apart(n: int, width: float) -> None:
    zone = Zone(0.0, width, 0.0, 4.0)
    words = [f"word{j}" for j in range(n)]
    scores = np.linspace(-2.0, 2.0, n)
    chart = SoftmaxChart(scores, softmax, zone, THEME, words=words, average=True)
    left, right, bottom, top = box(chart)
    assert zone.left - 0.2 <= left < right <= zone.right + 0.2
    assert zone.bottom - 0.05 <= bottom < top <= zone.top + 0.05
    assert apart(chart.shares)
    assert apart(chart.names, by=0.0)
    assert all(number.em >= THEME.type.readable - 1e-9 for number in chart.shares)
    assert all(number.get_bottom()[1] > chart.tracks[0].get_top()[1] for number in chart.shares)


def test_where_percentages_have_no_room_the_largest_is_written_over_its_bar() -> None:
    scores = np.zeros(16)
    scores[11] = np.log(15.0)
    chart = SoftmaxChart(scores, softmax, ZONE, THEME, source="weights[{j}]")
    (number,) = chart.shares
    assert reads(number) == "50.0 %"
    assert number.source == "weights[11]"
    assert (number.pen[0] + number.pen_end[0]) / 2 == pytest.approx(chart.tracks[11].get_x())
    last = np.zeros(16)
    last[2] = np.log(45.0)
    for _ in moments(chart.turn_to(last)):
        assert is_true(number)
        assert number.value == pytest.approx(chart.values().max())
    assert (number.pen[0] + number.pen_end[0]) / 2 == pytest.approx(chart.tracks[2].get_x())
    assert reads(number) == "75.0 %"


def test_a_largest_share_that_grows_stays_over_its_bar() -> None:
    scores = np.zeros(16)
    scores[11] = np.log(15.0)
    chart = SoftmaxChart(scores, softmax, ZONE, THEME)
    (number,) = chart.shares
    for share in moments(chart.grow()):
        assert number.value == pytest.approx(share / 2)
        assert (number.pen[0] + number.pen_end[0]) / 2 == pytest.approx(chart.tracks[11].get_x())


def test_scores_are_written_only_where_all_have_room() -> None:
    narrow, wide = (
        SoftmaxChart(np.linspace(-20.0, 20.0, n), softmax, ZONE, THEME, score_style=NumberStyle(2)) for n in (16, 8)
    )
    assert narrow.scores_shown == ()
    assert [reads(number) for number in wide.scores_shown][::7] == ["−20.00", "20.00"]
    assert apart(wide.scores_shown)
    assert narrow.tracks[0].height > wide.tracks[0].height


def test_the_line_of_the_average_lies_at_an_equal_share() -> None:
    chart = SoftmaxChart(np.zeros(4), softmax, ZONE, THEME, average=True)
    line, label = chart.average
    assert all(line.get_y() == pytest.approx(fill.get_top()[1]) for fill in chart.fills)
    assert label.shown_text() == "1/4"


def test_a_chart_that_was_moved_and_scaled_still_reads_right(chart: SoftmaxChart) -> None:
    chart.scale(0.6).shift(2 * RIGHT + UP)
    for share in moments(chart.turn_to([0.0, 0.0, 0.0]), (0.5,)):
        assert chart.values() == pytest.approx(softmax((1 - share) * THREE))
    assert chart.values() == pytest.approx([1 / 3] * 3)


# Curves


def score(degrees: Array) -> Array:
    return 2 * np.cos(np.radians(degrees))


@pytest.fixture
def curve() -> CurveChart:
    names = [Label(text, em=0.4, colour=INK) for text in ("angle in degrees", "score")]
    return CurveChart(
        ZONE, THEME, score, x_range=(0, 180), x_ticks=(0, 45, 90, 135, 180), x_name=names[0], y_name=names[1]
    )


def test_nothing_is_traced_before_the_point_comes(curve: CurveChart) -> None:
    assert curve.dot() is None
    assert curve.traced().shape == (0, 2)
    assert curve.point.get_fill_opacity() == 0.0


def test_the_point_is_on_the_curve_and_at_its_end_in_every_frame(curve: CurveChart) -> None:
    for share in moments(curve.trace_to(180.0)):
        x, y = curve.dot()
        assert x == pytest.approx(180 * share)
        assert y == pytest.approx(2 * np.cos(np.pi * share), abs=1e-9)
        traced = curve.traced()
        assert traced[:, 1] == pytest.approx(score(traced[:, 0]), abs=1e-9)
        assert (traced[0, 0], traced[-1, 0]) == pytest.approx((0.0, 180 * share), abs=1e-9)
        assert np.diff(traced[:, 0]).max(initial=0.0) <= 0.5 + 1e-9


def test_a_point_that_turns_back_leaves_what_it_has_traced(curve: CurveChart) -> None:
    curve.trace_at(60.0)
    play(curve.trace_to(120.0))
    play(curve.trace_to(90.0))
    assert curve.dot() == pytest.approx([90.0, 0.0], abs=1e-9)
    assert (curve.traced()[0, 0], curve.traced()[-1, 0]) == pytest.approx((60.0, 120.0))
    curve.wipe()
    assert curve.dot() is None
    assert curve.traced().shape == (0, 2)


def test_the_point_follows_what_something_else_moves(curve: CurveChart) -> None:
    place = [30.0]
    curve.follow(lambda: place[0])
    for place[0] in (40.0, 55.5, 100.0):
        curve.update()
        assert curve.dot() == pytest.approx([place[0], score(np.array(place))[0]])
    assert (curve.traced()[0, 0], curve.traced()[-1, 0]) == pytest.approx((30.0, 100.0))
    curve.rest()
    place[0] = 0.0
    curve.update()
    assert curve.dot()[0] == pytest.approx(100.0)


def test_a_function_that_stretches_is_drawn_as_it_is_now() -> None:
    length = [1.0]
    names = [Label(text, em=0.4, colour=INK) for text in ("x", "y")]
    chart = CurveChart(
        ZONE,
        THEME,
        lambda x: length[0] * x,
        x_range=(0, 1),
        y_range=(0, 2),
        x_ticks=(0, 1),
        x_name=names[0],
        y_name=names[1],
    )
    chart.trace_at(0.0).trace_at(1.0)
    assert chart.traced()[-1] == pytest.approx([1.0, 1.0])
    length[0] = 2.0
    assert chart.trace_at(1.0).traced()[-1] == pytest.approx([1.0, 2.0])


def test_ticks_stand_at_what_they_say_and_apart_wherever_the_chart_goes(curve: CurveChart) -> None:
    curve.scale(0.8).shift(RIGHT + DOWN)
    assert all(map(is_true, curve.ticks))
    across, down = curve.ticks[:5], curve.ticks[5:]
    assert [reads(tick) for tick in across] == ["0", "45", "90", "135", "180"]
    assert [reads(tick) for tick in down] == ["−2", "−1", "0", "1", "2"]
    assert apart(across)
    assert all(b.get_bottom()[1] - a.get_top()[1] > 0.1 for a, b in pairwise(down))
    for tick, line in zip(curve.ticks, curve.grid, strict=True):
        middle = (tick.pen + tick.pen_end)[0] / 2, tick.pen[1] + 0.33 * tick.em
        axis = 0 if tick in across else 1
        assert middle[axis] == pytest.approx(line.get_start()[axis])


@pytest.mark.parametrize("reach", [1e-3, 1.0, 7.5, 3e6])
def test_a_chart_stays_in_its_zone_whatever_the_function_reaches(reach: float) -> None:
    names = [Label(text, em=0.4, colour=INK) for text in ("angle in degrees", "score")]
    chart = CurveChart(
        ZONE,
        THEME,
        lambda x: reach * score(x),
        x_range=(0, 180),
        x_ticks=(0, 90, 180),
        x_name=names[0],
        y_name=names[1],
    )
    chart.trace_at(0.0).trace_at(180.0)
    left, right, bottom, top = box(chart)
    assert ZONE.left - 1e-6 <= left < right <= ZONE.right + 1e-6
    assert ZONE.bottom - 1e-6 <= bottom < top <= ZONE.top + 1e-6
    assert chart.traced()[-1] == pytest.approx([180.0, -2 * reach])
    assert len(chart.ticks) >= 5


def test_a_function_that_is_zero_everywhere_has_an_axis() -> None:
    names = [Label(text, em=0.4, colour=INK) for text in ("x", "y")]
    chart = CurveChart(ZONE, THEME, np.zeros_like, x_range=(0, 1), x_ticks=(0, 1), x_name=names[0], y_name=names[1])
    chart.trace_at(0.0).trace_at(1.0)
    assert chart.traced()[:, 1] == pytest.approx(np.zeros(len(chart.traced())), abs=1e-12)
    assert chart.y_range == (-1.0, 1.0)


# Histograms


def test_bars_are_as_high_as_the_density_in_their_bins() -> None:
    histogram = Histogram([-1.5, -0.5, 0.5, 0.6], 1.0, ZONE, THEME, span=2.0, bins=4)
    assert histogram.edges().tolist() == [-2.0, -1.0, 0.0, 1.0, 2.0]
    assert histogram.densities() == pytest.approx([0.25, 0.25, 0.5, 0.0])
    histogram.scale(0.5).shift(RIGHT)
    assert histogram.densities() == pytest.approx([0.25, 0.25, 0.5, 0.0])


def test_samples_beyond_the_axis_count_but_are_not_seen() -> None:
    histogram = Histogram([-9.0, -0.5, 0.5, 7.0], 1.0, ZONE, THEME, span=2.0, bins=4)
    assert histogram.densities() == pytest.approx([0.0, 0.25, 0.25, 0.0])


def test_the_curve_is_the_normal_density_of_the_predicted_deviation() -> None:
    histogram = Histogram([-1.0, 1.0], 3.0, ZONE, THEME, span=12.0)
    x, density = histogram.curve_drawn().T
    assert density == pytest.approx(np.exp(-(x**2) / 18) / (3 * np.sqrt(2 * np.pi)))
    assert x.min() < -10 < 10 < x.max()
    assert density.max() == pytest.approx(1 / (3 * np.sqrt(2 * np.pi)))


def test_the_band_and_its_marks_show_the_measured_and_the_predicted_deviation() -> None:
    # Deviations of ±3 four times over n - 1 = 3: 12.
    histogram = Histogram([-3.0, 3.0, -3.0, 3.0], 3.0, ZONE, THEME, span=9.0)
    assert histogram.measured() == pytest.approx(np.sqrt(12.0))
    assert histogram.predicted() == pytest.approx(3.0)


def test_dividing_the_samples_divides_each_of_them_in_every_frame() -> None:
    samples = np.array([-7.0, -4.0, -1.0, 2.0, 5.0, 7.5])
    histogram = Histogram(samples, 4.0, ZONE, THEME, span=8.0, bins=8)
    for share in moments(histogram.divide_by(4.0)):
        divisor = 4.0**share
        counts, _ = np.histogram(samples / divisor, bins=8, range=(-8, 8))
        assert histogram.densities() == pytest.approx(counts / 6 / 2)
        assert histogram.measured() == pytest.approx(samples.std(ddof=1) / divisor)
        assert histogram.predicted() == pytest.approx(4 / divisor)
        assert histogram.curve_drawn()[:, 1].max() == pytest.approx(divisor / 4 / np.sqrt(2 * np.pi))
    assert histogram.shown.divisor == 4.0


def test_an_axis_that_is_zoomed_shows_the_same_samples() -> None:
    samples = np.array([-0.7, -0.4, -0.1, 0.2, 0.5, 0.75])
    histogram = Histogram(samples, 0.5, ZONE, THEME, span=8.0, bins=8)
    for share in moments(histogram.zoom_to(1.0)):
        span = 8.0 ** (1 - share)
        counts, _ = np.histogram(samples, bins=8, range=(-span, span))
        assert histogram.densities() == pytest.approx(counts / 6 / (span / 4))
        assert histogram.predicted() == pytest.approx(0.5)


def test_samples_arrive_until_all_are_there() -> None:
    samples = np.array([-1.5, 0.5, 0.6, -0.5])
    histogram = Histogram(samples, 1.0, ZONE, THEME, span=2.0, bins=4)
    for share in moments(histogram.arrive(), (0.0, 0.5, 0.75)):
        counts, _ = np.histogram(samples[: round(4 * share)], bins=4, range=(-2, 2))
        assert histogram.densities() == pytest.approx(counts / 4)
    assert histogram.densities() == pytest.approx([0.25, 0.25, 0.5, 0.0])


def test_samples_turn_into_others_in_their_order() -> None:
    histogram = Histogram([3.0, -1.0, 1.0], 1.0, ZONE, THEME, span=8.0, bins=8)
    for share in moments(histogram.spread_to([0.0, 6.0, -6.0], 2.0)):
        expected = (1 - share) * np.array([-1.0, 1.0, 3.0]) + share * np.array([-6.0, 0.0, 6.0])
        assert histogram.shown.samples == pytest.approx(expected)
        assert histogram.measured() == pytest.approx(expected.std(ddof=1))
        assert histogram.predicted() == pytest.approx(1 + share)
    with pytest.raises(ValueError, match="as many samples as there are, 3, and not 2"):
        histogram.spread_to([1.0, 2.0], 1.0)


# Ridges


@dataclass(frozen=True)
class Spread:
    """Samples that lie as the normal curve has it, all but those in its tails."""

    predicted: float

    @property
    def samples(self) -> Array:
        return self.predicted * QUANTILES

    @property
    def measured(self) -> float:
        return float(self.predicted * np.sqrt((QUANTILES**2).sum() / (len(QUANTILES) - 1)))


QUANTILES = ndtri((np.arange(2000) + 0.5) / 2000)


SPREADS = tuple(Spread(2.0**i) for i in range(5))


@pytest.fixture
def ridge() -> Ridge:
    figures = {"face": THEME.figures, "em": 0.4, "colour": INK}
    names = [Row([Label("d =", em=0.4, colour=INK), Number(4**i, COUNT, **figures)], em=0.4) for i in range(5)]
    return Ridge(SPREADS, names, Zone(-6.7, 6.7, -2.5, 2.5), THEME, source="spreads[{i}]")


def test_a_ridge_writes_what_its_rows_show(ridge: Ridge) -> None:
    measured = SPREADS[0].measured
    assert ridge.values() == pytest.approx(np.array([[measured * 2**i, 2**i] for i in range(5)]))
    for i, (histogram, numbers) in enumerate(zip(ridge.histograms, ridge.numbers, strict=True)):
        assert [histogram.measured(), histogram.predicted()] == pytest.approx(ridge.values()[i])
        assert [number.source for number in numbers] == [f"spreads[{i}].measured", f"spreads[{i}].predicted"]
    assert [reads(row[1]) for row in ridge.numbers] == ["1.00", "2.00", "4.00", "8.00", "16.00"]


def test_all_rows_of_a_ridge_have_one_axis_and_curves_equally_high(ridge: Ridge) -> None:
    assert {histogram.shown.span for histogram in ridge.histograms} == {ridge.span}
    assert ridge.span >= 3 * 16
    heights = [histogram.curve.get_top()[1] - histogram.axis.get_y() for histogram in ridge.histograms]
    assert heights == pytest.approx([heights[0]] * 5)
    assert heights[0] > 0.4


def test_pulled_back_rows_show_divided_samples_and_true_numbers_in_every_frame(ridge: Ridge) -> None:
    divisors = [spread.predicted for spread in SPREADS]
    for share in moments(ridge.divide_by(divisors, source="cooled[{i}]")):
        for spread, histogram, numbers in zip(SPREADS, ridge.histograms, ridge.numbers, strict=True):
            divisor = spread.predicted**share
            assert histogram.measured() == pytest.approx(spread.measured / divisor)
            assert histogram.predicted() == pytest.approx(spread.predicted / divisor)
            assert [number.value for number in numbers] == pytest.approx([histogram.measured(), histogram.predicted()])
            assert all(map(is_true, numbers))
    assert ridge.values()[:, 1].tolist() == [1.0] * 5
    assert ridge.numbers[3][0].source == "cooled[3].measured"
    assert all(number.truth is None for row in ridge.numbers for number in row)


def test_the_axis_of_a_ridge_can_end_elsewhere_and_its_ticks_stay_true(ridge: Ridge) -> None:
    for share in moments(ridge.close_in(4.0)):
        assert all(map(is_true, ridge.ticks))
        assert apart(ridge.ticks, by=0.1)
        if share in (0.0, 1.0):
            continue
        assert all(histogram.shown.span == ridge.span for histogram in ridge.histograms)
    assert ridge.span == 4.0
    assert [reads(tick) for tick in ridge.ticks] == ["−4", "−3", "−2", "−1", "0", "1", "2", "3", "4"]
    assert all(tick.get_fill_opacity() == 1.0 for tick in ridge.ticks)


def test_ticks_that_leave_the_axis_of_a_ridge_are_no_longer_seen(ridge: Ridge) -> None:
    """Manim lists what moves once, as an animation begins, and goes on drawing it though it belongs there no more."""
    ticks, lines = [*ridge.ticks], [*ridge.lines]
    for _ in moments(ridge.close_in(4.0)):
        assert all(tick in ridge.ticks.submobjects or tick.get_fill_opacity() == 0 for tick in ticks)
        assert all(line in ridge.lines.submobjects or line.get_stroke_opacity() == 0 for line in lines)
    assert sum(tick in ridge.ticks.submobjects for tick in ticks) == 1


@pytest.mark.parametrize("span", [2.6, 4.0, 4.6, 5.0, 7.0, 30.0, 100.0])
def test_an_axis_that_stands_still_has_no_faint_ticks(ridge: Ridge, span: float) -> None:
    play(ridge.close_in(span))
    assert all(tick.get_fill_opacity() == 1.0 for tick in ridge.ticks)
    assert len(ridge.ticks) >= 3


def test_the_rows_of_a_ridge_do_not_touch_and_share_their_lines(ridge: Ridge) -> None:
    play(ridge.divide_by([spread.predicted for spread in SPREADS], source="cooled[{i}]"))
    play(ridge.close_in())
    for upper, lower in pairwise(ridge.histograms):
        assert upper.get_bottom()[1] > lower.get_top()[1]
    for name, numbers in zip(ridge.names, ridge.numbers, strict=True):
        assert [number.pen[1] for number in numbers] == pytest.approx([name.pieces[0].pen[1]] * 2)
    left, right, bottom, top = box(ridge)
    assert -6.7 <= left < right <= 6.7
    assert -2.5 <= bottom < top <= 2.5 + 1e-9


# Marks


@hypothesis_settings(max_examples=40, deadline=None)
@given(st.floats(0.2, 6.0), st.floats(0.2, 6.0), st.floats(0.05, 0.5))
def test_a_hatch_stays_in_its_box_and_fills_it(width: float, height: float, pitch: float) -> None:
    segments = Hatch(width, height, THEME, pitch).segments()
    low, high = segments.reshape(-1, 2).min(axis=0), segments.reshape(-1, 2).max(axis=0)
    assert (low >= [-width / 2, -height / 2]).all()
    assert (high <= [width / 2, height / 2]).all()
    slopes = segments[:, 1] - segments[:, 0]
    assert slopes[:, 0] == pytest.approx(slopes[:, 1])
    starts = np.sort(segments[:, 0, 1] - segments[:, 0, 0])
    assert np.diff(starts) == pytest.approx(np.full(len(starts) - 1, pitch))
    # Beyond the outermost lines there is no room for another.
    assert starts[-1] + pitch >= (width + height) / 2 - 2 * 0.05 - 1e-9


def test_a_hatch_lies_over_what_it_is_told_to_cover() -> None:
    cell = Square(1.5).shift(3 * RIGHT + UP)
    hatch = Hatch.over(cell, THEME)
    assert box(hatch) == pytest.approx(box(cell), abs=0.1)
    hatch.lay_over(cell, 0.4)
    left, right, bottom, top = box(hatch)
    assert bottom == pytest.approx(cell.get_bottom()[1], abs=0.1)
    assert top <= cell.get_bottom()[1] + 0.4 * 1.5
    assert (left, right) == pytest.approx((box(cell)[0], box(cell)[1]), abs=0.1)
    assert not len(hatch.lay_over(cell, 0.0).points)


def test_a_hatch_may_be_written_on() -> None:
    assert is_ground(Hatch(1.0, 1.0, THEME))
    assert not is_ground(Padlock(1.0, THEME))


def test_a_padlock_is_as_high_as_asked_and_has_its_bow_on_top() -> None:
    padlock = Padlock(0.5, THEME)
    assert padlock.height == pytest.approx(0.5)
    bow, body, _ = padlock
    assert bow.get_top()[1] > body.get_top()[1]
    assert bow.get_x() == pytest.approx(body.get_x(), abs=1e-9)
    assert bow.get_bottom()[1] <= body.get_top()[1] + 1e-9


@pytest.mark.parametrize("direction", [RIGHT, DOWN, DOWN + RIGHT])
def test_dots_stand_evenly_in_their_direction(direction: Array) -> None:
    dots = Dots(direction, 0.8, INK)
    first, middle, last = (dot.get_center() for dot in dots.dots)
    assert middle == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    assert last - middle == pytest.approx(middle - first)
    assert (last - first) / np.linalg.norm(last - first) == pytest.approx(direction / np.linalg.norm(direction))
    assert np.linalg.norm(last - first) + dots.dots[0].width == pytest.approx(0.8)


def test_dots_without_a_direction_are_refused() -> None:
    with pytest.raises(ValueError, match="direction"):
        Dots(np.zeros(3), 0.8, INK)
