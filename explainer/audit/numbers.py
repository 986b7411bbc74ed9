"""Whether the numbers on screen are true: what their outlines show, against what they say they come from."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from numbers import Real
from typing import Any

from explainer.audit.faults import Sighting
from explainer.audit.glyphs import alphabet, face_file, read, said
from explainer.audit.picture import NumberFacts, Outline, Snapshot, Text

_NAME = r"[A-Za-z]\w*"
_PLACE = r"\[-?\d+(?:, *-?\d+)*\]"
_PATH = rf"{_NAME}(?:\.{_NAME}|{_PLACE})*"
_VALUE = re.compile(r"\d[.,]\d|\d\s?%")
_SHAPE = re.compile(rf"shape\(({_PATH})\)({_PLACE})")
_STEP = re.compile(rf"({_NAME})|({_PLACE})")


def sightings(snapshot: Snapshot, sources: Mapping[str, Any], words: Collection[str] = ()) -> Iterator[Sighting]:
    """Every number that is not true, and every number that nothing vouches for.

    ``words`` are the story's own: they may be numbers, and are shown as they are.
    """
    for text in snapshot.texts:
        if text.number is not None:
            yield from _untrue(text, text.number, sources)
        elif text.kind == "label" and text.said not in words and _holds_a_value(text.said):
            yield _sighting(text, text.said, "a number with a source")


def value_at(source: str, sources: Mapping[str, Any]) -> float:
    """The value that a path leads to: ``name``, then any number of ``.name`` and ``[i, j]``; or ``shape(path)[k]``.

    LookupError says why it leads nowhere.
    """
    if match := _SHAPE.fullmatch(source):
        shape = getattr(_follow(match[1], sources), "shape", None)
        if shape is None:
            raise LookupError(f"{match[1]} has no shape")
        found = _at(shape, match[2])
    elif re.fullmatch(_PATH, source):
        found = _follow(source, sources)
    else:
        raise LookupError("it is no path")
    if not isinstance(found, Real):
        raise LookupError("it leads to no single number")
    return float(found)


def shown_text(text: Text) -> str:
    """The characters that a number's outline shows."""
    return _read(text.outline, text.number is not None and text.number.is_strong)


@lru_cache(maxsize=4096)
def _read(outline: Outline, is_strong: bool) -> str:
    return read(outline.points, alphabet(face_file("Semibold" if is_strong else "Regular"))).text


def is_rounded_from(shown: str, value: float, facts: NumberFacts) -> bool:
    """Whether ``shown`` is ``value`` rounded to nearest in the number's own style."""
    if math.isinf(value):
        return shown == ("∞" if value > 0 else "−∞")
    if math.isnan(value):
        return False
    try:
        number = said(shown)
    except ValueError:
        return False
    decimals = 1 if number.is_power else facts.decimals
    in_style = number.decimals == decimals and number.is_percent == facts.is_percent
    return in_style and number.is_nearest_to(Decimal(value))


def _untrue(text: Text, facts: NumberFacts, sources: Mapping[str, Any]) -> Iterator[Sighting]:
    value = facts.true
    if value is None:
        if not facts.source:
            yield _sighting(text, shown_text(text), "a number with a source")
            return
        try:
            value = value_at(facts.source, sources)
        except LookupError as error:
            yield _sighting(text, shown_text(text), f"a source that leads to a number ({error})")
            return
    shown = shown_text(text)
    if not is_rounded_from(shown, value, facts):
        yield _sighting(text, shown, f"{value:.8g}, rounded to {_style(facts)}")


def _style(facts: NumberFacts) -> str:
    return f"{facts.decimals} decimal{'s' * (facts.decimals != 1)}{' of a percentage' * facts.is_percent}"


def _sighting(text: Text, found: str, allowed: str) -> Sighting:
    source = text.number.source if text.number is not None else ""
    return Sighting("number", (text.owner,), source or text.name, found, allowed, text.outline.box)


def _follow(path: str, sources: Mapping[str, Any]) -> Any:
    (first, _), *rest = _STEP.findall(path)
    if first not in sources:
        raise LookupError(f"there is no {first}")
    found = sources[first]
    for name, place in rest:
        if place:
            found = _at(found, place)
        elif isinstance(found, Real) or not hasattr(found, name):
            raise LookupError(f"there is no {name} in {path}")
        else:
            found = getattr(found, name)
    return found


def _at(found: Any, place: str) -> Any:
    """What stands in a table at ``[i, j]``, or in a list at ``[i]``."""
    entry = tuple(int(part) for part in place.strip("[]").split(","))
    try:
        return found[entry[0] if len(entry) == 1 else entry]
    except (IndexError, TypeError) as error:
        raise LookupError(str(error)) from None


def _holds_a_value(text: str) -> bool:
    """Whether words hold what only a calculation gives: a fraction or a percentage, or are a number as a whole."""
    try:
        said(text)
    except ValueError:
        return _VALUE.search(text) is not None
    return True
