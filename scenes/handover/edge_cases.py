"""The picture after chapter 8: three budgets side by side, flat, spiked, and with a bar that is forced to zero."""

from __future__ import annotations

from dataclasses import dataclass

from manim import ManimColor

from math_core import softmax
from scenes.cases import EdgeCases, edge_cases
from scenes.cast import Cast
from scenes.handover.picture import Picture
from scenes.layout import Zone
from scenes.mobjects.softmax_chart import SoftmaxChart
from scenes.mobjects.text import Label
from scenes.mobjects.token_row import marker
from scenes.numerals import NumberStyle
from scenes.theme import Theme

THREE = ("equal", "huge", "hidden")
"""The cases that are shown side by side."""
_TITLES = ("flat", "spike", "forced to zero")
_TITLE = 0.75
"""Room for a title above its chart."""
_BELOW = 0.7
"""How much of the band the charts reach into."""


@dataclass(frozen=True, eq=False)
class EdgeCasesPicture(Picture):
    """Three charts, each with its title above it."""

    charts: tuple[SoftmaxChart, ...]
    titles: tuple[Label, ...]


def after_edge_cases(cast: Cast) -> EdgeCasesPicture:
    """What ``edge_cases`` ends and ``summary`` begins with."""
    cases, theme = cases_of(cast), cast.theme
    # No line of working stands below them: the charts take some of its room.
    stage = cast.layout.stage.inset(bottom=-_BELOW * cast.layout.band.height)
    zones = stage.columns(1, 1, 1, gap=theme.space.gap)
    return EdgeCasesPicture(
        letters=dict(cast.formula.letters),
        charts=tuple(
            case_chart(cases, case, zone.inset(top=_TITLE), theme) for case, zone in zip(THREE, zones, strict=True)
        ),
        titles=tuple(_title(text, zone, theme) for text, zone in zip(_TITLES, zones, strict=True)),
    )


def cases_of(cast: Cast) -> EdgeCases:
    """The edge cases of a story; chosen is whom its focus word listens to most."""
    return edge_cases(cast.words, cast.values, cast.weights[cast.focus])


def case_chart(cases: EdgeCases, case: str, zone: Zone, theme: Theme) -> SoftmaxChart:
    """The scores and weights of one case, whose numbers come from ``cases``."""
    alone = case == "alone"
    chart = SoftmaxChart(
        getattr(cases, case).masked[0],
        softmax,
        zone,
        theme,
        source=weight_of(case),
        score_source=score_of(case),
        words=(cases.words[cases.chosen],) if alone else cases.words,
        score_style=NumberStyle(1),
    )
    if alone:
        # A word keeps the marker of its place in the sentence.
        own = chart.names[0][0]
        own.become(marker(cases.chosen, own.height, own.get_fill_color()).move_to(own))
    return chart


def weight_of(case: str) -> str:
    """The path of the weights of a case, by ``{j}``."""
    return f"cases.{case}.weights[0, {{j}}]"


def score_of(case: str) -> str:
    """The path of what goes into softmax in a case, by ``{j}``."""
    return f"cases.{case}.masked[0, {{j}}]"


def _title(text: str, zone: Zone, theme: Theme) -> Label:
    label = Label(text, em=theme.type.statement, colour=ManimColor(theme.colours.ink))
    return label.set_middle([zone.centre[0], zone.top - theme.type.statement / 2, 0.0])
