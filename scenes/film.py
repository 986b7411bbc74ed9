"""Which chapters and films exist, and what each chapter can show.

Read by the command line before anything heavy is loaded, so it knows a chapter by the name of its module and
imports that only in :func:`load_chapter`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from scenes.story_reader import Kind, Unfit, count, fault_line, list_of, listed, one_of

if TYPE_CHECKING:
    from scenes.story import Story

Range = tuple[int, int]


@dataclass(frozen=True)
class Limits:
    """The stories that a chapter can show. Ranges include both ends."""

    tokens: Range
    d_model: Range
    d_k: Range
    d_v: Range
    heads: Range
    padding: Range
    masks: tuple[str, ...]
    aspects: tuple[str, ...]
    context: bool
    output_projection: bool


@dataclass(frozen=True)
class ChapterEntry:
    """One chapter: where its scene is, what it shows in a line, and for which stories."""

    name: str
    module: str
    class_name: str
    title: str
    line: str
    limits: Limits


_WALKTHROUGH_LIMITS = Limits(
    tokens=(1, 8),
    d_model=(1, 512),
    d_k=(1, 64),
    d_v=(1, 512),
    heads=(1, 1),
    padding=(0, 7),
    masks=("none", "causal", "padding", "own"),
    aspects=("16:9",),
    context=False,
    output_projection=False,
)

_STEPS = (
    ("arrows", "Arrows", "A word is an arrow", "Words become lists of numbers, and lists become arrows."),
    ("roles", "Roles", "One arrow, three jobs", "Three matrices turn each word into a query, a key and a value."),
    ("alignment", "Alignment", "Do these two match?", "The dot product tells how well two arrows agree."),
    ("scores", "Scores", "Everyone asks everyone", "Every query meets every key: a grid of scores."),
    ("cooling", "Cooling", "Cooling the scores", "Why scores are divided by the root of d_k."),
    ("budget", "Budget", "A budget of attention", "Softmax turns each row of scores into shares of a whole."),
    ("blending", "Blending", "Spending the budget", "Values, scaled by the shares and added up."),
    ("edge_cases", "EdgeCases", "Never surprised", "What happens at the extremes, each as it is computed."),
    ("summary", "Summary", "The one picture", "The whole pipeline with the sentence's own numbers."),
)
"""Name, class, title and line of each step of the walkthrough, in its order."""

WALKTHROUGH = tuple(name for name, *_ in _STEPS)
"""The chapters of the walkthrough, in its order."""

CHAPTERS: dict[str, ChapterEntry] = {
    chapter.name: chapter
    for chapter in (
        *(
            ChapterEntry(name, f"scenes.{name}", class_name, title, line, _WALKTHROUGH_LIMITS)
            for name, class_name, title, line in _STEPS
        ),
        ChapterEntry(
            name="worked_example",
            module="scenes.worked_example",
            class_name="WorkedExample",
            title="A worked example",
            line="Every number of one small sentence, in one unbroken calculation.",
            limits=Limits(
                tokens=(2, 6),
                d_model=(2, 2),
                d_k=(2, 2),
                d_v=(2, 2),
                heads=(1, 1),
                padding=(0, 0),
                masks=("none",),
                aspects=("16:9",),
                context=False,
                output_projection=False,
            ),
        ),
    )
}
"""Every chapter by its name, in the order of the story."""

FILMS: dict[str, tuple[str, ...]] = {"walkthrough": WALKTHROUGH, "worked-example": ("worked_example",)}
"""Every film by its name: the chapters in their order."""

DEFAULT_FILM = "walkthrough"

_LONGEST_NAME = 80
_MOST_CHAPTERS = 100


def _read_selection(value: Any) -> str | tuple[str, ...]:
    if not isinstance(value, list):
        return one_of(*FILMS).read(value)
    names = list_of(one_of(*CHAPTERS), 1, _MOST_CHAPTERS).read(value)
    if len(set(names)) < len(names):
        raise Unfit(f"{listed(names)}, one of them twice")
    return names


SELECTION: Kind[str | tuple[str, ...]] = Kind(
    f"a film ({listed(FILMS)}), or a list of chapters ({listed(CHAPTERS)})", _read_selection
)
"""What a story or a command can ask to be shown."""


def chapters_of(selection: str | Sequence[str]) -> tuple[str, ...]:
    """The chapters of a film, given by its name, or of a list of chapters, which stands for itself."""
    return FILMS[selection] if isinstance(selection, str) else tuple(selection)


def film_name(chapters: Sequence[str]) -> str:
    """What the film of these chapters is called, and so its file: by :data:`FILMS`, else by its chapters."""
    for name, members in FILMS.items():
        if members == tuple(chapters):
            return name
    joined = "+".join(chapters)
    return joined if len(joined) <= _LONGEST_NAME else f"{chapters[0]}+{len(chapters) - 1}-more"


def load_chapter(name: str) -> type:
    """The scene class of a chapter. This imports Manim."""
    entry = CHAPTERS[name]
    chapter: type = getattr(import_module(entry.module), entry.class_name)
    return chapter


def cannot_show(story: Story, chapters: Sequence[str]) -> list[str]:
    """One line for each value of ``story`` that one of ``chapters`` cannot show; empty when they show all."""
    return [
        fault_line(str(story.path), key, found, f"{allowed}, for that is what the chapter {name} can show")
        for name in chapters
        for key, found, allowed in _beyond(story, CHAPTERS[name].limits)
    ]


def _beyond(story: Story, limits: Limits) -> Iterator[tuple[str, str, str]]:
    """Key, found, allowed."""
    words = len(story.tokens) - story.padding
    # Fillers take room, but a sentence is made of words.
    room = (words, "") if words < limits.tokens[0] or not story.padding else (len(story.tokens), " with its fillers")
    ranges = (
        ("sentence.tokens", room[0], limits.tokens, "token", room[1]),
        ("attention.padding", story.padding, limits.padding, "filler", ""),
        ("sentence.embeddings", story.d_model, limits.d_model, "column", " (d_model)"),
        ("projections.query", story.d_k, limits.d_k, "column", " a head (d_k)"),
        ("projections.value", story.d_v, limits.d_v, "column", " a head (d_v)"),
        ("attention.heads", story.heads, limits.heads, "head", ""),
    )
    for key, found, (low, high), noun, of in ranges:
        if not low <= found <= high:
            yield key, count(found, noun) + of, f"{low}" if low == high else f"{low} to {high}"
    for kind in story.mask_kinds:
        if kind not in limits.masks:
            yield "attention.mask", "rows of 0 and 1" if kind == "own" else f'"{kind}"', listed(limits.masks)
    if "masked" in story.look.colours and limits.masks == ("none",):
        yield "look.colours.masked", f'"{story.look.colours["masked"]}"', "left out, with no mask to show"
    if story.look.aspect not in limits.aspects:
        yield "look.aspect", f'"{story.look.aspect}"', listed(limits.aspects)
    if story.context_tokens and not limits.context:
        yield "context.tokens", count(len(story.context_tokens), "token"), "none"
    if story.W_O is not None and not limits.output_projection:
        yield "projections.output", "a matrix", "none"
