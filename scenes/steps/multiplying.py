"""A word's row times a matrix: row meets column, entry by entry, worked out in the band."""

from __future__ import annotations

from collections.abc import Sequence

from manim import LaggedStart

from scenes.lecture import Lecture
from scenes.mobjects.motion import fly
from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import NumberGrid
from scenes.workings.projection import Product, projection


class Multiplying(Lecture):
    """A lecture in which rows are multiplied by matrices."""

    def _multiply(
        self, X: NumberGrid, i: int, matrix: NumberGrid, results: Sequence[Number], symbol: str, colour: str, word: str
    ) -> None:
        """Row i of X times the matrix: on one line where that can be read, else on a line an entry.

        ``results`` stand where the entries arrive, and are not shown before.
        """
        product = product_of(X, i, matrix, results)
        entries = range(len(results))
        whole = projection(self.theme, symbol, colour, word, product, entries)
        at_once = whole.working.row().em_within(self.layout.band.width) >= self.theme.type.note
        for group in [list(entries)] if at_once else [[c] for c in entries]:
            line = projection(self.theme, symbol, colour, word, product, group)
            self._start_row(line.working)
            for c, terms in zip(group, line.terms, strict=True):
                self._bring_terms(X, i, matrix, c, product.factors(c), terms)
            for c, terms, result in zip(group, line.terms, line.results, strict=True):
                self.play(*self._write(self._emerge([result], [terms[len(terms) // 2]])), run_time=0.5)
                self.play(fly(result, results[c]), run_time=0.6)
        self.play(*matrix.light_all(), run_time=0.3)

    def _bring_terms(
        self, X: NumberGrid, i: int, matrix: NumberGrid, c: int, factors: Sequence[Number], terms: Sequence[Number]
    ) -> None:
        """The row and column c of the matrix fly into the line of working."""
        self.play(*X.light_row(i), *matrix.light_column(c), run_time=0.3)
        arrivals = [fly(source, term) for source, term in zip(factors, terms, strict=True)]
        self.play(LaggedStart(*self._write(arrivals), lag_ratio=0.2), run_time=1.1)


def product_of(X: NumberGrid, i: int, matrix: NumberGrid, results: Sequence[Number]) -> Product:
    """What row i of X, a matrix and their product are in numbers."""
    return Product(
        row=X.numbers[i],
        columns=list(zip(*matrix.numbers, strict=True)),
        results=results,
        terms_left_out=bool(X.gaps_in_rows),
        entries_left_out=bool(matrix.gaps_in_rows),
    )
