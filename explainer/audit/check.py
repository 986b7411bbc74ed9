"""From a story and its chapters to a report of all that is wrong with their film. Chapters are audited side by side."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from explainer.audit.contrast import APART, roles_too_close
from explainer.audit.faults import Fault
from explainer.audit.pictures import save_swatches
from explainer.audit.report import Report
from explainer.audit.task import RATE, CheckTask
from explainer.errors import PlaceError, RenderError
from explainer.pool import run_tasks
from explainer.process import cores, ended_by_signals
from explainer.progress import Progress, progress_on
from explainer.staging import workplace
from explainer.timeline import PlayedChapter, Timeline
from scenes import film as films
from scenes.story import Story
from scenes.theme import theme_for

_PICTURE = re.compile(r"\d{3,}_\w+\.png")


def check_film(
    story: Story,
    *,
    chapters: Sequence[str],
    film_name: str,
    out: Path | str = "renders",
    jobs: int | None = None,
    only_ends: bool = False,
    load_chapter: Callable[[str], type] = films.load_chapter,
    progress: Progress | None = None,
) -> Report:
    """Audit the film of some chapters; pictures of faults go into ``out``/<the story's stem>/check/.

    Parameters
    ----------
    jobs
        How many chapters are audited at once; None for one a core.
    only_ends
        Look only at the end of each beat.
    load_chapter
        From a chapter's name to its scene class; a function of a module, for it is called in another process.
    progress
        What is told how far the audit is; None for a bar or lines on stderr.

    Raises
    ------
    PlaceError
        Pictures cannot be stored in ``out``; nothing was played.
    RenderError
        A chapter could not be played, or a picture not be stored.
    """
    target = _place(Path(out).absolute(), story.stem)
    told: dict[str, dict[str, Any]] = {}
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        folder = stack.enter_context(workplace())
        progress = stack.enter_context(progress or progress_on(sys.stderr))
        progress.begin(film_name, chapters)
        tasks = [_task(folder, load_chapter, name, story, only_ends) for name in dict.fromkeys(chapters)]
        for task, answer in run_tasks(
            tasks, "explainer.audit.worker", processes=jobs or cores(), on_beat=progress.beat
        ):
            told[task.chapter] = answer
            progress.done(task.chapter, was_cached=False)
        timeline = Timeline(tuple(PlayedChapter.from_json(told[name]["played"]) for name in chapters), RATE)
        faults = [*_of_colours(story, chapters[0], folder), *_of_chapters(told, chapters, timeline, folder)]
        try:
            kept = _keep(faults, folder, target)
        except OSError as error:
            raise RenderError(f"the pictures could not be stored in {target}: {error.strerror or error}") from error
    return Report(
        film=film_name,
        story=story.path.name,
        theme=story.look.theme,
        chapters=tuple(chapters),
        duration=timeline.seconds(timeline.frames),
        pictures_seen=sum(told[name]["moments"] for name in told),
        only_ends=only_ends,
        folder=target,
        faults=kept,
    )


def _task(workplace: Path, load_chapter: Callable[[str], type], name: str, story: Story, only_ends: bool) -> CheckTask:
    folder = workplace / name
    folder.mkdir()
    return CheckTask(load_chapter, name, story, only_ends, folder)


def _of_colours(story: Story, chapter: str, folder: Path) -> Iterator[Fault]:
    """Roles that some eye takes for one: no matter of a moment, so told of the film's first."""
    colours = vars(theme_for(story.look.theme, story.look.colours).colours)
    for one, other, eye, apart in roles_too_close(colours):
        picture = folder / f"{one}-{other}-{eye}.png"
        save_swatches([colours[one], colours[other]], eye, picture)
        seen_by = eye or "all eyes"
        what = f"the colours of {one} and {other} for {seen_by}"
        found = f"{apart:.2f} apart in OKLab"
        yield Fault(chapter, 0.0, 0.0, "", "contrast", what, found, f"{APART:g}", str(picture))


def _of_chapters(
    told: dict[str, dict[str, Any]], chapters: Sequence[str], timeline: Timeline, folder: Path
) -> Iterator[Fault]:
    for name, start in zip(chapters, timeline.starts, strict=True):
        for record in told[name]["faults"]:
            fault = Fault(**record).later(start / timeline.fps)
            yield replace(fault, picture=str(folder / name / fault.picture))


def _place(out: Path, stem: str) -> Path:
    """The folder of the pictures, which need not be there yet. PlaceError if it could not be made."""
    if stem in (".", ".."):
        raise PlaceError(f"the pictures' folder cannot be called \"{stem}\": rename the story's file")
    target = out / stem / "check"
    try:
        there = next(folder for folder in (target, *target.parents) if folder.exists() or folder.is_symlink())
    except OSError as error:
        raise PlaceError(f"{target} cannot be written ({error.strerror or error}): choose another --out") from error
    if not there.is_dir():
        raise PlaceError(f"{there} is a file, and the pictures need a folder there: choose another --out")
    if not os.access(there, os.W_OK | os.X_OK):
        raise PlaceError(f"{there} cannot be written: choose another --out")
    return target


def _keep(faults: Sequence[Fault], folder: Path, target: Path) -> tuple[Fault, ...]:
    """Move the faults' pictures into their place, and those of an earlier audit out of it."""
    if target.is_dir():
        for old in target.iterdir():
            if _PICTURE.fullmatch(old.name):
                old.unlink()
    numbers, kept = count(1), []
    for fault in faults:
        name = f"{next(numbers):03}_{fault.kind}_{fault.chapter}.png"
        target.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(fault.picture, target / name)
        kept.append(replace(fault, picture=name))
    return tuple(kept)
