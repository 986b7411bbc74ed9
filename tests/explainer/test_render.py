"""A film from a story, rendered for real at a tiny size and read back."""

from __future__ import annotations

import filecmp
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import srt

from explainer.cache import ClipCache
from explainer.errors import RenderError
from explainer.progress import Silence
from explainer.render import Film, render_film
from tests.explainer.fake_chapters import TINY, WICKED, FakeLook, FakeStory, load_fake
from tests.explainer.reading import boxes_of, pixels_of, read_film

ROOT = Path(__file__).parents[2]
FIRST_FRAMES, SECOND_FRAMES = 30, 21


def render(out: Path, *chapters: str, story: FakeStory | None = None, **options: object) -> Film:
    """A tiny film of fake chapters, drawn anew."""
    settled: dict[str, object] = {
        "quality": TINY, "load_chapter": load_fake, "cache": ClipCache(None), "progress": Silence(),
    }  # fmt: skip
    return render_film(
        story or FakeStory(),
        chapters=chapters,
        film_name="film",
        out=out,
        **(settled | options),  # type: ignore[arg-type]
    )


class Heard(Silence):
    """Remembers what a render told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin(self, film: str, chapters: Sequence[str]) -> None:
        self.told.append(f"begin {film}")

    def beat(self, chapter: str, title: str, index: int, count: int) -> None:
        self.told.append(f"{chapter} {index}/{count} {title}")

    def done(self, chapter: str, *, was_cached: bool) -> None:
        self.told.append(f"{chapter} {'cached' if was_cached else 'drawn'}")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    """A film of two chapters, in a folder with a wicked name."""
    return render(tmp_path_factory.mktemp("films") / "it's 50 %d #1 é 猫 [a]{b}", "first", "second")


def test_a_film_is_one_h264_video_and_one_caption_track(film: Film) -> None:
    read = read_film(film.path)
    assert read.kinds == ("subtitle", "video")
    assert (read.codec, read.pixel_format) == ("h264", "yuv420p")
    assert (read.width, read.height) == (film.width, film.height) == (96, 54)


def test_a_film_has_exactly_the_frames_of_its_beats_at_a_constant_rate(film: Film) -> None:
    read = read_film(film.path)
    assert len(read.moments) == film.frames == FIRST_FRAMES + SECOND_FRAMES
    assert read.rate == film.fps == 10
    assert np.allclose(read.moments, np.arange(film.frames) / 10, atol=1e-9)
    assert film.duration == 5.1


def test_a_player_can_start_before_the_film_is_loaded(film: Film) -> None:
    for path in (film.path, *film.chapters):
        boxes = boxes_of(path)
        assert boxes.index("moov") < boxes.index("mdat")


def test_a_film_of_several_chapters_marks_its_chapters(film: Film) -> None:
    assert read_film(film.path).marks == ((f"First {WICKED}", 0.0, 3.0), ("Second", 3.0, 5.1))


def test_a_chapters_own_clip_marks_its_beats(film: Film) -> None:
    assert [path.name for path in film.chapters] == ["01_first.mp4", "02_second.mp4"]
    marks = read_film(film.chapters[0]).marks
    assert marks == ((f"Beat 1 {WICKED}", 0.0, 1.5), (f"Beat 2 {WICKED}", 1.5, 3.0))


def test_titles_are_literal(film: Film) -> None:
    assert read_film(film.path).title == f"Title {WICKED}"
    assert read_film(film.chapters[0]).title == f"First {WICKED}"


def test_captions_follow_the_picture_through_all_chapters(film: Film) -> None:
    captions = read_film(film.path).captions
    assert captions[0].text == f"cat {WICKED}\nin first"
    assert captions[4].text == f"cat {WICKED}\nin second"
    spans = [(round(c.start, 3), round(c.end, 3)) for c in captions]
    assert spans == [
        (0.0, 0.4), (0.4, 1.4), (1.5, 1.9), (1.9, 2.9),
        (3.0, 3.4), (3.4, 3.6), (3.7, 4.1), (4.1, 4.3), (4.4, 4.8), (4.8, 5.0),
    ]  # fmt: skip


def test_the_caption_files_say_what_the_caption_track_says(film: Film) -> None:
    captions = read_film(film.path).captions
    subtitles = list(srt.parse(film.srt.read_text(encoding="utf-8")))
    assert [(s.content, s.start.total_seconds(), s.end.total_seconds()) for s in subtitles] == [
        (caption.text, round(caption.start, 3), round(caption.end, 3)) for caption in captions
    ]
    vtt = film.vtt.read_text(encoding="utf-8")
    assert vtt.startswith("WEBVTT\n")
    assert vtt.count(" --> ") == len(captions)


def test_beats_tell_a_narrator_what_is_said_when(film: Film) -> None:
    told = json.loads(film.beats.read_text(encoding="utf-8"))
    assert (told["film"], told["story"], told["fps"], told["duration"]) == ("film", "fake.toml", 10, 5.1)
    rows = told["beats"]
    assert [(row["chapter"], row["beat"]) for row in rows] == [
        ("first", "beat_0"), ("first", "beat_1"),
        ("second", "beat_0"), ("second", "beat_1"), ("second", "beat_2"),
    ]  # fmt: skip
    assert [row["start"] for row in rows] == [0.0, 1.5, 3.0, 3.7, 4.4]
    assert [row["end"] for row in rows] == [1.5, 3.0, 3.7, 4.4, 5.1]
    assert rows[0]["caption"] == f"cat {WICKED} in first beat 1"
    assert rows[0]["captions"] == [
        {"text": f"cat {WICKED}\nin first", "start": 0.0, "end": 0.4},
        {"text": "beat 1", "start": 0.4, "end": 1.4},
    ]


def test_all_files_of_a_film_lie_together_and_nothing_else_does(film: Film) -> None:
    folder = film.path.parent
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert found == {
        "film.mp4", "film.srt", "film.vtt", "film.png", "beats.json",
        "chapters/01_first.mp4", "chapters/02_second.mp4",
    }  # fmt: skip
    assert folder.name == "fake"


def test_the_poster_is_the_last_frame_that_shows_something(film: Film) -> None:
    poster = pixels_of(film.poster)[0]
    assert poster.shape == (54, 96, 3)
    # Manim's RED is #FC6255, the last square but one of the last chapter; after it nothing is shown.
    assert np.abs(poster[27, 48].astype(int) - (0xFC, 0x62, 0x55)).max() <= 8
    assert poster[2, 2].max() <= 8


def test_two_renders_give_the_same_bytes(film: Film, tmp_path: Path) -> None:
    again = render(tmp_path, "first", "second", jobs=1)
    for one, two in zip((film.path, *film.chapters), (again.path, *again.chapters), strict=True):
        assert filecmp.cmp(one, two, shallow=False)
    for name in ("srt", "vtt", "beats", "poster"):
        assert filecmp.cmp(getattr(film, name), getattr(again, name), shallow=False)


def test_a_foreign_configuration_of_manim_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = render(tmp_path / "plain", "configured")
    settings = (
        "[CLI]\nbackground_color = #FF00FF\nframe_height = 3\nframe_width = 4\nseed = 7\n"
        "from_animation_number = 1\nsave_sections = True\nplugins = no_such_plugin\ndry_run = True\n"
        "[video_encoder]\ncodec = mpeg4\n[video_encoder.options]\ncrf = 40\n"
    )
    home = tmp_path / "home"
    (home / ".config" / "manim").mkdir(parents=True)
    (home / ".config" / "manim" / "manim.cfg").write_text(settings)
    (tmp_path / "manim.cfg").write_text(settings)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(tmp_path)
    assert filecmp.cmp(plain.path, render(Path("foreign"), "configured").path, shallow=False)


def test_a_chapter_is_told_to_draw_its_captions(tmp_path: Path) -> None:
    caption, *_ = read_film(render(tmp_path, "configured", burn_captions=True).path).captions
    assert caption.text.startswith("True 8.0 0 0 []")


def test_a_beat_that_a_chapter_names_is_the_poster(tmp_path: Path) -> None:
    poster = pixels_of(render(tmp_path, "named").poster)[0]
    # Manim's BLUE is #58C4DD, the first square.
    assert np.abs(poster[27, 48].astype(int) - (0x58, 0xC4, 0xDD)).max() <= 8


def test_a_film_of_one_chapter_marks_its_beats(tmp_path: Path) -> None:
    marks = read_film(render(tmp_path, "second").path).marks
    assert [(round(start, 3), round(end, 3)) for _, start, end in marks] == [(0, 0.7), (0.7, 1.4), (1.4, 2.1)]


def test_a_portrait_film_is_upright(tmp_path: Path) -> None:
    made = render(tmp_path, "second", story=FakeStory(look=FakeLook("9:16")))
    read = read_film(made.path)
    assert (read.width, read.height) == (54, 96)
    square = pixels_of(made.chapters[0])[0].max(axis=2) > 100
    # Half the frame's width, and as high as it is wide.
    assert abs(int(square.any(axis=0).sum()) - 27) <= 1
    assert abs(int(square.any(axis=1).sum()) - 27) <= 1


def test_a_webm_carries_marks_and_captions_too(tmp_path: Path) -> None:
    made = render(tmp_path, "second", format="webm")
    read = read_film(made.path)
    assert (made.path.name, read.codec, read.kinds) == ("film.webm", "vp9", ("subtitle", "video"))
    assert len(read.moments) == SECOND_FRAMES
    assert [caption.text for caption in read.captions][1::2] == ["beat 1", "beat 2", "beat 3"]
    assert len(read.marks) == 3
    assert made.srt.is_file()
    assert made.chapters[0].name == "01_second.webm"


def test_a_gif_shows_every_frame_and_has_its_captions_beside_it(tmp_path: Path) -> None:
    made = render(tmp_path, "second", format="gif")
    read = read_film(made.path)
    assert made.path.name == "film.gif"
    assert np.allclose(read.moments, np.arange(SECOND_FRAMES) / 10)
    assert made.vtt.is_file()


def test_a_film_of_pictures_is_a_folder_of_numbered_frames(tmp_path: Path) -> None:
    made = render(tmp_path, "second", format="png")
    files = sorted(made.path.iterdir())
    assert [file.name for file in files] == [f"{number:06}.png" for number in range(1, SECOND_FRAMES + 1)]
    assert tuple(pixels_of(files[0])[0][27, 48]) == (0x58, 0xC4, 0xDD)
    assert made.chapters == ()
    # An older film of pictures gives way to a newer one.
    assert len(list(render(tmp_path, "first", format="png").path.iterdir())) == FIRST_FRAMES


def test_a_render_tells_each_beat_as_it_starts(tmp_path: Path) -> None:
    heard = Heard()
    render(tmp_path, "first", "second", progress=heard, jobs=1)
    assert heard.told == [
        "begin film",
        "first 0/2 Beat 1", "first 1/2 Beat 2", "first drawn",
        "second 0/3 Beat 1", "second 1/3 Beat 2", "second 2/3 Beat 3", "second drawn",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("chapter", "fault"),
    [
        ("broken", "the chapter broken could not be drawn: ValueError: no such number"),
        ("crashing", "the chapter crashing could not be drawn: its process was ended by signal 9"),
        ("miscounting", "its beats last 21 frames, but 20 were drawn"),
    ],
)
def test_a_chapter_that_fails_is_named_and_an_older_film_stays(
    tmp_path: Path, chapter: str, fault: str
) -> None:
    folder = tmp_path / "fake"
    folder.mkdir()
    (folder / "film.mp4").write_text("an older film")
    with pytest.raises(RenderError, match=fault):
        render(tmp_path, "second", chapter)
    assert [path.name for path in folder.iterdir()] == ["film.mp4"]
    assert (folder / "film.mp4").read_text() == "an older film"


def test_a_script_needs_no_guard_around_its_main_part(tmp_path: Path) -> None:
    script = tmp_path / "lecture.py"
    script.write_text(
        "from explainer.cache import ClipCache\nfrom explainer.render import render_film\n"
        "from tests.explainer.fake_chapters import *\n"
        "print(render_film(FakeStory(), chapters=['second'], film_name='film', quality=TINY, out='films',\n"
        "                  load_chapter=load_fake, cache=ClipCache(None)).path)\n"
    )
    environment = {"PYTHONPATH": str(ROOT), "LANG": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{tmp_path}/films/fake/film.mp4\n"
    assert done.stderr.splitlines() == [
        "film: second", "second: beat 1/3 Beat 1", "second: beat 2/3 Beat 2", "second: beat 3/3 Beat 3",
        "second: done", "film: putting together",
    ]  # fmt: skip
