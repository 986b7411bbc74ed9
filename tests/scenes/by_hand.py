"""Every number of a story worked out once more, in plain Python, to check pictures against.

Fractions as long as nothing irrational comes in, then decimals of 60 digits. It reads the story's file itself and
shares nothing with the project's own code.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

EXACT = Context(prec=60, Emin=-999_999, Emax=999_999, traps=[])
Matrix = list[list[Fraction]]
Table = list[list[Decimal]]

_SHAPE = re.compile(r"shape\(([\w.]+)\)\[(-?\d)\]")


def decimal(number: Fraction | int) -> Decimal:
    """``number`` to 60 digits."""
    return EXACT.divide(Decimal(Fraction(number).numerator), Decimal(Fraction(number).denominator))


def product(A: Matrix, B: Matrix) -> Matrix:
    """Rows meet columns."""
    columns = list(zip(*B, strict=True))
    return [[sum((a * b for a, b in zip(row, column, strict=True)), Fraction()) for column in columns] for row in A]


@dataclass(frozen=True)
class ByHand:
    """One head of self-attention without a mask, stage by stage."""

    story: dict[str, Any]

    @classmethod
    def of(cls, path: Path) -> ByHand:
        return cls(tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Fraction))

    @property
    def tokens(self) -> list[str]:
        return self.story["sentence"]["tokens"]

    @property
    def decimals(self) -> int:
        return self.story.get("look", {}).get("decimals", 2)

    @property
    def X(self) -> Matrix:
        return [[Fraction(x) for x in row] for row in self.story["sentence"]["embeddings"]]

    def W(self, role: str) -> Matrix:
        given = self.story["projections"][role]
        if given == "identity":
            width = len(self.X[0])
            return [[Fraction(int(i == j)) for j in range(width)] for i in range(width)]
        return [[Fraction(x) for x in row] for row in given]

    @cached_property
    def Q(self) -> Matrix:
        return product(self.X, self.W("query"))

    @cached_property
    def K(self) -> Matrix:
        return product(self.X, self.W("key"))

    @cached_property
    def V(self) -> Matrix:
        return product(self.X, self.W("value"))

    @cached_property
    def scores(self) -> Matrix:
        return product(self.Q, [list(column) for column in zip(*self.K, strict=True)])

    @property
    def divides_by_root(self) -> bool:
        return self.story.get("attention", {}).get("divide_scores_by", "sqrt(d_k)") == "sqrt(d_k)"

    @cached_property
    def divisor(self) -> Decimal:
        if self.divides_by_root:
            return EXACT.sqrt(Decimal(len(self.Q[0])))
        return decimal(self.story["attention"]["divide_scores_by"])

    @cached_property
    def scaled(self) -> Table:
        return [[EXACT.divide(decimal(score), self.divisor) for score in row] for row in self.scores]

    def exponentials(self, shifted: bool) -> Table:
        """exp of every scaled score, of each less its row's largest if ``shifted``."""
        tops = [max(row) if shifted else Decimal(0) for row in self.scaled]
        return [
            [EXACT.exp(EXACT.subtract(score, top)) for score in row] for row, top in zip(self.scaled, tops, strict=True)
        ]

    @cached_property
    def weights(self) -> Table:
        rows = self.exponentials(shifted=True)
        return [[EXACT.divide(x, _sum(row)) for x in row] for row in rows]

    @cached_property
    def contributions(self) -> list[Table]:
        return [
            [[EXACT.multiply(weight, decimal(x)) for x in v] for weight, v in zip(row, self.V, strict=True)]
            for row in self.weights
        ]

    @cached_property
    def output(self) -> Table:
        return [[_sum(column) for column in zip(*parts, strict=True)] for parts in self.contributions]

    def look_up(self, source: str, *, shifted: bool = False) -> Decimal:
        """The value that a number on screen says it shows; raises :class:`KeyError` for a source that is none."""
        single = {"d_k": Decimal(len(self.Q[0])), "attention.divisor": self.divisor, "whole": Decimal(1)}
        if source in single:
            return single[source]
        if shape := _SHAPE.fullmatch(source):
            return self._shape_of(shape[1])[int(shape[2])]
        field, _, place = source.rstrip("]").partition("[")
        found: Any = self._tables[shifted][field]
        for index in place.split(","):
            found = found[int(index)]
        return found if isinstance(found, Decimal) else decimal(found)

    def all_of(self, field: str) -> Iterator[Fraction | Decimal]:
        """Every number of a table, in reading order."""
        return _flat(self._tables[False][field])

    def _shape_of(self, field: str) -> tuple[Decimal, Decimal]:
        table: Any = self._tables[False][field]
        if isinstance(table[0][0], list):
            (table,) = table  # one head
        return Decimal(len(table)), Decimal(len(table[0]))

    @cached_property
    def _tables(self) -> dict[bool, dict[str, Any]]:
        """Every table under the name that it has on screen, with exp of scores as they are and of shifted ones."""
        return {shifted: self._named(shifted) for shifted in (False, True)}

    def _named(self, shifted: bool) -> dict[str, Any]:
        exponentials = self.exponentials(shifted)
        return {
            "embeddings": self.X,
            "W_Q": self.W("query"),
            "W_K": self.W("key"),
            "W_V": self.W("value"),
            # One head.
            "queries": [self.Q],
            "keys": [self.K],
            "values": [self.V],
            "attention.scores": [self.scores],
            "attention.scaled": [self.scaled],
            "attention.masked": [self.scaled],
            "attention.weights": [self.weights],
            "steps.shift": [[[max(row)] for row in self.scaled]],
            "steps.exponentials": [exponentials],
            "steps.totals": [[[_sum(row)] for row in exponentials]],
            "contributions": [self.contributions],
            "output": self.output,
        }


def _flat(table: Any) -> Iterator[Fraction | Decimal]:
    for entry in table:
        if isinstance(entry, list):
            yield from _flat(entry)
        else:
            yield entry


def _sum(numbers: Any) -> Decimal:
    total = Decimal(0)
    for number in numbers:
        total = EXACT.add(total, number)
    return total
