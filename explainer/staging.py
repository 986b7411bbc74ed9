"""Where a film is made, where its files end up, and how they get there: whole or not at all.

Everything is written into a hidden folder beside its place and moved when all of it is there. An older film
stays as it was until then, and a render that dies leaves no part of a film. What it does leave, the next one
throws away.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import IO

from explainer.errors import PlaceError
from explainer.quality import Format

_PREFIX = ".explainer-"
_LOCK = "lock"
_MEND = "choose another --out"
_LEAST_SPACE = 16 * 2**20
_FRAME_NAME = re.compile(r"\d{6,}\.png")


@dataclass(frozen=True)
class Places:
    """The files of one film. Where it is made of pictures, ``film`` is a folder and there are no clips."""

    folder: Path
    film: Path
    srt: Path
    vtt: Path
    beats: Path
    poster: Path
    chapters: tuple[Path, ...]

    def inside(self, folder: Path) -> Places:
        """The same names in another folder."""

        def moved(path: Path) -> Path:
            return folder / path.relative_to(self.folder)

        return Places(
            folder=folder,
            film=moved(self.film),
            srt=moved(self.srt),
            vtt=moved(self.vtt),
            beats=moved(self.beats),
            poster=moved(self.poster),
            chapters=tuple(moved(chapter) for chapter in self.chapters),
        )

    def files(self) -> tuple[Path, ...]:
        """Everything that is written, the film last: where the film is, the rest is too."""
        return (*self.chapters, self.srt, self.vtt, self.beats, self.poster, self.film)


def places_for(out: Path, stem: str, film_name: str, format_: Format, chapters: Sequence[str]) -> Places:
    """The files of a film: ``out``/``stem``/``film_name``.mp4 and those beside it.

    ``beats.json`` has one name whatever the film, so that other tools find it; it tells of the film that was
    rendered last, and says which that is. A film that is a folder of pictures has no chapter clips.

    PlaceError if ``stem`` would lead out of ``out``.
    """
    if stem in (".", ".."):
        raise PlaceError(f'the film\'s folder cannot be called "{stem}": rename the story\'s file')
    folder = out / stem
    clips = [
        folder / "chapters" / f"{number:02}_{name}{format_.suffix}" for number, name in enumerate(chapters, 1)
    ]
    return Places(
        folder=folder,
        film=folder / f"{film_name}{format_.suffix}",
        srt=folder / f"{film_name}.srt",
        vtt=folder / f"{film_name}.vtt",
        beats=folder / "beats.json",
        poster=folder / f"{film_name}.png",
        chapters=tuple(clips) if format_.suffix else (),
    )


@contextmanager
def staging(places: Places) -> Iterator[Places]:
    """The same places in a hidden folder beside them, which is gone afterwards.

    PlaceError if the film could not be stored there; nothing is left of what was made to find that out.
    """
    try:
        _refuse_what_is_in_the_way(places)
        made = _make_folders(places.folder)
    except OSError as error:
        # Some names cannot even be looked for, as they are too long.
        raise PlaceError(_cannot_write(places.folder, error)) from error
    try:
        with _locked_folder(places.folder) as stage:
            if shutil.disk_usage(stage).free < _LEAST_SPACE:
                raise PlaceError(f"the disk of {places.folder} is full: choose another --out")
            yield places.inside(stage)
    finally:
        for folder in reversed(made):
            # Only what is still empty, that is where nothing was rendered.
            with suppress(OSError):
                folder.rmdir()


@contextmanager
def workplace() -> Iterator[Path]:
    """An empty folder among the system's temporary ones, which is gone afterwards.

    PlaceError if there can be none.
    """
    mend = "set TMPDIR to a folder of yours"
    try:
        parent = Path(gettempdir())
    except OSError as error:
        raise PlaceError(f"no folder for temporary files can be written: {mend}") from error
    with _locked_folder(parent, mend) as folder:
        yield folder


def publish(staged: Places, places: Places) -> None:
    """Move everything that is staged into its place, over what was there."""
    for source, target in zip(staged.files(), places.files(), strict=True):
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_dir():
            # A folder cannot be replaced in one step: the older film steps aside into what is thrown away.
            target.rename(staged.folder / f"older-{target.name}")
        source.replace(target)


def _refuse_what_is_in_the_way(places: Places) -> None:
    for folder in (places.folder, *places.folder.parents):
        if folder.exists() or folder.is_symlink():
            if not folder.is_dir():
                raise PlaceError(
                    f"{folder} is a file, and the film needs a folder there: choose another --out"
                )
            break
    chapters = {chapter.parent for chapter in places.chapters}
    for folder in chapters:
        if folder.exists() and not folder.is_dir():
            raise PlaceError(f"{folder} is a file, and the chapters need a folder there: move it away")
    pictures = None if places.chapters else places.film
    for target in places.files():
        if target.is_dir() and not (target == pictures and _holds_only_frames(target)):
            raise PlaceError(f"{target} is a folder, and a file of the film has that name: move it away")
        if target == pictures and target.is_file():
            raise PlaceError(f"{target} is a file, and the film's pictures need a folder there: move it away")


def _holds_only_frames(folder: Path) -> bool:
    """Whether a folder is an older film made of pictures, which may be replaced."""
    return not folder.is_symlink() and all(_FRAME_NAME.fullmatch(path.name) for path in folder.iterdir())


def _make_folders(folder: Path) -> list[Path]:
    """Make a folder and those above it; the ones that are new, outermost first."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    made: list[Path] = []
    for path in reversed(missing):
        try:
            path.mkdir(exist_ok=True)
        except OSError as error:
            for new in reversed(made):
                with suppress(OSError):
                    new.rmdir()
            raise PlaceError(_cannot_write(path, error)) from error
        made.append(path)
    return made


@contextmanager
def _locked_folder(parent: Path, mend: str = _MEND) -> Iterator[Path]:
    """A hidden folder whose lock says that its maker is alive; those whose maker is dead are thrown away."""
    _remove_abandoned(parent)
    try:
        folder = Path(mkdtemp(prefix=_PREFIX, dir=parent))
    except OSError as error:
        raise PlaceError(_cannot_write(parent, error, mend)) from error
    try:
        with (folder / _LOCK).open("wb") as lock:
            _take(lock)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _remove_abandoned(parent: Path) -> None:
    """Throw away what renders left behind that were killed outright."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with suppress(OSError), (folder / _LOCK).open("rb+") as lock:
            if _take(lock):
                shutil.rmtree(folder, ignore_errors=True)


def _take(lock: IO[bytes]) -> bool:
    """Whether the lock could be taken; it falls when the file is closed, however its process ends."""
    if sys.platform == "win32":
        return False
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _cannot_write(folder: Path, error: OSError, mend: str = _MEND) -> str:
    return f"{folder} cannot be written ({error.strerror or error}): {mend}"
