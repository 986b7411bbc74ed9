"""Chapters that need not be drawn again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from explainer.cache import ClipCache, cache_folder, chapter_key
from explainer.quality import FORMATS, Picture
from explainer.timeline import Cue, PlayedBeat, PlayedChapter
from tests.explainer.fake_chapters import FakeStory, load_fake
from tests.explainer.test_render import Heard, render

ROOT = Path(__file__).parents[2]
PICTURE = Picture("16:9", 96, 54, 10, FORMATS["mp4"])
RECORD_WITHOUT_BEATS = json.dumps(
    {"clip": "clip.mp4", "sha256": sha256(bytes(100)).hexdigest(), "played": {}}
)
PLAYED = PlayedChapter("one", "One", (PlayedBeat("a", "A", 0, 10, (Cue("text", 0, 9),)),), "a")


def key(**changes: object) -> str:
    return chapter_key(load_fake, "first", replace(FakeStory(), **changes), PICTURE, False)  # type: ignore[arg-type]


def clip_of(folder: Path, size: int = 100) -> Path:
    clip = folder / "clip.mp4"
    clip.write_bytes(bytes(size))
    return clip


def test_an_unchanged_film_is_not_drawn_again_and_has_the_same_bytes(tmp_path: Path) -> None:
    cache, heard = ClipCache(tmp_path / "cache"), Heard()
    drawn = render(tmp_path / "one", "second", cache=cache)
    found = render(tmp_path / "two", "second", cache=cache, progress=heard)
    assert heard.told == ["begin film", "second cached"]
    assert found.path.read_bytes() == drawn.path.read_bytes()
    assert found.poster.read_bytes() == drawn.poster.read_bytes()
    render(tmp_path / "two", "second", cache=cache, progress=heard, story=FakeStory(word="dog"))
    assert heard.told[-1] == "second drawn"


def test_a_story_has_the_same_key_in_every_process() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "from tests.explainer.test_render_cache import key; print(key())"],
        cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": "17"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.strip() == key()


def test_where_a_story_lies_does_not_change_its_key() -> None:
    assert key(path=Path("somewhere/else/fake.toml")) == key()


def test_whatever_settles_a_picture_changes_its_key() -> None:
    story = FakeStory()
    keys = {
        key(),
        key(word="dog"),
        chapter_key(load_fake, "second", story, PICTURE, False),
        chapter_key(load_fake, "first", story, PICTURE, True),
        chapter_key(load_fake, "first", story, replace(PICTURE, fps=30), False),
        chapter_key(load_fake, "first", story, replace(PICTURE, format=FORMATS["webm"]), False),
    }
    assert len(keys) == 6


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (np.array([1.0, 2.0]), np.array([1.0, np.nextafter(2.0, 3.0)])),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (0.0, -0.0),
        (1, True),
        (("a", "b"), ("ab",)),
        ({"a": "b"}, {"b": "a"}),
        (None, "None"),
    ],
)
def test_values_that_differ_in_the_least_have_different_keys(one: object, two: object) -> None:
    assert chapter_key(load_fake, "first", one) != chapter_key(load_fake, "first", two)


def test_mappings_are_the_same_in_any_order() -> None:
    assert chapter_key(load_fake, "first", {"a": 1, "b": 2}) == chapter_key(
        load_fake, "first", {"b": 2, "a": 1}
    )


def test_a_value_whose_sameness_cannot_be_told_is_an_error_and_not_a_wrong_film() -> None:
    with pytest.raises(TypeError, match="object"):
        chapter_key(load_fake, "first", object())


def test_what_is_kept_is_found_whole(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path / "cache")
    assert cache.find("k") is None
    cache.keep("k", clip_of(tmp_path), PLAYED)
    found = cache.find("k")
    assert found is not None
    clip, played = found
    assert (clip.read_bytes(), played) == (bytes(100), PLAYED)


def test_a_clip_that_was_cut_short_is_not_found(tmp_path: Path) -> None:
    cache = ClipCache(tmp_path / "cache")
    cache.keep("k", clip_of(tmp_path), PLAYED)
    (tmp_path / "cache" / "k" / "clip.mp4").write_bytes(bytes(48))
    assert cache.find("k") is None


def test_a_chapter_whose_clip_was_damaged_is_drawn_again_and_then_found(tmp_path: Path) -> None:
    cache, heard = ClipCache(tmp_path / "cache"), Heard()
    drawn = render(tmp_path / "one", "second", cache=cache)
    (clip,) = (tmp_path / "cache").glob("*/*.mp4")
    whole = clip.read_bytes()
    clip.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    again = render(tmp_path / "two", "second", cache=cache, progress=heard)
    assert heard.told[-1] == "second drawn"
    assert again.path.read_bytes() == drawn.path.read_bytes()
    render(tmp_path / "two", "second", cache=cache, progress=heard)
    assert heard.told[-1] == "second cached"


@pytest.mark.parametrize("record", ["", "[]", "{}", RECORD_WITHOUT_BEATS])
def test_a_record_that_cannot_be_read_is_not_found(tmp_path: Path, record: str) -> None:
    cache = ClipCache(tmp_path / "cache")
    cache.keep("k", clip_of(tmp_path), PLAYED)
    (tmp_path / "cache" / "k" / "chapter.json").write_text(record)
    assert cache.find("k") is None


def test_the_clips_that_were_not_used_for_longest_make_room(tmp_path: Path) -> None:
    cache, clip = ClipCache(tmp_path / "cache", limit=15_000), clip_of(tmp_path, 5000)
    for age, name in enumerate(("used", "old", "older")):
        cache.keep(name, clip, PLAYED)
        os.utime(tmp_path / "cache" / name, (1000 - age, 1000 - age))
    assert cache.find("used") is not None
    cache.keep("new", clip, PLAYED)
    assert sorted(path.name for path in (tmp_path / "cache").iterdir()) == ["new", "used"]


def test_a_cache_that_cannot_be_written_is_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file")
    cache = ClipCache(tmp_path / "cache")
    cache.keep("k", clip_of(tmp_path), PLAYED)
    assert cache.find("k") is None


def test_the_cache_lies_where_the_system_keeps_caches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "explainer"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() is None
