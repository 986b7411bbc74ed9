"""How far a render is, for the person who waits: one bar in a terminal, plain lines anywhere else.

A film is never lost because nobody can be told of it: where writing fails, progress falls silent.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from rich.console import Group


class Progress(ABC):
    """Told what happens; a context manager around the render."""

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    @abstractmethod
    def begin(self, film: str, chapters: Sequence[str]) -> None:
        """The film and its chapters, before anything is drawn."""

    @abstractmethod
    def beat(self, chapter: str, title: str, index: int, count: int) -> None:
        """A chapter starts the beat with this number, counted from 0."""

    @abstractmethod
    def done(self, chapter: str, *, was_cached: bool) -> None:
        """A chapter is there."""

    @abstractmethod
    def assembling(self, film: str) -> None:
        """All chapters are there, and the film is put together."""


class Silence(Progress):
    """Says nothing."""

    def begin(self, film: str, chapters: Sequence[str]) -> None:
        """Say nothing."""

    def beat(self, chapter: str, title: str, index: int, count: int) -> None:
        """Say nothing."""

    def done(self, chapter: str, *, was_cached: bool) -> None:
        """Say nothing."""

    def assembling(self, film: str) -> None:
        """Say nothing."""


class PlainLines(Progress):
    """A line for each thing that happens, as a log needs it."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def begin(self, film: str, chapters: Sequence[str]) -> None:
        """Name the film."""
        self._say(f"{film}: {', '.join(chapters)}")

    def beat(self, chapter: str, title: str, index: int, count: int) -> None:
        """Name the beat."""
        self._say(f"{chapter}: beat {index + 1}/{count} {title}")

    def done(self, chapter: str, *, was_cached: bool) -> None:
        """Name the chapter."""
        self._say(f"{chapter}: {'unchanged' if was_cached else 'done'}")

    def assembling(self, film: str) -> None:
        """Say so."""
        self._say(f"{film}: putting together")

    def _say(self, line: str) -> None:
        print(line, file=self._stream, flush=True)


class Bar(Progress):
    """One bar for the film, with the time left, and a line a chapter."""

    def __init__(self, stream: IO[str]) -> None:
        # Only a terminal needs rich, which takes a while to load.
        from rich import progress
        from rich.console import Console
        from rich.live import Live

        console = Console(file=stream)
        self._bar = progress.Progress(
            progress.TextColumn("{task.description}", markup=False),
            progress.BarColumn(),
            progress.TaskProgressColumn(),
            progress.TimeRemainingColumn(elapsed_when_finished=True),
            console=console,
            # Beats differ in length: a guess from the last few would jump about.
            speed_estimate_period=3600,
        )
        self._film: progress.TaskID | None = None
        self._notes: dict[str, str] = {}
        self._shares: dict[str, float] = {}
        self._live = Live(get_renderable=self._picture, console=console, refresh_per_second=4)

    def __enter__(self) -> Progress:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def begin(self, film: str, chapters: Sequence[str]) -> None:
        """Show the film and its chapters."""
        self._film = self._bar.add_task(film, total=len(set(chapters)))
        for chapter in chapters:
            self._set(chapter, 0.0, "waits")

    def beat(self, chapter: str, title: str, index: int, count: int) -> None:
        """Move on by what was played before this beat."""
        self._set(chapter, index / count, f"beat {index + 1}/{count}  {title}")

    def done(self, chapter: str, *, was_cached: bool) -> None:
        """Move on to the chapter's end."""
        self._set(chapter, 1.0, "unchanged" if was_cached else "done")

    def assembling(self, film: str) -> None:
        """Say so beside the bar."""
        if self._film is not None:
            self._bar.update(self._film, description=f"{film} (putting together)")

    def _set(self, chapter: str, share: float, note: str) -> None:
        self._shares[chapter], self._notes[chapter] = share, note
        if self._film is not None:
            self._bar.update(self._film, completed=sum(self._shares.values()))

    def _picture(self) -> Group:
        from rich.console import Group
        from rich.text import Text

        width = max(map(len, self._notes), default=0)
        lines = [Text(f"  {chapter:{width}}  {note}") for chapter, note in self._notes.items()]
        return Group(self._bar, *lines)


class _Unfailing:
    """A text stream that takes nothing more once it cannot be written: its reader is gone, its disk full."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._failed = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        if not self._failed:
            self._try(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        if not self._failed:
            self._try(self._stream.flush)

    def _try(self, act: Callable[[], object]) -> None:
        try:
            act()
        except (OSError, ValueError):  # a closed stream raises ValueError
            self._failed = True


def progress_on(stream: IO[str] | None) -> Progress:
    """What suits a stream: a bar in a terminal, else plain lines; silence where there is no stream.

    A stream that cannot be written, now or later, is no error.
    """
    if stream is None or stream.closed:
        return Silence()
    unfailing = cast(IO[str], _Unfailing(stream))
    can_redraw = stream.isatty() and os.environ.get("TERM") != "dumb"
    return Bar(unfailing) if can_redraw else PlainLines(unfailing)
