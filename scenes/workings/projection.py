"""The line in which a word's row meets the columns of a matrix: x W, worked out entry by entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenes.mobjects.number import Number, all_exact
from scenes.mobjects.text import ELLIPSIS
from scenes.mobjects.working import Working
from scenes.numerals import relation
from scenes.theme import Theme


@dataclass(frozen=True)
class Product:
    """A row, a matrix and what comes of them, by the numbers that tables show.

    ``row`` are the entries of x, ``columns[c]`` those of column c of W, and ``results[c]`` is entry c of x W. Where
    x is shown by its first and last entries only, ``terms_left_out``; where x W is, ``entries_left_out``.
    """

    row: Sequence[Number]
    columns: Sequence[Sequence[Number]]
    results: Sequence[Number]
    terms_left_out: bool = False
    entries_left_out: bool = False

    def factors(self, c: int) -> list[Number]:
        """What entry c is made of, in the order in which it is written: x₁, w₁, x₂, w₂, ..."""
        return [number for pair in zip(self.row, self.columns[c], strict=True) for number in pair]

    def entry(self, c: int) -> str:
        """What entry c is called."""
        if self.entries_left_out and c:
            return "last entry"
        return f"{('first', 'second', 'third')[c]} entry"


@dataclass(frozen=True)
class ProjectionLine:
    """A line of working: of each entry that it works out the numbers of its terms, as :meth:`Product.factors` has
    them, and the results behind them all."""

    working: Working
    terms: tuple[tuple[Number, ...], ...]
    results: tuple[Number, ...]


def projection(
    theme: Theme, symbol: str, colour: str, word: str, product: Product, entries: Sequence[int]
) -> ProjectionLine:
    """Write q = [x₁ · w₁₁ + x₂ · w₂₁, x₁ · w₁₂ + x₂ · w₂₂] = [q₁, q₂], or one entry of it, named and without brackets.

    ``symbol`` is what comes of the row of ``word``, in the ``colour`` of its role. An ellipsis stands for what is left
    out.
    """
    whole = len(entries) == len(product.results)
    line = Working(theme).symbol(symbol, colour, word=word)
    if not whole:
        line.sign(product.entry(entries[0]), theme.colours.quiet)
    given = [number for c in entries for number in product.factors(c)]
    results = [product.results[c] for c in entries]
    line.sign(relation(all_exact(given)))
    if whole:
        line.sign("[")
    for c in entries:
        _add_terms(line, product, c)
        if whole:
            _add_separator(line, product, c)
    line.sign(relation(all_exact([*given, *results])))
    if whole:
        line.sign("[")
    for c, number in zip(entries, results, strict=True):
        line.number(number.value, number.style, number.source, colour)
        if whole:
            _add_separator(line, product, c)
    size = 2 * len(product.row)
    terms = tuple(tuple(line.numbers[size * k : size * (k + 1)]) for k in range(len(entries)))
    return ProjectionLine(line, terms, tuple(line.numbers[size * len(entries) :]))


def _add_terms(line: Working, product: Product, c: int) -> None:
    for k, (x, w) in enumerate(zip(product.row, product.columns[c], strict=True)):
        if k:
            line.sign("+")
        if k == 1 and product.terms_left_out:
            line.sign(ELLIPSIS).sign("+")
        line.number(x.value, x.style, x.source, guarded=k > 0).sign("·")
        line.number(w.value, w.style, w.source, guarded=True)


def _add_separator(line: Working, product: Product, c: int) -> None:
    if c == len(product.results) - 1:
        line.sign("]", tight=True)
        return
    line.sign(",", tight=True)
    if product.entries_left_out:
        line.sign(ELLIPSIS).sign(",", tight=True)
