"""The nine chapters as one film: each begins with the very picture that the one before it leaves, for every story."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from manim import Scene, tempconfig

from scenes.captions import LINE, LINES
from scenes.film import CHAPTERS, DEFAULT_FILM, FILMS, WALKTHROUGH
from tests.scenes.stage import Performance, Picture, played, settings

CAT = "stories/cat_ate_fish.toml"
A_FEW = (CAT, "stories/the_cat_sat.toml", "tests/stories/one_word.toml", "tests/stories/causal_fractions.toml")
RATE = 30


@pytest.fixture(params=WALKTHROUGH, scope="module")
def chapter(request: pytest.FixtureRequest) -> Performance:
    return played(request.param, CAT)


def outlines(picture: Picture) -> list[tuple[str, str, npt.NDArray[np.float64]]]:
    """What is drawn, in its order: colour and opacity as text, and every point."""
    return [(mark.kind, f"{mark.colour.to_hex()} {mark.opacity:.6f}", mark.points) for mark in picture.marks]


def differences(left: Picture, right: Picture) -> Iterator[str]:
    before, after = outlines(left), outlines(right)
    if len(before) != len(after):
        yield f"{len(before)} marks, then {len(after)}"
    for a, b in zip(before, after, strict=False):
        if a[:2] != b[:2] or a[2].shape != b[2].shape or not np.allclose(a[2], b[2], atol=1e-9):
            yield f"{a[:2]} at {a[2][0]}, then {b[:2]} at {b[2][0]}"


# One film


def test_the_walkthrough_is_the_default_film_and_has_the_nine_steps_in_order() -> None:
    assert FILMS[DEFAULT_FILM] == WALKTHROUGH == (
        "arrows", "roles", "alignment", "scores", "cooling", "budget", "blending", "edge_cases", "summary",
    )  # fmt: skip


@pytest.mark.parametrize("story", A_FEW)
@pytest.mark.parametrize(("earlier", "later"), list(pairwise(WALKTHROUGH)))
def test_the_last_picture_of_a_chapter_is_the_first_of_the_next(earlier: str, later: str, story: str) -> None:
    last, first = played(earlier, story).ends[-1], played(later, story).first
    assert last.marks
    assert list(differences(last, first)) == []


@pytest.mark.parametrize(("earlier", "later"), list(pairwise(WALKTHROUGH)))
def test_the_last_frame_of_a_chapter_is_the_first_of_the_next_pixel_for_pixel(
    earlier: str, later: str, tmp_path: Path
) -> None:
    before, after = played(earlier, CAT).chapter, played(later, CAT)
    with tempconfig({**settings(tmp_path), "pixel_width": 320, "pixel_height": 180}):
        left, right = (frame(mobjects, before) for mobjects in (before.mobjects, after.first_mobjects))
    assert np.array_equal(left, right)


def frame(mobjects: list[object], scene: Scene) -> npt.NDArray[np.uint8]:
    drawn = Scene()
    drawn.camera.background_color = scene.camera.background_color
    drawn.camera.reset()
    drawn.camera.capture_mobjects(mobjects)
    return drawn.camera.pixel_array.copy()


def test_the_walkthrough_lasts_between_six_and_ten_minutes() -> None:
    frames = sum(played(name, CAT).beats[-1].end for name in WALKTHROUGH)
    assert 6 * 60 <= frames / RATE <= 10 * 60


# Each chapter


def test_a_chapter_lasts_between_half_a_minute_and_seventy_five_seconds(chapter: Performance) -> None:
    assert 30 <= chapter.beats[-1].end / RATE <= 75


def test_a_chapter_is_called_what_the_list_of_chapters_calls_it(chapter: Performance) -> None:
    assert chapter.chapter.title == CHAPTERS[chapter.chapter.name].title


def test_a_beat_lasts_between_three_and_twelve_seconds(chapter: Performance) -> None:
    lengths = {beat.name: (beat.end - beat.start) / RATE for beat in chapter.beats}
    assert {name: seconds for name, seconds in lengths.items() if not 3 <= seconds <= 12.5} == {}


def test_captions_fit_and_stay_inside_their_beats(chapter: Performance) -> None:
    wrong = [
        (beat.name, cue.text)
        for beat in chapter.beats
        for cue in beat.cues
        if max(map(len, cue.text.split("\n"))) > LINE
        or cue.text.count("\n") >= LINES
        or not beat.start <= cue.start < cue.end <= beat.end
        or len(cue.text) / ((cue.end - cue.start) / RATE) > 17
        or not 1 <= (cue.end - cue.start) / RATE <= 7
    ]
    assert wrong == []
