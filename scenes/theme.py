"""The look: the only home of colours, type sizes, spacing and timing.

Sizes are in Manim units (the frame's shorter side is 8 of them), times in seconds. A colour is named by what it
means, so that it means the same in every chapter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from scenes.fonts import film_face


@dataclass(frozen=True)
class Palette:
    """Colours by meaning, as ``#RRGGBB``."""

    ground: str
    ink: str
    quiet: str
    grid: str
    axis: str
    query: str
    key: str
    value: str
    weight: str
    masked: str
    cell: str
    positive: str
    negative: str
    on_cell: str


@dataclass(frozen=True)
class TypeSizes:
    """Ems in units. Capitals are 0.66 em high; what must be read is 0.178 units high or more (1/45 of the frame)."""

    title: float = 0.60
    word: float = 0.50
    number: float = 0.50
    formula: float = 0.56
    working: float = 0.54
    statement: float = 0.54
    note: float = 0.40
    readable: float = 0.287
    """The smallest em of what must be read: its figures are 1/43 of the frame's shorter side high."""
    smallest: float = 0.287


@dataclass(frozen=True)
class Spacing:
    """Distances in units."""

    margin: float = 0.42
    gap: float = 0.30
    tight: float = 0.14
    cell_gap: float = 0.07
    corner: float = 0.07


@dataclass(frozen=True)
class Strokes:
    """Widths in Manim's stroke units (hundredths of a unit)."""

    grid: float = 1.5
    axis: float = 2.5
    cell: float = 2.0
    focus: float = 5.0
    arrow: float = 7.0


@dataclass(frozen=True)
class Timing:
    """How long things take, in seconds at pace 1."""

    flash: float = 0.35
    move: float = 0.9
    slow: float = 1.4
    sweep: float = 2.4
    hold: float = 0.7


DIM = 0.46
"""Opacity of what is not being talked about: still seen (2:1 on the ground), no longer read."""


@dataclass(frozen=True)
class Theme:
    """Everything about the look that is not the place of things."""

    colours: Palette
    type: TypeSizes = TypeSizes()
    space: Spacing = Spacing()
    stroke: Strokes = Strokes()
    time: Timing = Timing()

    @property
    def figures(self) -> Path:
        """The font file of numbers."""
        return film_face().regular

    @property
    def figures_strong(self) -> Path:
        """The font file of numbers that stand beside titles."""
        return film_face().semibold


DARK = Palette(
    ground="#0F1420",
    ink="#E8ECF4",
    quiet="#9AA5BB",
    grid="#263048",
    axis="#5E6B88",
    query="#FABC46",
    key="#30CDBA",
    value="#F87659",
    weight="#B297FF",
    masked="#808BA1",
    cell="#1B2334",
    positive="#6A52B8",
    negative="#7A4A3C",
    on_cell="#FFFFFF",
)
LIGHT = Palette(
    ground="#FAF9F5",
    ink="#18202F",
    quiet="#505B71",
    grid="#DFE3EA",
    axis="#7F8AA0",
    query="#772800",
    key="#006F72",
    value="#C23B14",
    weight="#7C35C7",
    masked="#515A6B",
    cell="#ECEEF3",
    positive="#BFB0F2",
    negative="#E7B7A6",
    on_cell="#18202F",
)
HIGH_CONTRAST = Palette(
    ground="#000000",
    ink="#FFFFFF",
    quiet="#C9CFDA",
    grid="#3A4254",
    axis="#9AA5BB",
    query="#FFC94D",
    key="#46EBCB",
    value="#FF8770",
    weight="#BAAEFF",
    masked="#A6AFBF",
    cell="#141A26",
    positive="#6E4FE0",
    negative="#8A4632",
    on_cell="#FFFFFF",
)

PALETTES: Mapping[str, Palette] = {"dark": DARK, "light": LIGHT, "high-contrast": HIGH_CONTRAST}
MEANINGS: tuple[str, ...] = tuple(field.name for field in fields(Palette))


def theme_for(name: str, colours: Mapping[str, str]) -> Theme:
    """The theme called ``name`` with some colours replaced, by meaning.

    Raises :class:`KeyError` for an unknown theme, :class:`TypeError` for an unknown meaning.
    """
    return Theme(replace(PALETTES[name], **colours))
