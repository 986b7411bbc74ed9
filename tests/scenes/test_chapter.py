"""The beat machinery: order, names, frames, captions. What was drawn is what is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from manim import UP, CairoRenderer, FadeIn, Scene, SceneFileWriter, Square, tempconfig

from scenes.chapter import Chapter, beat
from scenes.layout import CAPTION_STRIP
from scenes.story import Story, load_story
from scenes.worked_example import WorkedExample
from tests.scenes.stage import ROOT, SHIPPED, Blind, Performance, performance, seen_in, settings, shown_by

WORDS = {"first": "<b>{not filled}</b>", "second": '"it\'s" C# \\ `$x$`'}


class Tiny(Chapter):
    """Three beats, one of them with two captions."""

    name = "tiny"
    title = "Tiny"

    def words(self) -> Mapping[str, str]:
        return WORDS

    def open(self) -> None:
        self.opened = self.frame
        self.box = Square(2.0).shift(UP)

    @beat("Here is {first}.", title="It begins")
    def zebra(self) -> None:
        self.play(FadeIn(self.box), run_time=1.0)

    @beat("One.", "And then {second}, which takes a while to read and to understand at all.")
    def aardvark(self) -> None:
        self.next_cue()
        self.play(self.box.animate.shift(UP * 0.5), run_time=0.31)
        self.hold(0.2)

    @beat("{first} and {second}: " + "a long tail of words " * 6)
    def monkey(self) -> None:
        pass


class Counting(SceneFileWriter):
    """Counts the frames that it is given, and writes none."""

    frames = 0

    def begin_animation(self, *facts: Any, **more: Any) -> None:
        pass

    def write_frame(self, pixels: Any, *, repeat: int = 1) -> None:
        self.frames += repeat

    def end_animation(self, *facts: Any, **more: Any) -> None:
        pass

    def finish(self) -> None:
        pass


@pytest.fixture
def story() -> Story:
    return load_story(ROOT / SHIPPED[0])


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def play(story: Story | None, chapter: type[Chapter] = Tiny, *, rate: int = 30, **given: Any) -> Any:
    """A chapter after it was played, frame by frame."""
    with tempconfig({"frame_rate": rate}):
        played = chapter(renderer=CairoRenderer(file_writer_class=Counting, camera_class=Blind))
        played.story = story
        for name, value in given.items():
            setattr(played, name, value)
        played.render()
    return played


def with_pace(pace: float) -> Story:
    return load_story(ROOT / SHIPPED[0], [f"look.pace={pace}"])


# Beats


def test_beats_come_in_the_order_in_which_they_are_written() -> None:
    assert [b.name for b in Tiny.beats()] == ["zebra", "aardvark", "monkey"]


def test_a_subclass_tells_its_parents_beats_first() -> None:
    class Longer(Tiny):
        @beat("More.")
        def more(self) -> None: ...

    assert [b.name for b in Longer.beats()] == ["zebra", "aardvark", "monkey", "more"]
    assert len(Tiny.beats()) == 3


def test_a_beats_title_is_its_name_in_words_unless_it_has_one() -> None:
    assert [b.title for b in Tiny.beats()] == ["It begins", "Aardvark", "Monkey"]


@pytest.mark.parametrize("name", ["play", "wait", "setup", "camera", "add", "story", "words", "hold", "frame", "beats"])
def test_a_name_that_the_machinery_uses_is_refused_when_the_class_is_made(name: str) -> None:
    def method(self: Chapter) -> None: ...

    method.__name__ = name
    with pytest.raises(TypeError, match=f"Wrong.*'{name}'"):
        type("Wrong", (Chapter,), {name: beat("Text.")(method)})


def test_a_beat_without_a_caption_is_refused() -> None:
    with pytest.raises(TypeError, match="caption"):
        beat()


def test_a_beat_that_a_story_has_no_use_for_is_left_out(story: Story) -> None:
    class Choosy(Tiny):
        @beat("Never.", when=lambda chapter: chapter.trace.n > 100)
        def crowd(self) -> None: ...

        @beat("Always.", when=lambda chapter: chapter.trace.n < 100)
        def few(self) -> None: ...

    assert [b.name for b in play(story, Choosy).played] == ["zebra", "aardvark", "monkey", "few"]


def test_a_caption_with_nothing_to_say_leaves_the_one_before_it_standing(story: Story) -> None:
    class Terse(Chapter):
        name = "terse"

        def words(self) -> Mapping[str, str]:
            return {"nothing": ""}

        @beat("First.", "{nothing}", "Last.")
        def talk(self) -> None:
            self.hold(1.0)
            self.next_cue()
            self.hold(3.0)
            self.next_cue()
            self.hold(1.0)

    first, last = play(story, Terse).played[0].cues
    assert (first.text, last.text) == ("First.", "Last.")
    assert first.end == last.start >= 4 * 30


def test_a_chapter_keeps_manims_constructor() -> None:
    assert Chapter.__init__ is Scene.__init__


def test_each_beat_is_a_section_of_manims(story: Story) -> None:
    chapter = play(story)
    sections = [section.name for section in chapter.renderer.file_writer.sections]
    assert sections[-3:] == ["zebra", "aardvark", "monkey"]


def test_the_mobjects_are_prepared_once_before_the_first_frame(story: Story) -> None:
    assert play(story).opened == 0


def test_each_beat_is_announced_with_its_title_and_place(story: Story) -> None:
    told: list[tuple[str, int, int]] = []
    play(story, on_beat=lambda *facts: told.append(facts))
    assert told == [("It begins", 0, 3), ("Aardvark", 1, 3), ("Monkey", 2, 3)]


def test_a_chapter_without_a_story_tells_the_one_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert play(None).story.stem == "cat_ate_fish"
    monkeypatch.setenv("EXPLAINER_STORY", str(ROOT / "stories" / "mouse_eats_cheese.toml"))
    assert play(None).story.stem == "mouse_eats_cheese"


# Frames


@pytest.mark.parametrize("rate", [15, 24, 30, 60])
@pytest.mark.parametrize("pace", [0.7, 1.0, 2.0])
def test_beats_are_told_in_the_frames_that_were_drawn(rate: int, pace: float) -> None:
    chapter = play(with_pace(pace), rate=rate)
    starts = [b.start for b in chapter.played]
    ends = [b.end for b in chapter.played]
    assert starts == [0, *ends[:-1]]
    assert all(start < end for start, end in zip(starts, ends, strict=True))
    assert ends[-1] == chapter.renderer.file_writer.frames


def test_playing_without_drawing_counts_the_same_frames(story: Story) -> None:
    drawn = play(story)
    skipping = Tiny(renderer=CairoRenderer(file_writer_class=Counting, camera_class=Blind, skip_animations=True))
    skipping.story = story
    skipping.render()
    assert skipping.played == drawn.played


def test_pace_changes_how_long_things_take_but_not_the_time_to_read() -> None:
    slow, normal, fast = (play(with_pace(pace)).played for pace in (0.5, 1.0, 2.0))
    length = [[b.end - b.start for b in played] for played in (slow, normal, fast)]
    assert length[0][0] > length[1][0] > length[2][0]
    for played in (slow, normal, fast):
        assert_readable(played, 30)
    # Nothing moves in the last beat: its cues stand as long at any pace, but for the still moment at its end.
    for a, b in zip(slow[2].cues[:-1], fast[2].cues[:-1], strict=True):
        assert a.end - a.start == b.end - b.start


# Captions


def assert_readable(beats: Any, rate: int) -> None:
    cues = [cue for b in beats for cue in b.cues]
    for cue in cues:
        seconds = (cue.end - cue.start) / rate
        assert 1.0 <= seconds <= 7.0, cue
        assert len(cue.text) / seconds <= 17.0, cue
        lines = cue.text.split("\n")
        assert len(lines) <= 2
        assert max(map(len, lines)) <= 42
    assert all(earlier.end <= later.start for earlier, later in pairwise(cues))
    for b in beats:
        assert all(b.start <= cue.start < cue.end <= b.end for cue in b.cues)
        assert b.cues[0].start == b.start


@pytest.mark.parametrize("rate", [15, 24, 60])
def test_captions_can_be_read_and_stay_inside_their_beats(story: Story, rate: int) -> None:
    assert_readable(play(story, rate=rate).played, rate)


def test_words_of_the_story_are_literal_in_captions(story: Story) -> None:
    first, second, _ = play(story).played
    assert first.cues[0].text.replace("\n", " ") == "Here is <b>{not filled}</b>."
    assert second.cues[0].text == "One."
    assert WORDS["second"] in second.cues[1].text.replace("\n", " ")


def test_a_text_too_long_for_one_cue_goes_on_in_the_next(story: Story) -> None:
    *_, last = play(story).played
    assert len(last.cues) > 1
    assert " ".join(cue.text for cue in last.cues).replace("\n", " ").count("a long tail of words") == 6


def test_manims_own_writer_is_told_the_same_captions(story: Story) -> None:
    chapter = play(story)
    subtitles = chapter.renderer.file_writer.subcaptions
    told = [(s.content, s.start.total_seconds(), s.end.total_seconds()) for s in subtitles]
    cues = [cue for b in chapter.played for cue in b.cues]
    assert [text for text, _, _ in told] == [cue.text for cue in cues]
    for (_, start, end), cue in zip(told, cues, strict=True):
        assert (start, end) == pytest.approx((cue.start / 30, cue.end / 30), abs=1e-3)


# Captions drawn into the picture


def test_captions_in_the_picture_stand_in_a_strip_below_it(story: Story) -> None:
    chapter = play(story, Snapping, burn_captions=True)
    frame, camera = chapter.layout.frame, chapter.camera
    bottom = camera.frame_center[1] - camera.frame_height / 2
    assert bottom == pytest.approx(frame.bottom - CAPTION_STRIP)
    assert camera.frame_center[1] + camera.frame_height / 2 == pytest.approx(frame.top)
    assert camera.frame_width / camera.frame_height == pytest.approx(frame.width / frame.height)
    for picture in chapter.pictures:
        captions = picture.of("label")
        shown = "\n".join(label.said for label in captions)
        assert shown in [cue.text for b in chapter.played for cue in b.cues]
        for label in captions:
            assert bottom + 0.1 < label.low[1]
            assert label.high[1] < frame.bottom - 0.05
            assert abs(label.middle[0]) < 0.02
            assert label.size[0] < camera.frame_width - 0.6


def test_captions_in_the_picture_leave_everything_else_where_it_is(story: Story) -> None:
    plain, burnt = (play(story, Snapping, burn_captions=burn) for burn in (False, True))
    assert plain.played == burnt.played
    for a, b in zip(plain.pictures, burnt.pictures, strict=True):
        assert not a.of("label")
        for one, other in zip(a.of("Square"), b.of("Square"), strict=True):
            assert np.array_equal(one.points, other.points)


class Snapping(Tiny):
    """Keeps the picture after every move."""

    def open(self) -> None:
        super().open()
        self.pictures: list[Any] = []

    def play(self, *animations: Any, **kwargs: Any) -> None:
        super().play(*animations, **kwargs)
        self.pictures.append(seen_in(self.mobjects, ""))


# The worked example


@pytest.fixture(params=shown_by("worked_example"), scope="module")
def played(request: pytest.FixtureRequest) -> Performance:
    return performance(request.param)


def test_the_worked_examples_captions_can_be_read(played: Performance) -> None:
    assert_readable(played.beats, 30)


def test_every_beat_ends_with_a_still_moment(played: Performance) -> None:
    still = {}
    for b in played.beats:
        last_move = max(picture.frame for picture in played.settled if picture.beat == b.name)
        still[b.name] = (b.end - last_move) / 30
    assert {name: seconds for name, seconds in still.items() if seconds < 0.5} == {}


@pytest.mark.parametrize("name", [name for name in SHIPPED if name in shown_by("worked_example")])
def test_every_text_of_the_shipped_stories_fits_into_one_cue(name: str) -> None:
    played = performance(name)
    scripts = {b.name: b for b in WorkedExample.beats()}
    pages = {b.name: [cue.text for cue in b.cues] for b in played.beats}
    assert {n: p for n, p in pages.items() if len(p) != len(scripts[n].texts)} == {}


def test_the_worked_example_lasts_between_one_and_two_and_a_half_minutes() -> None:
    frames = performance("stories/mouse_eats_cheese.toml").beats[-1].end
    assert 60 <= frames / 30 <= 150


def test_words_with_braces_and_tags_are_literal_in_the_worked_examples_captions() -> None:
    texts = " ".join(cue.text for b in performance("tests/stories/markup.toml").beats for cue in b.cues)
    assert "{x}& asks every" in texts.replace("\n", " ")
