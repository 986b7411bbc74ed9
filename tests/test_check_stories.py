"""The audit of what is shipped: every film can be read and is true."""

from __future__ import annotations

from pathlib import Path

import pytest

from explainer.audit.check import check_film
from explainer.audit.report import Report
from explainer.progress import Silence
from scenes.film import DEFAULT_FILM, FILMS, cannot_show
from scenes.layout import FRAMES
from scenes.story import Story, default_story, load_story
from scenes.theme import PALETTES

ROOT = Path(__file__).parents[1]
SHIPPED = tuple(sorted(path.stem for path in (ROOT / "stories").glob("*.toml")))


def check(out: Path, story: Story, film: str, *, only_ends: bool = False) -> Report:
    return check_film(story, chapters=FILMS[film], film_name=film, out=out, only_ends=only_ends, progress=Silence())


def test_the_default_film_has_no_fault_at_the_ends_of_its_beats(tmp_path: Path) -> None:
    report = check(tmp_path, default_story(), DEFAULT_FILM, only_ends=True)
    assert not report.faults, report.as_table()


@pytest.mark.nightly
@pytest.mark.parametrize("film", FILMS)
@pytest.mark.parametrize("aspect", FRAMES)
@pytest.mark.parametrize("theme", PALETTES)
@pytest.mark.parametrize("name", SHIPPED)
def test_every_film_of_every_story_has_no_fault_in_any_look(
    name: str, theme: str, aspect: str, film: str, tmp_path: Path
) -> None:
    story = load_story(ROOT / "stories" / f"{name}.toml", [f"look.theme={theme}", f"look.aspect={aspect}"])
    if faults := cannot_show(story, FILMS[film]):
        pytest.skip(faults[0])
    report = check(tmp_path, story, film)
    assert not report.faults, report.as_table()
