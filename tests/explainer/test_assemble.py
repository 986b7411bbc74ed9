"""Joining clips into films, and reading single frames."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from explainer.assemble import Clip, count_frames, frame_at, has_content, join, write_frames, write_gif
from explainer.timeline import Cue, Mark
from tests.explainer.fake_chapters import WICKED
from tests.explainer.reading import boxes_of, pixels_of, read_film

FPS = 12
CODECS = {".mp4": "libx264", ".webm": "libvpx-vp9"}


def make_clip(
    path: Path, greys: list[int], *, width: int = 64, fps: int = FPS, codec: str = "", lossless: bool = False
) -> Clip:
    """A clip whose frames are even greys, so that each frame can be told from the others."""
    options = {"qp": "0"} if lossless else {"crf": "10"}
    codec = codec or ("libx264rgb" if lossless else CODECS[path.suffix])
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=fps, options=options)
        stream.width, stream.height = width, 36
        stream.pix_fmt = "rgb24" if lossless else "yuv420p"
        for number, grey in enumerate(greys):
            frame = av.VideoFrame.from_ndarray(np.full((36, width, 3), grey, np.uint8), format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return Clip(path, len(greys))


def greys_of(path: Path) -> list[int]:
    return [round(float(pixels.mean())) for pixels in pixels_of(path)]


def close(one: list[int], two: list[int]) -> bool:
    """Equal but for the loss of encoding an even grey."""
    return len(one) == len(two) and all(abs(a - b) <= 3 for a, b in zip(one, two, strict=True))


FIRST = [20, 40, 60, 80, 100, 120, 140]
SECOND = [240, 220, 200, 180, 160]


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_a_film_has_its_clips_frames_in_order_and_no_others(tmp_path: Path, suffix: str) -> None:
    clips = [make_clip(tmp_path / f"{n}{suffix}", greys) for n, greys in enumerate((FIRST, SECOND, FIRST))]
    join(clips, tmp_path / f"film{suffix}", fps=FPS, title="film")
    assert close(greys_of(tmp_path / f"film{suffix}"), FIRST + SECOND + FIRST)


def test_a_joined_mp4_keeps_one_constant_rate(tmp_path: Path) -> None:
    clips = [make_clip(tmp_path / f"{n}.mp4", greys) for n, greys in enumerate((FIRST, SECOND))]
    join(clips, tmp_path / "film.mp4", fps=FPS, title="film")
    film = read_film(tmp_path / "film.mp4")
    assert film.rate == FPS
    assert np.allclose(film.moments, np.arange(12) / FPS, atol=1e-9)


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_marks_captions_and_title_come_back_as_they_were_given(tmp_path: Path, suffix: str) -> None:
    clip = make_clip(tmp_path / f"clip{suffix}", FIRST + SECOND)
    cues = [Cue(f"one {WICKED}", 0, 3), Cue("two\nlines", 4, 8), Cue("three", 8, 12)]
    marks = [Mark(f"A {WICKED}", 0, 6), Mark("B", 6, 12)]
    target = tmp_path / f"film{suffix}"
    join([clip], target, fps=FPS, title=WICKED, marks=marks, cues=cues)
    film = read_film(target)
    assert film.kinds == ("subtitle", "video")
    assert film.title == WICKED
    assert [(title, round(start * FPS), round(end * FPS)) for title, start, end in film.marks] == [
        (mark.title, mark.start, mark.end) for mark in marks
    ]
    escaped = [cue.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") for cue in cues]
    assert [caption.text for caption in film.captions] == (
        [cue.text for cue in cues] if suffix == ".mp4" else escaped
    )
    # The clock of a caption track counts milliseconds.
    assert [caption.start for caption in film.captions] == pytest.approx(
        [c.start / FPS for c in cues], abs=1e-3
    )
    assert [caption.end for caption in film.captions] == pytest.approx([c.end / FPS for c in cues], abs=1e-3)


@pytest.mark.parametrize("fps", [15, 30, 60])
@pytest.mark.parametrize("gap", [0, 1])
def test_captions_of_an_mp4_stay_with_their_frames_to_the_end(tmp_path: Path, fps: int, gap: int) -> None:
    length = 7
    cues = [Cue(f"cue {start}", start, start + length - gap) for start in range(0, 90 * length, length)]
    clip = make_clip(tmp_path / "clip.mp4", FIRST * 91, fps=fps)
    join([clip], tmp_path / "film.mp4", fps=fps, title="film", cues=cues)
    captions = read_film(tmp_path / "film.mp4").captions
    assert [caption.text for caption in captions] == [cue.text for cue in cues]
    assert [caption.start * fps for caption in captions] == pytest.approx([cue.start for cue in cues])
    assert [caption.end * fps for caption in captions] == pytest.approx([cue.end for cue in cues])


def test_a_film_without_captions_has_no_caption_track(tmp_path: Path) -> None:
    join([make_clip(tmp_path / "clip.mp4", FIRST)], tmp_path / "film.mp4", fps=FPS, title="film")
    assert read_film(tmp_path / "film.mp4").kinds == ("video",)


def test_the_index_of_an_mp4_stands_before_its_pictures(tmp_path: Path) -> None:
    join([make_clip(tmp_path / "clip.mp4", FIRST)], tmp_path / "film.mp4", fps=FPS, title="film")
    boxes = boxes_of(tmp_path / "film.mp4")
    assert boxes.index("moov") < boxes.index("mdat")


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_the_same_clips_give_the_same_bytes(tmp_path: Path, suffix: str) -> None:
    clip = make_clip(tmp_path / f"clip{suffix}", FIRST)
    for name in ("one", "two"):
        join([clip], tmp_path / f"{name}{suffix}", fps=FPS, title="film", cues=[Cue("text", 0, 5)])
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()


def test_clips_of_different_size_are_refused(tmp_path: Path) -> None:
    clips = [make_clip(tmp_path / "a.mp4", FIRST), make_clip(tmp_path / "b.mp4", FIRST, width=96)]
    with pytest.raises(ValueError, match="width"):
        join(clips, tmp_path / "film.mp4", fps=FPS, title="film")


def test_a_gif_shows_every_frame_for_the_same_time(tmp_path: Path) -> None:
    clips = [
        make_clip(tmp_path / f"{n}.mp4", greys, lossless=True) for n, greys in enumerate((FIRST, SECOND))
    ]
    write_gif(clips, tmp_path / "film.gif", fps=10)
    film = read_film(tmp_path / "film.gif")
    assert np.allclose(film.moments, np.arange(12) / 10)
    assert greys_of(tmp_path / "film.gif") == FIRST + SECOND


def test_frames_are_numbered_from_one_through_all_clips_and_lose_nothing(tmp_path: Path) -> None:
    clips = [
        make_clip(tmp_path / f"{n}.mp4", greys, lossless=True) for n, greys in enumerate((FIRST, SECOND))
    ]
    write_frames(clips, tmp_path / "frames", threads=2)
    files = sorted((tmp_path / "frames").iterdir())
    assert [file.name for file in files] == [f"{number:06}.png" for number in range(1, 13)]
    assert [set(pixels_of(file)[0].ravel()) for file in files] == [{grey} for grey in FIRST + SECOND]


@pytest.mark.parametrize("index", [0, 1, 6, 11])
def test_a_frame_is_found_by_its_number(tmp_path: Path, index: int) -> None:
    clip = make_clip(tmp_path / "clip.mp4", FIRST + SECOND)
    assert abs(float(frame_at(clip.path, index, FPS).mean()) - (FIRST + SECOND)[index]) <= 3


def test_asking_for_a_frame_beyond_the_end_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(IndexError, match="no frame 7"):
        frame_at(make_clip(tmp_path / "clip.mp4", FIRST).path, 7, FPS)


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_frames_are_counted_without_decoding_them(tmp_path: Path, suffix: str) -> None:
    assert count_frames(make_clip(tmp_path / f"clip{suffix}", FIRST).path) == len(FIRST)


def test_an_even_picture_has_no_content_and_a_drawn_one_has() -> None:
    empty = np.full((90, 160, 3), 17, np.uint8)
    drawn = empty.copy()
    drawn[20:40, 30:60] = 200
    assert not has_content(empty)
    assert has_content(drawn)
