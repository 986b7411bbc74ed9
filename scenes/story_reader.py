"""Reading a story's TOML value by value, and saying everything that is wrong with it at once.

A :class:`Kind` turns one TOML value into a typed one or raises :class:`Unfit`; the :class:`Reader` takes
values by their dotted key and keeps every fault. Which keys there are and how they depend on each other
belongs to ``story``; nothing here knows what attention is.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from scenes.fonts import draws_nothing

T = TypeVar("T")
D = TypeVar("D")
Array = npt.NDArray[np.float64]

LARGEST = 1e6
"""The largest magnitude of a number in a story."""

# What TOML lets stand as a key without quotes.
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_TOML = "TOML, as `explainer new my.toml` writes it"

# Control characters proper, breaks of lines, halves of characters; and what reorders its neighbours.
_CONTROL_CATEGORIES = ("Cc", "Zl", "Zp", "Cs")
_REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class StoryError(Exception):
    """A story that cannot be used; ``faults`` holds one line each."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


class Unfit(Exception):
    """A value that is not of the kind asked for: what was found, and the name that was probably meant."""

    def __init__(self, found: str, nearest: str = "") -> None:
        super().__init__(found)
        self.found, self.nearest = found, nearest


@dataclass(frozen=True)
class Kind(Generic[T]):
    """What a key may hold, in words, and the function that reads it (and raises :class:`Unfit`)."""

    allowed: str
    read: Callable[[Any], T]


def whole(low: int, high: int) -> Kind[int]:
    """A whole number from ``low`` to ``high``."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise Unfit(shown(value))
        return value

    return Kind(f"a whole number from {low} to {high}", read)


def number(low: float, high: float) -> Kind[float]:
    """A finite number from ``low`` to ``high``."""

    def read(value: Any) -> float:
        if not is_number(value) or not low <= value <= high:
            raise Unfit(shown(value))
        return float(value)

    return Kind(f"a number from {_short(low)} to {_short(high)}", read)


def one_of(*names: str) -> Kind[str]:
    """One of a few names."""

    def read(value: Any) -> str:
        if value not in names:
            raise Unfit(shown(value), nearest(value, names))
        return str(value)

    return Kind(listed(names), read)


def text(longest: int) -> Kind[str]:
    """Text of one line that has something to see in it."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or len(value) > longest:
            raise Unfit(shown(value))
        for char in value:
            if unicodedata.category(char) in _CONTROL_CATEGORIES or char in _REORDERING:
                raise Unfit(f"{shown(value)} (control character {code_point(char)})")
        if draws_nothing(value):
            raise Unfit(f"{shown(value)} (blank)")
        if value != value.strip():
            raise Unfit(f"{shown(value)} (space at an end)")
        return value

    allowed = f"text of 1 to {longest} characters, not blank, no space at the ends, no control characters"
    return Kind(allowed, read)


def list_of(kind: Kind[T], shortest: int, longest: int) -> Kind[tuple[T, ...]]:
    """A list of ``shortest`` to ``longest`` values of one kind."""

    def read(value: Any) -> tuple[T, ...]:
        if not isinstance(value, list) or not shortest <= len(value) <= longest:
            raise Unfit(shown(value))
        return tuple(_each(kind, ((f"at position {i}", each) for i, each in enumerate(value, start=1))))

    return Kind(f"a list of {shortest} to {longest}, each {kind.allowed}", read)


def matrix(entry: Kind[float], most_columns: int) -> Kind[Array]:
    """A list of rows of equal length, as an array (rows, columns)."""

    def read(value: Any) -> Array:
        if not isinstance(value, list) or not value:
            raise Unfit(shown(value))
        for i, row in enumerate(value, start=1):
            if not isinstance(row, list) or not 1 <= len(row) <= most_columns:
                raise Unfit(f"{shown(row)} as row {i}")
            if len(row) != len(value[0]):
                raise Unfit(f"rows of {len(value[0])} and of {len(row)} (rows 1 and {i})")
        cells = (
            (f"in row {i}, column {j}", cell)
            for i, row in enumerate(value, start=1)
            for j, cell in enumerate(row, start=1)
        )
        return np.array(_each(entry, cells)).reshape(len(value), -1)

    return Kind(f"rows of equal length, 1 to {most_columns} columns, each entry {entry.allowed}", read)


def _each(kind: Kind[T], placed: Iterable[tuple[str, Any]]) -> list[T]:
    """Every value read; the first unfit one is told with its place, the others are counted."""
    values: list[T] = []
    unfit: list[Unfit] = []
    for place, value in placed:
        try:
            values.append(kind.read(value))
        except Unfit as error:
            unfit.append(Unfit(f"{error.found} {place}", error.nearest))
    if unfit:
        more = f", and {len(unfit) - 1} more like it" if len(unfit) > 1 else ""
        raise Unfit(unfit[0].found + more, unfit[0].nearest)
    return values


def is_number(value: Any) -> bool:
    """Whether a TOML value is a number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def shown(value: Any) -> str:
    """A TOML value as a fault quotes it: short, and as the story would write it."""
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    # Python refuses to write out integers of more than a few thousand digits.
    if isinstance(value, int) and abs(value) > 10**20:
        return "a whole number of more than 20 digits"
    if isinstance(value, bool | str):
        literal = json.dumps(value, ensure_ascii=False)
        return literal if len(literal) <= 60 else f'{literal[:58]}…"'
    return str(value)


def _short(limit: float) -> str:
    return f"{limit:g}".replace("e+0", "e").replace("e-0", "e-")


def count(number: int, noun: str) -> str:
    """A number with its noun, as "1 row" or "2 rows"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def code_point(char: str) -> str:
    """A character by its number, as U+1F431."""
    return f"U+{ord(char):04X}"


def printable(line: str) -> str:
    """``line`` with an escape for every character that would break it or cannot be seen."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)


def listed(names: Iterable[str]) -> str:
    """Names as a story writes them."""
    return ", ".join(f'"{name}"' for name in names)


def nearest(name: Any, names: Iterable[str]) -> str:
    """The one of ``names`` that ``name`` was probably meant to be; empty when none is near."""
    by_folded = {each.casefold(): each for each in names}
    found = get_close_matches(str(name)[:100].casefold(), by_folded, n=1) if isinstance(name, str) else []
    return by_folded[found[0]] if found else ""


def fault_line(place: str, key: str, found: str, allowed: str, nearest: str = "") -> str:
    """One fault as one line, whatever characters the story put into it."""
    hint = f' (did you mean "{nearest}"?)' if nearest else ""
    return printable(": ".join(filter(None, (place, key, f"found {found}; allowed: {allowed}{hint}"))))


class Reader:
    """The values of one story and all the faults found in them.

    ``name`` stands at the head of each fault, unless one of the ``overrides`` (``key=value``) brought the
    value: these replace what the file says before anything is checked. ``keys`` are all the dotted keys that
    exist. Raises :class:`StoryError` when ``toml`` is not TOML.
    """

    def __init__(self, name: str, toml: str, overrides: Sequence[str], keys: Sequence[str]) -> None:
        self.name = name
        self.faults: list[str] = []
        self._keys = keys
        self._overridden: set[str] = set()
        self._unreadable: set[str] = set()
        self._root = _parsed(name, toml)
        for override in overrides:
            self._apply(override)
        self._check_names(self._root, "")

    def take(self, key: str, kind: Kind[T], default: D, *, required: bool = False) -> T | D:
        """The value at ``key``, or ``default`` where there is none or (a fault) one of another kind."""
        table, leaf = self._table_of(key)
        if leaf not in table:
            if required:
                self.fault(key, "nothing", kind.allowed)
                self._unreadable.add(key)
            return default
        try:
            return kind.read(table[leaf])
        except Unfit as unfit:
            self.fault(key, unfit.found, kind.allowed, unfit.nearest)
            self._unreadable.add(key)
            return default

    def has(self, key: str) -> bool:
        """Whether the story says anything about ``key``, be it good or faulty."""
        table, leaf = self._table_of(key)
        return leaf in table

    def is_unreadable(self, key: str) -> bool:
        """Whether the value at ``key`` was not of its kind when it was taken, so nothing follows from it."""
        return key in self._unreadable

    def fault(self, key: str, found: str, allowed: str, nearest: str = "") -> None:
        """Keep a fault of the value at ``key``."""
        place = "--set" if key in self._overridden else self.name
        self.faults.append(fault_line(place, key, found, allowed, nearest))

    def finish(self) -> None:
        """Raise :class:`StoryError` if there is any fault."""
        if self.faults:
            raise StoryError(self.faults)

    def _table_of(self, key: str) -> tuple[dict[str, Any], str]:
        *above, leaf = key.split(".")
        table: Any = self._root
        for part in above:
            table = table.get(part, {}) if isinstance(table, dict) else {}
        return (table if isinstance(table, dict) else {}), leaf

    def _apply(self, override: str) -> None:
        key, equals, value = override.partition("=")
        if not equals:
            return self.faults.append(fault_line("--set", "", shown(override), "key=value, as look.theme=light"))
        key = key.strip()
        if key not in self._keys:
            return self._unknown("--set", key or shown(key), key[: key.rfind(".") + 1])
        *above, leaf = key.split(".")
        table = self._root
        for part in above:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                return None  # _check_names tells that this is no table
        table[leaf] = _override_value(value.strip())
        self._overridden.add(key)
        return None

    def _check_names(self, table: dict[str, Any], above: str) -> None:
        for name, value in table.items():
            # A name in quotes may hold a dot, which then does not lead into a table.
            key = above + (name if _BARE_KEY.fullmatch(name) else shown(name))
            if key in self._keys:
                continue
            if not any(known.startswith(f"{key}.") for known in self._keys):
                self._unknown(self.name, key, above)
            elif isinstance(value, dict):
                self._check_names(value, f"{key}.")
            else:
                self.fault(key, shown(value), f"a table, [{key}]")

    def _unknown(self, place: str, key: str, above: str) -> None:
        if inside := self._names_under(f"{key}."):
            found = "a table as a whole"
            return self.faults.append(fault_line(place, key, found, f"one of its keys: {', '.join(inside)}"))
        beside = self._names_under(above) or self._names_under("")
        by_leaf = {known.rpartition(".")[2]: known for known in reversed(self._keys)}
        guess = nearest(key, beside) or by_leaf.get(nearest(key.rpartition(".")[2], by_leaf), "")
        self.faults.append(fault_line(place, key, "an unknown key", ", ".join(beside), guess))
        return None

    def _names_under(self, above: str) -> list[str]:
        """The keys and tables directly in the table ``above``, which ends with a dot or is the whole story."""
        inside = (known.removeprefix(above) for known in self._keys if known.startswith(above))
        return list(dict.fromkeys(above + rest.split(".")[0] for rest in inside))


def _parsed(name: str, toml: str) -> dict[str, Any]:
    try:
        return tomllib.loads(toml)
    except tomllib.TOMLDecodeError as error:
        what, _, where = str(error).removesuffix(")").partition(" (at ")
        raise StoryError([fault_line(name, where, f"no TOML ({what})", _TOML)]) from None
    except (ValueError, RecursionError):
        # tomllib lets these two through: a number of thousands of digits, and thousands of nested brackets.
        found = "numbers too long or brackets too deep to read"
        raise StoryError([fault_line(name, "", found, _TOML)]) from None


def _override_value(value: str) -> Any:
    """A TOML value where ``value`` is one, else the text as it stands."""
    try:
        parsed = tomllib.loads(f"value = {value}")
    except (ValueError, RecursionError):
        return value
    return parsed["value"] if len(parsed) == 1 else value
