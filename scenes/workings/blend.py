"""The line in which an output comes together: each value times its share, added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scenes.mobjects.number import Number
from scenes.mobjects.number_grid import Slots, shown, slots
from scenes.mobjects.text import ELLIPSIS
from scenes.mobjects.working import Working
from scenes.numerals import SHARE, NumberStyle, relation
from scenes.theme import Theme
from scenes.workings.vector import vector

_NOTHING, _UNSEEN = 1e-50, 1e-6
"""Between these a weight is something, and its share "0.0 %"; below, no number that it is multiplied with tells."""


@dataclass(frozen=True)
class Blend:
    """One word's output ``(d,)`` and the ``weights`` ``(n,)`` that it is made with.

    ``weights_source`` and ``output_source`` are the paths that they come from, with ``{j}`` and ``{c}`` in them;
    ``style`` is how the output is written.
    """

    words: Sequence[str]
    asker: int
    weights: NDArray[np.float64]
    output: NDArray[np.float64]
    style: NumberStyle
    weights_source: str
    output_source: str

    @property
    def shares_are_exact(self) -> bool:
        """Whether the shares say all of the weights; one that is there but too small to be seen is not said."""
        return all(SHARE.is_exact(weight) and not _NOTHING < weight < _UNSEEN for weight in self.weights)


@dataclass(frozen=True)
class BlendLine:
    """A line of working, its shares and the words that they are of, and the entries of its result."""

    working: Working
    terms: tuple[int, ...]
    shares: tuple[Number, ...]
    results: tuple[Number, ...]


def blend(theme: Theme, what: Blend, width: float) -> BlendLine:
    """Write z = 30.6 % v + 62.0 % v + 7.4 % v ≈ [0.38, −1.47], each v with its word.

    Where ``width`` has no room for all terms at a size that can be read, an ellipsis stands for those between the
    first and the last.
    """
    every: Slots = tuple(range(len(what.words)))
    line = _line(theme, what, every)
    fits = line.working.row().em_within(width) >= theme.type.note
    return line if fits or len(every) < 3 else _line(theme, what, (0, None, every[-1]))


def _line(theme: Theme, what: Blend, places: Slots) -> BlendLine:
    colours, shares = theme.colours, what.weights
    line = Working(theme).symbol("z", colours.ink, word=what.words[what.asker])
    line.sign(relation(what.shares_are_exact))
    for place in places:
        if place != places[0]:
            line.sign("+")
        if place is None:
            line.sign(ELLIPSIS)
            continue
        line.number(float(shares[place]), SHARE, what.weights_source.format(j=place), colours.weight)
        line.symbol("v", colours.value, word=what.words[place])
    entries = [what.output[c] for c in shown(slots(len(what.output)))]
    line.sign(relation(what.shares_are_exact and all(what.style.is_exact(float(entry)) for entry in entries)))
    vector(line, what.output, what.style, what.output_source)
    terms = shown(places)
    return BlendLine(line, terms, tuple(line.numbers[: len(terms)]), tuple(line.numbers[len(terms) :]))
