"""What one drawing process does: one chapter, from its story to a clip. Only here is Manim set up and run.

Started by ``pool`` in an empty folder that is also its home, so that no ``manim.cfg`` of a person or a folder
is read when Manim is imported.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

from manim import config, tempconfig

from explainer.assemble import count_frames
from explainer.camera import QuickRenderer
from explainer.pool import Job, Task
from explainer.timeline import PlayedChapter
from scenes.layout import FRAMES
from scenes.played import Cue, PlayedBeat

OnChapterBeat = Callable[[str, int, int], None]
"""Told at each beat's start: its title, its number from 0, how many there are."""


def main() -> None:
    """Take a job from stdin and draw it."""
    serve(_drawn)


def serve(work: Callable[[Any, OnChapterBeat], Mapping[str, Any]]) -> None:
    """Take a task from stdin, do ``work`` on it, and tell on stdout how it goes: one JSON object a line."""
    # Ctrl-C reaches every process of the terminal; who started this one decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = _take_stdout()

    def tell(**message: Any) -> None:
        channel.write(json.dumps(message) + "\n")
        channel.flush()

    def on_beat(title: str, index: int, count: int) -> None:
        tell(kind="beat", title=title, index=index, count=count)

    task: Task = pickle.load(sys.stdin.buffer)
    _end_with_parent(task.folder)
    try:
        done = work(task, on_beat)
    except Exception as error:
        tell(kind="failed", fault=_described(error), traceback=traceback.format_exc())
    else:
        tell(kind="done", **done)


def _drawn(job: Job, on_beat: OnChapterBeat) -> Mapping[str, Any]:
    clip, played = draw(job, on_beat)
    return {"clip": str(clip), "played": played.to_json()}


def draw(job: Job, on_beat: OnChapterBeat) -> tuple[Path, PlayedChapter]:
    """Draw a chapter into a clip."""
    with tempconfig(known_settings(_settings(job))):
        chapter_class = job.load_chapter(job.chapter)
        renderer = QuickRenderer()
        chapter = chapter_class(renderer=renderer)
        chapter.story = job.story
        chapter.burn_captions = job.burn_captions
        chapter.on_beat = on_beat
        chapter.render()
        clip = Path(renderer.file_writer.movie_file_path)
    played = played_in(chapter)
    if (drawn := count_frames(clip)) != played.frames:
        raise RuntimeError(f"its beats last {played.frames} frames, but {drawn} were drawn")
    return clip, played


def _settings(job: Job) -> dict[str, Any]:
    """Manim's configuration, every key that can change a picture or a path."""
    picture = job.picture
    return {
        **playing_settings(job.folder, picture.aspect, (picture.width, picture.height), picture.fps),
        "output_file": "clip",
        "format": picture.format.container,
        "video_codec": picture.format.codec,
        "pixel_format": picture.format.pixel_format,
        "video_encoder_options": dict(picture.format.options),
    }


def playing_settings(folder: Path, aspect: str, pixels: tuple[int, int], fps: int) -> dict[str, Any]:
    """Manim's configuration for playing a scene, whatever becomes of its pictures; all it writes is in ``folder``."""
    frame_width, frame_height = FRAMES[aspect]
    width, height = pixels
    return {
        "media_dir": str(folder / "media"),
        "video_dir": "{media_dir}",
        "images_dir": "{media_dir}",
        "sections_dir": "{media_dir}",
        "partial_movie_dir": "{media_dir}/parts",
        "tex_dir": "{media_dir}/formulas",
        "text_dir": "{media_dir}/texts",
        "log_dir": "{media_dir}",
        "pixel_width": width,
        "pixel_height": height,
        "frame_rate": fps,
        "frame_width": frame_width,
        "frame_height": frame_height,
        "renderer": "cairo",
        "background_opacity": 1.0,
        "disable_caching": True,
        "seed": 0,
        "progress_bar": "none",
        "verbosity": "WARNING",
    }


def known_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same settings, once it is sure that Manim knows them all: it passes over others in silence."""
    if unknown := [key for key in settings if key not in config]:
        raise KeyError(f"Manim has no setting called {', '.join(unknown)}")
    return dict(settings)


def played_in(chapter: Any) -> PlayedChapter:
    """What a chapter that was rendered tells of its beats. ValueError if it has none."""
    if not chapter.played:
        raise ValueError("it has no beats")
    beats = tuple(
        PlayedBeat(
            beat.name,
            beat.title,
            beat.start,
            beat.end,
            tuple(Cue(cue.text, cue.start, cue.end) for cue in beat.cues),
        )
        for beat in chapter.played
    )
    return PlayedChapter(chapter.name, chapter.title, beats, getattr(chapter, "poster_beat", None))


def _take_stdout() -> IO[str]:
    """The pipe to the parent, out of the reach of anything that prints: that goes to the log instead."""
    channel = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return channel


def _end_with_parent(folder: Path) -> None:
    """Leave nothing behind when the parent dies: its end of stdin closes then."""

    def watch() -> None:
        sys.stdin.buffer.read()
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _described(error: Exception) -> str:
    """An exception in a line, with the place in our own code that it came from."""
    place = next(
        (
            f" ({Path(frame.filename).name}, line {frame.lineno})"
            for frame in reversed(traceback.extract_tb(error.__traceback__))
            if Path(frame.filename).parent.name == "scenes"
        ),
        "",
    )
    return f"{type(error).__name__}: {error}{place}"
