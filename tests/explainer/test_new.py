"""The story that `explainer new` writes: good as it is, and good with any of its suggestions taken up."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from explainer.new import TEMPLATE
from scenes.film import cannot_show, chapters_of
from scenes.story import load_story, parse_story
from scenes.story_rules import KEYS

Explain = Callable[..., Result]
SUGGESTION = re.compile(r"^# (?=[a-z_]+ = |\[)", re.MULTILINE)


def test_a_new_story_can_be_rendered_as_it_is(explain: Explain, tmp_path: Path) -> None:
    result = explain("new", "my.toml")
    assert result.exit_code == 0
    assert result.stdout == "my.toml is written. Next: explainer render my.toml --quality draft\n"
    story = load_story(tmp_path / "my.toml")
    assert cannot_show(story, chapters_of(story.chapters)) == []
    assert [path.name for path in tmp_path.iterdir()] == ["my.toml"]


def test_a_new_story_names_itself_in_the_commands_that_it_proposes(explain: Explain, tmp_path: Path) -> None:
    assert explain("new", "it's mine.toml").exit_code == 0
    text = (tmp_path / "it's mine.toml").read_text(encoding="utf-8")
    assert "explainer numbers 'it'\"'\"'s mine.toml'\n" in text
    assert "{name}" not in text


def test_each_word_of_the_new_story_has_one_clear_favourite_that_is_not_itself() -> None:
    weights = parse_story(TEMPLATE, "my.toml").trace().attention.weights[0]
    # Rows that ask, in the order of "birds can sing": "birds" looks at "sing", and both others at "birds".
    assert weights.argmax(axis=-1).tolist() == [2, 0, 0]
    ascending = np.sort(weights, axis=-1)
    assert np.all(ascending[:, 2] > 0.5)
    assert np.all(np.diff(ascending, axis=-1) > 0.05)


def test_no_two_arrows_of_a_word_or_of_a_role_in_the_new_story_point_the_same_way() -> None:
    trace = parse_story(TEMPLATE, "my.toml").trace()
    arrows = np.stack([trace.embeddings, trace.queries[0], trace.keys[0], trace.values[0]])
    for group in (*arrows, *arrows.swapaxes(0, 1)):
        for one, other in combinations(group, 2):
            assert one[0] * other[1] != one[1] * other[0] or one @ other < 0


def test_each_suggestion_of_the_new_story_is_valid_when_it_is_taken_up() -> None:
    places = [match.start() for match in SUGGESTION.finditer(TEMPLATE)]
    assert len(places) >= 12
    for place in places:
        heading = TEMPLATE.rfind("# [", 0, place + 3)
        text = TEMPLATE[:place] + TEMPLATE[place + 2 :]
        belongs_to_a_suggested_table = 0 <= heading < place and "\n[" not in TEMPLATE[heading:place]
        if belongs_to_a_suggested_table:
            text = text[:heading] + text[heading + 2 :]
        parse_story(text, "my.toml")


def test_all_suggestions_about_one_head_can_be_taken_up_at_once() -> None:
    text = SUGGESTION.sub("", TEMPLATE.replace("# padding = 1 ", "# padding = 0 "))
    story = parse_story(text, "my.toml")
    assert story.context_tokens == ("les", "oiseaux")
    assert story.scale == 1


def test_the_new_story_tells_of_every_key_but_the_other_colours() -> None:
    for key in KEYS:
        if not key.startswith("look.colours.") and key != "context.embeddings":
            assert re.search(rf"^(# )?{key.rpartition('.')[2]} = ", TEMPLATE, re.MULTILINE), key


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_nothing_that_is_there_is_overwritten(explain: Explain, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "my.toml"
    if kind == "file":
        path.write_text("mine")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("nowhere")
    result = explain("new", "my.toml")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("my.toml: found a file or folder of that name; allowed: a new name")
    assert kind != "file" or path.read_text() == "mine"
    assert [each.name for each in tmp_path.iterdir()] == ["my.toml"]


def test_no_folder_is_made_in_silence(explain: Explain, tmp_path: Path) -> None:
    result = explain("new", "nowhere/my.toml")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{Path('nowhere/my.toml')}: found no folder nowhere; allowed: ")
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_no_file_can_have_is_refused(explain: Explain, tmp_path: Path) -> None:
    result = explain("new", "x" * 300 + ".toml")
    assert result.exit_code == 2
    assert "; allowed: " in result.stderr
    assert "Traceback" not in result.stderr
