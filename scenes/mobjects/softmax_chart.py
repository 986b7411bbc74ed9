"""One row of weights as upright bars, and the scores that they come from: when a score moves, every bar follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Self

import numpy as np
from manim import DOWN, LEFT, RIGHT, UP, Animation, Line, ManimColor, Rectangle, VGroup
from manim.typing import Point3D
from numpy.typing import ArrayLike, NDArray

from scenes.layout import Zone
from scenes.mobjects.hatch import Hatch
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import widest
from scenes.mobjects.overlaps import as_ground
from scenes.mobjects.text import Label
from scenes.mobjects.token_row import Token, common_em, marker
from scenes.numerals import SHARE, NumberStyle
from scenes.theme import Theme

Scores = NDArray[np.float64]
Softmax = Callable[[Scores], Scores]
"""What turns a row of scores into shares, both ``(n,)``; a score of −∞ gets exactly 0."""

_BAR = 0.62
"""The width of a bar, as a share of its slot."""
_WIDEST_BAR = 0.9
_BETWEEN = 0.2
"""The room between two percentages, in units at least."""
_CLOSE = 0.1
"""The same between two scores, which do not all have the longest text."""
_LINE = 1.55
"""The height of a line of figures or words, in ems."""
_ROOM_FOR_NAMES = 1.0
"""In slots narrower than this, in units, words are not cut: where one is too long, the markers alone stand for all."""
_FALL = 3.0
"""A score on its way to −∞ falls so that its exponential is the cube of what is left of the way."""


class SoftmaxChart(VGroup):
    """An upright bar a token, in a track that is the whole budget; above it the share in percent.

    Where the slots are too narrow for every percentage to be read, only the largest is written, over its bar.
    Beneath the bars stand the scores, where ``score_style`` says how and they have room, and the words or, where those
    have none, their markers. A bar whose score is −∞ is empty and hatched.

    Parameters
    ----------
    scores
        ``(n,)``, −∞ where hidden.
    softmax
        What makes shares of them, such as ``math_core.softmax``.
    zone
        What the chart fills.
    source
        Where the shares come from: a path with ``{j}``, such as ``attention.weights[0, 1, {j}]``. Left empty, every
        share is held against ``softmax`` of the scores.
    score_source
        The same for the scores.
    words
        The tokens' names, ``n`` of them or none.
    score_style
        How scores are written; left out, they are not.
    average
        Whether a line across the bars shows 1/n.
    """

    def __init__(
        self,
        scores: ArrayLike,
        softmax: Softmax,
        zone: Zone,
        theme: Theme,
        *,
        source: str = "",
        score_source: str = "",
        words: Sequence[str] = (),
        score_style: NumberStyle | None = None,
        average: bool = False,
    ) -> None:
        super().__init__()
        self.theme, self.softmax = theme, softmax
        self._scores = np.array(scores, dtype=np.float64)
        self._sources = source, score_source
        texts = [] if score_style is None else [score_style.text(score) for score in self._scores]
        self._set_out(zone.inset(right=self._beside() if average else 0.0), bool(words), texts)
        colours = theme.colours
        # Many tracks side by side look like a fence, unless they keep quiet.
        track = ManimColor(colours.cell if self._only_largest else colours.grid)
        self.tracks = tuple(self._box(j, self._height, track) for j in range(self.n))
        self.fills = tuple(self._box(j, self._height, ManimColor(colours.weight)) for j in range(self.n))
        self.hatches = tuple(Hatch(track.width, track.height, theme) for track in self.tracks)
        self.floor = as_ground(self._across(self._bottom, colours.axis, theme.stroke.axis))
        self.shares = self._share_numbers()
        self.scores_shown = self._score_numbers(score_style)
        self.names = tuple(self._names(words))
        self.average = self._average_line() if average else VGroup()
        self.add(*self.tracks, *self.hatches, *self.fills, self.floor, self.average)
        self.add(*self.shares, *self.scores_shown, *self.names)
        self._settle(self._scores, *self._sources)

    # Readers

    @property
    def n(self) -> int:
        """The number of bars."""
        return len(self._scores)

    @property
    def scores(self) -> Scores:
        """The scores that the bars stand for at this moment, ``(n,)``."""
        return self._scores.copy()

    def values(self) -> Scores:
        """The shares as they are drawn, ``(n,)``: each fill's height in its track."""
        return np.array([f.height / t.height for f, t in zip(self.fills, self.tracks, strict=True)])

    def shown_text(self) -> list[str]:
        """The percentages that are written."""
        return [number.shown_text() for number in self.shares]

    # Verbs

    def show(self, scores: ArrayLike, hidden: Scores | None = None) -> Self:
        """Draw the shares of ``scores`` at once.

        ``hidden`` says how far each track is hatched, ``(n,)``; left out, wholly where the score is −∞.
        """
        self._scores = np.array(scores, dtype=np.float64)
        return self._draw(self.softmax(self._scores), hidden)

    def grow(self, **timing: Any) -> Animation:
        """Let the bars rise from nothing to their shares."""
        return _Grow(self, **timing)

    def turn_to(self, scores: ArrayLike, *, source: str = "", score_source: str = "", **timing: Any) -> Animation:
        """Move the scores evenly to others; the shares are those of the scores in every frame.

        A score that is going to be hidden falls without end, one that comes back rises from there.
        """
        return _Turn(self, np.array(scores, dtype=np.float64), (source, score_source), **timing)

    def follow(self, scores: Callable[[], ArrayLike]) -> Self:
        """From now on show the shares of what ``scores`` gives in each frame."""
        self.clear_updaters()
        self._follow_truth(lambda: np.asarray(scores(), dtype=np.float64))
        self.add_updater(lambda chart: chart.show(scores()), call_updater=True)
        return self

    def rest(self, source: str = "", score_source: str = "") -> Self:
        """Follow no longer; what is shown now comes from ``source``."""
        self.clear_updaters()
        return self._settle(self._scores, source, score_source)

    # What is true

    def _settle(self, scores: Scores, source: str, score_source: str) -> Self:
        """Stand still: numbers come from where their sources say, or are held against the scores themselves."""
        self.show(scores)
        self._sources = source, score_source
        still = scores.copy()
        self._follow_truth(lambda: still)
        for j, number in enumerate(self.shares):
            number.source = source.format(j=self._bar_of(j))
            number.truth = None if source else number.truth
        for j, number in enumerate(self.scores_shown):
            number.source = score_source.format(j=j)
            number.truth = None if score_source else number.truth
        return self

    def _follow_truth(self, scores: Callable[[], Scores]) -> None:
        for j, number in enumerate(self.shares):
            number.truth = partial(self._true_share, scores, j)
        for j, number in enumerate(self.scores_shown):
            number.truth = partial(_entry, scores, j)

    def _true_share(self, scores: Callable[[], Scores], j: int) -> float:
        shares = self.softmax(scores())
        return float(shares.max() if self._only_largest else shares[j])

    def _bar_of(self, j: int) -> int:
        """The bar that percentage ``j`` belongs to."""
        return int(np.argmax(self.softmax(self._scores))) if self._only_largest else j

    # Setting out

    def _beside(self) -> float:
        """The room that the average's name takes at the right."""
        return self._average_name().advance + self.theme.space.tight

    def _set_out(self, zone: Zone, words: bool, scores: Sequence[str]) -> None:
        """Settle where everything goes; ``scores`` are the texts that want to stand under the bars."""
        theme, room = self.theme, zone.width / self.n - _BETWEEN
        # "100.0 %" is wider than its slot may be: all its neighbours are "0.0 %" then.
        largest = min(theme.type.note, room / widest([SHARE.text(0.5)], theme))
        self._only_largest = largest < theme.type.readable
        self._em = max(theme.type.readable, largest)
        self._score_em = min(self._em, (zone.width / self.n - _CLOSE) / widest(scores or ["0"], theme))
        self._scores_fit = bool(scores) and self._score_em >= theme.type.readable
        lines = int(words) + int(self._scores_fit)
        line, tight = _LINE * self._em, theme.space.tight
        self._slot, self._left, self._right = zone.width / self.n, zone.left, zone.right
        self._bottom = zone.bottom + line * lines + (tight if lines else 0.0)
        self._height = zone.top - line - self._bottom
        self._score_line = self._bottom - line / 2 - tight
        self._name_line = self._score_line - (line if self._scores_fit else 0.0)
        self._share_line = self._bottom + self._height + line / 2 + 0.03

    def _at(self, j: int, y: float) -> Point3D:
        return np.array([self._left + (j + 0.5) * self._slot, y, 0.0])

    def _box(self, j: int, height: float, colour: ManimColor) -> Rectangle:
        width = min(_BAR * self._slot, _WIDEST_BAR)
        box = Rectangle(width=width, height=height, fill_color=colour, fill_opacity=1.0, stroke_width=0.0)
        return box.move_to(self._at(j, self._bottom), aligned_edge=DOWN)

    def _across(self, y: float, colour: str, width: float) -> Line:
        return Line([self._left, y, 0.0], [self._right, y, 0.0], stroke_color=colour, stroke_width=width)

    def _share_numbers(self) -> tuple[Number, ...]:
        count = 1 if self._only_largest else self.n
        return tuple(self._number(0.0, SHARE, self._at(j, self._share_line), self._em) for j in range(count))

    def _score_numbers(self, style: NumberStyle | None) -> tuple[Number, ...]:
        if style is None or not self._scores_fit:
            return ()
        em, line = self._score_em, self._score_line
        return tuple(self._number(score, style, self._at(j, line), em) for j, score in enumerate(self._scores))

    def _number(self, value: float, style: NumberStyle, middle: Point3D, em: float) -> Number:
        ink = ManimColor(self.theme.colours.ink)
        return Number(value, style, face=self.theme.figures, em=em, colour=ink).set_middle(middle)

    def _names(self, words: Sequence[str]) -> Iterator[Token | VGroup]:
        theme, width = self.theme, 0.94 * self._slot
        em = common_em(words, width, theme, self._em) if words else self._em
        fit = all(Token(word, 0, np.inf, theme, em).advance <= width for word in words)
        for j, word in enumerate(words):
            place = self._at(j, self._name_line)
            if fit or self._slot >= _ROOM_FOR_NAMES:
                yield Token(word, j, width, theme, em).put_middle(place)
            else:
                size = min(0.5 * self._em, 0.7 * self._slot)
                yield VGroup(marker(j, size, ManimColor(theme.colours.quiet)).move_to(place))

    def _average_name(self) -> Label:
        return Label(f"1/{self.n}", em=self.theme.type.readable, colour=ManimColor(self.theme.colours.quiet))

    def _average_line(self) -> VGroup:
        y = self._bottom + self._height / self.n
        line = self._across(y, self.theme.colours.ink, self.theme.stroke.grid)
        label = self._average_name()
        label.set_middle([self._right + self.theme.space.tight + label.advance / 2, y, 0.0])
        return VGroup(line, label)

    # Drawing

    def _draw(self, shares: Scores, hidden: Scores | None = None) -> Self:
        """Draw ``shares``; ``hidden`` says how far each track is hatched, left out: wholly where the score is −∞."""
        hatched = np.isneginf(self._scores).astype(np.float64) if hidden is None else hidden
        for track, fill, hatch, share, cover in zip(
            self.tracks, self.fills, self.hatches, shares, hatched, strict=True
        ):
            _fill_to(fill, track, float(share))
            hatch.lay_over(track, float(cover))
        if self._only_largest:
            self._write_largest(shares)
        else:
            for number, share in zip(self.shares, shares, strict=True):
                number.set_value(float(share))
        for number, score in zip(self.scores_shown, self._scores, strict=False):
            number.set_value(float(score))
        return self

    def _write_largest(self, shares: Scores) -> None:
        (number,) = self.shares
        number.set_value(float(shares.max()))
        number.shift(RIGHT * (self.tracks[self._bar_of(0)].get_x() - number.anchor[0]))


class _Grow(Animation):
    """Raises the bars of a :class:`SoftmaxChart` together from nothing to their shares, and counts along."""

    def begin(self) -> None:
        chart = self.mobject
        self._full = chart.softmax(chart.scores)
        self._now = 0.0
        for j, number in enumerate(chart.shares):
            number.truth = partial(self._share, j)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        self._now = self.rate_func(alpha)
        self.mobject._draw(self._now * self._full)

    def finish(self) -> None:
        super().finish()
        self.mobject.rest(*self.mobject._sources)

    def _share(self, j: int) -> float:
        grown = self._now * self._full
        return float(grown.max() if len(self.mobject.shares) == 1 else grown[j])


class _Turn(Animation):
    """Moves the scores of a :class:`SoftmaxChart`; its shares are theirs in every frame."""

    def __init__(self, chart: SoftmaxChart, scores: Scores, sources: tuple[str, str], **timing: Any) -> None:
        self._last, self._sources = scores, sources
        super().__init__(chart, **timing)

    def begin(self) -> None:
        chart = self.mobject
        self._first = chart.scores
        self._now = self._first
        chart._follow_truth(lambda: self._now)
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self._now = _between(self._first, self._last, share)
        before, after = (np.isneginf(scores).astype(np.float64) for scores in (self._first, self._last))
        self.mobject.show(self._now, before + share * (after - before))

    def finish(self) -> None:
        super().finish()
        # Set once more: a weighted mean of both ends can miss the last one by a rounding.
        self.mobject.show(self._last).rest(*self._sources)


def _between(first: Scores, last: Scores, share: float) -> Scores:
    """Scores ``share`` of the way from one row to another; what is hidden at one end falls there without end."""
    gone, comes = np.isneginf(last), np.isneginf(first)
    with np.errstate(divide="ignore", invalid="ignore"):
        falling = first + _FALL * np.log1p(-share)
        rising = last + _FALL * np.log(share)
        plain = first + share * (last - first)
    now = np.where(gone, falling, np.where(comes, rising, plain))
    return np.where(gone & comes, -np.inf, now)


def _entry(scores: Callable[[], Scores], j: int) -> float:
    return float(scores()[j])


def _fill_to(fill: Rectangle, track: Rectangle, share: float) -> None:
    """Fill ``share`` of a track from its bottom; a share of exactly 0 leaves no area at all."""
    (left, bottom, _), (right, top, _) = track.get_corner(DOWN + LEFT), track.get_corner(UP + RIGHT)
    height = bottom + share * (top - bottom)
    corners = np.array([[right, height, 0], [left, height, 0], [left, bottom, 0], [right, bottom, 0]])
    fill.points = np.concatenate([np.linspace(a, b, 4) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)])
