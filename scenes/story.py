"""From a story file to the numbers, the words and the look of a film.

:func:`load_story` reads a small TOML file, checks every value, fills in what was left out and gives a frozen
:class:`Story`. Whatever is wrong is told at once, one line a fault. What was left out of the numbers is drawn
from the seed: a token's row depends on the seed and the token alone, never on where it stands or on the other
words, and every drawn number is rounded so that it can be read (one decimal up to 64 dimensions, else two).

Nothing here draws, and nothing here may import Manim: the command line reads stories in a blink.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from math_core import Trace, cross_attention, self_attention
from scenes import story_rules as rules
from scenes.story_reader import Array, Reader, StoryError, fault_line
from scenes.story_rules import BoolArray, Look

__all__ = [
    "Look",
    "Story",
    "StoryError",
    "default_story",
    "load_story",
    "parse_story",
    "story_from_environment",
]

STORY_VARIABLE = "EXPLAINER_STORY"
DEFAULT_STORY = Path(__file__).parents[1] / "stories" / "cat_ate_fish.toml"
_A_STORY_FILE = "a story file; `explainer new my.toml` writes one to start from"


@dataclass(frozen=True, eq=False)
class Story:
    """One sentence, its matrices, its mask and its look, all checked; every array is read-only.

    ``tokens`` ends with the fillers, n in all; ``real`` (n,) is False for these. ``embeddings`` (n, d_model);
    ``W_Q``, ``W_K`` (d_model, heads*d_k); ``W_V`` (d_model, heads*d_v); ``W_O`` (heads*d_v, d_out) or None.
    ``mask`` (n, n_k), True = may attend, or None where nothing is hidden; ``mask_kinds`` says what it is made
    of. ``scale`` is the factor on the scores, None for 1/sqrt(d_k). ``follow`` and ``focus`` count from 0.
    ``context_embeddings`` (n_k, d_model) or None. ``chapters`` is a film's name or the chapters themselves.
    """

    path: Path
    title: str
    tokens: tuple[str, ...]
    real: BoolArray
    embeddings: Array
    W_Q: Array
    W_K: Array
    W_V: Array
    W_O: Array | None
    heads: int
    follow: int
    mask: BoolArray | None
    mask_kinds: tuple[str, ...]
    scale: float | None
    context_tokens: tuple[str, ...]
    context_embeddings: Array | None
    focus: int
    look: Look
    chapters: str | tuple[str, ...]

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Copying and pickling make arrays writable again.
        self.__dict__.update(state)
        self.__post_init__()

    @property
    def stem(self) -> str:
        """The name of the story's file without its ending."""
        return self.path.stem

    @property
    def padding(self) -> int:
        """How many of the tokens are fillers."""
        return int(np.count_nonzero(~self.real))

    @property
    def d_model(self) -> int:
        """How many numbers a word has."""
        return int(self.embeddings.shape[1])

    @property
    def d_k(self) -> int:
        """The width of one head's queries and keys."""
        return int(self.W_Q.shape[1]) // self.heads

    @property
    def d_v(self) -> int:
        """The width of one head's values."""
        return int(self.W_V.shape[1]) // self.heads

    def trace(self) -> Trace:
        """Every stage of the story's attention, computed once."""
        return self._trace

    @cached_property
    def _trace(self) -> Trace:
        matrices = (self.W_Q, self.W_K, self.W_V)
        options: dict[str, Any] = {
            "heads": self.heads, "W_O": self.W_O, "mask": self.mask, "scale": self.scale,
        }  # fmt: skip
        if self.context_embeddings is None:
            return self_attention(self.embeddings, *matrices, **options)
        return cross_attention(self.embeddings, self.context_embeddings, *matrices, **options)


def load_story(path: str | os.PathLike[str], overrides: Sequence[str] = ()) -> Story:
    """The story in a file; ``overrides`` are "key=value", each in place of what the file says.

    Raises :class:`StoryError` with every fault of the file or of what it says.
    """
    name = os.fspath(path)
    if not name:
        raise StoryError([fault_line('""', "", "an empty path", _A_STORY_FILE)])
    try:
        # The film and its folder are named after the file, and their names are written into text files.
        Path(path).name.encode()
        content = Path(path).read_bytes().decode("utf-8-sig")
    except IsADirectoryError:
        found, allowed = "a folder", _A_STORY_FILE
    except (FileNotFoundError, NotADirectoryError):
        found, allowed = "no such file", _A_STORY_FILE
    except UnicodeEncodeError:
        found, allowed = "a file name that is not UTF-8", "a name in UTF-8; rename the file"
    except UnicodeDecodeError as error:
        found, allowed = f"bytes that are not UTF-8 (at byte {error.start})", "a text file in UTF-8"
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        found, allowed = f"a file that cannot be read ({reason})", "a story file that you may read"
    else:
        return parse_story(content, name, overrides)
    raise StoryError([fault_line(name, "", found, allowed)])


def default_story() -> Story:
    """The story that is told when none is named."""
    return load_story(DEFAULT_STORY)


def story_from_environment() -> Story:
    """The story whose path is in EXPLAINER_STORY, else the default one."""
    return load_story(os.environ.get(STORY_VARIABLE) or DEFAULT_STORY)


def parse_story(toml: str, name: str, overrides: Sequence[str] = ()) -> Story:
    """The story in a text; ``name`` is the path that it has, or would have.

    Raises :class:`StoryError` with every fault.
    """
    reader = Reader(name, toml, overrides, rules.KEYS)
    sentence = rules.read_sentence(reader)
    title = rules.read_title(reader, sentence)
    context = rules.read_context(reader, sentence)
    heads, follow = rules.read_heads(reader)
    projections = rules.read_projections(reader, sentence, heads)
    mask_kinds, mask = rules.read_mask(reader, sentence, context)
    scale = rules.read_scale(reader)
    look = rules.read_look(reader)
    chapters = rules.read_chapters(reader)
    reader.finish()
    return Story(
        path=Path(name),
        title=title,
        tokens=sentence.tokens,
        real=sentence.real,
        embeddings=sentence.embeddings,
        W_Q=projections.W_Q,
        W_K=projections.W_K,
        W_V=projections.W_V,
        W_O=projections.W_O,
        heads=heads,
        follow=follow,
        mask=mask,
        mask_kinds=mask_kinds,
        scale=scale,
        context_tokens=context.tokens,
        context_embeddings=context.embeddings,
        focus=sentence.focus,
        look=look,
        chapters=chapters,
    )
