"""A query at rest, a key that turns and stretches: one state drives its arrow, the angle, the score and the curve."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from manim import DOWN, LEFT, RIGHT, Animation, Arc, Line, ManimColor, VGroup, linear
from manim.typing import Point3D
from numpy.typing import NDArray

from math_core import angle, dot
from scenes.layout import Zone
from scenes.mobjects.angle_mark import AngleMark
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.curve_chart import CurveChart
from scenes.mobjects.number import Number
from scenes.mobjects.overlaps import as_ground
from scenes.mobjects.pair_panel import KEY_WEIGHT, QUERY_WEIGHT, rimmed
from scenes.mobjects.score_chip import ScoreChip
from scenes.mobjects.text import Formula, Label, Row
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle
from scenes.theme import Theme

HALF_TURN = 180.0
_FOOT = 1.95
"""Height of what stands below the protractor: the query's name, and the readings."""
_NAME_GAP = 0.18
_NAME_ROOM = 0.75
"""Room for the key's name above the protractor."""
_LETTERS = 6
_READING = 0.7
"""The em of the angle that is shown live."""
_AHEAD = 40.0
"""The key's name goes so many degrees ahead of its tip, clear of the query where both lie in one line."""


class TurningPair(VGroup):
    """A query along the base of a protractor, and a key that turns over it; beside them the curve of their score.

    What is shown follows from ``turn``, the angle from the query to the key in degrees, and ``stretch``, the factor
    on the key's length, and from nothing else: :meth:`show` draws all of it at once.

    Parameters
    ----------
    query, key
        The lengths of both arrows; neither is 0.
    farthest
        The greatest stretch that there is room for.
    words
        Who asks and who is asked.
    largest
        The greatest magnitude of the scores that colours are measured by.
    """

    def __init__(
        self,
        zone: Zone,
        theme: Theme,
        query: float,
        key: float,
        *,
        words: tuple[str, str],
        style: NumberStyle,
        largest: float,
        turn: float = 0.0,
        farthest: float = 1.5,
    ) -> None:
        super().__init__()
        self.theme, self.turn, self.stretch = theme, turn, 1.0
        self._query, self._key, self._farthest, self._style = query, key, farthest, style
        self.names = self._names(words)
        left, right = zone.columns(1.0, 1.0, gap=theme.space.gap)
        base, beside = left.bottom + _FOOT, left.width - 2 * (_NAME_GAP + self.names[1].advance)
        # Stretched, the key reaches farther than the protractor, and it is stretched only where it lies on the query.
        farther = max(query, farthest * key)
        self.unit = min(beside / (key + farther), (left.top - base - _NAME_ROOM) / key)
        reach = self.unit * (farther - key)
        self.origin: Point3D = np.array([left.centre[0] - reach / 2, base, 0.0])
        self._draw_arrows()
        self._draw_readings(left, largest)
        self.chart = self._draw_chart(right)
        self.add(self.track, self.key, self.query, self.mark, *self.names, *self.readings, self.chip, self.chart)
        self.show(turn, 1.0)

    # Readers

    def drawn(self, arrow: Arrow) -> NDArray[np.float64]:
        """The vector that an arrow is drawn as, ``(2,)``."""
        return np.asarray((arrow.tip - arrow.start_point)[:2] / self.unit)

    def true_score(self) -> float:
        """The dot product of the two arrows as they are drawn."""
        return float(dot(self.drawn(self.query), self.drawn(self.key)))

    def true_angle(self) -> float:
        """The angle between the two arrows as they are drawn, in degrees."""
        return float(angle(self.drawn(self.query), self.drawn(self.key), degrees=True))

    # Verbs

    def show(self, turn: float, stretch: float) -> Self:
        """Draw everything at an angle and a stretch; the curve as far as its point has come, once it has begun."""
        self.turn, self.stretch = turn, stretch
        self.key.point_to(self.origin + self.unit * np.array([*self._keys(np.array([turn]))[0], 0.0]))
        self.mark.redraw()
        self._lead(self.names[1])
        self.angle.set_value(turn)
        self.sign.set_pen(self.angle.pen_end)
        self.chip.show(float(self._scores(np.array([turn]))[0]))
        if self.chart.dot() is not None:
            self.chart.trace_at(turn)
        return self

    def turn_to(self, turn: float, **timing: Any) -> Animation:
        """Turn the key, evenly."""
        return _Showing(self, turn, self.stretch, **timing)

    def stretch_to(self, stretch: float, **timing: Any) -> Animation:
        """Stretch the key, evenly."""
        return _Showing(self, self.turn, stretch, **timing)

    def return_to(self, turn: float, **timing: Any) -> Animation:
        """Go back to an angle with the key as long as it is."""
        return _Showing(self, turn, 1.0, **timing)

    # Drawing

    def _keys(self, turns: NDArray[np.float64]) -> NDArray[np.float64]:
        """The key at some angles ``(m,)`` in degrees: ``(m, 2)``."""
        radians = np.radians(turns)
        return self.stretch * self._key * np.stack([np.cos(radians), np.sin(radians)], axis=-1)

    def _scores(self, turns: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(dot(np.array([self._query, 0.0]), self._keys(turns)))

    def _draw_arrows(self) -> None:
        theme, colours = self.theme, self.theme.colours
        width = theme.stroke.arrow / 100
        tips = (self.origin + RIGHT * self.unit * size for size in (self._query, self._key))
        self.query = rimmed(Arrow(self.origin, next(tips), ManimColor(colours.query), QUERY_WEIGHT * width), theme)
        self.key = Arrow(self.origin, next(tips), ManimColor(colours.key), KEY_WEIGHT * width)
        self.mark = AngleMark(self.query, self.key, theme)
        self.track = as_ground(_protractor(self.origin, self.unit * self._key, theme))
        below = self.origin + RIGHT * self.unit * self._query / 2 + DOWN * 0.36
        self.names[0].place(below, 9)

    def _names(self, words: tuple[str, str]) -> list[Row]:
        theme, colours = self.theme, self.theme.colours
        kinds = zip(("q", "k"), (colours.query, colours.key), words, strict=True)
        return [
            Working(theme, theme.type.note, _LETTERS).symbol(letter, role, word=word).row()
            for letter, role, word in kinds
        ]

    def _lead(self, name: Row) -> None:
        """Put the key's name beyond its tip."""
        ahead = np.radians(self.turn + _AHEAD)
        direction = np.array([np.cos(ahead), np.sin(ahead), 0.0])
        half = np.array([name.advance / 2, 0.75 * name.em])
        own = float(np.min(half / np.maximum(np.abs(direction[:2]), 1e-9)))
        name.place(self.key.tip + (_NAME_GAP + own) * direction, 9)

    def _draw_readings(self, zone: Zone, largest: float) -> None:
        """The angle and the score below the protractor, on one line."""
        theme, colours, em = self.theme, self.theme.colours, _READING
        ink = ManimColor(colours.ink)
        theta, self.sign = Formula([("theta", ink)], em=em), Label("°", em=em, colour=ink)
        # As wide as it ever gets, for nothing to move when it does.
        self.angle = Number(
            HALF_TURN, COUNT, face=theme.figures, em=em, colour=ink, align="left", truth=self.true_angle
        )
        angle = Row([theta, self.angle, self.sign], em=em, gaps=[0.0, 0.35, 0.02])
        product = Working(theme, em).symbol("bold(q)", colours.query).sign("·").symbol("bold(k)", colours.key).row()
        most = self._query * self._key * self._farthest
        self.chip = ScoreChip(-most, self._style, theme, largest=largest, width=2.1, height=1.05, truth=self.true_score)
        gap, room = theme.space.gap, self.chip.cell.width
        pen = zone.centre - RIGHT * (angle.advance + product.advance + room + 3 * gap) / 2
        pen[1] = zone.bottom + 0.6
        angle.place(pen + RIGHT * angle.advance / 2, zone.width)
        pen = pen + RIGHT * (angle.advance + 2 * gap)
        product.place(pen + RIGHT * product.advance / 2, zone.width)
        self.chip.place(pen + RIGHT * (product.advance + gap + room / 2))
        self.readings = [angle, product]

    def _draw_chart(self, zone: Zone) -> CurveChart:
        theme, quiet = self.theme, ManimColor(self.theme.colours.quiet)
        em = theme.type.note
        most = 1.06 * self._query * self._key * self._farthest
        return CurveChart(
            zone,
            theme,
            self._scores,
            x_range=(0.0, HALF_TURN),
            x_ticks=(0, 45, 90, 135, 180),
            y_range=(-most, most),
            x_name=Label("angle in degrees", em=em, colour=quiet),
            y_name=Label("score", em=em, colour=quiet),
        )


class _Showing(Animation):
    """Takes a :class:`TurningPair` from one state to another."""

    def __init__(self, pair: TurningPair, turn: float, stretch: float, **timing: Any) -> None:
        self._last = np.array([turn, stretch])
        super().__init__(pair, **{"rate_func": linear, **timing})

    def begin(self) -> None:
        self._first = np.array([self.mobject.turn, self.mobject.stretch])
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        state = self._last if share == 1 else self._first + share * (self._last - self._first)
        self.mobject.show(*map(float, state))


def _protractor(origin: Point3D, radius: float, theme: Theme) -> VGroup:
    """Half a circle on its base, with a dash at every 45 degrees."""
    look = {"stroke_color": ManimColor(theme.colours.axis), "stroke_width": theme.stroke.axis}
    rim = Arc(radius=radius, start_angle=0.0, angle=np.pi, arc_center=origin, **look)
    base = Line(origin + LEFT * radius, origin + RIGHT * radius, **look)
    spokes = [np.array([np.cos(a), np.sin(a), 0.0]) for a in np.linspace(0.0, np.pi, 5)]
    dashes = [Line(origin + 0.95 * radius * spoke, origin + 1.05 * radius * spoke, **look) for spoke in spokes]
    return VGroup(base, rim, *dashes)
