"""The lines in which a query meets a key: entry by entry, and by their lengths and the angle between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scenes.mobjects.number import Number, all_exact
from scenes.mobjects.text import ELLIPSIS
from scenes.mobjects.working import Working
from scenes.numerals import NumberStyle, relation
from scenes.theme import Theme


def dot_product(
    theme: Theme,
    asker: str,
    asked: str,
    query: Sequence[Number],
    key: Sequence[Number],
    score: Number,
    *,
    left_out: bool = False,
) -> Working:
    """Write q · k = q₁ · k₁ + q₂ · k₂ = s with the numbers of a row of Q, of a row of K (or column of Kᵀ), and a score.

    ``left_out`` tells that vectors are shown by their first and last entries only: an ellipsis stands for the terms
    between. The line's ``numbers`` are those of :func:`factors`, in that order, and the score.
    """
    colours = theme.colours
    given = factors(query, key)
    line = Working(theme).symbol("q", colours.query, word=asker).sign("·").symbol("k", colours.key, word=asked)
    line.sign(relation(all_exact(given)))
    for d, (q, k) in enumerate(zip(query, key, strict=True)):
        if d > 0:
            line.sign("+")
        if left_out and d == 1:
            line.sign(ELLIPSIS).sign("+")
        line.number(q.value, q.style, q.source, colours.query, guarded=d > 0).sign("·")
        line.number(k.value, k.style, k.source, colours.key, guarded=True)
    line.sign(relation(all_exact([*given, score])))
    return line.number(score.value, score.style, score.source)


def factors(query: Sequence[Number], key: Sequence[Number]) -> list[Number]:
    """The entries of a query and a key in the order in which their product is written: q₁, k₁, q₂, k₂, ..."""
    return [number for pair in zip(query, key, strict=True) for number in pair]


class Measure(NamedTuple):
    """A length or a cosine, how it is written, and where it comes from."""

    value: float
    style: NumberStyle
    source: str
    colour: str


def by_angle(theme: Theme, asker: str, asked: str, measures: Sequence[Measure], score: Number) -> Working:
    """Write q · k = ‖q‖ ‖k‖ cos θ = a · b · c = s; the line's ``numbers`` are the three measures and the score."""
    colours = theme.colours
    line = Working(theme).symbol("q", colours.query, word=asker).sign("·").symbol("k", colours.key, word=asked)
    line.sign("=").symbol("norm(bold(q))", colours.query).symbol("norm(bold(k))", colours.key)
    line.symbol("cos theta", colours.ink)
    line.sign(relation(all(measure.style.is_exact(measure.value) for measure in measures)))
    for place, measure in enumerate(measures):
        if place > 0:
            line.sign("·")
        line.number(measure.value, measure.style, measure.source, measure.colour, guarded=place > 0)
    line.sign(relation(all_exact([*line.numbers, score])))
    return line.number(score.value, score.style, score.source)
