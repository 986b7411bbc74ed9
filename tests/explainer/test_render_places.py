"""Where films may go, and what is said where they may not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from explainer.errors import PlaceError
from explainer.quality import FORMATS
from explainer.render import render_film
from explainer.staging import places_for, publish, staging
from tests.explainer.fake_chapters import TINY, FakeStory, load_fake


def refusal(out: Path, **options: object) -> str:
    """What is said of a place; fails if anything was drawn, which would say that there is no such chapter."""
    with pytest.raises(PlaceError) as caught:
        render_film(
            FakeStory(), chapters=["no such chapter"], film_name="film", quality=TINY, out=out,
            load_chapter=load_fake, **options,  # type: ignore[arg-type]
        )  # fmt: skip
    return str(caught.value)


def test_a_file_where_the_output_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    assert refusal(tmp_path / "out").startswith(f"{tmp_path / 'out'} is a file")
    assert refusal(tmp_path / "out" / "deeper").startswith(f"{tmp_path / 'out'} is a file")
    assert (tmp_path / "out").read_text() == "a file"


def test_a_file_where_the_storys_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "fake").write_text("a file")
    assert refusal(tmp_path).startswith(f"{tmp_path / 'fake'} is a file")


@pytest.mark.parametrize("name", ["film.mp4", "film.srt", "film.vtt", "film.png", "beats.json"])
def test_a_folder_that_has_the_name_of_a_file_of_the_film_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "fake" / name).mkdir(parents=True)
    assert refusal(tmp_path).startswith(f"{tmp_path / 'fake' / name} is a folder")
    assert [path.name for path in (tmp_path / "fake").iterdir()] == [name]


def test_a_file_where_the_chapters_folder_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "chapters").write_text("a file")
    assert refusal(tmp_path).startswith(f"{tmp_path / 'fake' / 'chapters'} is a file")


@pytest.mark.parametrize("out", ["a" * 300, "/".join(["folder"] * 900)])
def test_a_place_whose_name_is_too_long_is_refused(tmp_path: Path, out: str) -> None:
    assert refusal(tmp_path / out).endswith("cannot be written (File name too long): choose another --out")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("stem", [".", ".."])
def test_a_story_whose_name_leads_out_of_the_output_folder_is_refused(tmp_path: Path, stem: str) -> None:
    with pytest.raises(PlaceError, match="rename the story's file"):
        places_for(tmp_path, stem, "film", FORMATS["mp4"], ["one"])


def test_a_temporary_folder_that_cannot_be_is_refused_with_the_way_to_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "nowhere"))
    assert "nowhere cannot be written" in (said := refusal(tmp_path / "out"))
    assert said.endswith("set TMPDIR to a folder of yours")


def test_a_link_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(tmp_path / "nowhere")
    assert str(tmp_path / "out") in refusal(tmp_path / "out")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place where nobody can make a folder")
def test_a_place_where_no_folder_can_be_made_is_refused() -> None:
    assert "/proc/films cannot be written" in refusal(Path("/proc/films"))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        assert "cannot be written (Permission denied)" in refusal(tmp_path)
    finally:
        tmp_path.chmod(0o755)


def test_a_refused_place_is_left_without_new_folders(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a file")
    refusal(tmp_path / "a" / "b" / "c")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_with_files_of_ones_own_is_not_taken_for_an_older_film_of_pictures(tmp_path: Path) -> None:
    pictures = tmp_path / "fake" / "film"
    pictures.mkdir(parents=True)
    (pictures / "holiday.png").write_text("mine")
    assert refusal(tmp_path, format="png").startswith(f"{pictures} is a folder")
    assert (pictures / "holiday.png").read_text() == "mine"


def test_what_is_staged_is_gone_when_the_work_fails(tmp_path: Path) -> None:
    places = places_for(tmp_path / "out", "story", "film", FORMATS["mp4"], ["one"])

    def fail() -> None:
        with staging(places) as staged:
            staged.film.write_text("half a film")
            raise KeyError("some fault")

    with pytest.raises(KeyError):
        fail()
    assert list(tmp_path.iterdir()) == []


def test_files_stay_as_they_are_until_everything_is_published(tmp_path: Path) -> None:
    places = places_for(tmp_path, "story", "film", FORMATS["mp4"], ["one"])
    places.folder.mkdir()
    places.film.write_text("older")
    (places.folder / "notes.txt").write_text("mine")
    with staging(places) as staged:
        staged.chapters[0].parent.mkdir()
        for file in staged.files():
            file.write_text("newer")
        assert places.film.read_text() == "older"
        publish(staged, places)
    assert {file.read_text() for file in places.files()} == {"newer"}
    assert (places.folder / "notes.txt").read_text() == "mine"
    assert not list(places.folder.glob(".*"))


def test_two_renders_into_one_folder_do_not_disturb_each_other(tmp_path: Path) -> None:
    places = places_for(tmp_path, "story", "film", FORMATS["png"], ["one"])
    with staging(places) as one:
        one.srt.write_text("one")
        with staging(places) as two:
            two.srt.write_text("two")
            assert one.srt.read_text() == "one"
        assert one.srt.read_text() == "one"
