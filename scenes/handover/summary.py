"""The last picture: the whole pipeline on one screen, with the numbers of the focus word, and the formula below."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from manim import ManimColor
from numpy.typing import NDArray

from math_core import softmax
from scenes.cast import Cast, Space
from scenes.handover.picture import Picture
from scenes.layout import Zone
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.header import Header
from scenes.mobjects.icons import ArrowIcon, ChainIcon, RowIcon, ScoresIcon, vector_line
from scenes.mobjects.softmax_chart import SoftmaxChart
from scenes.mobjects.station import Station, link
from scenes.mobjects.text import Formula, Row
from scenes.mobjects.working import Working
from scenes.numerals import COUNT, NumberStyle, relation
from scenes.wording import divisor_style

Array = NDArray[np.float64]

_TITLES = ("arrow in", "three roles", "all-pairs match", "cool", "budget", "blend", "arrow out")
"""The stations, in the order in which a word passes them."""
_TOP = (1.0, 1.0, 1.16, 1.16)
"""How wide the stations of the upper row are."""
_BETWEEN, _DOWN = 0.5, 0.42
"""The room between two stations of a row, and between both rows, in units."""
_AIR = 0.14
"""How near the stations come to header and band, in units."""
_WIDTHS: tuple[tuple[Space, str], ...] = (("words", "d_model"), ("matching", "d_k"), ("content", "d_v"))
_WIDEST_NAME = 0.95
"""The widest name of an arrow in a station, in units."""
_LOWER = 0.53
"""How much of the height is the lower row's."""


@dataclass(frozen=True, eq=False)
class SummaryPicture(Picture):
    """The header, which stays; seven stations, what links them, what stands in them, and the formula."""

    header: Header
    stations: tuple[Station, ...]
    links: tuple[Arrow, ...]
    came: ArrowIcon
    roles: ArrowIcon
    scores: ScoresIcon
    cooled: RowIcon
    budget: SoftmaxChart
    blend: ChainIcon
    went: ArrowIcon
    formula: Row

    @property
    def icons(self) -> tuple[ArrowIcon | ScoresIcon | RowIcon | SoftmaxChart | ChainIcon, ...]:
        """What stands in the stations, in their order."""
        return self.came, self.roles, self.scores, self.cooled, self.budget, self.blend, self.went


def after_summary(cast: Cast) -> SummaryPicture:
    """What ``summary``, and the walkthrough, ends with."""
    theme, zones = cast.theme, _zones(cast)
    stations = tuple(Station(title, zone, theme) for title, zone in zip(_titles(cast), zones, strict=True))
    inside = [station.inside for station in stations]
    return SummaryPicture(
        header=cast.header("summary"),
        letters={},
        stations=stations,
        links=tuple(link(*pair, theme) for pair in pairwise(zones)),
        came=_came(cast, inside[0]),
        roles=_roles(cast, inside[1]),
        scores=_scores(cast, inside[2]),
        cooled=_cooled(cast, inside[3]),
        budget=_budget(cast, stations[4].beside),
        blend=ChainIcon(inside[5], cast.points("content", cast.contributions[cast.focus]), theme.colours.value, theme),
        went=_went(cast, inside[6]),
        formula=_formula(cast),
    )


def _titles(cast: Cast) -> tuple[str, ...]:
    """The stations' titles; scores that are not divided by more than one do not cool."""
    cools = cast.trace.attention.divisor > 1
    return tuple("divide" if title == "cool" and not cools else title for title in _TITLES)


def _zones(cast: Cast) -> tuple[Zone, ...]:
    """Along the upper row to the right, then down, and along the lower one back to the left, to end where it began."""
    layout = cast.layout
    field = Zone(layout.stage.left, layout.stage.right, layout.band.top + _AIR, layout.header.bottom - _AIR)
    middle = field.bottom + _LOWER * (field.height - _DOWN)
    upper = field.inset(bottom=middle + _DOWN - field.bottom).columns(*_TOP, gap=_BETWEEN)
    out = Zone(upper[0].left, upper[0].right, field.bottom, middle)
    blend = Zone(upper[1].left, upper[1].right, field.bottom, middle)
    return (*upper, Zone(upper[2].left, field.right, field.bottom, middle), blend, out)


def _came(cast: Cast, zone: Zone) -> ArrowIcon:
    i, colour = cast.focus, cast.theme.colours.ink
    line = vector_line(cast.trace.embeddings[i], cast.styles.vectors, f"embeddings[{i}, {{c}}]", zone.width, cast.theme)
    points = cast.points("words", cast.trace.embeddings[[i]])
    return ArrowIcon(zone, points, [colour], [_name(cast, "x", colour, word=True)], cast.theme, line)


def _roles(cast: Cast, zone: Zone) -> ArrowIcon:
    i, colours = cast.focus, cast.theme.colours
    points = np.concatenate(
        [cast.points("matching", np.array([cast.queries[i], cast.keys[i]])), cast.points("content", cast.values[[i]])]
    )
    kinds = (("q", colours.query), ("k", colours.key), ("v", colours.value))
    names = [_name(cast, symbol, colour) for symbol, colour in kinds]
    return ArrowIcon(zone, points, [colour for _, colour in kinds], names, cast.theme, _shadow_line(cast))


def _scores(cast: Cast, zone: Zone) -> ScoresIcon:
    source = f"attention.scores[{cast.head}, {{i}}, {{j}}]"
    return ScoresIcon(zone, cast.scores, cast.focus, cast.styles.scores, source, cast.theme)


def _cooled(cast: Cast, zone: Zone) -> RowIcon:
    """The row with its usual digits where they can be read, else with one digit behind the point."""
    styles = (cast.styles.scaled, cast.styles.scores), (NumberStyle(1), NumberStyle(1))
    icons = (_row(cast, zone, scaled, scores) for scaled, scores in styles)
    usual = next(icons)
    return usual if usual.legible else next(icons)


def _row(cast: Cast, zone: Zone, scaled: NumberStyle, scores: NumberStyle) -> RowIcon:
    attention, theme = cast.trace.attention, cast.theme
    divisor, style, quiet = attention.divisor, divisor_style(attention.divisor), theme.colours.quiet
    line = Working(theme, theme.type.note).sign("/", quiet)
    line.symbol("c" if cast.story.scale is not None else "sqrt(d_k)", quiet)
    line.sign(relation(style.is_exact(divisor)), quiet).number(divisor, style, "attention.divisor", quiet)
    return RowIcon(
        zone,
        cast.masked[cast.focus],
        cast.scores[cast.focus],
        (scaled, scores),
        theme,
        source=f"attention.masked[{cast.head}, {cast.focus}, {{j}}]",
        source_before=f"attention.scores[{cast.head}, {cast.focus}, {{j}}]",
        largest=float(np.abs(cast.scores).max(initial=0.0)),
        line=line.row(),
    )


def _budget(cast: Cast, zone: Zone) -> SoftmaxChart:
    source = f"attention.weights[{cast.head}, {cast.focus}, {{j}}]"
    return SoftmaxChart(cast.masked[cast.focus], softmax, zone, cast.theme, source=source, words=cast.words)


def _went(cast: Cast, zone: Zone) -> ArrowIcon:
    i, colour = cast.focus, cast.theme.colours.ink
    source = f"attention.output[{cast.head}, {i}, {{c}}]"
    line = vector_line(cast.outputs[i], cast.styles.outputs, source, zone.width, cast.theme)
    points = cast.points("content", cast.outputs[[i]])
    return ArrowIcon(zone, points, [colour], [_name(cast, "z", colour, word=True)], cast.theme, line)


def _name(cast: Cast, symbol: str, colour: str, *, word: bool = False) -> Row:
    """A symbol, with the focus word at its foot where that leaves room for the arrow."""
    plain, whole = (Working(cast.theme, cast.theme.type.note) for _ in range(2))
    plain.symbol(f"bold({symbol})", colour)
    named = whole.symbol(symbol, colour, word=cast.words[cast.focus]).row()
    return named if word and named.advance < _WIDEST_NAME else plain.row()


def _shadow_line(cast: Cast) -> Row | None:
    """What the arrows are drawings of, where they have more than two dimensions."""
    dimensions = {cast.dimensions(space): name for space, name in _WIDTHS if cast.dimensions(space) > 2}
    if not dimensions:
        return None
    quiet, line = cast.theme.colours.quiet, Working(cast.theme, cast.theme.type.note * 0.8)
    line.sign("shadows of", quiet)
    if len(dimensions) == 1:
        ((count, source),) = dimensions.items()
        line.number(count, COUNT, source, quiet)
    else:
        line.sign("many", quiet)
    return line.sign("axes", quiet).row()


def _formula(cast: Cast) -> Row:
    """The whole formula with its name, in the band; its second piece is a copy of the header's."""
    em, colours = cast.theme.type.formula * 1.05, cast.theme.colours
    parts = (
        (r'upright("Attention")(', colours.ink),
        ("Q", colours.query),
        (", thin", colours.ink),
        ("K", colours.key),
        (", thin", colours.ink),
        ("V", colours.value),
        (r") thick = ", colours.ink),
    )
    name = Formula([(source, ManimColor(colour)) for source, colour in parts], em=em)
    band = cast.layout.band
    return Row([name, cast.formula.copy().set_em(em)], em=em).place(band.centre, band.width)
