"""How widely samples spread: their histogram, the normal curve that is predicted for it, and one standard deviation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from manim import Animation, Line, ManimColor, VGroup, VMobject
from numpy.typing import ArrayLike, NDArray

from scenes.layout import Zone
from scenes.mobjects.overlaps import as_ground
from scenes.theme import Theme

Array = NDArray[np.float64]

PEAK = float(1 / np.sqrt(2 * np.pi))
"""How high the normal curve is, in densities times standard deviation."""
BINS = 80
"""Over the whole axis; even, so that no bar holds samples of both signs."""
_BAR = 0.84
"""The width of a bar, as a share of its bin."""
_REACH = 3.6
"""From so many standard deviations on the curve lies on the axis: there it is less than a 600th as high."""
_BEND = 121
_BAND_DROP = 0.07
_TICK = 0.07


@dataclass(frozen=True, eq=False)
class Shown:
    """What a histogram shows at a moment: ``samples`` over ``divisor``, of which the first ``count`` have come.

    ``predicted`` is the standard deviation that samples as they were drawn should have, ``span`` where the axis ends.
    """

    samples: Array
    predicted: float
    span: float
    divisor: float
    count: int

    @property
    def deviation(self) -> float:
        """The standard deviation of all samples as they are now."""
        return float(self.samples.std(ddof=1)) / self.divisor

    def densities(self, bins: int) -> Array:
        """The share of all samples that lies in each of ``bins`` equal bins from -span to span, by the bin's width."""
        width = 2 * self.span / bins
        inside = np.floor((self.samples[: self.count] / self.divisor + self.span) / width)
        inside = inside[(inside >= 0) & (inside < bins)].astype(np.intp)
        return np.bincount(inside, minlength=bins) / (len(self.samples) * width)

    def tallest(self, bins: int) -> float:
        """The height of the highest bar, in densities times predicted standard deviation."""
        return float(self.densities(bins).max()) * self.predicted / self.divisor


class Histogram(VGroup):
    """Bars of samples over an axis around 0, with the predicted normal curve over them.

    Heights are densities times the predicted standard deviation, so that the curve is equally high however wide it
    is, and a distribution that is not normal shows what it really is. Bars of negative and of positive samples wear
    the colours that cells of such values have. Under the axis a band reaches one measured standard deviation to both
    sides, between two marks that stand where the predicted one ends.

    Parameters
    ----------
    samples
        ``(count,)``.
    predicted
        The standard deviation of the normal curve.
    zone
        Its width is the axis; the bars stand on its bottom.
    span
        The axis reaches from ``-span`` to ``span``; samples beyond are counted, but not seen.
    rise
        The height of a density times standard deviation of 1, in units; left out, what makes the zone full.
    """

    def __init__(
        self,
        samples: ArrayLike,
        predicted: float,
        zone: Zone,
        theme: Theme,
        *,
        span: float,
        rise: float | None = None,
        bins: int = BINS,
    ) -> None:
        super().__init__()
        drawn = np.array(samples, dtype=np.float64)
        self.bins = bins
        self._shown = Shown(drawn, float(predicted), float(span), 1.0, len(drawn))
        highest = max(self._shown.tallest(bins), PEAK)
        self._rise = zone.height / highest if rise is None else rise
        colours, stroke = theme.colours, theme.stroke
        ends = np.array([zone.left, zone.bottom, 0.0]), np.array([zone.right, zone.bottom, 0.0])
        self.axis = as_ground(Line(*ends, stroke_color=ManimColor(colours.axis), stroke_width=stroke.axis))
        # The upright measure moves and grows with the rest, so that heights can be read back from the screen.
        self._measure = VMobject(fill_opacity=0.0, stroke_width=0.0)
        self._measure.points = np.linspace(ends[0], ends[0] + np.array([0.0, PEAK * self._rise, 0.0]), 4)
        filled = {"fill_opacity": 1.0, "stroke_width": 0.0}
        self.negative = VMobject(fill_color=ManimColor(colours.negative), **filled)
        self.positive = VMobject(fill_color=ManimColor(colours.positive), **filled)
        self.curve = VMobject(fill_opacity=0.0, stroke_color=ManimColor(colours.ink), stroke_width=stroke.axis)
        self.band = VMobject(fill_opacity=0.0, stroke_color=ManimColor(colours.ink), stroke_width=stroke.focus)
        self.marks = VMobject(fill_opacity=0.0, stroke_color=ManimColor(colours.ink), stroke_width=stroke.axis)
        self.add(self._measure, self.negative, self.positive, self.axis, self.curve, self.band, self.marks)
        self._draw()

    # Readers

    @property
    def shown(self) -> Shown:
        """What is shown at this moment."""
        return self._shown

    def edges(self) -> Array:
        """Where the bins begin and end, ``(bins + 1,)``."""
        return np.linspace(-self._shown.span, self._shown.span, self.bins + 1)

    def densities(self) -> Array:
        """The density that each bar is drawn as high as, ``(bins,)``, read from the outlines."""
        tops = np.concatenate([part.points.reshape(self.bins // 2, -1, 3) for part in (self.negative, self.positive)])
        heights = tops[:, :, 1].max(axis=1) - tops[:, :, 1].min(axis=1)
        return heights / self._up / self._deviation_now

    def curve_drawn(self) -> Array:
        """The curve as it is drawn, ``(m, 2)``: places on the axis and densities, read from its outline."""
        points = np.concatenate([self.curve.points[::4], self.curve.points[-1:]])
        x = (points[:, 0] - self._zero) / self._right
        return np.column_stack([x, (points[:, 1] - self.axis.get_start()[1]) / self._up / self._deviation_now])

    def measured(self) -> float:
        """How far the band reaches to each side, read from its outline: one measured standard deviation."""
        return float(np.ptp(self.band.points[:, 0])) / 2 / self._right

    def predicted(self) -> float:
        """How far out the marks stand, read from their outline: one predicted standard deviation."""
        return float(np.ptp(self.marks.points[:, 0])) / 2 / self._right

    # Verbs

    def show(self, **changes: Any) -> Self:
        """Show something else at once: any of the fields of :class:`Shown`."""
        self._shown = replace(self._shown, **changes)
        self._draw()
        return self

    def arrive(self, **timing: Any) -> Animation:
        """Let the samples come, one after the other: the bars pile up until all are there."""
        total = len(self._shown.samples)
        return Reshape(self, lambda first, share: {"count": round(share * total)}, **timing)

    def divide_by(self, divisor: float, **timing: Any) -> Animation:
        """Divide every sample, and with them the prediction, by a number that grows from 1 to ``divisor``."""
        return Reshape(self, lambda first, share: {"divisor": on_the_way(first.divisor, divisor, share)}, **timing)

    def zoom_to(self, span: float, **timing: Any) -> Animation:
        """Let the axis end at ``span``."""
        return Reshape(self, lambda first, share: {"span": on_the_way(first.span, span, share)}, **timing)

    def spread_to(self, samples: ArrayLike, predicted: float, **timing: Any) -> Animation:
        """Turn into the histogram of as many other samples: the smallest moves to the smallest, and so on.

        Raises :class:`ValueError` where there are more or fewer of them.
        """
        last = np.sort(np.array(samples, dtype=np.float64))
        if last.shape != self._shown.samples.shape:
            raise ValueError(f"as many samples as there are, {len(self._shown.samples)}, and not {len(last)}")

        def on_the_way(first: Shown, share: float) -> dict[str, Any]:
            return {
                "samples": np.sort(first.samples) * (1 - share) + last * share,
                "predicted": first.predicted * (1 - share) + predicted * share,
            }

        return Reshape(self, on_the_way, **timing)

    # Drawing

    @property
    def _zero(self) -> float:
        return float(self.axis.get_center()[0])

    @property
    def _right(self) -> float:
        """How many units wide 1 is on the axis."""
        return float(self.axis.width / (2 * self._shown.span))

    @property
    def _up(self) -> float:
        """How many units high a density times standard deviation of 1 is."""
        return float(self._measure.points[-1, 1] - self._measure.points[0, 1]) / PEAK

    @property
    def _deviation_now(self) -> float:
        return self._shown.predicted / self._shown.divisor

    def _draw(self) -> None:
        heights = self._shown.densities(self.bins) * self._deviation_now
        middles = (self.edges()[:-1] + self.edges()[1:]) / 2
        bars = self._bars(middles, heights)
        half = len(bars) // 2
        self.negative.points, self.positive.points = bars[:half], bars[half:]
        self.curve.points = self._bell()
        floor = self.axis.get_start()[1]
        self.band.points = self._level(self._shown.deviation, floor - _BAND_DROP)
        self.marks.points = self._uprights(self._deviation_now, floor - _BAND_DROP)

    def _bars(self, middles: Array, heights: Array) -> Array:
        """A box for each bin, from the axis up, as cubic curves ``(16 bins, 3)``."""
        x = self._zero + middles * self._right
        half = _BAR * self.axis.width / self.bins / 2
        bottom = np.full_like(x, self.axis.get_start()[1])
        top = bottom + heights * self._up
        left, right = x - half, x + half
        corners = np.stack([[left, bottom], [left, top], [right, top], [right, bottom], [left, bottom]])
        return straight(np.moveaxis(corners, -1, 0))

    def _bell(self) -> Array:
        deviation, span = self._deviation_now, self._shown.span
        reach = min(_REACH, span / deviation)
        x = deviation * np.linspace(-reach, reach, _BEND)
        y = PEAK * np.exp(-0.5 * (x / deviation) ** 2)
        floor = self.axis.get_start()[1]
        return straight(np.column_stack([self._zero + x * self._right, floor + y * self._up])[np.newaxis])

    def _level(self, reach: float, y: float) -> Array:
        x = self._zero + min(reach, self._shown.span) * self._right * np.array([-1.0, 1.0])
        return straight(np.column_stack([x, [y, y]])[np.newaxis])

    def _uprights(self, reach: float, y: float) -> Array:
        x = self._zero + min(reach, self._shown.span) * self._right * np.array([-1.0, 1.0])
        return straight(np.stack([[[side, y - _TICK], [side, y + _TICK]] for side in x]))


class Reshape(Animation):
    """Changes what a :class:`Histogram` shows; every frame is the histogram of real samples.

    ``way`` gives, from what was shown at first and the share of the way, the fields that change.
    """

    def __init__(self, histogram: Histogram, way: Callable[[Shown, float], dict[str, Any]], **timing: Any) -> None:
        self._way = way
        super().__init__(histogram, **timing)

    def begin(self) -> None:
        self._first = self.mobject.shown
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        self.mobject.show(**self._way(self._first, self.rate_func(alpha)))


def on_the_way(first: float, last: float, share: float) -> float:
    """By equal factors, as one looks at scales; exactly ``last`` at the end."""
    return last if share == 1 else float(first * (last / first) ** share)


def straight(corners: Array) -> Array:
    """Lines through corners ``(lines, corners, 2)`` as straight cubic curves, ``(4 · lines · (corners - 1), 3)``."""
    share = np.linspace(0.0, 1.0, 4)[:, np.newaxis]
    first, last = corners[:, :-1, np.newaxis], corners[:, 1:, np.newaxis]
    flat = (first + share * (last - first)).reshape(-1, 2)
    return np.column_stack([flat, np.zeros(len(flat))])
