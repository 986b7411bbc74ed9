"""Several histograms one under the other over one axis, so that the widening from row to row is seen at a glance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from manim import DOWN, Animation, Line, ManimColor, VGroup
from numpy.typing import NDArray

from scenes.layout import Zone
from scenes.mobjects.histogram import BINS, PEAK, Histogram, Shown, on_the_way
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import widest
from scenes.mobjects.overlaps import as_ground
from scenes.mobjects.text import Label, Row
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import Theme

_FREE = 1.12
"""The height of a row whose bars stay within the curve, in heights of the curve."""
_BELOW = 0.2
"""The room under a row for its band, in units."""
_CLOSE = 4.0
"""Where the axis ends when every row has a standard deviation of 1."""
_FAR = 3.2
"""Where it ends before, in standard deviations of the widest row."""
_APART = 0.75
"""How far apart two ticks are at least, in units."""
_FADE = 0.2
"""By which share of that they move apart further while one between them fades in."""
_KINDS = ("measured", "predicted")


class Spread(Protocol):
    """Samples, the standard deviation that they have and the one that they should have."""

    @property
    def samples(self) -> NDArray[np.float64]: ...

    @property
    def predicted(self) -> float: ...

    @property
    def measured(self) -> float: ...


class Ridge(VGroup):
    """A row for each of ``spreads``: its name, its histogram, its measured and its predicted standard deviation.

    Each row has its own upright measure (see :class:`Histogram`), all have the same axis across.

    Parameters
    ----------
    names
        What stands at the left of the rows, one for each.
    source
        Where the rows come from: a path with ``{i}``, such as ``spreads[{i}]``; its ``.measured`` and ``.predicted``
        are what the numbers show.
    style
        How standard deviations are written.
    """

    def __init__(
        self,
        spreads: Sequence[Spread],
        names: Sequence[Row],
        zone: Zone,
        theme: Theme,
        *,
        source: str,
        style: NumberStyle | None = None,
    ) -> None:
        super().__init__()
        self.theme, self.spreads, self.names = theme, tuple(spreads), tuple(names)
        self._style = NumberStyle(2) if style is None else style
        self.heads = tuple(self._label(text) for text in _KINDS)
        self.span = _FAR * max(spread.predicted for spread in spreads)
        plot = self._columns(zone)
        self.histograms = tuple(self._rows(plot))
        self.numbers = tuple(
            tuple(self._number(i, kind, source) for kind in range(2)) for i in range(len(self.spreads))
        )
        self.lines, self.ticks = VGroup(), VGroup()
        self._marks: dict[float, tuple[Line, Number]] = {}
        self._plot = plot
        self._axis = Line([plot.left, plot.bottom, 0.0], [plot.right, plot.bottom, 0.0], stroke_width=0.0)
        self.add(self._axis, self.lines, *self.histograms, self.ticks, *self.names, *self.heads)
        self.add(*(number for row in self.numbers for number in row))
        self._draw_axis()

    # Readers

    def values(self) -> NDArray[np.float64]:
        """The standard deviations that are written, measured and predicted, ``(rows, 2)``."""
        return np.array([[number.value for number in row] for row in self.numbers])

    def row(self, i: int) -> VGroup:
        """All that belongs to one row."""
        return VGroup(self.histograms[i], self.names[i], *self.numbers[i])

    # Verbs

    def divide_by(self, divisors: Sequence[float], *, source: str, **timing: Any) -> Animation:
        """Divide the samples of every row by its divisor: in every frame each sample really is divided.

        From then on the numbers come from ``source``, as :class:`Ridge` has it.
        """
        return _Change(self, tuple(divisors), None, source, **timing)

    def close_in(self, span: float = _CLOSE, **timing: Any) -> Animation:
        """Let the axis end at ``span`` instead, and all rows grow wider with it."""
        return _Change(self, None, span, None, **timing)

    # What is true

    def show(self, divisors: Sequence[float], span: float, settled: bool = True) -> None:
        """Put rows, numbers and axis where they belong for such divisors and an axis that ends at ``span``.

        On the way to another axis, before it has ``settled``, some of its ticks may be faint.
        """
        self.span = span
        for histogram, divisor, spread, numbers in zip(
            self.histograms, divisors, self.spreads, self.numbers, strict=True
        ):
            histogram.show(divisor=divisor, span=span)
            for number, value in zip(numbers, (spread.measured, spread.predicted), strict=True):
                number.set_value(value / divisor)
        self._draw_axis(settled)

    def truths(self) -> Iterator[tuple[Number, Callable[[], float]]]:
        """Each standard deviation that is written, with what it ought to be: that of what is drawn."""
        for histogram, (measured, predicted) in zip(self.histograms, self.numbers, strict=True):
            yield measured, partial(_deviation, histogram)
            yield predicted, partial(_prediction, histogram)

    def come_from(self, source: str) -> None:
        """Let every standard deviation that is written say that it comes from ``source``."""
        for i, numbers in enumerate(self.numbers):
            for number, kind in zip(numbers, _KINDS, strict=True):
                number.source, number.truth = f"{source.format(i=i)}.{kind}", None

    # Setting out

    def _columns(self, zone: Zone) -> Zone:
        """The room of the rows between the names and the numbers."""
        gap = self.theme.space.gap
        texts = [self._style.text(value) for spread in self.spreads for value in (spread.measured, spread.predicted)]
        em = self.theme.type.note
        column = max(widest(texts, self.theme) * em, *(head.advance for head in self.heads))
        self._ends = zone.right - column - gap, zone.right
        head_line = zone.top - 0.4 * self.theme.type.note
        for head, x in zip(self.heads, self._ends, strict=True):
            head.set_pen(np.array([x - head.advance, head_line - 0.33 * head.em, 0.0]))
        left = max(name.advance for name in self.names) + gap
        below = self.theme.type.readable + 2 * self.theme.space.tight
        self._left = zone.left
        return zone.inset(left=left, right=2 * (column + gap), bottom=below)

    def _rows(self, plot: Zone) -> Iterator[Histogram]:
        needed = [self._needed(spread) for spread in self.spreads]
        rise = (plot.height - len(needed) * _BELOW) / sum(needed)
        floor = plot.top
        for spread, name, need in zip(self.spreads, self.names, needed, strict=True):
            floor -= need * rise
            zone = Zone(plot.left, plot.right, floor, floor + need * rise)
            yield Histogram(spread.samples, spread.predicted, zone, self.theme, span=self.span, rise=rise)
            line = floor + PEAK * rise / 2
            name.place(np.array([self._left + name.advance / 2, line, 0.0]), np.inf)
            floor -= _BELOW

    def _needed(self, spread: Spread) -> float:
        """How high a row has to be, in densities times standard deviation, for its bars at either view."""
        far = Shown(spread.samples, spread.predicted, self.span, 1.0, len(spread.samples))
        close = Shown(spread.samples, spread.predicted, _CLOSE, spread.predicted, len(spread.samples))
        return max(_FREE * PEAK, *(view.tallest(BINS) for view in (far, close)))

    def _label(self, text: str) -> Label:
        return Label(text, em=self.theme.type.note, colour=ManimColor(self.theme.colours.quiet))

    def _number(self, i: int, kind: int, source: str) -> Number:
        name, spread = self.names[i], self.spreads[i]
        number = Number(
            spread.measured if kind == 0 else spread.predicted,
            self._style,
            face=self.theme.figures,
            em=self.theme.type.note,
            colour=ManimColor(self.theme.colours.ink),
            align="right",
            source=f"{source.format(i=i)}.{_KINDS[kind]}",
        )
        return number.shift(np.array([self._ends[kind], name.pieces[0].pen[1], 0.0]) - number.anchor)

    # The axis

    def _draw_axis(self, settled: bool = True) -> None:
        """Ticks at multiples of a power of two; finer ones fade in while the axis is stretched, unless ``settled``."""
        unit = self._axis.width / (2 * self.span)
        step = 2.0 ** np.ceil(np.log2(_APART / unit))
        new = float(np.clip((step * unit / _APART - 1) / _FADE, 0.0, 1.0))
        strengths = 1.0, round(new) if settled else new
        last = int(np.floor(self.span / step))
        shown = {k * step: strengths[k % 2] for k in range(-last, last + 1) if strengths[k % 2] > 0}
        # Manim goes on drawing to its end what was part of a mobject when an animation of it began. So a tick is made
        # once, and the same one moves, fades and comes back.
        for value in [value for value in self._marks if value not in shown]:
            self._put_mark(value, unit, 0.0)
        for value, strength in shown.items():
            self._put_mark(value, unit, strength)
        self.lines.submobjects = [self._marks[value][0] for value in shown]
        self.ticks.submobjects = [self._marks[value][1] for value in shown]

    def _put_mark(self, value: float, unit: float, strength: float) -> None:
        """Put the grid line of a value, and the tick under it, where they belong."""
        if value not in self._marks:
            self._marks[value] = self._mark(value)
        line, tick = self._marks[value]
        foot = self._axis.get_center() + np.array([value * unit, 0.0, 0.0])
        top = self.histograms[0].get_top()[1] if value == 0 else self.histograms[0].axis.get_start()[1]
        line.points = np.linspace(foot, [foot[0], top, 0.0], 4)
        line.set_stroke(opacity=strength)
        tick.set_middle(foot + DOWN * (self.theme.space.tight + 0.33 * tick.em)).set_fill(opacity=strength)

    def _mark(self, value: float) -> tuple[Line, Number]:
        colours = self.theme.colours
        colour = ManimColor(colours.axis if value == 0 else colours.grid)
        line = as_ground(Line(stroke_color=colour, stroke_width=self.theme.stroke.grid))
        quiet, em = ManimColor(colours.quiet), self.theme.type.readable
        tick = Number(value, COUNT, face=self.theme.figures, em=em, colour=quiet, source="axis x")
        tick.truth = lambda: float((line.get_x() - self._axis.get_x()) * 2 * self.span / self._axis.width)
        return line, tick


class _Change(Animation):
    """Divides the samples of a :class:`Ridge` and moves the end of its axis; all it shows is true in every frame."""

    def __init__(
        self, ridge: Ridge, divisors: tuple[float, ...] | None, span: float | None, source: str | None, **timing: Any
    ) -> None:
        self._divisors, self._span, self._source = divisors, span, source
        super().__init__(ridge, **timing)

    def begin(self) -> None:
        ridge = self.mobject
        self._first = tuple(histogram.shown.divisor for histogram in ridge.histograms)
        self._last = self._first if self._divisors is None else self._divisors
        self._spans = ridge.span, ridge.span if self._span is None else self._span
        if self._source is not None:
            for number, truth in ridge.truths():
                number.truth = truth
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        ends = zip(self._first, self._last, strict=True)
        self.mobject.show([on_the_way(a, b, share) for a, b in ends], on_the_way(*self._spans, share), settled=False)

    def finish(self) -> None:
        super().finish()
        self.mobject.show(self._last, self._spans[1])
        if self._source is not None:
            self.mobject.come_from(self._source)


def _deviation(histogram: Histogram) -> float:
    return histogram.shown.deviation


def _prediction(histogram: Histogram) -> float:
    return histogram.shown.predicted / histogram.shown.divisor
