"""What does not work: every score divided by the sum of all, as bars that do not keep to the budget they share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from manim import LEFT, Animation, Line, ManimColor, Rectangle, VGroup
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.layout import Zone
from scenes.mobjects.budget_bar import part_of
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import widest
from scenes.numerals import SHARE
from scenes.rows import Division
from scenes.theme import Theme

Scores = NDArray[np.float64]

_LOWEST, _HIGHEST = -1.5, 2.5
"""Shares that a bar can show; one beyond is cut off at the edge, while its number tells all."""
_GAP = 0.2


class PlainShares(VGroup):
    """For each word a track that is the whole budget, and a bar that begins where the track does, to either side.

    Parameters
    ----------
    scores
        ``(n,)``, −∞ where hidden: there is no bar for these.
    lines
        The height of each word's line.
    zone
        Where bars and, at its right, percentages stand.
    later
        Scores that will be shown, too: there is room for their bars and percentages.
    source
        Where the shares come from: a path with ``{j}``.

    Scores that add up to 0 have no bars and no percentages.
    """

    def __init__(
        self,
        scores: Scores,
        lines: Sequence[float],
        zone: Zone,
        height: float,
        theme: Theme,
        em: float,
        *,
        later: Sequence[Scores] = (),
        source: str = "",
    ) -> None:
        super().__init__()
        self._lines, self._source = lines, source
        self.scores = scores
        states = [Division.of(state).shares for state in (scores, *later)]
        shown = np.array([share for shares in states for share in shares if np.isfinite(share)])
        ends = np.clip([shown.min(initial=0.0), shown.max(initial=1.0)], _LOWEST, _HIGHEST)
        numbers = widest([*map(SHARE.text, shown), SHARE.text(1.0)], theme) * em
        self._unit = (zone.width - numbers - _GAP) / float(ends[1] - ends[0])
        self._zero = zone.left - float(ends[0]) * self._unit
        self._reach = float(ends[0]), float(ends[1])
        colours = theme.colours
        visible = [j for j, score in enumerate(scores) if np.isfinite(score)]
        self.tracks = tuple(self._box(j, height, ManimColor(colours.grid)) for j in visible)
        self.fills = tuple(self._box(j, height, ManimColor(colours.quiet)) for j in visible)
        self.axis = self._axis(height, theme)
        self.numbers = tuple(
            Number(
                0.0, SHARE, face=theme.figures, em=em, colour=ManimColor(colours.ink), align="right",
            ).shift(np.array([zone.right, lines[j] - 0.33 * em, 0.0]))
            for j in visible
        )  # fmt: skip
        self.visible = tuple(visible)
        self.add(*self.tracks, *self.fills, self.axis, *self.numbers)
        self.show(scores).rest()

    # Readers

    @property
    def shares(self) -> Scores:
        """What the visible words get, ``(m,)``."""
        return Division.of(self.scores).shares[list(self.visible)]

    def drawn(self) -> Scores:
        """The shares as they are drawn, ``(m,)``: each bar's length beside its track's, negative to the left."""
        ends = [fill.points[0, 0] - track.get_left()[0] for fill, track in zip(self.fills, self.tracks, strict=True)]
        return np.array(ends) / self._unit

    # Verbs

    def show(self, scores: Scores) -> Self:
        """Draw the shares of ``scores`` at once."""
        self.scores = scores
        for track, fill, number, share in zip(self.tracks, self.fills, self.numbers, self.shares, strict=True):
            fill.points = part_of(track, 0.0, float(np.clip(share, *self._reach)))
            number.set_value(float(share))
        return self

    def grow(self, **timing: Any) -> Animation:
        """Let the bars grow from nothing, and their numbers with them."""
        return _Grow(self, **timing)

    def move_score(self, j: int, score: float, **timing: Any) -> Animation:
        """Move word ``j``'s score evenly; all shares follow."""
        return _Move(self, j, score, **timing)

    def rest(self) -> Self:
        """Stand still: numbers come from where their source says, or are held against the scores."""
        for k, number in enumerate(self.numbers):
            number.source = self._source.format(j=self.visible[k])
            number.truth = None
        return self

    def hold_true(self) -> Self:
        """Let every number be held against the scores, wherever they are on their way."""
        for k, number in enumerate(self.numbers):
            number.truth = partial(self._share, k)
        return self

    def _share(self, k: int) -> float:
        return float(self.shares[k])

    # Drawing

    def _box(self, j: int, height: float, colour: ManimColor) -> Rectangle:
        box = Rectangle(width=self._unit, height=height, fill_color=colour, fill_opacity=1.0, stroke_width=0.0)
        return box.move_to(self._at(self._zero, j), aligned_edge=LEFT)

    def _at(self, x: float, j: int) -> Point3D:
        return np.array([x, self._lines[j], 0.0])

    def _axis(self, height: float, theme: Theme) -> Line:
        """Where nothing is: what goes left from there is less."""
        top, bottom = max(self._lines), min(self._lines)
        ends = [np.array([self._zero, y, 0.0]) for y in (top + 0.7 * height, bottom - 0.7 * height)]
        return Line(*ends, stroke_color=theme.colours.ink, stroke_width=theme.stroke.axis)


class _Grow(Animation):
    def begin(self) -> None:
        self._full, self._now = self.mobject.shares, 0.0
        for k, number in enumerate(self.mobject.numbers):
            number.truth = partial(self._share, k)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        self._now = self.rate_func(alpha)
        shares = self.mobject
        for k, (track, fill, number) in enumerate(zip(shares.tracks, shares.fills, shares.numbers, strict=True)):
            share = self._share(k)
            fill.points = part_of(track, 0.0, float(np.clip(share, *shares._reach)))
            number.set_value(share)

    def finish(self) -> None:
        super().finish()
        self.mobject.rest()

    def _share(self, k: int) -> float:
        return float(self._now * self._full[k])


class _Move(Animation):
    def __init__(self, shares: PlainShares, j: int, score: float, **timing: Any) -> None:
        self._j, self._last = j, score
        super().__init__(shares, **timing)

    def begin(self) -> None:
        self._scores = self.mobject.scores
        self.mobject.hold_true()
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        now = np.array(self._scores)
        now[self._j] = self._scores[self._j] * (1 - share) + self._last * share
        self.mobject.show(now)
