"""Chapter 8: one picture whose scores are moved from case to case, true in every frame."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from manim import CairoRenderer, tempconfig

from scenes.edge_cases import EdgeCases
from scenes.story import load_story
from tests.scenes.stage import ROOT, Blind, Performance, played, settings

CAT = "stories/cat_ate_fish.toml"
NAME = "edge_cases"
VALUES = np.array([[1.0, -1.0], [0.0, -2.0], [1.0, 1.0]])

Array = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played(NAME, CAT)


def said(performance: Performance, beat: str, source: str = "") -> list[str]:
    """The numbers that stand at a beat's end, but for step and ticks, from the left; or those of one source."""
    numbers = [n for n in performance.end_of(beat).of("number") if not n.source.startswith(("step", "axis"))]
    found = sorted((float(n.middle[0]), n.said) for n in numbers if n.source.startswith(source) and n.opacity > 0.9)
    return [text for _, text in found]


# What each case shows at its end, by hand


@pytest.mark.parametrize(
    ("beat", "case", "scores", "shares", "output"),
    [
        ("all_equal", "equal", ["0.0"] * 3, ["33.3 %"] * 3, ["0.67", "−0.67"]),
        ("one_huge", "huge", ["0.0", "8.0", "0.0"], ["0.0 %", "99.9 %", "0.0 %"], ["0.00", "−2.00"]),
        ("one_word", "alone", ["−3.0"], ["1", "100.0 %"], ["0.00", "−2.00"]),
        ("mismatched", "opposite", ["0.0", "0.0", "−11.3"], ["50.0 %"] * 2 + ["0.0 %", "0.0006 %"], ["0.50", "−1.50"]),
        ("the_future", "hidden", ["0.0", "1.0", "−∞"], ["26.9 %", "73.1 %", "0.0 %", "0 %"], ["0.27", "−1.73"]),
    ],
)  # fmt: skip
def test_each_case_is_shown_as_scores_then_shares_then_output(
    cat: Performance, beat: str, case: str, scores: list[str], shares: list[str], output: list[str]
) -> None:
    assert said(cat, beat, f"cases.{case}.masked") == scores
    assert sorted(said(cat, beat, f"cases.{case}.weights")) == sorted(shares)
    assert said(cat, beat, f"cases.{case}.output") == output


def test_dividing_by_the_sum_has_no_answer_where_softmax_has_one(cat: Performance) -> None:
    assert sorted(said(cat, "dividing_fails")) == ["0"] * 4 + ["0.0"] * 3
    assert "= ?" in [mark.said for mark in cat.end_of("dividing_fails").of("label")]
    answered = [picture for picture in cat.settled if picture.beat == "all_equal"][1]
    line = sorted((n.middle[0], n.said) for n in answered.of("number") if n.middle[1] < cat.layout.stage.bottom)
    assert [text for _, text in line] == ["1", "1", "1", "1", "33.3 %"]
    assert "= ?" not in [mark.said for mark in answered.of("label")]


def test_it_ends_with_a_flat_a_spiked_and_a_cut_budget_side_by_side(cat: Performance) -> None:
    end = cat.end_of("three_pictures")
    titles = [mark.said for mark in end.of("label") if mark.said in ("flat", "spike", "forced to zero")]
    assert titles == ["flat", "spike", "forced to zero"]
    shares = said(cat, "three_pictures", "cases.")
    assert [text for text in shares if "%" in text] == [
        "33.3 %", "33.3 %", "33.3 %", "0.0 %", "99.9 %", "0.0 %", "26.9 %", "73.1 %", "0.0 %",
    ]  # fmt: skip
    hatches = [mark for mark in end.marks if mark.kind == "Hatch"]
    assert len(hatches) == 1
    assert hatches[0].middle[0] > cat.layout.stage.centre[0]


def test_a_word_alone_keeps_the_marker_that_it_has_among_others(cat: Performance) -> None:
    (among_others,), (alone,) = (
        [mark for mark in cat.end_of(beat).marks if _is_triangle(mark.points)] for beat in ("one_huge", "one_word")
    )
    assert alone.colour == among_others.colour
    assert alone.size == pytest.approx(among_others.size, rel=0.1)


def _is_triangle(points: Array) -> bool:
    return len(points) == 12 and len(np.unique(points[::4].round(9), axis=0)) == 3


# What words the cases are about


def test_the_words_are_those_of_the_sentence_and_of_a_long_one_the_first_four() -> None:
    long = played(NAME, "stories/the_cat_sat.toml")
    labels = [mark.said for mark in long.end_of("three_pictures").of("label")]
    assert [labels.count(word) for word in ("the", "cat", "sat", "on", "mat")] == [3, 3, 3, 3, 0]
    assert "first four words" in captions(long)
    assert "words" not in captions(played(NAME, CAT))


def test_one_word_has_no_cases_of_its_own_so_other_words_stand_in_and_a_caption_says_so() -> None:
    one = played(NAME, "tests/stories/one_word.toml")
    assert said(one, "all_equal", "cases.equal.output") == ["0.67", "−0.67"]
    assert "other words" in captions(one)


def captions(performance: Performance) -> str:
    return " ".join(cue.text.replace("\n", " ") for beat in performance.beats for cue in beat.cues)


# In every frame


class _Traced(EdgeCases):
    """Writes down in every frame of the moves between cases what is drawn."""

    def setup(self) -> None:
        self.frames: list[dict[str, Any]] = []
        self.turning = False
        super().setup()

    def _turn(self, case: str, run_time: float, also: Any = None) -> None:
        self.turning = True
        super()._turn(case, run_time, also)
        self.turning = False

    def update_to_time(self, t: float) -> None:
        super().update_to_time(t)
        if self.turning:
            self.frames.append(
                {
                    "scores": self.chart.scores,
                    "bars": self.chart.values(),
                    "heard": list(self.heard),
                    "parts": self.arrows.drawn_parts(),
                    "total": self.arrows.drawn_total(),
                    "output": [number.value for number in self.output.numbers],
                    "texts": self.chart.shown_text(),
                    "lengths": self.mismatch.length if self._mismatch_is_shown() else None,
                }
            )

    def _mismatch_is_shown(self) -> bool:
        return any(member is self.mismatch.query for top in self.mobjects for member in top.get_family())


@pytest.fixture(scope="module")
def frames(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder: Path = tmp_path_factory.mktemp("frames")
    with tempconfig({**settings(folder), "frame_rate": 10}):
        scene = _Traced(renderer=CairoRenderer(camera_class=Blind))
        scene.story = load_story(ROOT / CAT)
        scene.render()
    return scene.frames


def shares_of(scores: Array) -> Array:
    """Softmax by its definition."""
    powers = np.array([math.exp(score) for score in scores])
    return np.asarray(powers / powers.sum())


def test_bars_arrows_and_numbers_follow_the_scores_in_every_frame(frames: list[dict[str, Any]]) -> None:
    assert len(frames) > 100
    for frame in frames:
        shares, heard = shares_of(frame["scores"]), frame["heard"]
        assert frame["bars"] == pytest.approx(shares, abs=1e-9)
        assert frame["texts"] == [f"{100 * share:.1f} %" for share in shares]
        parts = shares[:, np.newaxis] * VALUES[heard]
        assert frame["parts"][heard] == pytest.approx(parts, abs=1e-9)
        assert frame["total"] == pytest.approx(parts.sum(axis=0), abs=1e-9)
        assert frame["output"] == pytest.approx(parts.sum(axis=0), abs=1e-9)


def test_scores_move_by_small_steps_so_that_the_bars_can_be_watched(frames: list[dict[str, Any]]) -> None:
    huge = [frame["scores"][1] for frame in frames if len(frame["scores"]) == 3 and frame["scores"][1] > 1.01]
    assert max(np.diff(huge)) < 1.0


def test_the_opposite_arrows_are_as_long_as_their_score_says_in_every_frame(frames: list[dict[str, Any]]) -> None:
    seen = [frame for frame in frames if frame["lengths"] is not None]
    grown = [frame for frame in seen if frame["scores"][2] < 0 and frame["scores"][0] == 0 == frame["scores"][1]]
    assert len(grown) > 20
    for frame in grown:
        assert frame["lengths"] ** 2 / math.sqrt(2) == pytest.approx(-frame["scores"][2])
    assert grown[-1]["lengths"] == pytest.approx(4.0)
