"""How a number is written: the one rule by which values become the characters on screen.

Pure text, no drawing. A number is rounded to nearest from its true value and never nudged; it has a real minus
sign, is never "−0.00", and says "≈" where "=" would be a lie.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
from numpy.typing import ArrayLike

MINUS = "−"
INFINITY = "∞"
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_LONGEST_PLAIN = 1e5
"""From this size on a value that is not a small whole number is written as a power of ten, to keep cells legible."""


@dataclass(frozen=True)
class NumberStyle:
    """How a kind of number is written.

    ``decimals`` digits behind the point; ``percent`` writes a share of one as a percentage.
    """

    decimals: int = 2
    percent: bool = False

    def text(self, value: float) -> str:
        """The characters of ``value``; raises :class:`ValueError` for NaN, which has no place on a screen."""
        if math.isnan(value):
            raise ValueError("a number that is not a number (NaN) cannot be shown")
        if math.isinf(value):
            return INFINITY if value > 0 else MINUS + INFINITY
        if self.percent:
            return _fixed(Decimal(value) * 100, self.decimals) + " %"
        if abs(value) >= _LONGEST_PLAIN:
            return _power_of_ten(value)
        return _fixed(Decimal(value), self.decimals)

    def is_exact(self, value: float) -> bool:
        """Whether the characters of ``value`` say all of it (up to the rounding of float64 itself)."""
        if math.isinf(value):
            return True
        return math.isclose(float(_exactly(self.text(value))), value, rel_tol=2e-15, abs_tol=1e-15)


SHARE = NumberStyle(decimals=1, percent=True)
COUNT = NumberStyle(decimals=0)


def style_for(values: ArrayLike, decimals: int) -> NumberStyle:
    """The style of a table: whole numbers stay plain when all of them are whole, else all get ``decimals``."""
    array = np.asarray(values, dtype=np.float64)
    finite = array[np.isfinite(array)]
    whole = bool(np.all(finite == np.round(finite)))
    return COUNT if whole else NumberStyle(decimals)


def fitted(style: NumberStyle, values: ArrayLike, longest: int) -> NumberStyle:
    """``style`` with as few decimals, but one at least, as leave no number more than ``longest`` characters."""
    texts = [style.text(value) for value in np.ravel(np.asarray(values, dtype=np.float64))]
    texts = [text for text in texts if "×" not in text]  # a power of ten has its own length, whatever the style
    if style.decimals > 1 and max(map(len, texts), default=0) > longest:
        return fitted(replace(style, decimals=style.decimals - 1), values, longest)
    return style


def relation(exact: bool) -> str:
    """The sign between a calculation and its shown result."""
    return "=" if exact else "≈"


def sums_up(shown: Iterable[str], total: str) -> bool:
    """Whether shown figures add up to a shown total, to the last digit shown."""
    return sum(map(_exactly, shown)) == _exactly(total)


def _exactly(text: str) -> Decimal:
    """The number that shown characters say, digit for digit."""
    mantissa, _, power = text.removesuffix(" %").replace(MINUS, "-").partition("×10")
    exponent = int(power.translate(_PLAIN)) if power else 0
    return Decimal(mantissa).scaleb(exponent - (2 if text.endswith("%") else 0))


def _fixed(value: Decimal, decimals: int) -> str:
    text = f"{value:.{decimals}f}"
    if text.startswith("-"):
        digits = text[1:]
        return digits if not digits.strip("0.") else MINUS + digits
    return text


def _power_of_ten(value: float) -> str:
    mantissa, exponent = f"{Decimal(value):.1e}".replace("E", "e").split("e")
    return f"{mantissa.replace('-', MINUS)}×10{str(int(exponent)).translate(_SUPERSCRIPTS)}"
