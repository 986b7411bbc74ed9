"""What a faulty story is told: every fault at once, a line each, and none that only follows from another."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scenes import fonts
from scenes.film import CHAPTERS, cannot_show, chapters_of, film_name
from scenes.story import StoryError, load_story, parse_story
from scenes.story_rules import KEYS

GOOD = '[sentence]\ntokens = ["cat", "ate", "fish"]\n'


def faults(toml: str, *overrides: str) -> list[str]:
    """The faults of a story, of which there must be some."""
    with pytest.raises(StoryError) as caught:
        parse_story(toml, "my.toml", overrides)
    assert all(
        "\n" not in line and "found " in line and "; allowed: " in line for line in caught.value.faults
    )
    return list(caught.value.faults)


def test_all_faults_are_told_at_once_each_with_its_key() -> None:
    lines = faults(
        'title = ""\nnonsense = 1\n'
        '[sentence]\ntokens = ["a", "b"]\nembeddings = [[1, 2], [3, 4], [5, 6]]\nfocus = "c"\nseed = -1\n'
        "[projections]\nquery = [[1, 2]]\nvalue = 3\n"
        "[attention]\nheads = 0\nmask = [[2]]\ndivide_scores_by = 0\npadding = 1001\n"
        '[look]\ntheme = "pink"\npace = 9\n[look.colours]\nkey = "green"\n[film]\nchapters = []\n'
    )
    assert sorted(line.split(": ")[1] for line in lines) == [
        "attention.divide_scores_by",
        "attention.heads",
        "attention.mask",
        "attention.padding",
        "film.chapters",
        "look.colours.key",
        "look.pace",
        "look.theme",
        "nonsense",
        "projections.query",
        "projections.value",
        "sentence.embeddings",
        "sentence.focus",
        "sentence.seed",
        "title",
    ]
    assert all(line.startswith("my.toml: ") for line in lines)


def test_a_fault_of_an_override_says_that_it_came_from_there() -> None:
    assert faults(GOOD, "look.theme=ligt") == [
        '--set: look.theme: found "ligt"; allowed: "dark", "light", "high-contrast" (did you mean "light"?)'
    ]


def test_an_override_cannot_smuggle_in_a_second_key() -> None:
    (line,) = faults(GOOD, "title='x'\nlook = 1")
    assert line.startswith("--set: title: found ")


@pytest.mark.parametrize(
    ("override", "beginning"),
    [
        ("look.theme", '--set: found "look.theme"; allowed: key=value'),
        ("=1", '--set: "": found an unknown key'),
        ('"look.theme"=light', '--set: "look.theme": found an unknown key'),
        ("look.colours.qery=1", "--set: look.colours.qery: found an unknown key"),
    ],
)
def test_an_override_of_no_known_key_is_a_fault(override: str, beginning: str) -> None:
    (line,) = faults(GOOD, override)
    assert line.startswith(beginning)


@pytest.mark.parametrize(
    ("override", "keys"),
    [
        ("look=3", "look.theme, look.aspect, look.decimals, look.pace, look.colours"),
        ("film=x", "film.chapters"),
    ],
)
def test_an_override_of_a_whole_table_is_told_what_can_be_set_in_it(override: str, keys: str) -> None:
    table = override.partition("=")[0]
    assert faults(GOOD, override) == [
        f"--set: {table}: found a table as a whole; allowed: one of its keys: {keys}"
    ]


@pytest.mark.parametrize(
    ("toml", "key"),
    [
        ('"attention.mask" = "causal"\n' + GOOD, '"attention.mask"'),
        ('"look.theme" = 77\n' + GOOD, '"look.theme"'),
        ('"sentence.tokens" = ["x"]\n' + GOOD, '"sentence.tokens"'),
        ('"look.colours" = { query = "red" }\n' + GOOD, '"look.colours"'),
        (GOOD + '[look]\n"colours.query" = "red"\n', 'look."colours.query"'),
        ('"" = 1\n' + GOOD, '""'),
        ('"a b" = 1\n' + GOOD, '"a b"'),
    ],
)
def test_a_name_in_quotes_is_one_name_whatever_is_in_it(toml: str, key: str) -> None:
    (line,) = faults(toml)
    assert line.startswith(f"my.toml: {key}: found an unknown key; allowed: ")


def test_a_known_name_in_quotes_is_that_key() -> None:
    assert parse_story('"title" = "x"\n["sentence"]\n"tokens" = ["a"]\n', "my.toml").title == "x"


@pytest.mark.parametrize(
    ("toml", "meant"),
    [
        (GOOD + "embedings = [[1]]\n", "sentence.embeddings"),
        (GOOD + "[lok]\ntheme = 'dark'\n", "look"),
        (GOOD + "[look.colours]\nQuery = '#FFFFFF'\n", "look.colours.query"),
        ("tokens = ['a']\n" + GOOD, "sentence.tokens"),
        (GOOD + "[attention]\nscale = 1\nmasks = 'none'\n", "attention.mask"),
    ],
)
def test_an_unknown_key_is_told_with_the_nearest_one(toml: str, meant: str) -> None:
    assert any(
        "found an unknown key; allowed: " in line and f'(did you mean "{meant}"?)' in line
        for line in faults(toml)
    )


def test_a_key_like_no_other_gets_no_guess() -> None:
    (line,) = faults(GOOD + "[xyzzy]\n")
    assert "did you mean" not in line
    assert line.endswith("allowed: title, sentence, projections, attention, context, look, film")


def test_a_value_where_a_table_belongs_is_one_fault() -> None:
    assert faults("look = 3\n" + GOOD) == ["my.toml: look: found 3; allowed: a table, [look]"]
    assert faults("look.colours = 3\n" + GOOD) == [
        "my.toml: look.colours: found 3; allowed: a table, [look.colours]"
    ]


@pytest.mark.parametrize(
    ("toml", "key"),
    [
        ('[sentence]\ntokens = ["a", 2]\nembeddings = [[1, 2]]\nfocus = "z"\n', "sentence.tokens"),
        (
            GOOD + 'embeddings = [["x", 1], [2, 3], [4, 5]]\n[projections]\nquery = [[1], [2], [3]]\n',
            "sentence.embeddings",
        ),
        (GOOD + "dimensions = 0\n[projections]\nquery = [[1], [2], [3]]\n", "sentence.dimensions"),
        (GOOD + "embeddings = [[1], [2], [3]]\ndimensions = 'x'\n", "sentence.dimensions"),
        (GOOD + '[attention]\nheads = "2"\nfollow = 2\n', "attention.heads"),
        ("[sentence]\ntokens = []\n[attention]\nmask = [[1]]\n", "sentence.tokens"),
        ("[sentence]\ntokens = []\n[attention]\nmask = 'causal'\n", "sentence.tokens"),
        (GOOD + "[context]\ntokens = 1\n[attention]\nmask = [[1], [1], [1]]\n", "context.tokens"),
        (GOOD + "[attention]\npadding = 'x'\nmask = [[1]]\n", "attention.padding"),
    ],
)
def test_no_fault_is_told_that_only_follows_from_another(toml: str, key: str) -> None:
    (line,) = faults(toml)
    assert line.startswith(f"my.toml: {key}: ")


def test_many_bad_entries_of_one_matrix_are_one_line_that_counts_them() -> None:
    (line,) = faults(GOOD + "embeddings = [[1, nan], [true, 2], ['x', inf]]\n")
    assert "found nan in row 1, column 2, and 3 more like it;" in line


def test_heads_that_divide_neither_width_are_told_for_both() -> None:
    lines = faults(GOOD + "[projections]\nquery = [[1, 2, 3], [4, 5, 6]]\n[attention]\nheads = 4\n")
    assert len(lines) == 2
    assert any("the 3 columns of projections.query" in line for line in lines)
    assert any("the 2 columns of projections.value" in line for line in lines)


@pytest.mark.parametrize(
    ("toml", "key", "allowed"),
    [
        ("[projections]\nkey = [[1, 2], [3, 4]]\nquery = [[1], [2]]\n", "projections.key", "1 column, "),
        (
            "[projections]\nkey = 'identity'\nquery = [[1, 2, 3], [2, 3, 4]]\n",
            "projections.key",
            "3 columns, ",
        ),
        ("[projections]\noutput = [[1, 2]]\n", "projections.output", "2 rows, "),
        ("[context]\nembeddings = [[1, 2]]\n", "context.embeddings", "0 rows, "),
        ("[context]\ntokens = ['x']\nembeddings = [[1, 2, 3]]\n", "context.embeddings", "2 columns, "),
        ("[context]\ntokens = ['x']\n[attention]\npadding = 1\n", "attention.padding", "0, because "),
        (
            "[context]\ntokens = ['x']\n[attention]\nmask = 'padding'\n",
            "attention.mask",
            '"none", "causal" or rows',
        ),
        (
            "[context]\ntokens = ['x']\n[attention]\nmask = [[1,1,1],[1,1,1],[1,1,1]]\n",
            "attention.mask",
            "3 x 1, ",
        ),
        ("[attention]\npadding = 1\nmask = [[1,1,1],[1,1,1],[1,1,1]]\n", "attention.mask", "4 x 4, "),
        ("[attention]\nmask = ['causal', 'causal']\n", "attention.mask", '"none"'),
        ("[attention]\nmask = ['none', 'causal']\n", "attention.mask", '"none"'),
        ("[attention]\nmask = []\n", "attention.mask", '"none"'),
        ("[attention]\nfollow = 2\n", "attention.follow", "a whole number from 1 to 1"),
        ("[film]\nchapters = ['worked_example', 'worked_example']\n", "film.chapters", "a film"),
    ],
)
def test_what_does_not_fit_together_is_told_with_what_would_fit(toml: str, key: str, allowed: str) -> None:
    (line,) = faults(GOOD + toml)
    assert line.startswith(f"my.toml: {key}: found ")
    assert f"; allowed: {allowed}" in line


def test_a_width_that_is_said_twice_must_agree() -> None:
    two = "embeddings = [[1, 2], [3, 4], [5, 6]]\n"
    (line,) = faults(GOOD + two + "dimensions = 3\n")
    assert line.startswith("my.toml: sentence.dimensions: found 3; allowed: 2,")
    assert parse_story(GOOD + two + "dimensions = 2\n", "my.toml").d_model == 2


@pytest.mark.parametrize(
    "char", ["\\u0000", "\\u0007", "\\n", "\\t", "\\u0085", "\\u2028", "\\u202E", "\\u2066"]
)
def test_a_control_character_in_a_token_is_a_fault_that_names_it(char: str) -> None:
    (line,) = faults(f'[sentence]\ntokens = ["a{char}b"]\n')
    code = {"\\n": "000A", "\\t": "0009"}.get(char, char[2:].upper())
    assert f"control character U+{code}" in line
    assert line.isprintable()


BLANKS = [
    *("", " ", "\\u00A0", "\\u200B", "\\u200D", "\\u200D \\u3000", "\\uFE0F", "\\U000E0100", "\\u034F"),
    *("\\u180B", "\\U000E0FFF", "\\u3164", "\\u2800 \\u115F"),
]


@pytest.mark.parametrize("blank", BLANKS)
def test_a_token_without_anything_to_see_is_blank(blank: str) -> None:
    (line,) = faults(f'[sentence]\ntokens = ["a", "{blank}"]\n')
    assert "(blank) at position 2" in line


@pytest.mark.parametrize("blank", BLANKS)
def test_a_title_without_anything_to_see_is_blank(blank: str) -> None:
    (line,) = faults(f'title = "{blank}"\n' + GOOD)
    assert line.startswith("my.toml: title: found ")
    assert "(blank); allowed: " in line


@pytest.mark.parametrize("token", [" cat", "cat ", "cat\\u00A0", "\\u3000cat"])
def test_a_token_with_space_at_an_end_is_a_fault(token: str) -> None:
    (line,) = faults(f'[sentence]\ntokens = ["a", "{token}"]\n')
    said, _, allowed = line.partition("; allowed: ")
    assert "(space at an end) at position 2" in said
    assert "no space at the ends" in allowed


def test_a_token_that_no_font_has_is_told_with_its_characters_and_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fonts, "missing", lambda text: "".join(c for c in text if c in "猫\U000f0000"))
    monkeypatch.setattr(fonts, "what_to_install", lambda text: "pip install more" if "猫" in text else "")
    first, second = faults('[sentence]\ntokens = ["猫猫", "ok", "\\U000F0000"]\n')
    assert 'found "猫猫" with 猫 (U+732B)' in first
    assert "`pip install more` brings a font for it" in first
    assert "(U+F0000)" in second
    assert "no font known here has it" in second


def test_a_title_that_no_font_has_is_a_fault_of_the_title() -> None:
    (line,) = faults('title = "\\U000F0000"\n' + GOOD)
    assert line.startswith("my.toml: title: found ")


@pytest.mark.parametrize("toml", ["x = " + "9" * 5000, "x = " + "[" * 5000, "x = 0x" + "f" * 9000])
def test_numbers_and_brackets_beyond_all_measure_are_a_fault(toml: str) -> None:
    assert len(faults(toml)) >= 1


def test_toml_that_cannot_be_read_is_told_with_line_and_column() -> None:
    (line,) = faults("[sentence]\ntokens = [\n'a' 'b']\n")
    assert line.startswith("my.toml: line 3, column 5: found no TOML (")


def test_a_path_through_a_file_is_no_such_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoryError, match="no such file"):
        load_story(tmp_path / "file" / "story.toml")


def test_a_path_with_a_null_character_is_a_fault() -> None:
    with pytest.raises(StoryError, match=r"my\\x00\.toml: found "):
        load_story("my\0.toml")


def test_an_empty_path_is_said_to_be_empty() -> None:
    with pytest.raises(StoryError, match=r'^"": found an empty path; allowed: a story file'):
        load_story("")


def test_a_file_name_that_is_not_utf8_is_a_fault_that_can_be_printed(tmp_path: Path) -> None:
    with pytest.raises(StoryError) as caught:
        load_story(tmp_path / os.fsdecode(b"caf\xe9.toml"))
    (line,) = caught.value.faults
    assert "found a file name that is not UTF-8; allowed: a name in UTF-8; rename the file" in line
    assert line.isprintable()


def test_a_file_that_may_not_be_read_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A stand-in, for an administrator may read everything.
    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(StoryError, match=r"cannot be read \(Permission denied\)"):
        load_story(tmp_path / "my.toml")


VALUES = [
    *(
        "0",
        "-1",
        "2",
        "3",
        "1.5",
        "nan",
        "-inf",
        "true",
        "1e308",
        "99999999999999999999999",
        "1979-05-27",
        "{a=1}",
    ),
    *(
        "[]",
        "[[]]",
        "[[1]]",
        "[[1, 2], [3, 4]]",
        "[[1, 2], [3]]",
        "[[1, 0], [0, 1]]",
        "[[[1]]]",
        "[1, 2]",
        "[['a']]",
    ),
    *(
        "''",
        "'a'",
        "['a']",
        "['a', 'b', 'a']",
        "'identity'",
        "'causal'",
        "['causal', 'padding']",
        "'#FFFFFF'",
    ),
]


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), st.sampled_from(VALUES), min_size=1, max_size=5))
@example({"attention.mask": "'causal'", "sentence.tokens": "'a'"})
def test_any_mixture_of_values_is_a_story_or_faults(values: dict[str, str]) -> None:
    overrides = [f"{key}={value}" for key, value in values.items()]
    lines: tuple[str, ...] = ()
    try:
        told = parse_story(GOOD, "my.toml", overrides)
    except StoryError as error:
        lines = error.faults
    assert all(line.isprintable() and "; allowed: " in line for line in lines)
    assert lines or len(told.trace().output) == len(told.tokens)


BEYOND_THE_WORKED_EXAMPLE = [
    ("sentence.tokens=['a']", "sentence.tokens", "found 1 token; allowed: 2 to 6"),
    ("sentence.tokens=['a','b','c','d','e','f','g']", "sentence.tokens", "found 7 tokens; allowed: 2 to 6"),
    ("sentence.dimensions=3", "sentence.embeddings", "found 3 columns (d_model); allowed: 2"),
    ("attention.heads=2", "attention.heads", "found 2 heads; allowed: 1"),
    ("attention.padding=1", "attention.padding", "found 1 filler; allowed: 0"),
    ("attention.mask=causal", "attention.mask", 'found "causal"; allowed: "none"'),
    ("attention.mask=[[1,0,1],[1,1,1],[1,1,1]]", "attention.mask", 'found rows of 0 and 1; allowed: "none"'),
    ("look.aspect=1:1", "look.aspect", 'found "1:1"; allowed: "16:9"'),
    (
        "look.colours.masked='#808080'",
        "look.colours.masked",
        'found "#808080"; allowed: left out, with no mask to show',
    ),
    ("context.tokens=['x']", "context.tokens", "found 1 token; allowed: none"),
    ("projections.output=identity", "projections.output", "found a matrix; allowed: none"),
    ("projections.value=[[1,2,3],[4,5,6]]", "projections.value", "found 3 columns a head (d_v); allowed: 2"),
]


@pytest.mark.parametrize(("override", "key", "words"), BEYOND_THE_WORKED_EXAMPLE)
def test_what_a_chapter_cannot_show_is_told_with_what_it_can(override: str, key: str, words: str) -> None:
    told = parse_story(GOOD, "my.toml", [override])
    lines = cannot_show(told, ("worked_example",))
    assert any(line.startswith(f"my.toml: {key}: {words}, for ") for line in lines)
    assert all(line.endswith("what the chapter worked_example can show") for line in lines)


def test_all_that_a_chapter_cannot_show_is_told_at_once() -> None:
    told = parse_story(
        GOOD,
        "my.toml",
        [
            "sentence.tokens=['a']",
            "sentence.dimensions=4",
            "attention.heads=4",
            "attention.padding=2",
            "attention.mask=['causal', 'padding']",
            "look.aspect=4:3",
            "projections.output=identity",
        ],
    )
    keys = [line.split(": ")[1] for line in cannot_show(told, ("worked_example",))]
    assert keys == [
        "sentence.tokens",
        "attention.padding",
        "sentence.embeddings",
        "projections.query",
        "projections.value",
        "attention.heads",
        "attention.mask",
        "attention.mask",
        "look.aspect",
        "projections.output",
    ]


@pytest.mark.parametrize(
    "override",
    [
        "look.theme=light",
        "look.pace=2",
        "look.decimals=6",
        "look.colours.key=#123456",
        "attention.divide_scores_by=1",
    ],
)
def test_what_a_chapter_can_show_is_no_fault(override: str) -> None:
    assert cannot_show(parse_story(GOOD, "my.toml", [override]), tuple(CHAPTERS)) == []


def test_a_film_is_its_chapters_and_a_list_of_chapters_is_itself() -> None:
    assert chapters_of("worked-example") == ("worked_example",)
    assert chapters_of(("worked_example",)) == ("worked_example",)


def test_a_list_of_chapters_that_is_a_film_has_its_name_and_another_one_its_own() -> None:
    assert film_name(("worked_example",)) == "worked-example"
    assert film_name(("one", "two")) == "one+two"
    assert len(film_name(["a_long_name_of_a_chapter"] * 40)) <= 80
