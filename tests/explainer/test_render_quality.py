"""Sizes, rates and the arithmetic of frames."""

from __future__ import annotations

import io
import json

import pytest

from explainer.progress import Bar, PlainLines, progress_on
from explainer.quality import FORMATS, QUALITIES, Quality, frame_rate, picture_size
from explainer.timeline import Cue, Mark, PlayedBeat, PlayedChapter, Timeline

ASPECTS = ("16:9", "4:3", "1:1", "9:16")


@pytest.mark.parametrize(
    ("name", "size", "fps"),
    [
        ("draft", (854, 480), 15),
        ("standard", (1280, 720), 30),
        ("high", (1920, 1080), 60),
        ("4k", (3840, 2160), 60),
    ],
)
def test_each_quality_has_its_usual_size_and_rate(name: str, size: tuple[int, int], fps: int) -> None:
    assert picture_size(QUALITIES[name], "16:9") == size
    assert frame_rate(QUALITIES[name], FORMATS["mp4"]) == fps


def test_the_shorter_side_settles_the_size_in_every_aspect() -> None:
    high = QUALITIES["high"]
    sizes = {aspect: picture_size(high, aspect) for aspect in ASPECTS}
    assert sizes == {"16:9": (1920, 1080), "4:3": (1440, 1080), "1:1": (1080, 1080), "9:16": (1080, 1920)}


@pytest.mark.parametrize("aspect", ASPECTS)
@pytest.mark.parametrize("shorter", [54, 99, 480, 719])
def test_sizes_are_even_and_keep_the_shape(aspect: str, shorter: int) -> None:
    width, height = picture_size(Quality("own", shorter, 30), aspect)
    assert width % 2 == height % 2 == 0
    across, down = map(int, aspect.split(":"))
    # One pixel of rounding on either side.
    assert abs(width * down - height * across) <= across + down


@pytest.mark.parametrize(("name", "fps"), [("draft", 10), ("standard", 25), ("high", 50), ("4k", 50)])
def test_a_gif_has_a_rate_that_its_hundredths_of_a_second_can_hold(name: str, fps: int) -> None:
    assert frame_rate(QUALITIES[name], FORMATS["gif"]) == fps
    assert 100 % fps == 0


def chapter(name: str, *lengths: int) -> PlayedChapter:
    beats, start = [], 0
    for number, length in enumerate(lengths):
        cues = (Cue(f"{name} {number}", start, start + length - 1),)
        beats.append(PlayedBeat(f"b{number}", f"B{number}", start, start + length, cues))
        start += length
    return PlayedChapter(name, name.upper(), tuple(beats))


def test_the_times_of_later_chapters_start_where_the_earlier_ones_end() -> None:
    timeline = Timeline((chapter("a", 10, 20), chapter("b", 5), chapter("c", 7, 8)), fps=10)
    assert timeline.starts == (0, 30, 35)
    assert timeline.frames == 50
    assert timeline.marks() == (Mark("A", 0, 30), Mark("B", 30, 35), Mark("C", 35, 50))
    assert [(cue.start, cue.end) for cue in timeline.cues()] == [
        (0, 9),
        (10, 29),
        (30, 34),
        (35, 41),
        (42, 49),
    ]
    rows = list(timeline.rows())
    assert [(row["start"], row["end"]) for row in rows] == [(0, 1), (1, 3), (3, 3.5), (3.5, 4.2), (4.2, 5)]


def test_a_film_of_one_chapter_marks_its_beats() -> None:
    assert Timeline((chapter("a", 10, 20),), fps=10).marks() == (Mark("B0", 0, 10), Mark("B1", 10, 30))


def test_a_played_chapter_survives_being_stored() -> None:
    played = chapter("a", 10, 20)
    assert PlayedChapter.from_json(json.loads(json.dumps(played.to_json()))) == played


def test_a_terminal_that_cannot_redraw_gets_plain_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert isinstance(progress_on(Terminal()), PlainLines)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_pipe_gets_plain_lines() -> None:
    stream = io.StringIO()
    with progress_on(stream) as progress:
        progress.begin("walkthrough", ["arrows", "roles"])
        progress.beat("arrows", "A word [is] an arrow", 2, 14)
        progress.done("arrows", was_cached=False)
        progress.done("roles", was_cached=True)
        progress.assembling("walkthrough")
    assert isinstance(progress, PlainLines)
    assert stream.getvalue().splitlines() == [
        "walkthrough: arrows, roles",
        "arrows: beat 3/14 A word [is] an arrow",
        "arrows: done",
        "roles: unchanged",
        "walkthrough: putting together",
    ]


def test_a_terminal_gets_one_bar_and_a_line_a_chapter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    stream = Terminal()
    with progress_on(stream) as progress:
        progress.begin("walkthrough", ["arrows", "roles"])
        progress.beat("arrows", "A word [is] an arrow", 7, 14)
    assert isinstance(progress, Bar)
    last = stream.getvalue().rpartition("walkthrough")[2]
    # Half of one of two chapters.
    assert "25%" in last
    assert "arrows  beat 8/14  A word [is] an arrow" in last
    assert "roles   waits" in last
