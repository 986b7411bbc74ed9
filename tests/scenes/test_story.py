"""What a good story becomes: given values kept, gaps filled by rule, everything frozen."""

from __future__ import annotations

import copy
import math
import pickle
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenes.story import (
    DEFAULT_STORY,
    Story,
    default_story,
    load_story,
    parse_story,
    story_from_environment,
)
from scenes.story_rules import FILLER, drawn_rows

ROOT = Path(__file__).parents[2]
SHIPPED = sorted((ROOT / "stories").glob("*.toml"))
OURS = sorted((ROOT / "tests" / "stories").glob("*.toml"))

EVERY_KEY = """
title = "every key"
[sentence]
tokens = ["a", "b"]
embeddings = [[0, 1.5, 2], [-1, 1, 0]]
dimensions = 3
seed = 7
focus = "b"
[projections]
query = [[0, 2], [1, 1], [0, 0]]
key = [[0, -1], [1, 0], [1, 1]]
value = [[1, 1, 0, 1], [1, -1, 2, 0], [0, 0, 0, 1]]
output = [[1], [0], [2], [0.5]]
[attention]
heads = 2
follow = 2
mask = [[1, 0, 1], [1, 1, 0], [0, 0, 0]]
padding = 1
divide_scores_by = 4
[look]
theme = "high-contrast"
aspect = "9:16"
decimals = 4
pace = 0.5
[look.colours]
query = "#ffb000"
ground = "#000000"
[film]
chapters = ["worked_example"]
"""


def story(toml: str, *overrides: str) -> Story:
    return parse_story(toml, "folder/my story.toml", overrides)


def sentence(*tokens: str) -> str:
    return "[sentence]\ntokens = [" + ", ".join(f"'''{token}'''" for token in tokens) + "]\n"


def test_every_key_arrives_where_it_belongs() -> None:
    told = story(EVERY_KEY)
    assert (told.title, told.stem, told.path) == ("every key", "my story", Path("folder/my story.toml"))
    assert told.tokens == ("a", "b", FILLER)
    assert told.real.tolist() == [True, True, False]
    assert told.embeddings[:2].tolist() == [[0, 1.5, 2], [-1, 1, 0]]
    assert told.W_Q.tolist() == [[0, 2], [1, 1], [0, 0]]
    assert told.W_K.tolist() == [[0, -1], [1, 0], [1, 1]]
    assert told.W_V.tolist() == [[1, 1, 0, 1], [1, -1, 2, 0], [0, 0, 0, 1]]
    assert told.W_O is not None
    assert told.W_O.tolist() == [[1], [0], [2], [0.5]]
    assert (told.heads, told.follow, told.focus, told.scale) == (2, 1, 1, 0.25)
    assert (told.d_model, told.d_k, told.d_v, told.padding) == (3, 1, 2, 1)
    assert told.mask is not None
    assert told.mask.tolist() == [[True, False, True], [True, True, False], [False, False, False]]
    assert told.mask_kinds == ("own",)
    look = told.look
    assert (look.theme, look.aspect, look.decimals, look.pace) == ("high-contrast", "9:16", 4, 0.5)
    assert look.colours == {"query": "#FFB000", "ground": "#000000"}
    assert told.chapters == ("worked_example",)


def test_a_story_of_tokens_alone_is_complete() -> None:
    told = story(sentence("one", "two"))
    assert told.title == "one two"
    assert told.embeddings.shape == (2, 2)
    assert told.W_Q.shape == told.W_K.shape == told.W_V.shape == (2, 2)
    assert (told.W_O, told.mask, told.scale, told.context_embeddings) == (None, None, None, None)
    assert (told.heads, told.follow, told.focus, told.mask_kinds) == (1, 0, 0, ("none",))
    assert (told.look.theme, told.look.aspect, told.look.decimals, told.look.pace) == ("dark", "16:9", 2, 1.0)
    assert told.chapters == "walkthrough"


def test_the_default_title_of_a_long_sentence_is_cut() -> None:
    told = story(sentence(*["word"] * 40))
    assert len(told.title) == 80
    assert told.title.endswith("…")


@pytest.mark.parametrize(
    "token",
    ["<b>", "&amp;", "{x}", "\\", "\\n", "#", "$x$", '"', "'", "`", "%", "New York", "~", "--", "[pad]"],
)
def test_a_token_with_markup_characters_is_kept_as_it_is(token: str) -> None:
    told = parse_story(f"[sentence]\ntokens = [{_toml_string(token)}]\n", "x.toml")
    assert told.tokens == (token,)
    assert told.title == token


def _toml_string(token: str) -> str:
    return '"' + token.replace("\\", "\\\\").replace('"', '\\"') + '"'


@pytest.mark.parametrize(("said", "place"), [('"b"', 1), ("2", 1), ("1", 0), ('"a"', 0), ("3", 2)])
def test_the_focus_is_a_token_or_its_position_from_one(said: str, place: int) -> None:
    assert story(sentence("a", "b", "a") + f"focus = {said}\n").focus == place


def test_a_token_is_drawn_alike_wherever_it_stands() -> None:
    alone = story(sentence("cat")).embeddings[0]
    among = story(sentence("the", "cat", "saw", "the", "cat")).embeddings
    assert np.array_equal(among[1], alone)
    assert np.array_equal(among[4], alone)
    assert np.array_equal(among[0], among[3])
    assert not np.array_equal(among[0], among[1])


def test_a_context_draws_its_tokens_by_the_same_rule() -> None:
    told = story(sentence("cat", "dog") + '[context]\ntokens = ["dog", "cow", "cat"]\n')
    assert told.context_embeddings is not None
    assert told.context_tokens == ("dog", "cow", "cat")
    assert np.array_equal(told.context_embeddings[2], told.embeddings[0])
    assert np.array_equal(told.context_embeddings[0], told.embeddings[1])


def test_another_seed_draws_other_numbers_and_the_same_seed_the_same() -> None:
    toml = sentence("cat", "dog")
    first, again, other = story(toml), story(toml), story(toml, "sentence.seed=1")
    for name in ("embeddings", "W_Q", "W_K", "W_V"):
        assert np.array_equal(getattr(first, name), getattr(again, name))
        assert not np.array_equal(getattr(first, name), getattr(other, name))


def test_the_three_drawn_projections_differ() -> None:
    told = story(sentence("cat"), "sentence.dimensions=8")
    assert not np.array_equal(told.W_Q, told.W_K)
    assert not np.array_equal(told.W_K, told.W_V)


def test_drawn_numbers_have_one_decimal_and_no_minus_zero() -> None:
    told = story(sentence(*(f"w{i}" for i in range(300))), "sentence.dimensions=4")
    for array in (told.embeddings, told.W_Q, told.W_K, told.W_V):
        assert np.array_equal(array, np.round(array, 1))
        assert not np.any(np.signbit(array) & (array == 0))


def test_drawn_projections_of_many_rows_are_not_rounded_away() -> None:
    told = story(sentence("cat"), "sentence.dimensions=1024")
    assert np.count_nonzero(told.W_Q) > 0.8 * told.W_Q.size
    # Standard deviation 1/sqrt(d_model): within 1 % for a million entries.
    assert np.std(told.W_Q) == pytest.approx(1 / 32, rel=0.02)


def test_drawn_embeddings_have_mean_zero_and_spread_one() -> None:
    rows = drawn_rows(0, [f"w{i}" for i in range(1000)], 10)
    # Five standard errors of 10,000 draws.
    assert abs(rows.mean()) < 5 / math.sqrt(rows.size)
    assert abs(rows.std() - 1) < 5 / math.sqrt(2 * rows.size)


def test_a_left_out_projection_is_as_wide_as_its_partner() -> None:
    wide = "[projections]\nkey = [[1, 0, 1], [0, 1, 1]]\n"
    told = story(sentence("a", "b") + wide)
    assert told.W_Q.shape == (2, 3)
    assert told.W_V.shape == (2, 2)


def test_identity_is_as_large_as_it_has_to_be() -> None:
    told = story(
        sentence("a"),
        "sentence.dimensions=3",
        *(f"projections.{role}=identity" for role in ("query", "key", "value", "output")),
    )
    assert told.W_O is not None
    for array in (told.W_Q, told.W_K, told.W_V, told.W_O):
        assert np.array_equal(array, np.eye(3))


def test_fillers_follow_the_words_and_are_drawn_by_their_text() -> None:
    told = story(sentence("a", "b"), "attention.padding=3")
    assert told.tokens == ("a", "b", FILLER, FILLER, FILLER)
    assert told.real.tolist() == [True, True, False, False, False]
    assert np.array_equal(told.embeddings[2], told.embeddings[4])
    assert np.array_equal(told.embeddings[2], drawn_rows(0, [FILLER], 2)[0])
    assert told.mask is None


@pytest.mark.parametrize(
    ("said", "kinds", "mask"),
    [
        ("none", ("none",), None),
        ('["none"]', ("none",), None),
        ("causal", ("causal",), [[1, 0, 0], [1, 1, 0], [1, 1, 1]]),
        ("padding", ("padding",), [[1, 1, 0], [1, 1, 0], [1, 1, 0]]),
        ('["causal", "padding"]', ("causal", "padding"), [[1, 0, 0], [1, 1, 0], [1, 1, 0]]),
        ("[[1, 1, 0], [0, 1, 1], [0, 0, 0]]", ("own",), [[1, 1, 0], [0, 1, 1], [0, 0, 0]]),
    ],
)
def test_a_mask_is_true_where_a_token_may_attend(
    said: str, kinds: tuple[str, ...], mask: list[list[int]] | None
) -> None:
    told = story(sentence("a", "b"), "attention.padding=1", f"attention.mask={said}")
    assert told.mask_kinds == kinds
    assert (None if told.mask is None else told.mask.astype(int).tolist()) == mask


def test_a_padding_mask_without_fillers_hides_nothing() -> None:
    told = story(sentence("a", "b"), "attention.mask=padding")
    assert told.mask is not None
    assert told.mask.all()


@pytest.mark.parametrize(("said", "scale"), [("sqrt(d_k)", None), ("1", 1.0), ("2.5", 0.4), ("0.5", 2.0)])
def test_the_divisor_of_the_scores_becomes_a_factor(said: str, scale: float | None) -> None:
    assert story(sentence("a"), f"attention.divide_scores_by={said}").scale == scale


def test_a_context_makes_the_trace_one_of_cross_attention() -> None:
    told = story(
        sentence("a", "b") + '[context]\ntokens = ["x", "y", "z"]\nembeddings = [[1, 0], [0, 1], [2, 2]]\n',
        "attention.mask=[[1, 1, 0], [0, 1, 1]]",
    )
    trace = told.trace()
    assert trace.context.tolist() == [[1, 0], [0, 1], [2, 2]]
    assert trace.attention.weights.shape == (1, 2, 3)
    assert trace.attention.weights[0, 0, 2] == 0


def test_the_trace_is_that_of_the_storys_own_numbers_and_computed_once() -> None:
    told = story(EVERY_KEY)
    trace = told.trace()
    assert trace is told.trace()
    assert np.array_equal(trace.embeddings, told.embeddings)
    # Head 1: the query of "a" is its first column, its key the first column too; scores are divided by 4.
    assert trace.queries[0, 0].tolist() == [1.5]
    assert trace.keys[0, 0].tolist() == [3.5]
    assert trace.attention.scaled[0, 0, 0] == 1.5 * 3.5 / 4
    assert np.all(trace.attention.weights[:, 2] == 0)
    assert trace.output.shape == (3, 1)


def _arrays(told: Story) -> list[np.ndarray]:
    return [value for value in vars(told).values() if isinstance(value, np.ndarray)]


@pytest.mark.parametrize("through", ["nothing", "pickle", "copy"])
def test_no_array_of_a_story_can_be_written_to(through: str) -> None:
    told = story(EVERY_KEY)
    told.trace()
    if through == "pickle":
        told = pickle.loads(pickle.dumps(told))
    if through == "copy":
        told = copy.deepcopy(told)
    assert len(_arrays(told)) == 7
    for array in _arrays(told):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    assert told.trace().output.tolist() == story(EVERY_KEY).trace().output.tolist()


def test_an_override_wins_over_the_file_and_the_last_one_over_the_others() -> None:
    told = story(EVERY_KEY, "look.theme=light", "look.decimals=1", "look.decimals=3", "title = x = y")
    assert (told.look.theme, told.look.decimals, told.title) == ("light", 3, "x = y")


def test_an_override_is_read_as_toml_where_it_is_some_and_as_text_elsewhere() -> None:
    told = story(
        EVERY_KEY,
        "sentence.embeddings=[[1, 0, 0], [0, 1, 0]]",
        "look.colours.key=#00FF00",
        "title='quoted'",
        "sentence.focus=2",
    )
    assert told.embeddings[:2].tolist() == [[1, 0, 0], [0, 1, 0]]
    assert told.look.colours["key"] == "#00FF00"
    assert told.title == "quoted"
    assert told.focus == 1


def test_an_override_of_text_keeps_what_toml_would_call_a_comment() -> None:
    assert story(EVERY_KEY, "title=x # y").title == "x # y"


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + sentence("a", "é").replace("\n", "\r\n").encode())
    assert load_story(path).tokens == ("a", "é")


def test_without_a_named_story_the_cat_is_told() -> None:
    assert default_story().title == "cat ate fish"
    assert story_from_environment().path == DEFAULT_STORY


def test_the_environment_can_name_the_story(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPLAINER_STORY", str(ROOT / "stories" / "mouse_eats_cheese.toml"))
    assert story_from_environment().title == "Mouse eats cheese"


@pytest.mark.parametrize("path", [*SHIPPED, *OURS], ids=lambda path: path.stem)
def test_every_story_in_the_project_can_be_computed(path: Path) -> None:
    told = load_story(path)
    assert np.isfinite(told.trace().output).all()


@pytest.mark.parametrize("aspect", ["16:9", "4:3", "1:1", "9:16"])
def test_a_story_can_ask_for_every_aspect_that_has_a_layout(aspect: str) -> None:
    assert load_story(SHIPPED[0], [f"look.aspect={aspect}"]).look.aspect == aspect


def test_the_mouse_has_the_numbers_of_its_description() -> None:
    trace = load_story(ROOT / "stories" / "mouse_eats_cheese.toml").trace()
    assert trace.queries[0].tolist() == [[0, 2], [2, 1], [0, 2]]
    assert trace.attention.scores[0].tolist() == [[0, 4, 0], [4, 4, 4], [0, 4, 0]]


def test_the_cat_has_the_numbers_of_its_description() -> None:
    trace = load_story(ROOT / "stories" / "cat_ate_fish.toml").trace()
    assert trace.queries[0].tolist() == [[1, 1], [1, -1], [0, 2]]
    assert trace.keys[0].tolist() == [[1, 0], [1, 1], [0, -1]]
    assert trace.values[0].tolist() == [[1, -1], [0, -2], [1, 1]]
    assert trace.attention.scores[0].tolist() == [[1, 2, -1], [1, 0, 1], [0, 2, -2]]


def test_a_thousand_tokens_are_checked_in_a_fifth_of_a_second() -> None:
    toml = sentence(*(f"word{i}" for i in range(1000)))
    story(toml)
    start = time.process_time()
    story(toml)
    assert time.process_time() - start < 0.2


WORDS = st.text(
    st.characters(codec="latin-1", categories=("L", "N", "P", "S")), min_size=1, max_size=12
).filter(lambda word: "'''" not in word and not word.endswith("'"))


@settings(max_examples=30, deadline=None)
@given(st.lists(WORDS, min_size=1, max_size=12), st.integers(0, 2**32 - 1), st.integers(1, 8))
def test_any_words_seed_and_width_make_a_story(words: list[str], seed: int, width: int) -> None:
    told = story(sentence(*words), f"sentence.seed={seed}", f"sentence.dimensions={width}")
    assert told.tokens == tuple(words)
    assert told.embeddings.shape == (len(words), width)
    assert np.allclose(told.trace().attention.weights.sum(axis=-1), 1)
