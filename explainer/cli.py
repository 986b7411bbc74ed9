"""The command ``explainer``: reads options, calls the work, tells what went wrong as a fact and a next step.

Exit status 0: done; 1: the work failed; 2: what was asked for cannot be done. Whatever costs time to import
is imported by the command that needs it.
"""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
import cloup
from cloup.constraints import mutually_exclusive

from explainer.quality import FORMATS, QUALITIES

if TYPE_CHECKING:
    from scenes.story import Story

story_argument = cloup.argument(
    "story", required=False, type=click.Path(), help="A story file. Default: a shipped one."
)  # fmt: skip
set_option = cloup.option(
    "--set", "overrides", multiple=True, metavar="KEY=VALUE",
    help="Use another value for one key of the story; can be given more than once.",
)  # fmt: skip

what_to_show = cloup.option_group(
    "What to show",
    cloup.option("--chapters", metavar="NAMES", help="Chapters, separated by commas."),
    cloup.option("--film", metavar="NAME", help="A film. Default: what the story says."),
    constraint=mutually_exclusive,
)  # fmt: skip
jobs_option = cloup.option("--jobs", type=click.IntRange(min=1), help="Processes at once. Default: one a core.")


class Faults(click.ClickException):
    """What ends a command: work that failed, told in one line a fault."""

    def show(self, file: Any = None) -> None:
        """Print the lines as they are."""
        click.echo(self.message, file=file, err=file is None)


class BadInput(Faults):
    """Something was asked for that cannot be done."""

    exit_code = 2


@cloup.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def explainer() -> None:
    """Make films of self-attention in which every number is true.

    \b
    Example:
      explainer new my.toml
      explainer render my.toml --quality draft
    """


@explainer.command()
@story_argument
@what_to_show
@cloup.option(
    "--quality", type=click.Choice(tuple(QUALITIES)), default="high", show_default=True,
    help="480p15, 720p30, 1080p60 or 2160p60.",
)  # fmt: skip
@cloup.option(
    "--format", "format_", type=click.Choice(tuple(FORMATS)), default="mp4", show_default=True,
    help="A video, an animated picture, or a folder of pictures.",
)  # fmt: skip
@cloup.option(
    "--out", type=click.Path(path_type=Path), default=Path("renders"), show_default=True, metavar="DIR",
    help="Where the film goes: DIR/<name of the story's file>/.",
)  # fmt: skip
@jobs_option
@cloup.option("--burn-captions", is_flag=True, help="Draw the captions into the picture as well.")
@set_option
def render(
    story: str | None,
    chapters: str | None,
    film: str | None,
    quality: str,
    format_: str,
    out: Path,
    jobs: int | None,
    burn_captions: bool,
    overrides: tuple[str, ...],
) -> None:
    """Render a film of a story, and what belongs to it.

    Beside the film are its captions, its poster, the times of its beats, and each chapter on its own.

    \b
    Example:
      explainer render stories/cat_ate_fish.toml --quality draft --set look.theme=light
    """
    with _faults_told():
        chosen, names, name = _what_to_show(story, overrides, chapters, film)

        from explainer.render import render_film

        made = render_film(
            chosen,
            chapters=names,
            film_name=name,
            quality=quality,
            format=format_,
            out=out,
            jobs=jobs,
            burn_captions=burn_captions,
        )
    # A reader that has left does not undo the film.
    with suppress(BrokenPipeError):
        click.echo(made.path)


@explainer.command()
@story_argument
@what_to_show
@cloup.option(
    "--out", type=click.Path(path_type=Path), default=Path("renders"), show_default=True, metavar="DIR",
    help="Where pictures of faults go: DIR/<name of the story's file>/check/.",
)  # fmt: skip
@jobs_option
@cloup.option("--beat-ends", "only_ends", is_flag=True, help="Look only at the end of each beat: quick.")
@cloup.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
@set_option
def check(
    story: str | None,
    chapters: str | None,
    film: str | None,
    out: Path,
    jobs: int | None,
    only_ends: bool,
    as_json: bool,
    overrides: tuple[str, ...],
) -> None:
    """Audit what a film shows: whether its numbers are true and everything can be read.

    Chapters are played without making a film. Each fault is told with its time, and with a picture in which the
    place is marked. Exit status 0: no fault; 1: faults.

    \b
    Example:
      explainer check stories/cat_ate_fish.toml --chapters worked_example --set look.theme=light
    """
    with _faults_told():
        chosen, names, name = _what_to_show(story, overrides, chapters, film)

        from explainer.audit.check import check_film

        report = check_film(chosen, chapters=names, film_name=name, out=out, jobs=jobs, only_ends=only_ends)
    click.echo(report.as_json() if as_json else report.as_table(), nl=False)
    if report.faults:
        raise click.exceptions.Exit(1)


@explainer.command()
@story_argument
@cloup.option("--json", "as_json", is_flag=True, help="One JSON object to full precision; −∞ is null.")
@set_option
def numbers(story: str | None, as_json: bool, overrides: tuple[str, ...]) -> None:
    """Print every number of a story, stage by stage.

    \b
    Example:
      explainer numbers stories/cat_ate_fish.toml --set attention.mask=causal
    """
    with _faults_told():
        from explainer import numbers as text

        chosen = _load(story, overrides)
    if as_json:
        click.echo(text.as_json(chosen.trace()))
        return
    for heading, lines in text.tables(chosen, ascii_only=not _can_print("−∞√×ᵀ")):
        click.secho(heading, bold=True)
        for line in lines:
            click.echo(f"  {line}")
        click.echo()


@explainer.command()
@cloup.argument("file", type=click.Path(path_type=Path), help="The story to write; it must not exist yet.")
def new(file: Path) -> None:
    """Write a commented story to start from.

    \b
    Example:
      explainer new my.toml
    """
    from explainer.new import write_new

    with _faults_told():
        write_new(file)
    click.echo(f"{file} is written. Next: explainer render {shlex.quote(str(file))} --quality draft")


@explainer.command()
def chapters() -> None:
    """List the chapters and films that exist.

    \b
    Example:
      explainer chapters
    """
    from scenes.film import CHAPTERS, DEFAULT_FILM, FILMS

    width = max(map(len, (*CHAPTERS, *FILMS)))
    click.secho("Chapters", bold=True)
    for chapter in CHAPTERS.values():
        click.echo(f"  {chapter.name:{width}}  {chapter.line}")
    click.secho("Films", bold=True)
    for name, members in FILMS.items():
        default = " (the default)" if name == DEFAULT_FILM else ""
        click.echo(f"  {name:{width}}  {', '.join(members)}{default}")


@explainer.command()
def doctor() -> None:
    """Tell what this machine lacks, and the command that mends it.

    \b
    Example:
      explainer doctor
    """
    from explainer.doctor import examine

    findings = examine(Path("renders"))
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        mend = "" if finding.fine else f"; to mend: {finding.mend}"
        click.echo(f"{finding.mark:8}  {finding.name:{width}}  {finding.found}{mend}")
    if any(finding.mark == "missing" for finding in findings):
        raise click.exceptions.Exit(1)


def main() -> None:
    """Run the command; never fail for want of a character in the terminal's encoding, or of a stderr."""
    if sys.stderr is None:
        # Else the next file that is opened would be what libraries take for stderr, and write to.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        explainer(prog_name="explainer")
    except OSError as error:
        # Faults of the work are told by the commands: what is left is that nothing can be printed.
        sys.exit(f"the output could not be written ({error.strerror or error}): send it somewhere else")
    finally:
        for stream in (sys.stdout, sys.stderr):
            _drop_unwritable(stream)


def _drop_unwritable(stream: IO[str] | None) -> None:
    """Forget what a stream could not take, lest Python try again at its end and change the exit status."""
    if stream is None:
        return
    try:
        stream.flush()
    except OSError:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), stream.fileno())


def _load(story: str | None, overrides: Sequence[str]) -> Story:
    from scenes.story import DEFAULT_STORY, load_story

    return load_story(DEFAULT_STORY if story is None else story, overrides)


def _what_to_show(
    story: str | None, overrides: Sequence[str], chapters: str | None, film: str | None
) -> tuple[Story, tuple[str, ...], str]:
    """The story, its chapters, and what the film of them is called."""
    from scenes.film import cannot_show, chapters_of, film_name
    from scenes.story import StoryError

    chosen = _load(story, overrides)
    names = chapters_of(_selection(chapters, film) or chosen.chapters)
    if faults := cannot_show(chosen, names):
        raise StoryError(faults)
    return chosen, names, film or film_name(names)


def _selection(chapters: str | None, film: str | None) -> str | tuple[str, ...] | None:
    """What the options ask to be shown; None when they leave it to the story."""
    from scenes.film import SELECTION
    from scenes.story_reader import StoryError, Unfit, fault_line

    if chapters is None and film is None:
        return None
    option = "--film" if chapters is None else "--chapters"
    names = None if chapters is None else [name.strip() for name in chapters.split(",")]
    try:
        return SELECTION.read(names or film)
    except Unfit as unfit:
        raise StoryError([fault_line(option, "", unfit.found, SELECTION.allowed, unfit.nearest)]) from None


@contextmanager
def _faults_told() -> Iterator[None]:
    """Turn what a person can mend into lines and an exit status."""
    from explainer.errors import PlaceError, RenderError
    from scenes.fonts import FontError
    from scenes.story_reader import StoryError

    try:
        yield
    except (StoryError, PlaceError) as error:
        raise BadInput(str(error)) from None
    except (FontError, RenderError) as error:
        raise Faults(str(error)) from None
    except ImportError as error:
        raise Faults(f"{error}; `explainer doctor` tells what is missing") from None
    except OSError as error:
        raise Faults(f"the system refused what the work needs: {error}") from None


def _can_print(signs: str) -> bool:
    try:
        signs.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
