"""What an audit of a film costs, against rendering that film at 720p30, both over all cores.

Run it as ``python -m benchmarks.check [--story STORY] [--film NAME]`` from the project's folder; a few minutes. Exit
status 1 means that the target was missed.

Both are timed in turn as a person runs them: in processes of their own, one a chapter, nothing from a cache. The
processor time of both is told too, for it does not depend on what else the machine does.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.film import Clock, Cost
from explainer.audit.check import check_film
from explainer.cache import ClipCache
from explainer.process import cores
from explainer.progress import Silence
from explainer.render import render_film
from scenes import film as films
from scenes.story import Story, default_story, load_story

TARGET = 0.4  # of the time of rendering


def main() -> int:
    options = _options()
    story = load_story(options.story) if options.story else default_story()
    chapters = films.chapters_of(options.film or story.chapters)
    with TemporaryDirectory() as folder:
        rendering, frames = _render(story, chapters, Path(folder))
        checking, moments = _check(story, chapters, Path(folder))
    ratio = checking.wall / rendering.wall
    print(f"{options.story or 'the default story'}, {len(chapters)} chapters, {cores()} cores")
    print(f"rendered  {frames:6} frames in {rendering.wall:6.1f} s, {rendering.cpu:6.1f} s of processor time")
    print(f"looked at {moments:6} of them in {checking.wall:6.1f} s, {checking.cpu:6.1f} s of processor time")
    print(f"ratio {ratio:4.2f} (target {TARGET:g}); in processor time {checking.cpu / rendering.cpu:4.2f}")
    return 0 if ratio <= TARGET else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--story", type=Path, help="story file; left out, the default story")
    parser.add_argument("--film", choices=films.FILMS, help="film; left out, what the story says")
    return parser.parse_args()


def _render(story: Story, chapters: tuple[str, ...], folder: Path) -> tuple[Cost, int]:
    clock = Clock()
    with clock:
        film = render_film(
            story,
            chapters=chapters,
            film_name="film",
            quality="standard",
            out=folder,
            cache=ClipCache(None),
            progress=Silence(),
        )
    return clock.total, film.frames


def _check(story: Story, chapters: tuple[str, ...], folder: Path) -> tuple[Cost, int]:
    clock = Clock()
    with clock:
        report = check_film(story, chapters=chapters, film_name="film", out=folder, progress=Silence())
    return clock.total, report.pictures_seen


if __name__ == "__main__":
    sys.exit(main())
