"""Chapters drawn side by side, each in a process of its own.

A process of its own gives each chapter its own Manim configuration and caches, which Manim writes without
locks, and one crash cannot take the others along. Processes are started afresh and told what to do through a
pipe, so that a script that renders needs no guard around its main part. Nothing here imports Manim.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from explainer.errors import RenderError
from explainer.quality import Picture
from explainer.timeline import PlayedChapter
from scenes.story import Story

_START = (
    "import json, sys; from importlib import import_module; sys.path[:] = json.loads(sys.argv[1]); "
    "import_module(sys.argv[2]).main()"
)
_LOG = "log.txt"
_PATIENCE = 5.0


@dataclass(frozen=True)
class Job:
    """One chapter to draw. ``folder`` is empty and the job's own; the clip is made in it."""

    load_chapter: Callable[[str], type]
    chapter: str
    story: Story
    picture: Picture
    burn_captions: bool
    folder: Path


class Task(Protocol):
    """What a process is given to do: work on one chapter, in an empty folder of its own. It can be pickled."""

    @property
    def chapter(self) -> str:
        """The chapter's name."""

    @property
    def folder(self) -> Path:
        """Where the process lives and what it makes may be put."""


TaskT = TypeVar("TaskT", bound=Task)


class ChapterFailedError(Exception):
    """What was raised where the chapter was drawn, as text."""


OnBeat = Callable[[str, str, int, int], None]
"""Told at each beat's start: chapter, beat, its number from 0, how many there are."""


def draw_chapters(
    jobs: Sequence[Job], *, processes: int, on_beat: OnBeat
) -> Iterator[tuple[Job, Path, PlayedChapter]]:
    """Draw every job, at most ``processes`` at a time, and give each with its clip as it is done.

    RenderError if a chapter cannot be drawn. Whatever ends this, no process is left.
    """
    for job, told in run_tasks(jobs, "explainer.worker", processes=processes, on_beat=on_beat):
        yield job, Path(told["clip"]), PlayedChapter.from_json(told["played"])


def run_tasks(
    tasks: Sequence[TaskT], worker: str, *, processes: int, on_beat: OnBeat
) -> Iterator[tuple[TaskT, dict[str, Any]]]:
    """Give every task to a process of its own that runs ``main`` of the module ``worker``, and tell what each answers.

    RenderError if a chapter cannot be drawn. Whatever ends this, no process is left.
    """
    waiting = deque(tasks)
    running: dict[int, _Process[TaskT]] = {}
    messages: queue.Queue[tuple[int, dict[str, Any] | None]] = queue.Queue()
    try:
        for number in range(len(tasks)):
            if len(running) < processes:
                running[number] = _Process(waiting.popleft(), worker, number, messages)
        while running:
            number, message = _next(messages)
            process = running.get(number)
            if process is None:
                # The end of what a process had to say that is done.
                continue
            if message is None:
                raise process.failure()
            if message["kind"] == "beat":
                on_beat(process.task.chapter, message["title"], message["index"], message["count"])
                continue
            told = process.result(message)
            del running[number]
            process.end()
            if waiting:
                following = len(tasks) - len(waiting)
                running[following] = _Process(waiting.popleft(), worker, following, messages)
            yield process.task, told
    finally:
        for process in running.values():
            process.end()


def _next(messages: queue.Queue[tuple[int, dict[str, Any] | None]]) -> tuple[int, dict[str, Any] | None]:
    while True:
        # A wait without an end cannot be interrupted everywhere.
        with suppress(queue.Empty):
            return messages.get(timeout=0.5)


class _Process(Generic[TaskT]):
    """A process that does one task, and the thread that hears from it."""

    def __init__(
        self, task: TaskT, worker: str, number: int, messages: queue.Queue[tuple[int, dict[str, Any] | None]]
    ) -> None:
        self.task = task
        with (task.folder / _LOG).open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _START, json.dumps(_import_path()), worker],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=task.folder,
                env=_environment(task.folder),
            )
        assert self._process.stdin is not None
        # If it died at once, that is told by the end of what it says.
        with suppress(BrokenPipeError):
            self._process.stdin.write(pickle.dumps(task))
            self._process.stdin.flush()
        threading.Thread(target=self._hear, args=(number, messages), daemon=True).start()

    def _hear(self, number: int, messages: queue.Queue[tuple[int, dict[str, Any] | None]]) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):
            for line in self._process.stdout:
                messages.put((number, json.loads(line)))
        messages.put((number, None))

    def result(self, message: dict[str, Any]) -> dict[str, Any]:
        """What a task that is done has to tell. RenderError if the message is that it failed."""
        if message["kind"] == "failed":
            error = RenderError(f"the chapter {self.task.chapter} could not be drawn: {message['fault']}")
            raise error from ChapterFailedError("\n" + message["traceback"])
        return message

    def failure(self) -> RenderError:
        """What to say of a process that ended without a word."""
        self._process.wait()
        status = self._process.returncode
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        log = self._log()
        last_words = "".join(f" ({line})" for line in log.strip().splitlines()[-1:])
        error = RenderError(
            f"the chapter {self.task.chapter} could not be drawn: its process {how}{last_words}"
        )
        error.__cause__ = ChapterFailedError("\n" + log)
        return error

    def end(self) -> None:
        """End the process if it still runs, and wait until it is gone."""
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        # Not before: a process that sees its stdin close takes its parent for dead and removes its folder.
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()

    def _log(self) -> str:
        with suppress(OSError):
            return (self.task.folder / _LOG).read_text(encoding="utf-8", errors="replace")[-4000:]
        return ""


def _import_path() -> list[str]:
    """Where this process finds modules, in a form that holds in another folder."""
    return [str(Path(place).absolute()) for place in sys.path]


def _environment(folder: Path) -> dict[str, str]:
    """This process's environment, but with an empty home.

    Manim reads its user's configuration there, and fontconfig that user's preferences: neither may change a
    film. What fontconfig has found out about the system's fonts stays where it is: finding out takes long.
    """
    environment = {key: value for key, value in os.environ.items() if key != "XDG_CONFIG_HOME"}
    home = environment.get("HOME")
    if home and "XDG_CACHE_HOME" not in environment:
        environment["XDG_CACHE_HOME"] = str(Path(home) / ".cache")
    # A library of Manim's cannot be imported where there is none.
    environment.setdefault("PATH", os.defpath)
    return environment | {
        "HOME": str(folder),
        "USERPROFILE": str(folder),
        # Sets of names come in the same order in every run.
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
    }
