"""A number on screen: one mobject, one value, and the outline that follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from manim import ORIGIN, Animation, ManimColor, linear
from manim.typing import Point3D

from scenes.mobjects.glyphs import figures
from scenes.mobjects.typeset import Writing
from scenes.numerals import NumberStyle

Align = Literal["left", "centre", "right"]
_SHARE_OF_ADVANCE = {"left": 0.0, "centre": 0.5, "right": 1.0}


class Number(Writing):
    """A value written in figures of equal width.

    Parameters
    ----------
    value
        What is shown; never NaN.
    style
        How it is written.
    face
        The font file of its figures.
    em
        Size in units; figures are about 0.65 em high.
    align
        Which point of the line stays in place when the value changes.
    source
        Where the value comes from, as a path into the trace such as ``attention.scores[0, 1, 2]``: what an auditor
        looks up to see whether the screen tells the truth.
    truth
        What gives the value that is true at this frame, for a number that no path leads to: one on its way between
        two values, or one that follows a picture that moves. It must not ask the number itself.
    """

    def __init__(
        self,
        value: float,
        style: NumberStyle,
        *,
        face: Path,
        em: float,
        colour: ManimColor,
        align: Align = "centre",
        source: str = "",
        truth: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(fill_color=colour, fill_opacity=1.0, stroke_width=0.0)
        self.style = style
        self.face = face
        self.align = align
        self.source = source
        self.truth = truth
        self._value = float(value)
        self._draw(ORIGIN, em)

    @property
    def value(self) -> float:
        """The value that is shown, unrounded."""
        return self._value

    def shown_text(self) -> str:
        """The characters that are shown."""
        return self.style.text(self._value)

    def set_value(self, value: float) -> Self:
        """Show ``value`` in the same place and size."""
        anchor, em = self.anchor, self.em
        self._value = float(value)
        self._draw(anchor, em)
        return self

    @property
    def anchor(self) -> Point3D:
        """The point of the baseline that stays in place when the value changes."""
        share = _SHARE_OF_ADVANCE[self.align]
        return np.asarray(self.pen * (1 - share) + self.pen_end * share)

    def count_to(
        self, value: float, source: str | None = None, style: NumberStyle | None = None, **timing: Any
    ) -> CountTo:
        """Count evenly to ``value``, which from then on comes from ``source`` and is written in ``style``."""
        return CountTo(self, value, source, style, **timing)

    def _draw(self, anchor: Point3D, em: float) -> None:
        outline = figures(self.face, self.shown_text())
        self._written(outline.points, outline.advance)
        pen = anchor - np.array([_SHARE_OF_ADVANCE[self.align] * outline.advance * em, 0.0, 0.0])
        self.points = outline.points * em + pen


def all_exact(numbers: Iterable[Number]) -> bool:
    """Whether the figures of all of ``numbers`` say their values in full: only then may "=" stand between them."""
    return all(number.style.is_exact(number.value) for number in numbers)


class CountTo(Animation):
    """Counts a :class:`Number` from what it shows to another value; every frame shows the value it has then.

    Between two styles the finer one is used on the way, so that no frame rounds more than it must.
    """

    def __init__(
        self,
        number: Number,
        value: float,
        source: str | None = None,
        style: NumberStyle | None = None,
        **timing: Any,
    ) -> None:
        self._last, self._source, self._style = float(value), source, style
        super().__init__(number, **{"rate_func": linear, **timing})

    def begin(self) -> None:
        number = self.mobject
        self._first = number.value
        self._style = self._style or number.style
        number.style = max(number.style, self._style, key=lambda style: style.decimals)
        self._now = self._first
        number.truth = lambda: self._now
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        value = self._first + share * (self._last - self._first)
        if np.isfinite(value):
            self._now = value
            self.mobject.set_value(value)

    def finish(self) -> None:
        super().finish()
        # Set once more: a weighted mean of both ends can miss the last one by a rounding.
        self.mobject.style = self._style
        self.mobject.set_value(self._last)
        self.mobject.truth = None
        if self._source is not None:
            self.mobject.source = self._source
