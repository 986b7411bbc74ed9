"""The chapter "alignment": what it shows is what the arrows of the story really have to do with each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from manim import CairoRenderer, tempconfig

from explainer.audit.glyphs import alphabet, face_file, read, said
from scenes.alignment import Alignment, about_angle, about_lengths, of, question, verdict
from scenes.mobjects.pair_panel import reaches
from scenes.numerals import COUNT
from scenes.pairs import Pairs
from scenes.story import load_story
from tests.scenes.stage import ROOT, Blind, Mark, Performance, Picture, played, settings

Array = npt.NDArray[np.float64]

CAT, SIX = "stories/cat_ate_fish.toml", "stories/the_cat_sat.toml"
KNOWN = alphabet(face_file())
ALL_BEATS = [
    "which_fits", "by_length", "multiply_and_add", "same_number",
    "three_cases", "half_turn", "length_counts", "one_number",
]  # fmt: skip


@pytest.fixture(scope="module")
def cat() -> Performance:
    return played("alignment", CAT)


def shown(mark: Mark) -> str:
    """What a number's outline says, read back."""
    return read(mark.points, KNOWN).text


def numbers(picture: Picture, source: str) -> list[str]:
    """What stands on the screen of the numbers from a source, read off their outlines from left to right."""
    found = [mark for mark in picture.of("number") if mark.source.startswith(source) and mark.opacity > 0.9]
    return [shown(mark) for mark in sorted(found, key=lambda mark: float(mark.low[0]))]


def _tip(corners: Array) -> Array:
    """Of an arrow's corners, seen from where it starts, the farthest."""
    farthest: Array = corners[np.argmax(np.linalg.norm(corners, axis=1))]
    return farthest


# The running example


def test_two_keys_of_one_length_are_put_beside_the_query_of_the_focus_word(cat: Performance) -> None:
    end = cat.end_of("by_length")
    assert numbers(end, "queries[0, 0") == ["1", "1"]
    assert sorted(numbers(end, "keys[0, 0") + numbers(end, "keys[0, 2")) == ["0", "0", "1", "−1"]
    assert numbers(end, "pairs.key_lengths") == ["1", "1"]


def test_no_score_is_told_before_it_is_worked_out(cat: Performance) -> None:
    before = [cat.end_of(beat) for beat in ("which_fits", "by_length")]
    assert [numbers(picture, "attention.scores") for picture in before] == [[], []]
    assert [mark.said for mark in before[0].of("label")].count("?") == 2


def test_the_dot_product_is_worked_out_for_both_and_each_score_goes_to_its_key(cat: Performance) -> None:
    settled = [picture for picture in cat.settled if picture.beat == "multiply_and_add"]
    lines = [[shown(mark) for mark in picture.of("number") if mark.middle[1] < -2.5] for picture in settled]
    assert ["1", "1", "1", "0", "1"] in lines
    assert ["1", "0", "1", "−1", "−1"] in lines
    scores = [mark for mark in cat.end_of("multiply_and_add").of("number") if mark.source.startswith("attention")]
    in_rows = sorted((mark.source, shown(mark)) for mark in scores if mark.middle[1] > -2.5)
    assert in_rows == [("attention.scores[0, 0, 0]", "1"), ("attention.scores[0, 0, 2]", "−1")]


def test_lengths_and_the_cosine_make_the_same_score(cat: Performance) -> None:
    end = cat.end_of("same_number")
    assert numbers(end, "pairs.query_lengths") == ["1.41"]
    assert numbers(end, "pairs.key_lengths") == ["1"]
    assert numbers(end, "pairs.cosines") == ["0.71"]
    assert numbers(end, "pairs.angles") == ["45"]
    assert numbers(end, "attention.scores[0, 0, 0]") == ["1", "1"]


def test_the_arc_lies_between_the_query_and_the_key(cat: Performance) -> None:
    (arc,) = cat.end_of("same_number").of("AngleMark")
    start = cat.chapter.query.start_point[:2]
    angles = [np.degrees(np.arctan2(*(point - start)[::-1])) for point in arc.points[:, :2]]
    assert (min(angles), max(angles)) == pytest.approx((0.0, 45.0))


def test_the_three_cases_are_told_by_the_pairs_that_are_exactly_so(cat: Performance) -> None:
    end = cat.end_of("three_cases")
    assert numbers(end, "pairs.angles") == ["0", "90", "180"]
    assert numbers(end, "attention.scores") == ["2", "0", "−2"]
    assert [mark.said for mark in end.of("label")].count("+") == 1
    assert [cue.text.split(":")[0] for cue in beat(cat, "three_cases").cues] == [
        "The same way", "At a right angle", "Opposite ways",
    ]  # fmt: skip


def test_the_arrows_of_the_three_cases_include_the_angles_that_are_told_on_one_scale(cat: Performance) -> None:
    units = []
    drawn = drawn_pairs(cat)
    for (q, k), degrees, (query, key) in zip(drawn, (0, 90, 180), ((2, 2), (2, 2), (4, 1)), strict=True):
        assert np.degrees(np.arctan2(abs(q[0] * k[1] - q[1] * k[0]), q @ k)) == pytest.approx(degrees, abs=1e-6)
        units += [(q @ q) / query, (k @ k) / key]
    assert units == pytest.approx([units[0]] * 6)


def drawn_pairs(performance: Performance) -> list[tuple[Array, Array]]:
    """The query and the key of each panel as they stand there, from the outlines."""
    arrows = performance.end_of("three_cases").of("arrow")
    colours = performance.theme.colours
    pairs = []
    for panel in performance.chapter.panels:
        zone, origin = panel.plane.zone, panel.plane.origin[:2]
        inside = {arrow.colour.to_hex(): arrow for arrow in arrows if zone.left < arrow.middle[0] < zone.right}
        query, key = (_tip(inside[colour].points[:, :2] - origin) for colour in (colours.query, colours.key))
        pairs.append((query, key))
    return pairs


def test_the_right_angle_gets_its_square_and_the_half_turn_its_arc(cat: Performance) -> None:
    assert [panel.mark.is_right() for panel in cat.chapter.panels] == [False, True, False]
    assert cat.chapter.panels[2].mark.degrees() == pytest.approx(180)


def test_at_the_end_one_score_stands_between_the_tables_before_all_pairs_are_joined(cat: Performance) -> None:
    pictures = [numbers(picture, "attention.scores") for picture in cat.settled if picture.beat == "one_number"]
    assert ["2"] in pictures
    assert pictures[-1] == []


def beat(performance: Performance, name: str) -> Any:
    (found,) = (one for one in performance.beats if one.name == name)
    return found


# Every frame of the half turn and of the stretch


@dataclass(frozen=True)
class Frame:
    """What one frame shows, read off its outlines: nothing is asked what it claims to show."""

    beat: str
    query: Array
    key: Array
    score: float
    dot: Array
    curve: Array


class FrameByFrame(CairoRenderer):
    """Draws nothing, and shows every frame to whom it may concern."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(camera_class=Blind, skip_animations=True, **settings)
        self.frames: list[Frame] = []

    def watch(self, is_watched: bool) -> None:
        # Manim goes back to this before every move.
        self._original_skipping_status = not is_watched

    def scene_finished(self, scene: Any) -> None:
        """Nothing was written that would have to be put together."""

    def render(self, scene: Any, time: float, moving_mobjects: Any = None) -> None:
        if not self.skip_animations:
            self.update_frame(scene)
            self.time += 1 / self.camera.frame_rate

    def update_frame(self, scene: Any, *args: Any, **settings: Any) -> None:
        """Look, at what moves and at what stands still."""
        turning = vars(scene).get("turning")
        if not self.skip_animations and turning in scene.mobjects and turning.chart.dot() is not None:
            self.frames.append(_frame(scene))


class Watched(Alignment):
    """The chapter, of which only two beats are played in full."""

    def _run(self, script: Any) -> None:
        self.beat_now = script.name
        self.renderer.watch(script.name in ("half_turn", "length_counts"))
        super()._run(script)


def _frame(scene: Any) -> Frame:
    turning = scene.turning
    start = turning.query.start_point[:2]
    query, key = (_tip(arrow.points[:, :2] - start) for arrow in (turning.query, turning.key))
    chart = turning.chart
    return Frame(
        beat=scene.beat_now,
        query=query,
        key=key,
        score=float(said(read(turning.chip.number.points, KNOWN).text).value),
        dot=chart.data(chart.point.points.mean(axis=0)),
        curve=np.array([chart.data(point) for point in chart.curve.points[::4]]),
    )


def frames(name: str, folder: Path) -> Iterator[tuple[Any, list[Frame]]]:
    with tempconfig(settings(folder)):
        renderer = FrameByFrame()
        scene = Watched(renderer=renderer)
        scene.story = load_story(ROOT / name)
        scene.render()
        yield scene, renderer.frames


@pytest.fixture(params=[CAT, SIX], scope="module")
def watched(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    yield from frames(request.param, tmp_path_factory.mktemp("frames"))


def test_at_every_frame_score_arrows_and_curve_agree_with_q_times_k(watched: tuple[Any, list[Frame]]) -> None:
    scene, seen = watched
    i, j = scene.cases[0]
    q, k = scene.trace.queries[0, i], scene.trace.keys[0, j]
    assert len([frame for frame in seen if frame.beat == "half_turn"]) > 4.5 * 30
    assert len([frame for frame in seen if frame.beat == "length_counts"]) > 3 * 30
    for frame in seen:
        degrees = np.degrees(np.arctan2(frame.key[1], frame.key[0]))
        unit = np.linalg.norm(frame.query) / np.linalg.norm(q)
        product = frame.query @ frame.key / unit**2
        stretch = np.linalg.norm(frame.key) / unit / np.linalg.norm(k)
        assert frame.score == pytest.approx(product, abs=0.005 + 1e-6)
        assert frame.dot == pytest.approx([degrees, product], abs=1e-6)
        true = np.linalg.norm(q) * np.linalg.norm(k) * stretch * np.cos(np.radians(frame.curve[:, 0]))
        assert frame.curve[:, 1] == pytest.approx(true, abs=1e-6)


def test_the_key_sweeps_a_half_turn_and_the_whole_of_it_is_traced(watched: tuple[Any, list[Frame]]) -> None:
    _, seen = watched
    half_turn = [frame for frame in seen if frame.beat == "half_turn"]
    degrees = [float(np.degrees(np.arctan2(frame.key[1], frame.key[0]))) for frame in half_turn]
    assert np.all(np.diff(degrees) >= -1e-9)
    assert (degrees[0], degrees[-1]) == pytest.approx((0, 180), abs=1.5)
    for frame, at in zip(half_turn, degrees, strict=True):
        # The curve reaches from where the key began to where it points, but for the last piece behind an anchor.
        assert frame.curve[0, 0] == pytest.approx(0, abs=1e-6)
        assert at - 0.6 <= frame.curve[-1, 0] <= at + 1e-6


def test_stretching_the_key_by_half_stretches_its_score_by_half(watched: tuple[Any, list[Frame]]) -> None:
    scene, seen = watched
    stretched = [frame for frame in seen if frame.beat == "length_counts"][-1]
    i, j = scene.cases[0]
    most = np.linalg.norm(scene.trace.queries[0, i]) * np.linalg.norm(scene.trace.keys[0, j])
    assert stretched.score == pytest.approx(1.5 * most, abs=0.005 + 1e-6)
    assert np.linalg.norm(stretched.key) == pytest.approx(1.5 * np.linalg.norm(seen[0].key))


# Other stories


@pytest.mark.parametrize(
    ("story", "left_out"),
    [
        (SIX, {"no_direction"}),
        ("tests/stories/one_dimension.toml", {"no_direction"}),
        ("tests/stories/eight_words.toml", {"no_direction"}),
        ("tests/stories/one_word.toml", {"no_direction", "by_length"}),
        ("tests/stories/all_zero.toml", {"by_length", "same_number", "three_cases", "half_turn", "length_counts"}),
    ],
)
def test_a_story_is_told_in_the_beats_that_it_has_a_use_for(story: str, left_out: set[str]) -> None:
    beats = ["which_fits", "by_length", "multiply_and_add", "same_number", "no_direction", *ALL_BEATS[4:]]
    assert [beat.name for beat in played("alignment", story).beats] == [b for b in beats if b not in left_out]


@pytest.mark.parametrize(
    "story",
    [SIX, *(f"tests/stories/{name}.toml" for name in ("one_dimension", "eight_words", "one_word", "all_zero"))],
)
def test_every_number_shows_what_its_source_says(story: str) -> None:
    performance = played("alignment", story)
    sources = performance.chapter.sources()
    for picture in performance.ends:
        for mark in picture.of("number"):
            if mark.source.startswith(("pairs.", "attention.", "queries", "keys")):
                true = value_at(mark.source, sources)
                assert np.isfinite(true)
                told = said(shown(mark))
                assert abs(float(told.value) - true) <= 0.5 * float(told.last_digit) + 1e-9


def value_at(source: str, sources: Any) -> float:
    path, place = source.rstrip("]").split("[")
    found = sources
    for name in path.split("."):
        found = found[name] if isinstance(found, dict) else getattr(found, name)
    return float(found[tuple(map(int, place.split(",")))])


def test_arrows_of_many_dimensions_are_said_to_be_drawn_in_a_plane_of_their_own() -> None:
    wide, plain = (played("alignment", story) for story in ("tests/stories/eight_words.toml", CAT))
    notes = {
        "same_number": "Each key at its true angle to the query",
        "three_cases": "Each pair in the plane through both",
    }
    for name, note in notes.items():
        assert note in [mark.said for mark in wide.end_of(name).of("label")]
        assert note not in [mark.said for mark in plain.end_of(name).of("label")]


def test_arrows_of_many_dimensions_keep_their_true_angles_and_lengths() -> None:
    performance = played("alignment", "tests/stories/eight_words.toml")
    trace, cases = performance.chapter.trace, performance.chapter.cases
    for (a, b), (i, j) in zip(drawn_pairs(performance), cases, strict=True):
        q, k = trace.queries[0, i], trace.keys[0, j]
        assert a @ b / np.linalg.norm(a) / np.linalg.norm(b) == pytest.approx(
            q @ k / np.linalg.norm(q) / np.linalg.norm(k)
        )
        assert np.linalg.norm(a) / np.linalg.norm(b) == pytest.approx(np.linalg.norm(q) / np.linalg.norm(k))


def test_pairs_are_drawn_on_one_scale_unless_an_arrow_would_be_too_short_to_be_seen() -> None:
    near, far = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 2.0], [3.0, 0.0]])
    assert [reach.tolist() for reach in reaches([near, far])] == [[*near.tolist(), *far.tolist()]] * 2
    assert [reach.tolist() for reach in reaches([near, 10 * far])] == [near.tolist(), (10 * far).tolist()]


# What is said


def two(scores: list[float], lengths: list[float]) -> Pairs:
    ones = np.zeros((2, 2))
    return Pairs(ones, ones, np.array([scores, scores]), np.ones(2), np.array(lengths), ones, ones)


def test_the_question_names_those_who_are_compared() -> None:
    assert question(["cat", "ate", "fish"], 0, [0, 2]) == "Which key fits cat's query better: cat's or fish's?"
    assert question(["cat"], 0, [0]) == "How well does cat's key fit cat's query?"


def test_a_name_that_ends_with_s_owns_without_another() -> None:
    assert (of("cat"), of("eats")) == ("cat's", "eats'")


def test_lengths_are_said_to_be_equal_only_where_they_are() -> None:
    names = ["cat", "fish"]
    assert about_lengths(two([1, -1], [1, 1]), names, [0, 1], 0).startswith("Laid flat, both keys are equally long")
    assert about_lengths(two([1, -1], [1, 2]), names, [0, 1], 0).startswith("Laid flat, fish's key is longer")
    assert about_lengths(two([1, -1], [3, 2]), names, [0, 1], 0).startswith("Laid flat, cat's key is longer")


def test_the_verdict_calls_a_tie_a_tie() -> None:
    names = ["cat", "fish"]
    assert verdict(np.array([1.0, -1.0]), names, [0, 1], 0, COUNT) == "1 against −1: cat's key fits better."
    assert verdict(np.array([0.0, 0.0]), names, [0, 1], 0, COUNT) == "Both score 0: they fit alike."
    assert verdict(np.array([2.0]), names, [0], 0, COUNT) == "cat's key scores 2."


@pytest.mark.parametrize(
    ("angle", "sentence"),
    [
        (0.0, "The same way: as positive as their lengths allow."),
        (38.9, "39° apart: a positive score."),
        (89.7, "Almost at a right angle: almost zero."),
        (90.0, "At a right angle: zero, whatever their lengths."),
        (126.2, "126° apart: a negative score."),
        (180.0, "Opposite ways: as negative as their lengths allow."),
    ],
)
def test_an_angle_is_said_to_mean_what_it_means(angle: float, sentence: str) -> None:
    assert about_angle(angle) == sentence
