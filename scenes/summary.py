"""Chapter 9: the whole pipeline in one picture, first step by step, then once more without stops in plain words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from manim import Animation, FadeIn, FadeOut, LaggedStart, Mobject, ReplacementTransform, VMobject, config
from numpy.typing import NDArray

from scenes.chapter import beat
from scenes.handover.edge_cases import after_edge_cases, cases_of
from scenes.handover.summary import after_summary
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.motion import Light, fly
from scenes.mobjects.number import Number
from scenes.numerals import SHARE
from scenes.theme import DIM
from scenes.walkthrough import Walkthrough
from scenes.wording import best_of, divisor_style

Step = Callable[[float], None]
"""Lets a station do its work within so many seconds."""


class Summary(Walkthrough):
    """Step 9: from arrows to arrows, on one screen."""

    name = "summary"
    poster_beat = "the_one_picture"

    def open(self) -> None:
        """Begin with the three budgets; the picture that is built stands ready, with everything in its place."""
        super().open()
        self.opening, self.closing = after_edge_cases(self.cast), after_summary(self.cast)
        self._begin(self.opening)
        name, below = self.closing.formula.pieces
        self.pieces: Mapping[str, VMobject] = {"name": name, **below.letters}
        self.way: tuple[tuple[Step, tuple[str, ...]], ...] = (
            (self._arrow_in, ()),
            (self._roles, ("name",)),
            (self._match, ("Q", "K", "T")),
            (self._cool, ("divide",)),
            (self._share, ("softmax", "close")),
            (self._blend, ("V",)),
            (self._arrow_out, ()),
        )

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and the cases that the chapter before ended with."""
        return {**super().sources(), "cases": cases_of(self.cast)}

    def words(self) -> Mapping[str, str]:
        """What is said of the divisor and of the budget of the focus word."""
        cast = self.cast
        divisor = cast.trace.attention.divisor
        return {
            **super().words(),
            "cool": _about_cooling(divisor, self.by_root),
            "cooling": _about_size(divisor),
            "whole": _about_whole(cast.weights[cast.focus]),
            "budget": _about_budget(cast.weights[cast.focus], cast.names),
        }

    # The beats

    @beat("A tie, a winner, a word that is hidden: always the same machine.", "Does all of it fit into one picture?")
    def the_question(self) -> None:
        self._open_header()
        self.next_cue()
        softmax = self._letter("softmax")
        charts = [FadeOut(chart, target_position=softmax, scale=0.1) for chart in self.opening.charts]
        self.play(*map(FadeOut, self.opening.titles), *charts, run_time=1.0)
        stations, links = self.closing.stations, self.closing.links
        quiet: list[VMobject] = [*links, *(station.title for station in stations)]
        for mobject in quiet:
            mobject.set_fill(opacity=DIM)
        way = [stations[0], *(part for pair in zip(links, stations[1:], strict=True) for part in pair)]
        self.play(LaggedStart(*map(FadeIn, way), lag_ratio=0.25), run_time=2.4)

    @beat("{focus} comes in as an arrow.")
    def arrow_comes_in(self) -> None:
        self._visit(0)

    @beat("Three matrices give it three jobs: query, key and value.")
    def three_roles(self) -> None:
        self._visit(1)

    @beat("Its query meets every key, as every other query does.")
    def all_pairs(self) -> None:
        self._visit(2)

    @beat("{cool}")
    def cooling_down(self) -> None:
        self._visit(3)

    @beat("{budget}")
    def one_budget(self) -> None:
        self._visit(4)

    @beat("Each value, scaled by its share, is laid on to the next.")
    def blending_values(self) -> None:
        self._visit(5)

    @beat("What they add up to is {focus}'s new arrow.")
    def arrow_goes_out(self) -> None:
        self._visit(6)

    @beat(
        "Again, in plain words. Every word starts as an arrow.",
        "From it come three: what it asks, its label, what it carries.",
        "Does my question fit your label? One score for every pair.",
    )
    def asking_again(self) -> None:
        self._start_again()
        self._pass_through(0, 1, 2)

    @beat("{cooling}", "{whole}", "I spend mine on what all of you carry, each by its share.")
    def spending_again(self) -> None:
        self._pass_through(3, 4, 5)

    @beat("The blend is my new arrow.", "One word or a thousand: it is always this one picture.")
    def the_one_picture(self) -> None:
        self._pass_through(6)
        self.next_cue()
        self._settle(self.closing)

    # Passing through

    def _visit(self, k: int) -> None:
        """A station's turn: it lights up, does its work, and its pieces of the formula come down from the header."""
        step, pieces = self.way[k]
        self.play(*(Light(mobject, 1.0) for mobject in self._way_to(k)), run_time=0.3)
        step(2.4)
        if pieces:
            self.play(*map(self._come_down, pieces), run_time=1.0)

    def _come_down(self, piece: str) -> Animation:
        below = self.pieces[piece]
        return FadeIn(below) if piece == "name" else ReplacementTransform(self._letter(piece), below)

    def _pass_through(self, *stations: int) -> None:
        """Once more, each station while its caption is read; the formula is there, and only lights up."""
        assert self.story is not None
        for k in stations:
            if k != stations[0]:
                self.next_cue()
            step, pieces = self.way[k]
            lit = [*self._way_to(k), *(self.pieces[piece] for piece in pieces)]
            self.play(*(Light(mobject, 1.0) for mobject in lit), run_time=0.3)
            step(max(2.0, self._unread() / config.frame_rate * self.story.look.pace))

    def _way_to(self, k: int) -> list[Mobject]:
        """A station's title, and the arrow that leads there."""
        return [*self.closing.links[max(0, k - 1) : k], self.closing.stations[k].title]

    def _start_again(self) -> None:
        """The stations are empty again, and the formula is dim."""
        titles = (station.title for station in self.closing.stations)
        dims = [*titles, *self.closing.links, *self.closing.formula.pieces]
        self.play(*map(FadeOut, self.closing.icons), *(Light(mobject, DIM) for mobject in dims), run_time=0.8)

    # What the stations do

    def _arrow_in(self, seconds: float) -> None:
        icon = self.closing.came
        self.play(FadeIn(icon.plane), run_time=0.2 * seconds)
        self._grow(icon.arrows[0], 0.4 * seconds)
        self.play(*map(FadeIn, icon.said), run_time=0.4 * seconds)

    def _roles(self, seconds: float) -> None:
        icon = self.closing.roles
        self.play(FadeIn(icon.plane), run_time=0.2 * seconds)
        flights = [fly(self.closing.came.arrows[0], arrow) for arrow in icon.arrows]
        self.play(LaggedStart(*flights, lag_ratio=0.4), run_time=0.6 * seconds)
        self.play(*map(FadeIn, icon.said), run_time=0.2 * seconds)

    def _match(self, seconds: float) -> None:
        """The focus word's query meets every key, and with it every other one."""
        icon, query, n = self.closing.scores, self.closing.roles.arrows[0].tip, self.cast.n
        own = [FadeIn(part, target_position=query) for j in range(n) for part in icon.entry(self.cast.focus, j)]
        self.play(FadeIn(icon.markers), LaggedStart(*own, lag_ratio=0.3), run_time=0.5 * seconds)
        rest = [FadeIn(part) for i in self.cast.others for j in range(n) for part in icon.entry(i, j)]
        waves = [LaggedStart(*rest, lag_ratio=0.1)] if rest else []
        self.play(FadeIn(icon.frame), *waves, run_time=0.5 * seconds)

    def _cool(self, seconds: float) -> None:
        """The focus word's row comes over as it is, and every score that may be seen is divided."""
        icon, scores, i = self.closing.cooled.go_back(), self.closing.scores, self.cast.focus
        # The cells fade in on their way, to leave the numbers that they come from to be read.
        pairs = zip(scores.grid.cells[i], icon.cells, strict=True)
        flights = [FadeIn(cell, target_position=source) for source, cell in pairs]
        self.add(*icon.cells)  # now, so that the numbers come to lie on them
        shown = icon.seen if icon.legible else []
        numbers = [_carry(scores.grid.numbers[i][j], icon.numbers[j], scores.legible) for j in shown]
        self.play(*flights, *numbers, *map(FadeIn, icon.hatches), run_time=0.4 * seconds)
        self.play(FadeIn(icon.line), run_time=0.2 * seconds)
        if counts := icon.count():
            self.play(*counts, run_time=0.4 * seconds)

    def _share(self, seconds: float) -> None:
        """Each score becomes a bar; together they are one whole."""
        chart, cells = self.closing.budget, self.closing.cooled.cells
        tracks = [FadeIn(track, target_position=cell) for track, cell in zip(chart.tracks, cells, strict=True)]
        hidden = [
            hatch for hatch, seen in zip(chart.hatches, self.cast.visible[self.cast.focus], strict=True) if not seen
        ]
        self.play(*tracks, *map(FadeIn, (*chart.names, chart.floor, *hidden)), run_time=0.4 * seconds)
        self.play(chart.grow(), run_time=0.6 * seconds)

    def _blend(self, seconds: float) -> None:
        """The scaled values are laid tip to tail; from their start to their end goes the sum."""
        icon = self.closing.blend
        self.play(FadeIn(icon.plane), run_time=0.15 * seconds)
        for part in icon.parts:
            self._grow(part, 0.55 * seconds / len(icon.parts))
        self._grow(icon.total, 0.3 * seconds)

    def _arrow_out(self, seconds: float) -> None:
        icon = self.closing.went
        self.play(FadeIn(icon.plane), run_time=0.2 * seconds)
        self.play(fly(self.closing.blend.total, icon.arrows[0]), run_time=0.5 * seconds)
        self.play(*map(FadeIn, icon.said), run_time=0.3 * seconds)

    def _grow(self, arrow: Arrow, seconds: float) -> None:
        """An arrow comes out of its start."""
        start, end = arrow.start_point, arrow.tip
        arrow.point_to(start)
        self.add(arrow)
        self.play(arrow.swing_to(end), run_time=seconds)


def _carry(source: Number, target: Number, is_written: bool) -> Animation:
    """A number goes on to its next place, or comes out of the one before if it is not written there, or otherwise."""
    if is_written and source.shown_text() == target.shown_text():
        return fly(source, target)
    return FadeIn(target, target_position=source.get_center())


def _about_cooling(divisor: float, by_root: bool) -> str:
    """What the scores are divided by."""
    if divisor == 1:
        return "Divided by one, every score stays as it is."
    if by_root:
        return "Every score is cooled: divided by the root of d_k."
    return f"Every score is divided by c, which here is {divisor_style(divisor).text(divisor)}."


def _about_size(divisor: float) -> str:
    """Why scores are divided, in plain words, where that makes them smaller."""
    return "Long lists make loud scores, so we cool them." if divisor > 1 else "All scores are divided alike."


def _about_budget(weights: NDArray[np.float64], names: Sequence[str]) -> str:
    """Who gets most of a budget, where one does."""
    if not np.any(weights):
        return "It may look at nobody, so its budget stays empty."
    best = best_of(weights)
    if len(best) > 1:
        return "Softmax makes a budget of its row, one whole to spend."
    return f"Softmax makes a budget of its row: {SHARE.text(weights[best[0]])} for {names[best[0]]}."


def _about_whole(weights: NDArray[np.float64]) -> str:
    """What a budget is, in plain words."""
    if not np.any(weights):
        return "Softmax makes a budget of what may be seen; here, of nothing."
    return "Softmax makes the scores a budget: positive, and one whole."
