"""The chapter on cooling: spreads measured and predicted, softmax before and after, and the division itself."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import numpy.typing as npt
import pytest
from manim import CairoRenderer, ManimColor, tempconfig

from explainer.audit.glyphs import alphabet, face_file, read, said
from scenes.cooling import Cooling, about_division, about_length
from scenes.story import load_story
from tests.scenes.stage import ROOT, Blind, Mark, Performance, Picture, played, settings

Array = npt.NDArray[np.float64]

CAT = "stories/cat_ate_fish.toml"
WIDTHS = (1, 4, 16, 64, 256)
KEYS = range(3)
FIGURES = alphabet(face_file())


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played("cooling", CAT)


def text_of(picture: Picture, source: str) -> str:
    """What the outline of the number with this source shows; all of them, where there are more, show the same."""
    texts = {read(number.points, FIGURES).text for number in picture.of("number") if number.source == source}
    assert len(texts) == 1, (source, texts)
    return texts.pop()


def value_of(picture: Picture, source: str) -> float:
    return float(said(text_of(picture, source)).value)


def is_nearest(text: str, value: float) -> bool:
    """Whether a text is a value rounded to nearest."""
    return said(text).is_nearest_to(Decimal(value))


def band(cat: Performance, beat: str) -> str:
    """What is written in the band at a beat's end, without formulas."""
    marks = [mark for mark in cat.end_of(beat).of("number", "label") if mark.middle[1] < cat.layout.stage.bottom]
    return " ".join(mark.said for mark in sorted(marks, key=lambda mark: mark.low[0]))


# How dot products spread


def standard_error(d_k: int, count: int) -> float:
    """How far a sample standard deviation is typically off: σ √((κ − 1) / 4n), where κ is the kurtosis.

    A product of two standard normal numbers has kurtosis 9, and a sum of d_k of them 3 + 6 / d_k.
    """
    return math.sqrt(d_k) * math.sqrt((2 + 6 / d_k) / (4 * count))


@pytest.mark.parametrize(("row", "d_k"), list(enumerate(WIDTHS)))
def test_measured_and_predicted_standard_deviations_are_shown_and_agree(cat: Performance, row: int, d_k: int) -> None:
    picture = cat.end_of("five_spreads")
    count = int(text_of(picture, "samples"))
    assert text_of(picture, f"spreads[{row}].d_k") == f"{d_k}"
    assert text_of(picture, f"spreads[{row}].predicted") == f"{math.sqrt(d_k):.2f}"
    measured = value_of(picture, f"spreads[{row}].measured")
    # Two standard errors, for a row that is typical, and the rounding.
    assert abs(measured - math.sqrt(d_k)) <= 2 * standard_error(d_k, count) + 0.005


@pytest.mark.parametrize(("row", "d_k"), list(enumerate(WIDTHS)))
def test_what_is_written_as_measured_is_the_deviation_of_the_samples_that_are_drawn(
    cat: Performance, row: int, d_k: int
) -> None:
    histogram = cat.chapter.ridge.histograms[row]
    samples = histogram.shown.samples
    assert len(samples) == int(text_of(cat.end_of("five_spreads"), "samples"))
    deviation = math.sqrt(np.sum((samples - samples.mean()) ** 2) / (len(samples) - 1))
    assert is_nearest(text_of(cat.end_of("five_spreads"), f"spreads[{row}].measured"), deviation)
    assert histogram.measured() == pytest.approx(deviation / math.sqrt(d_k))


@pytest.mark.parametrize(("row", "d_k"), list(enumerate(WIDTHS)))
def test_division_by_the_root_pulls_every_spread_back_to_one(cat: Performance, row: int, d_k: int) -> None:
    picture = cat.end_of("pulled_back")
    count = int(text_of(cat.end_of("five_spreads"), "samples"))
    assert text_of(picture, f"cooled[{row}].predicted") == "1.00"
    measured = value_of(picture, f"cooled[{row}].measured")
    assert abs(measured - 1) <= 2 * standard_error(d_k, count) / math.sqrt(d_k) + 0.005


@pytest.mark.parametrize(
    ("beat", "saying"), [("five_spreads", "5000 random dot products"), ("peaked", "3 random scores")]
)
def test_what_is_random_is_said_to_be_with_its_count(cat: Performance, beat: str, saying: str) -> None:
    assert band(cat, beat).startswith(saying)


def test_the_sum_that_grows_is_a_sample_of_the_spread_and_ends_where_its_number_says(cat: Performance) -> None:
    picture, chapter = cat.end_of("one_sum"), cat.chapter
    sample = chapter.ridge.histograms[WIDTHS.index(64)].shown.samples[0]
    assert is_nearest(text_of(picture, "sums[0, 64]"), sample)
    (tip,) = picture.of("Dot")
    (zero,), (end,) = (
        [n for n in picture.of("number") if n.said == text and n.source == "axis x"] for text in ("0", "64")
    )
    assert (tip.middle[0] - zero.middle[0]) / (end.middle[0] - zero.middle[0]) == pytest.approx(sample / 64, abs=0.01)


def test_the_root_is_said_beside_what_it_would_be_without_cancelling(cat: Performance) -> None:
    assert band(cat, "many_sums") == "not 64 , but √ 64 = 8"


# Softmax before and after


def scores_of(cat: Performance, name: str) -> list[float]:
    samples = cat.chapter.ridge.histograms[WIDTHS.index(64)].shown.samples
    return [float(samples[k]) / (1 if name == "undivided" else 8) for k in KEYS]


def shares_by_hand(scores: list[float]) -> list[float]:
    powers = [math.exp(score) for score in scores]
    return [power / math.fsum(powers) for power in powers]


def slopes_by_hand(shares: list[float]) -> list[list[float]]:
    """p_i (δ_ij − p_j): how fast weight i moves with score j."""
    return [[p * ((i == j) - q) for j, q in enumerate(shares)] for i, p in enumerate(shares)]


@pytest.mark.parametrize("name", ["undivided", "divided"])
def test_scores_and_their_weights_are_shown_undivided_and_divided(cat: Performance, name: str) -> None:
    picture, scores = cat.end_of("softer"), scores_of(cat, name)
    for k, (score, share) in enumerate(zip(scores, shares_by_hand(scores), strict=True)):
        assert is_nearest(text_of(picture, f"{name}.scores[{k}]"), score)
        assert is_nearest(text_of(picture, f"{name}.weights[{k}]"), share)


def test_undivided_one_weight_takes_nearly_all_and_divided_none_does(cat: Performance) -> None:
    picture = cat.end_of("softer")
    undivided, divided = (
        [value_of(picture, f"{name}.weights[{k}]") for k in KEYS] for name in ("undivided", "divided")
    )
    assert max(undivided) > 0.95
    assert min(divided) > 0.1
    assert np.argmax(undivided) == np.argmax(divided)


@pytest.mark.parametrize("name", ["undivided", "divided"])
def test_the_jacobian_that_is_shown_is_the_computed_one(cat: Performance, name: str) -> None:
    picture = cat.end_of("slopes")
    slopes = slopes_by_hand(shares_by_hand(scores_of(cat, name)))
    for i in KEYS:
        for j in KEYS:
            assert is_nearest(text_of(picture, f"{name}.slopes[{i}, {j}]"), slopes[i][j])
    norm = math.sqrt(math.fsum(slope**2 for row in slopes for slope in row))
    assert is_nearest(text_of(picture, f"{name}.norm"), norm)


@pytest.mark.parametrize("name", ["undivided", "divided"])
def test_the_slopes_to_a_score_stand_in_a_column_under_its_bar(cat: Performance, name: str) -> None:
    numbers = {number.source: number for number in cat.end_of("slopes").of("number")}
    for j in KEYS:
        score, column = numbers[f"{name}.scores[{j}]"], [numbers[f"{name}.slopes[{i}, {j}]"] for i in KEYS]
        assert [slope.middle[0] for slope in column] == pytest.approx([score.middle[0]] * 3, abs=0.1)
        assert score.low[1] > column[0].high[1] > column[1].high[1] > column[2].high[1]


def test_both_jacobians_are_shaded_on_one_scale(cat: Performance) -> None:
    colours = cat.theme.colours
    largest = max(abs(slope) for row in slopes_by_hand(shares_by_hand(scores_of(cat, "divided"))) for slope in row)
    picture = cat.end_of("slopes")
    for name in ("undivided", "divided"):
        slopes = slopes_by_hand(shares_by_hand(scores_of(cat, name)))
        for i in KEYS:
            for j in KEYS:
                full = colours.positive if slopes[i][j] > 0 else colours.negative
                strength = how_far(cell_around(picture, f"{name}.slopes[{i}, {j}]").colour, colours.cell, full)
                assert strength == pytest.approx(abs(slopes[i][j]) / largest, abs=0.01)


def cell_around(picture: Picture, source: str) -> Mark:
    (number,) = (number for number in picture.of("number") if number.source == source)
    (cell,) = (
        cell for cell in picture.of("Cell") if (cell.low <= number.low).all() and (number.high <= cell.high).all()
    )
    return cell


def how_far(colour: ManimColor, ground: str, full: str) -> float:
    """How far a colour is on the way from one to another."""
    here, first, last = (ManimColor(c).to_rgb() for c in (colour, ground, full))
    return float(np.dot(here - first, last - first) / np.dot(last - first, last - first))


# In motion


class _Reader(Cooling):
    """Reads the charts and the spreads in every frame."""

    def setup(self) -> None:
        self.bars: list[tuple[Array, Array, Array]] = []
        self.rows: list[tuple[float, float, float]] = []
        self.grids_seen: list[Array] = []
        super().setup()

    def update_to_time(self, t: float) -> None:
        super().update_to_time(t)
        for chart in (getattr(self, name) for name in ("chart", "copied") if hasattr(self, name)):
            shown = [said(read(number.points, FIGURES).text) for number in chart.shares]
            self.bars.append((chart.scores, chart.values(), np.array([float(s.value) for s in shown])))
        if hasattr(self, "grid"):
            texts = [read(number.points, FIGURES).text for row in self.grid.numbers for number in row]
            self.grids_seen.append(np.array([float(said(text).value) for text in texts]).reshape(3, 3))
        if hasattr(self, "ridge"):
            for histogram, (measured, predicted) in zip(self.ridge.histograms, self.ridge.numbers, strict=True):
                self.rows.append((histogram.measured(), measured.value, histogram.predicted() - predicted.value))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Reader]:
    with tempconfig({**settings(tmp_path_factory.mktemp("media")), "frame_rate": 6}):
        chapter = _Reader(renderer=CairoRenderer(camera_class=Blind))
        chapter.story = load_story(ROOT / CAT)
        chapter.render()
        yield chapter


def test_in_every_frame_the_written_deviations_are_those_of_what_is_drawn(reader: _Reader) -> None:
    assert len(reader.rows) > 5 * 6 * 10
    drawn, written, off = np.array(reader.rows).T
    assert drawn == pytest.approx(written, rel=1e-9)
    assert off == pytest.approx(np.zeros(len(off)), abs=1e-9)
    assert written.max() > 15 > 2 > written.min()


def test_in_every_frame_the_weights_are_softmax_of_the_scores(reader: _Reader) -> None:
    full = [(scores, drawn, written) for scores, drawn, written in reader.bars if drawn.sum() > 1 - 1e-9]
    assert len(full) > 6 * 15
    for scores, drawn, written in full:
        by_hand = np.array(shares_by_hand([float(score) for score in scores]))
        assert drawn == pytest.approx(by_hand, abs=1e-9)
        assert written == pytest.approx(by_hand, abs=0.00051)


def test_a_nudge_moves_the_divided_weights_far_more_than_the_undivided_ones(reader: _Reader) -> None:
    """Each score is nudged by one in both rows; what answers is told by the largest change of a weight."""
    chapter = reader
    ends = {name: np.array(getattr(chapter, name).answer.scores) for name in ("undivided", "divided")}
    moved = dict.fromkeys(ends, 0.0)
    for scores, drawn, _ in reader.bars:
        for name, still in ends.items():
            nudge = scores - still
            if np.count_nonzero(np.abs(nudge) > 1e-12) == 1 and 0 < nudge.max() <= 1:
                moved[name] = max(moved[name], float(np.abs(drawn - shares_by_hand(list(still))).max()))
    assert moved["divided"] > 3 * moved["undivided"] > 0


# The sentence's own scores


def test_the_largest_score_of_the_focus_word_is_divided_by_hand(cat: Performance) -> None:
    assert band(cat, "divide_one") == "2 / √ 2 ≈ 2 / 1.414 ≈ 1.41"
    assert text_of(cat.end_of("divide_one"), "attention.scaled[0, 0, 1]") == "1.41"


def test_every_score_ends_divided_by_the_root_of_two(cat: Performance) -> None:
    picture = cat.ends[-1]
    shown = [[text_of(picture, f"attention.scaled[0, {i}, {j}]") for j in range(3)] for i in range(3)]
    assert shown == [["0.71", "1.41", "−0.71"], ["0.71", "0.00", "0.71"], ["0.00", "1.41", "−1.41"]]


def test_all_scores_but_the_one_done_by_hand_count_down_together(reader: _Reader) -> None:
    raw = np.array([[1, 2, -1], [1, 0, 1], [0, 2, -2]])
    under_way = [counts for counts in reader.grids_seen if math.sqrt(2) + 0.02 < counts[2, 1] < 1.98]
    assert len(under_way) > 6
    for counts in under_way:
        expected = raw * counts[2, 1] / 2
        expected[0, 1] = math.sqrt(2)
        assert counts == pytest.approx(expected, abs=0.011)


def test_cells_cool_by_as_much_as_their_scores(cat: Performance) -> None:
    colours, first, last = cat.theme.colours, cat.first, cat.ends[-1]
    for (i, j), full in {(0, 0): colours.positive, (0, 1): colours.positive, (2, 2): colours.negative}.items():
        before = how_far(cell_around(first, f"attention.scores[0, {i}, {j}]").colour, colours.cell, full)
        after = how_far(cell_around(last, f"attention.scaled[0, {i}, {j}]").colour, colours.cell, full)
        assert after / before == pytest.approx(1 / math.sqrt(2), abs=0.02)


def test_a_divisor_of_one_changes_nothing() -> None:
    chapter = played("cooling", CAT, "attention.divide_scores_by=1")
    assert band(chapter, "divide_one") == "2 / 1 = 2"
    assert text_of(chapter.ends[-1], "attention.scaled[0, 2, 2]") == "−2"
    assert chapter.beats[-1].cues[0].text.replace("\n", " ") == "Divided by one, every score stays as it is."


@pytest.mark.parametrize("story", ["tests/stories/eight_words.toml", "tests/stories/one_word.toml"])
def test_other_stories_are_divided_by_their_own_root(story: str) -> None:
    chapter = played("cooling", story)
    d_k, scores = chapter.story.d_k, chapter.chapter.trace.attention.scores[0]
    for number in chapter.ends[-1].of("number"):
        if match := re.fullmatch(r"attention\.scaled\[0, (\d+), (\d+)\]", number.source):
            score = float(scores[int(match[1]), int(match[2])])
            assert is_nearest(read(number.points, FIGURES).text, score / math.sqrt(d_k))


# Sentences


@pytest.mark.parametrize(
    ("d_k", "sentence"),
    [
        (1, "Here every list has one entry. In a real model it has 64."),
        (2, "Here every list has 2 entries. In a real model it has 64."),
        (64, "Here every list has 64 entries, as in a real model."),
    ],
)
def test_the_question_tells_how_long_the_lists_are(d_k: int, sentence: str) -> None:
    assert about_length(d_k, 64) == sentence


@pytest.mark.parametrize(
    ("overrides", "sentence"),
    [
        ((), "Now the sentence: every score divided by √2 ≈ 1.414."),
        (("attention.divide_scores_by=3",), "Now the sentence. Its story divides scores by 3."),
    ],
)
def test_the_division_is_announced_with_what_divides(overrides: tuple[str, ...], sentence: str) -> None:
    story = load_story(ROOT / CAT, overrides)
    assert about_division(story.trace(), story.scale is None) == sentence
