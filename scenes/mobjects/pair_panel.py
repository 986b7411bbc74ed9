"""One query and one key on a small plane, and below it the angle between them and their score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import ManimColor, VGroup
from numpy.typing import NDArray

from scenes.layout import Zone
from scenes.mobjects.angle_mark import AngleMark
from scenes.mobjects.arrow_plane import Arrow, ArrowPlane
from scenes.mobjects.score_chip import ScoreChip
from scenes.mobjects.text import Row
from scenes.mobjects.tips import place
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, relation
from scenes.theme import Theme

KEY_WEIGHT, QUERY_WEIGHT = 2.2, 0.8
"""A slim query on a stout key: where they point the same way, both are seen."""
_RIM = 3.0
"""Width of the query's rim in the colour of the ground, in Manim's stroke units."""

_FOOT = 1.66
"""Height of what stands below the plane."""
_SHORTEST = 0.12
"""The length of an arrow that is still seen well, as a share of the plane."""
_LETTERS = 6


class PairPanel(VGroup):
    """A case: two arrows, the mark of their angle, and what they come to.

    Parts, to be brought on one by one: ``plane``, ``query`` and ``key`` (arrows), ``tips`` (their letters), ``mark``,
    ``names`` (whose they are), ``angle`` and ``chip``.

    Parameters
    ----------
    points
        Where the query and the key are drawn, ``(2, 2)``.
    reach
        All vectors that the plane has room for, ``(m, 2)``.
    words
        Who asks and who is asked.
    angle, angle_source
        The true angle in degrees, and where it comes from.
    chip
        Their score.
    """

    def __init__(
        self,
        zone: Zone,
        points: NDArray[np.float64],
        reach: NDArray[np.float64],
        words: tuple[str, str],
        angle: float,
        angle_source: str,
        chip: ScoreChip,
        theme: Theme,
    ) -> None:
        super().__init__()
        colours = theme.colours
        self.plane = ArrowPlane(zone.inset(bottom=_FOOT), reach, theme, ticks=False)
        self.key = self.plane.arrow(points[1], ManimColor(colours.key), weight=KEY_WEIGHT)
        self.query = rimmed(self.plane.arrow(points[0], ManimColor(colours.query), weight=QUERY_WEIGHT), theme)
        self.mark = AngleMark(self.query, self.key, theme)
        kinds = (("bold(q)", colours.query), ("bold(k)", colours.key))
        self.tips = [Working(theme).symbol(symbol, colour).row() for symbol, colour in kinds]
        place(self.tips, (self.query, self.key), self.plane)
        self.chip = chip
        self._write(zone, words, angle, angle_source, theme)
        self.add(self.plane, self.key, self.query, self.mark, *self.tips, self.names, self.angle, self.chip)

    @property
    def arrows(self) -> tuple[Arrow, Arrow]:
        """The query and the key."""
        return self.query, self.key

    def _write(self, zone: Zone, words: tuple[str, str], angle: float, source: str, theme: Theme) -> None:
        colours = theme.colours
        names = Working(theme, longest_word=_LETTERS).symbol("q", colours.query, word=words[0]).sign("·")
        self.names = names.symbol("k", colours.key, word=words[1]).row()
        says = relation(COUNT.is_exact(angle))
        self.angle = degrees(Working(theme).symbol("theta", colours.ink).sign(says), angle, source)
        gap, room = theme.space.gap, zone.width - self.chip.cell.width - 2 * theme.space.gap
        self.names.place(np.array([zone.centre[0], zone.bottom + 1.28, 0.0]), zone.width)
        self.angle.place(zone.centre, room)
        left = zone.centre[0] - (self.angle.advance + 2 * gap + self.chip.cell.width) / 2
        middle = zone.bottom + self.chip.cell.height / 2
        self.angle.place(np.array([left + self.angle.advance / 2, middle, 0.0]), room)
        right = left + self.angle.advance + 2 * gap
        self.chip.place(np.array([right + self.chip.cell.width / 2, middle, 0.0]))


def reaches(pairs: Sequence[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """What the planes of some pairs ``(2, 2)`` have room for: all of them, to be on one scale.

    Where one arrow is too short beside the others to be seen, each plane has its own pair and its own scale.
    """
    together = np.concatenate(pairs)
    shortest = float(np.min(np.linalg.norm(together, axis=1)))
    if shortest < _SHORTEST * np.ptp(together, axis=0).max():
        return list(pairs)
    return [together] * len(pairs)


def rimmed(query: Arrow, theme: Theme) -> Arrow:
    """Give a query a rim that parts it from a key of nearly its colour that lies under it."""
    query.set_stroke(ManimColor(theme.colours.ground), width=_RIM, opacity=1.0, background=True)
    return query


def degrees(line: Working, angle: float, source: str) -> Row:
    """Finish a line with an angle."""
    return line.number(angle, COUNT, source).sign("°", tight=True).row()
