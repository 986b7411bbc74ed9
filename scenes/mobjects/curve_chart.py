"""A function drawn over a range, traced by a point that runs along it: the point is on the curve in every frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import numpy as np
from manim import DOWN, LEFT, Animation, Dot, Line, ManimColor, VGroup, VMobject
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import nice_step
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import widest
from scenes.mobjects.overlaps import as_ground
from scenes.mobjects.text import Formula, Label
from scenes.numerals import NumberStyle
from scenes.theme import Theme

Function = Callable[[NDArray[np.float64]], NDArray[np.float64]]
Range = tuple[float, float]

_SAMPLES = 361
"""Over the whole range: two a degree for a half turn."""
_MOST_TICKS = 5
_TICK_ROOM = 0.8
"""How much of the height of the chart a round number on its axis asks for, in units."""
_HEADROOM = 0.06
"""How much of the height of the chart stays free over the highest and under the lowest point."""
_DOT = 0.1


class CurveChart(VGroup):
    """Axes with ticks, and as much of y = f(x) as a running point has passed.

    Parameters
    ----------
    zone
        What the chart fills.
    function
        Takes x ``(m,)`` and gives y ``(m,)``; finite over the whole of ``x_range``.
    x_range, y_range
        What the axes show; ``y_range`` left out, all that ``function`` reaches, and 0.
    x_ticks, y_ticks
        Where the axes are labelled; ``y_ticks`` left out, at round numbers.
    x_name, y_name
        What the axes say: under the one, over the other.
    colour
        The colour of the curve; left out, that of ink.
    """

    def __init__(
        self,
        zone: Zone,
        theme: Theme,
        function: Function,
        *,
        x_range: Range,
        x_ticks: Sequence[float],
        x_name: Label | Formula,
        y_name: Label | Formula,
        y_range: Range | None = None,
        y_ticks: Sequence[float] | None = None,
        colour: ManimColor | None = None,
    ) -> None:
        super().__init__()
        self.theme, self.function, self.x_range = theme, function, x_range
        self.y_range = self._reached() if y_range is None else y_range
        most = int(np.clip(zone.height / _TICK_ROOM, 1, _MOST_TICKS))
        at = _round_numbers(self.y_range, most) if y_ticks is None else tuple(y_ticks)
        self._set_out(zone, x_ticks, at, x_name, y_name)
        ink = ManimColor(theme.colours.ink) if colour is None else colour
        self.curve = VMobject(fill_opacity=0.0, stroke_color=ink, stroke_width=theme.stroke.focus)
        self.point = Dot(radius=_DOT, color=ink, fill_opacity=1.0).set_opacity(0.0)
        self.drop = Line(stroke_color=ManimColor(theme.colours.quiet), stroke_width=theme.stroke.axis)
        self.drop.points = np.zeros((0, 3))
        self.add(self.grid, self.axes, *self.ticks, x_name, y_name, self.drop, self.curve, self.point)
        self._passed: Range | None = None

    # Readers

    def place(self, x: float, y: float) -> Point3D:
        """Where (x, y) lies on the screen."""
        return self._places(np.array([x]), np.array([y]))[0]

    def data(self, point: Point3D) -> NDArray[np.float64]:
        """The (x, y) that lies at ``point``."""
        low, high = self._corners()
        share = (np.asarray(point)[:2] - low) / (high - low)
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        return np.array([x0, y0]) + share * np.array([x1 - x0, y1 - y0])

    def traced(self) -> NDArray[np.float64]:
        """The curve as it is drawn, ``(m, 2)``, read from its outline; no rows before anything is traced."""
        if not len(self.curve.points):
            return np.zeros((0, 2))
        anchors = np.concatenate([self.curve.points[::4], self.curve.points[-1:]])
        return np.array([self.data(anchor) for anchor in anchors])

    def dot(self) -> NDArray[np.float64] | None:
        """The (x, y) of the running point as it is drawn, or None before it has come."""
        return self.data(self.point.get_center()) if self._passed is not None else None

    # Verbs

    def trace_at(self, x: float) -> Self:
        """Put the point over ``x`` and draw the curve over all that it has passed, with its end exactly there."""
        low, high = (x, x) if self._passed is None else self._passed
        if self._passed is None:
            self.point.set_opacity(1.0)
        self._passed = min(low, x), max(high, x)
        self._draw(x)
        return self

    def trace_to(self, x: float, **timing: Any) -> Animation:
        """Run to ``x``, from where the point is or, before it has come, from the left end."""
        return _Trace(self, x, **timing)

    def follow(self, x: Callable[[], float]) -> Self:
        """From now on put the point over what ``x`` gives in each frame."""
        self.clear_updaters()
        self.add_updater(lambda chart: chart.trace_at(float(x())), call_updater=True)
        return self

    def rest(self) -> Self:
        """Follow no longer."""
        self.clear_updaters()
        return self

    def wipe(self) -> Self:
        """Take the point and all that it has traced away."""
        self._passed = None
        self.curve.points = np.zeros((0, 3))
        self.drop.points = np.zeros((0, 3))
        self.point.set_opacity(0.0)
        return self

    # Setting out

    def _reached(self) -> Range:
        y = self.function(np.linspace(*self.x_range, _SAMPLES))
        low, high = min(0.0, float(y.min())), max(0.0, float(y.max()))
        if low == high:
            return -1.0, 1.0
        air = _HEADROOM * (high - low)
        return (low - air if low < 0 else low), (high + air if high > 0 else high)

    def _set_out(
        self,
        zone: Zone,
        x_ticks: Sequence[float],
        y_ticks: Sequence[float],
        x_name: Label | Formula,
        y_name: Label | Formula,
    ) -> None:
        theme = self.theme
        em, tight = theme.type.readable, theme.space.tight
        x_style, y_style = _style_for(x_ticks), _style_for(y_ticks)
        beside = widest([y_style.text(y) for y in y_ticks] or ["0"], theme) * em + tight
        half = widest([x_style.text(x_ticks[-1])], theme) * em / 2
        below = em * 0.9 + tight + x_name.em * 1.15 + tight
        plot = zone.inset(left=beside, right=half, bottom=below, top=y_name.em * 0.9 + tight)
        self._lines(plot, x_ticks, y_ticks)
        across, down = self.grid[: len(x_ticks)], self.grid[len(x_ticks) :]
        self.ticks = [
            *(self._tick(0, x, x_style, line) for x, line in zip(x_ticks, across, strict=True)),
            *(self._tick(1, y, y_style, line) for y, line in zip(y_ticks, down, strict=True)),
        ]
        x_name.set_middle([(plot.left + plot.right) / 2, zone.bottom + 0.62 * x_name.em, 0.0])
        y_name.set_pen([plot.left - beside + tight, plot.top + tight + 0.1 * y_name.em, 0.0])

    def _lines(self, plot: Zone, x_ticks: Sequence[float], y_ticks: Sequence[float]) -> None:
        stroke, colours = self.theme.stroke, self.theme.colours
        bottom_left, top_right = np.array([plot.left, plot.bottom, 0.0]), np.array([plot.right, plot.top, 0.0])
        line = {"stroke_color": ManimColor(colours.axis), "stroke_width": stroke.axis}
        upright = Line(bottom_left, [plot.left, plot.top, 0.0], **line)
        self.frame = VMobject(stroke_width=0.0, fill_opacity=0.0)
        self.frame.points = np.linspace(bottom_left, top_right, 4)
        self.add(self.frame)
        y = 0.0 if self.y_range[0] <= 0 <= self.y_range[1] else self.y_range[0]
        level = Line(self.place(self.x_range[0], y), self.place(self.x_range[1], y), **line)
        self.axes = as_ground(VGroup(upright, level))
        faint = {"stroke_color": ManimColor(colours.grid), "stroke_width": stroke.grid}
        self.grid = VGroup(
            *(Line(self.place(x, self.y_range[0]), self.place(x, self.y_range[1]), **faint) for x in x_ticks),
            *(Line(self.place(self.x_range[0], v), self.place(self.x_range[1], v), **faint) for v in y_ticks),
        )

    def _tick(self, axis: int, value: float, style: NumberStyle, line: Line) -> Number:
        """The label of a grid line, at its end on the axis."""
        theme = self.theme
        number = Number(
            value,
            style,
            face=theme.figures,
            em=theme.type.readable,
            colour=ManimColor(theme.colours.quiet),
            source=f"axis {'xy'[axis]}",
        )
        em = theme.type.readable
        nudge = DOWN * (theme.space.tight + 0.33 * em) if axis == 0 else LEFT * (theme.space.tight + number.advance / 2)
        number.set_middle(line.get_start() + nudge)
        number.truth = lambda: float(self.data(line.get_start())[axis])
        return number

    # Drawing

    def _corners(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The lower left and the upper right corner of the plot as it lies now."""
        return self.frame.points[0, :2], self.frame.points[-1, :2]

    def _places(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        low, high = self._corners()
        (x0, x1), (y0, y1) = self.x_range, self.y_range
        share = np.stack([(x - x0) / (x1 - x0), (y - y0) / (y1 - y0)], axis=-1)
        return np.column_stack([low + share * (high - low), np.zeros(len(x))])

    def _draw(self, x: float) -> None:
        assert self._passed is not None
        low, high = self._passed
        grid = np.linspace(*self.x_range, _SAMPLES)
        xs = np.concatenate([[low], grid[(grid > low) & (grid < high)], [high]])
        self.curve.points = _open_line(self._places(xs, self.function(xs)))
        (y,) = self.function(np.array([x]))
        tip = self.place(x, float(y))
        self.point.move_to(tip)
        level = float(np.clip(0.0, *self.y_range))
        self.drop.points = np.linspace(self.place(x, level), tip, 4)


class _Trace(Animation):
    """Runs the point of a :class:`CurveChart` along its curve."""

    def __init__(self, chart: CurveChart, x: float, **timing: Any) -> None:
        self._last = x
        super().__init__(chart, **timing)

    def begin(self) -> None:
        here = self.mobject.dot()
        self._first = self.mobject.x_range[0] if here is None else float(here[0])
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        self.mobject.trace_at(self._last if share == 1 else self._first + share * (self._last - self._first))


def _open_line(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Straight cubic curves from each place ``(m, 3)`` to the next, ``(4 (m - 1), 3)``."""
    share = np.linspace(0.0, 1.0, 4)[:, np.newaxis]
    first, last = places[:-1, np.newaxis], places[1:, np.newaxis]
    return np.asarray((first + share * (last - first)).reshape(-1, 3))


def _round_numbers(span: Range, most: int) -> tuple[float, ...]:
    step = nice_step(span[1] - span[0], most)
    first, last = np.ceil(span[0] / step), np.floor(span[1] / step)
    return tuple(float(k * step) for k in np.arange(first, last + 1))


def _style_for(ticks: Sequence[float]) -> NumberStyle:
    """As many decimals as the ticks have, three at most."""
    exact = (style for style in map(NumberStyle, range(3)) if all(map(style.is_exact, ticks)))
    return next(exact, NumberStyle(3))
