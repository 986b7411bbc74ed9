"""The numbers of a story to full precision, against closed forms worked out here."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result

from explainer.numbers import as_json, tables
from math_core import as_dict
from scenes.story import load_story, parse_story

ROOT = Path(__file__).parents[2]
MOUSE = str(ROOT / "stories" / "mouse_eats_cheese.toml")

# exp, a sum of three, a quotient and a weighted sum of three: each rounds once, none loses digits here.
FEW_ROUNDINGS = 8 * sys.float_info.epsilon

# One weight of 1 for each score of 0, and this one for the score of 4, divided by the square root of 2.
E = math.exp(4 / math.sqrt(2))


@pytest.fixture
def mouse(explain: Callable[..., Result]) -> dict[str, Any]:
    result = explain("numbers", MOUSE, "--json")
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    trace: dict[str, Any] = json.loads(result.stdout)
    return trace


def test_json_has_the_fields_of_the_trace_and_no_other(mouse: dict[str, Any]) -> None:
    trace = as_dict(load_story(MOUSE).trace())
    assert list(mouse) == list(trace)
    assert list(mouse["attention"]) == list(trace["attention"])


def test_json_keeps_the_axis_of_heads(mouse: dict[str, Any]) -> None:
    assert np.shape(mouse["queries"]) == (1, 3, 2)
    assert np.shape(mouse["attention"]["weights"]) == (1, 3, 3)


def test_scores_of_the_mouse_are_exact(mouse: dict[str, Any]) -> None:
    embeddings = [[Fraction(2), Fraction(0)], [Fraction(1), Fraction(2)], [Fraction(2), Fraction(0)]]
    queries = [[second, first] for first, second in embeddings]
    scores = [[sum(q * k for q, k in zip(row, key, strict=True)) for key in embeddings] for row in queries]
    assert mouse["queries"][0] == queries
    assert mouse["attention"]["scores"][0] == scores == [[0, 4, 0], [4, 4, 4], [0, 4, 0]]


def test_weights_of_the_mouse_agree_with_their_closed_form(mouse: dict[str, Any]) -> None:
    looking = [1 / (2 + E), E / (2 + E), 1 / (2 + E)]
    expected = [looking, [1 / 3] * 3, looking]
    assert mouse["attention"]["weights"][0] == [pytest.approx(row, rel=FEW_ROUNDINGS) for row in expected]


def test_outputs_of_the_mouse_agree_with_their_closed_form(mouse: dict[str, Any]) -> None:
    moved = [(4 + E) / (2 + E), 2 * E / (2 + E)]
    expected = [moved, [5 / 3, 2 / 3], moved]
    assert mouse["output"] == [pytest.approx(row, rel=FEW_ROUNDINGS) for row in expected]
    assert mouse["output"][0] == [pytest.approx(1.1057, abs=5e-5), pytest.approx(1.7886, abs=5e-5)]


def test_json_gives_back_every_float_bit_by_bit() -> None:
    trace = load_story(ROOT / "tests" / "stories" / "four_fractions.toml").trace()
    read = json.loads(as_json(trace))
    for name in ("embeddings", "queries", "keys", "values", "concatenated", "output"):
        assert np.array_equal(np.array(read[name]), getattr(trace, name))
    assert np.array_equal(np.array(read["attention"]["weights"]), trace.attention.weights)


def test_json_of_cross_attention_with_heads_and_fillers_is_whole() -> None:
    story = parse_story(
        '[sentence]\ntokens = ["a", "b"]\ndimensions = 4\n[context]\ntokens = ["x", "y", "z"]\n'
        "[attention]\nheads = 2\nmask = [[1, 0, 1], [0, 0, 0]]\n",
        "x.toml",
    )
    read = json.loads(as_json(story.trace()))
    assert read["attention"]["masked"][1][1] == [None] * 3
    assert read["attention"]["weights"][1][1] == [0.0] * 3
    assert np.shape(read["output"]) == (2, 4)


def _row(story_text: str, heading: str, label: str) -> str:
    """The row of a word in the table under a heading."""
    stages = dict(tables(parse_story(story_text, "x.toml")))
    (lines,) = [lines for name, lines in stages.items() if name.startswith(heading)]
    (row,) = [line for line in lines if line.startswith(label)]
    return row


WIDE = '[sentence]\ntokens = ["猫", "e\u0301", "abc"]\nembeddings = [[1, 0], [0, 1], [-0.001, 12.5]]\n'


def test_columns_stand_in_line_whatever_the_words_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenes.fonts.missing", lambda text: "")
    stages = dict(tables(parse_story(WIDE, "x.toml")))
    assert stages["embeddings X  (3 × 2)"] == (
        "猫   1.00   0.00",
        "e\u0301    0.00   1.00",
        "abc  0.00  12.50",
    )


def test_a_number_that_rounds_to_zero_has_no_minus_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenes.fonts.missing", lambda text: "")
    assert _row(WIDE, "embeddings X", "abc") == "abc  0.00  12.50"


def test_words_that_occur_twice_are_told_apart_by_their_position() -> None:
    twice = '[sentence]\ntokens = ["the", "cat", "the"]\nembeddings = [[1, 0], [0, 1], [1, 0]]\n'
    assert _row(twice, "embeddings X", "the (3)") == "the (3)  1  0"
    stages = dict(tables(parse_story(twice, "x.toml")))
    (weights,) = [lines for name, lines in stages.items() if name.startswith("weights A")]
    assert weights[0].split() == ["the", "(1)", "cat", "the", "(3)"]


def test_ascii_tables_hold_nothing_else_but_the_words() -> None:
    story = parse_story(
        '[sentence]\ntokens = ["a", "b"]\nembeddings = [[-9e5, 0], [0.5, -1]]\n'
        '[attention]\nmask = "causal"\n',
        "x.toml",
    )
    text = "\n".join("\n".join([heading, *lines]) for heading, lines in tables(story, ascii_only=True))
    assert text.isascii()
    assert "-inf" in text
    assert "-9.0e5" in text
    assert "sqrt d_k" in text
