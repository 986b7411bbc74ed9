"""The rules of the story format: its keys, what each may hold, how they hang together, what fills a gap.

Each function reads one table through a :class:`~scenes.story_reader.Reader`, which keeps the faults. What it
gives is complete even then, so that reading can go on to the next fault, but sound only if there was none.
How TOML is read does not belong here, nor what a story is good for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np
import numpy.typing as npt

from math_core import causal_mask, padding_mask
from scenes import fonts
from scenes.film import DEFAULT_FILM, SELECTION
from scenes.layout import FRAMES
from scenes.story_reader import (
    LARGEST,
    Array,
    Kind,
    Reader,
    Unfit,
    code_point,
    count,
    is_number,
    list_of,
    listed,
    matrix,
    nearest,
    number,
    one_of,
    shown,
    text,
    whole,
)
from scenes.theme import MEANINGS, PALETTES

BoolArray = npt.NDArray[np.bool_]

MASKS = ("none", "causal", "padding")
FILLER = "[pad]"
"""The text of a token that only fills a sentence up to a length."""

MOST_TOKENS = 1000
MOST_DIMENSIONS = 1024
DEFAULT_DIMENSIONS = 2
MOST_HEADS = 64
LONGEST_TEXT = 200
LONGEST_DEFAULT_TITLE = 80
SMALLEST_DIVISOR = 1e-6

KEYS = (
    "title",
    *(f"sentence.{key}" for key in ("tokens", "embeddings", "dimensions", "seed", "focus")),
    *(f"projections.{key}" for key in ("query", "key", "value", "output")),
    *(f"attention.{key}" for key in ("heads", "follow", "mask", "padding", "divide_scores_by")),
    *(f"context.{key}" for key in ("tokens", "embeddings")),
    *(f"look.{key}" for key in ("theme", "aspect", "decimals", "pace")),
    *(f"look.colours.{meaning}" for meaning in MEANINGS),
    "film.chapters",
)
"""Every key there is."""


@dataclass(frozen=True)
class Sentence:
    """Tokens with the fillers at their end, ``real`` (n,) False for these, ``embeddings`` (n, d_model)."""

    tokens: tuple[str, ...]
    real: BoolArray
    embeddings: Array
    focus: int
    seed: int

    @property
    def d_model(self) -> int:
        """The width of the embeddings; 0 where the story is too faulty to tell."""
        return int(self.embeddings.shape[1])


@dataclass(frozen=True)
class Context:
    """The other sentence of cross-attention; without tokens where there is none."""

    tokens: tuple[str, ...]
    embeddings: Array | None


@dataclass(frozen=True)
class Projections:
    """``W_Q``, ``W_K`` (d_model, heads*d_k), ``W_V`` (d_model, heads*d_v), ``W_O`` (heads*d_v, d_out)."""

    W_Q: Array
    W_K: Array
    W_V: Array
    W_O: Array | None


@dataclass(frozen=True)
class Look:
    """How the film looks: ``pace`` 2.0 is twice as fast; ``colours`` maps a meaning to "#RRGGBB"."""

    theme: str
    aspect: str
    decimals: int
    pace: float
    colours: Mapping[str, str]


def read_title(reader: Reader, sentence: Sentence) -> str:
    """The title, or else the words."""
    words = " ".join(token for token, real in zip(sentence.tokens, sentence.real, strict=True) if real)
    if len(words) > LONGEST_DEFAULT_TITLE:
        words = f"{words[: LONGEST_DEFAULT_TITLE - 1]}…"
    title = reader.take("title", text(LONGEST_TEXT), words)
    if title != words:
        _check_drawable(reader, "title", [title])
    return title


def read_sentence(reader: Reader) -> Sentence:
    """The sentence with its fillers, and the word that the film follows."""
    words = _read_tokens(reader, "sentence.tokens", shortest=1)
    given = reader.take("sentence.embeddings", _ROWS, None)
    dimensions = reader.take("sentence.dimensions", whole(1, MOST_DIMENSIONS), None)
    seed = reader.take("sentence.seed", whole(0, 2**32 - 1), 0)
    focus = reader.take("sentence.focus", _place_among(words), 0) if words else 0
    padding = reader.take("attention.padding", whole(0, MOST_TOKENS - len(words)), 0)
    if given is not None:
        _check_rows(reader, "sentence", given, words)
        d_model = given.shape[1]
        if dimensions not in (None, d_model):
            allowed = f"{d_model}, the columns of sentence.embeddings; or leave one of the two out"
            reader.fault("sentence.dimensions", str(dimensions), allowed)
    elif reader.is_unreadable("sentence.embeddings") or reader.is_unreadable("sentence.dimensions"):
        d_model = 0
    else:
        d_model = DEFAULT_DIMENSIONS if dimensions is None else dimensions
    fillers = (FILLER,) * padding
    rows = drawn_rows(seed, words, d_model) if given is None else given
    return Sentence(
        tokens=words + fillers,
        real=np.arange(len(words) + padding) < len(words),
        embeddings=np.vstack([rows, drawn_rows(seed, fillers, d_model)]),
        focus=focus,
        seed=seed,
    )


def read_context(reader: Reader, sentence: Sentence) -> Context:
    """The other sentence, whose embeddings are as wide as those of the first."""
    words = _read_tokens(reader, "context.tokens", shortest=0)
    given = reader.take("context.embeddings", _ROWS, None)
    if given is not None:
        _check_rows(reader, "context", given, words)
        if sentence.d_model not in (0, given.shape[1]):
            allowed = f"{count(sentence.d_model, 'column')}, as the sentence's embeddings have"
            reader.fault("context.embeddings", count(given.shape[1], "column"), allowed)
    if not words:
        return Context((), None)
    return Context(words, drawn_rows(sentence.seed, words, sentence.d_model) if given is None else given)


def read_projections(reader: Reader, sentence: Sentence, heads: int) -> Projections:
    """The matrices. One that is left out is drawn, as wide as its partner, or else as the embeddings."""
    d_model, seed = sentence.d_model, sentence.seed
    query, key, value = (_read_projection(reader, role, d_model) for role in ("query", "key", "value"))
    if query is not None and key is not None and d_model and query.shape[1] != key.shape[1]:
        allowed = f"{count(query.shape[1], 'column')}, as projections.query has"
        reader.fault("projections.key", count(key.shape[1], "column"), allowed)
    partner = key if query is None else query
    width = d_model if partner is None else partner.shape[1]
    W_V = drawn_matrix(seed, "value", d_model, d_model) if value is None else value
    for columns, role in {W_V.shape[1]: "value", width: "query"}.items():
        if columns % heads:
            allowed = f"a number that divides the {count(columns, 'column')} of projections.{role}"
            reader.fault("attention.heads", str(heads), allowed)
    return Projections(
        W_Q=drawn_matrix(seed, "query", d_model, width) if query is None else query,
        W_K=drawn_matrix(seed, "key", d_model, width) if key is None else key,
        W_V=W_V,
        W_O=_read_output_projection(reader, W_V.shape[1]),
    )


def read_heads(reader: Reader) -> tuple[int, int]:
    """How many heads there are, and the one that the film follows, counted from 0."""
    heads = reader.take("attention.heads", whole(1, MOST_HEADS), 1)
    most = MOST_HEADS if reader.is_unreadable("attention.heads") else heads
    return heads, reader.take("attention.follow", whole(1, most), 1) - 1


def read_scale(reader: Reader) -> float | None:
    """The factor on the scores; None for 1/sqrt(d_k)."""
    return reader.take("attention.divide_scores_by", _SCALE, None)


def read_mask(reader: Reader, sentence: Sentence, context: Context) -> tuple[tuple[str, ...], BoolArray | None]:
    """What the mask is made of, and the mask (n, n_k), True = may attend; None where nothing is hidden."""
    said = reader.take("attention.mask", _MASK, ("none",))
    if context.tokens:
        _check_no_fillers(reader, sentence, said)
    kinds = said if isinstance(said, tuple) else ("own",)
    if any(map(reader.is_unreadable, ("sentence.tokens", "context.tokens", "attention.padding"))):
        return kinds, None  # it is not known how large the mask has to be
    n, n_k = len(sentence.tokens), len(context.tokens) or len(sentence.tokens)
    if not isinstance(said, tuple):
        if said.shape != (n, n_k):
            asked = "token of the context" if context.tokens else "token"
            fillers = "" if sentence.real.all() else ", fillers included"
            allowed = f"{n} x {n_k}, a row for each token that asks and a column for each {asked}{fillers}"
            reader.fault("attention.mask", " x ".join(map(str, said.shape)), allowed)
        return kinds, said.astype(bool)
    parts = []
    if "causal" in said:
        parts.append(causal_mask(n, n_k))
    if "padding" in said and not context.tokens:
        parts.append(np.broadcast_to(padding_mask(sentence.real), (n, n_k)))
    return said, np.logical_and.reduce(parts) if parts else None


def read_look(reader: Reader) -> Look:
    """The theme and what differs from it."""
    return Look(
        theme=reader.take("look.theme", one_of(*PALETTES), "dark"),
        aspect=reader.take("look.aspect", one_of(*FRAMES), "16:9"),
        decimals=reader.take("look.decimals", whole(0, 6), 2),
        pace=reader.take("look.pace", number(0.5, 2.0), 1.0),
        colours={
            meaning: reader.take(f"look.colours.{meaning}", _COLOUR, "")
            for meaning in MEANINGS
            if reader.has(f"look.colours.{meaning}")
        },
    )


def read_chapters(reader: Reader) -> str | tuple[str, ...]:
    """A film's name, or a list of chapters."""
    return reader.take("film.chapters", SELECTION, DEFAULT_FILM)


def drawn_rows(seed: int, tokens: Sequence[str], d_model: int) -> Array:
    """Embeddings (n, d_model) for ``tokens``: each row follows from the seed and its token alone."""
    rows = {token: _drawn(seed, f"token {token}", (d_model,), 1) for token in dict.fromkeys(tokens)}
    return np.array([rows[token] for token in tokens]).reshape(len(tokens), d_model)


def drawn_matrix(seed: int, role: str, rows: int, columns: int) -> Array:
    """A projection (rows, columns) that keeps the size of what it projects, on average."""
    # Beyond 64 rows the entries are so small that one decimal would leave hardly any but zero.
    decimals = 1 if rows <= 64 else 2
    return _drawn(seed, f"projection {role}", (rows, columns), decimals, spread=max(rows, 1) ** -0.5)


def _drawn(seed: int, name: str, shape: tuple[int, ...], decimals: int, spread: float = 1.0) -> Array:
    """Normal numbers of mean 0, rounded to be readable; the same for the same seed and name."""
    digest = sha256(name.encode()).digest()
    generator = np.random.default_rng([seed, int.from_bytes(digest[:8], "big")])
    # Adding zero turns -0.0 into 0.0.
    return np.round(spread * generator.standard_normal(shape), decimals) + 0.0


def _read_tokens(reader: Reader, key: str, shortest: int) -> tuple[str, ...]:
    tokens = reader.take(key, list_of(text(LONGEST_TEXT), shortest, MOST_TOKENS), (), required=shortest > 0)
    _check_drawable(reader, key, tokens)
    return tokens


def _check_drawable(reader: Reader, key: str, texts: Sequence[str]) -> None:
    if not fonts.missing(" ".join(texts)):
        return
    for each in dict.fromkeys(texts):
        if lost := fonts.missing(each):
            what = ", ".join(f"{char} ({code_point(char)})" for char in lost)
            install = fonts.what_to_install(lost)
            mend = f"`{install}` brings a font for it" if install else "no font known here has it"
            found = f"{shown(each)} with {what}, which no installed font can draw"
            reader.fault(key, found, f"what a font can draw; {mend}")


def _check_rows(reader: Reader, table: str, given: Array, words: Sequence[str]) -> None:
    if len(given) == len(words) or reader.is_unreadable(f"{table}.tokens"):
        return
    allowed = f"{count(len(words), 'row')}, one for each of {table}.tokens"
    reader.fault(f"{table}.embeddings", count(len(given), "row"), allowed)


def _check_no_fillers(reader: Reader, sentence: Sentence, said: tuple[str, ...] | Array) -> None:
    why = "because with a [context] the keys are the context's, which has no fillers"
    if not sentence.real.all():
        reader.fault("attention.padding", str(np.count_nonzero(~sentence.real)), f"0, {why}")
    if isinstance(said, tuple) and "padding" in said:
        reader.fault("attention.mask", '"padding"', f"{listed(MASKS[:2])} or rows of 0 and 1, {why}")


def _read_projection(reader: Reader, role: str, d_model: int) -> Array | None:
    key = f"projections.{role}"
    given = reader.take(key, _PROJECTION, None)
    if isinstance(given, str):
        return np.eye(d_model)
    if given is not None and d_model not in (0, len(given)):
        allowed = f"{count(d_model, 'row')}, as many as a token has numbers (d_model)"
        reader.fault(key, count(len(given), "row"), allowed)
    return given


def _read_output_projection(reader: Reader, value_width: int) -> Array | None:
    given = reader.take("projections.output", _PROJECTION, None)
    if isinstance(given, str):
        return np.eye(value_width)
    if given is not None and value_width not in (0, len(given)):
        allowed = f"{count(value_width, 'row')}, as many as the values of all heads have columns"
        reader.fault("projections.output", count(len(given), "row"), allowed)
    return given


def _place_among(words: Sequence[str]) -> Kind[int]:
    """One of the words, or its position from 1; read as its position from 0."""

    def read(value: Any) -> int:
        if isinstance(value, str) and value in words:
            return words.index(value)
        if is_number(value) and value in range(1, len(words) + 1):
            return int(value) - 1
        raise Unfit(shown(value), nearest(value, words))

    return Kind(f"one of sentence.tokens, or its position from 1 to {len(words)}", read)


def _read_colour(value: Any) -> str:
    digits = value[1:] if isinstance(value, str) and value.startswith("#") else ""
    if len(digits) != 6 or not set(digits) <= set("0123456789abcdefABCDEF"):
        raise Unfit(shown(value))
    return f"#{digits.upper()}"


def _read_mask_value(value: Any) -> tuple[str, ...] | Array:
    if isinstance(value, list) and value and isinstance(value[0], list):
        return _ZEROS_AND_ONES.read(value)
    if not isinstance(value, list):
        return (_MASK_NAME.read(value),)
    names = list_of(_MASK_NAME, 1, len(MASKS)).read(value)
    if len(set(names)) < len(names) or ("none" in names and len(names) > 1):
        raise Unfit(f"{listed(names)} together")
    return names


def _read_zero_or_one(value: Any) -> float:
    if not is_number(value) or value not in (0, 1):
        raise Unfit(shown(value))
    return float(value)


def _read_scale_value(value: Any) -> float | None:
    return None if value == "sqrt(d_k)" else 1 / _DIVISOR.read(value)


_ROWS = matrix(number(-LARGEST, LARGEST), MOST_DIMENSIONS)
_PROJECTION: Kind[Array | str] = Kind(
    f'"identity", or {_ROWS.allowed}', lambda value: value if value == "identity" else _ROWS.read(value)
)
_DIVISOR = number(SMALLEST_DIVISOR, LARGEST)
_SCALE = Kind(f'"sqrt(d_k)", or {_DIVISOR.allowed}', _read_scale_value)
_COLOUR = Kind('"#RRGGBB", as "#FFB000"', _read_colour)
_MASK_NAME = one_of(*MASKS)
_ZEROS_AND_ONES = matrix(Kind("0 or 1", _read_zero_or_one), MOST_TOKENS)
_MASK: Kind[tuple[str, ...] | Array] = Kind(
    f"{listed(MASKS)}, a list of different ones, or rows of 0 and 1 (1 = may attend)", _read_mask_value
)
