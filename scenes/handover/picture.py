"""What hand-over pictures have in common: parts in the order in which they are drawn, kept as they were made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from manim import Mobject, VMobject

from scenes.mobjects.number_grid import NamedGrid


@dataclass(frozen=True, eq=False)
class Picture:
    """A whole screen but for the header: each chapter brings its own and takes it away.

    Each field is a part, or parts by name or in order; a table's name is drawn with it. ``letters`` are the parts of
    the formula beside the header that have been earned.
    """

    letters: dict[str, VMobject]

    def __post_init__(self) -> None:
        # Taken now, before a chapter dims or moves anything.
        _ = self.as_made

    @cached_property
    def as_made(self) -> tuple[Mobject, ...]:
        """Copies of the parts as they were when the picture was made."""
        return tuple(part.copy() for part in self.parts())

    def parts(self) -> tuple[Mobject, ...]:
        """Everything that stands on the screen, in the order in which it is drawn."""
        return tuple(part for field in fields(self) for part in _parts(getattr(self, field.name)))


def _parts(value: Any) -> Iterator[Mobject]:
    if isinstance(value, Mobject):
        yield value
        if isinstance(value, NamedGrid):
            yield value.name
        return
    for part in value.values() if isinstance(value, dict) else value:
        yield from _parts(part)
