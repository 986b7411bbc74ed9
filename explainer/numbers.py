"""A story's attention as text: tables to read, or JSON for programs. Nothing is computed here."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from math_core import Trace, as_dict
from scenes.numerals import SHARE, NumberStyle, style_for
from scenes.story import Story

Array = npt.NDArray[np.float64]

_TO_ASCII = str.maketrans({"−": "-", "∞": "inf", "√": "sqrt ", "×": "x", "ᵀ": "^T"})


def as_json(trace: Trace) -> str:
    """One JSON object: the fields of the trace by name, to full precision, −∞ as null."""
    return json.dumps(_json_value(as_dict(trace)), allow_nan=False)


def tables(story: Story, *, ascii_only: bool = False) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every stage as a heading and the lines under it; numbers are written as the film writes them.

    Rows are the words that ask; where columns have names, they are the words that are asked. ``ascii_only``
    is for terminals that have no signs of mathematics; it leaves the words as they are.
    """
    signs = _in_ascii if ascii_only else str
    trace, decimals = story.trace(), story.look.decimals
    askers = _labels(story.tokens)
    asked = _labels(story.context_tokens) if story.context_tokens else askers

    def stage(
        name: str, array: Array, rows: Sequence[str] = (), columns: Sequence[str] = (),
        style: NumberStyle | None = None,
    ) -> tuple[str, tuple[str, ...]]:  # fmt: skip
        chosen = style or style_for(array, decimals)
        cells = [[signs(chosen.text(value)) for value in row] for row in array.tolist()]
        heading = signs(f"{name}  ({array.shape[0]} × {array.shape[1]})")
        return heading, tuple(_aligned(cells, rows or [""] * len(array), columns))

    yield f"{story.title}: {signs(_summary(story))}", ()
    yield stage("embeddings X", trace.embeddings, askers)
    if story.context_tokens:
        yield stage("context", trace.context, asked)
    for name in ("W_Q", "W_K", "W_V"):
        yield stage(name, getattr(trace, name))
    for head in range(trace.heads):
        of = f" of head {head + 1}" if trace.heads > 1 else ""
        attention = trace.attention
        yield stage(f"queries Q{of}", trace.queries[head], askers)
        yield stage(f"keys K{of}", trace.keys[head], asked)
        yield stage(f"values V{of}", trace.values[head], asked)
        yield stage(f"scores Q Kᵀ{of}", attention.scores[head], askers, asked)
        yield stage(f"scaled scores{of}", attention.scaled[head], askers, asked)
        if story.mask is not None:
            yield stage(f"masked scores{of}", attention.masked[head], askers, asked)
        yield stage(f"weights A{of}", attention.weights[head], askers, asked, SHARE)
        yield stage(f"output A V{of}", attention.output[head], askers)
    if trace.heads > 1:
        yield stage("concatenated outputs", trace.concatenated, askers)
    if trace.W_O is not None:
        yield stage("W_O", trace.W_O)
        yield stage("output", trace.output, askers)


def _in_ascii(text: str) -> str:
    # A power of ten loses its raised digits to compatibility normalisation: 1.50×10⁵ becomes 1.50e5.
    return unicodedata.normalize("NFKC", text.replace("×10", "e").translate(_TO_ASCII)).replace("−", "-")


def _summary(story: Story) -> str:
    divisor = "√d_k" if story.scale is None else f"{1 / story.scale:g}"
    return (
        f"d_model = {story.d_model}, d_k = {story.d_k}, d_v = {story.d_v}, heads = {story.heads}, "
        f"scores divided by {divisor}, mask: {' and '.join(story.mask_kinds)}"
    )


def _labels(tokens: Sequence[str]) -> list[str]:
    """The tokens, those that occur more than once with their position."""
    return [f"{token} ({i})" if tokens.count(token) > 1 else token for i, token in enumerate(tokens, start=1)]


def _aligned(cells: list[list[str]], rows: Sequence[str], columns: Sequence[str]) -> Iterator[str]:
    first = max(map(_width, rows))
    heads = list(columns) or [""] * len(cells[0])
    widths = [max(map(_width, column)) for column in zip(heads, *cells, strict=True)]
    lines: Iterable[tuple[str, list[str]]] = zip(rows, cells, strict=True)
    for label, line in [("", heads), *lines] if columns else lines:
        padded = [" " * (width - _width(cell)) + cell for cell, width in zip(line, widths, strict=True)]
        yield "  ".join([label + " " * (first - _width(label)), *padded]).rstrip()


def _width(text: str) -> int:
    """Columns of a terminal that ``text`` takes."""
    drawn = [char for char in text if unicodedata.category(char) not in ("Mn", "Me", "Cf")]
    return len(drawn) + sum(unicodedata.east_asian_width(char) in "WF" for char in drawn)


def _json_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _json_value(each) for key, each in value.items()}
    if isinstance(value, np.ndarray):
        return _without_infinity(value.tolist()) if np.isinf(value).any() else value.tolist()
    return value


def _without_infinity(value: Any) -> Any:
    if isinstance(value, list):
        return [_without_infinity(each) for each in value]
    return None if np.isinf(value) else value
