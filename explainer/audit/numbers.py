"""Whether the numbers on screen are true: what their outlines show, against what they say they come from."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from numbers import Real
from typing import Any

from explainer.audit.faults import Sighting
from explainer.audit.glyphs import alphabet, face_file, read, said
from explainer.audit.picture import NumberFacts, Snapshot, Text

_NAME = r"[A-Za-z]\w*"
_PATH = rf"{_NAME}(?:\.{_NAME})*"
_ENTRY = re.compile(rf"({_PATH})(?:\[(-?\d+(?:, *-?\d+)*)\])?")
_SHAPE = re.compile(rf"shape\(({_PATH})\)\[(-?\d+)\]")


def sightings(snapshot: Snapshot, sources: Mapping[str, Any], words: Collection[str] = ()) -> Iterator[Sighting]:
    """Every number that is not true, and every number that nothing vouches for.

    ``words`` are the story's own: they may be numbers, and are shown as they are.
    """
    for text in snapshot.texts:
        if text.number is not None:
            yield from _untrue(text, text.number, sources)
        elif text.kind == "label" and text.said not in words and _is_number(text.said):
            yield _sighting(text, text.said, "a number with a source")


def value_at(source: str, sources: Mapping[str, Any]) -> float:
    """The value that a path leads to: ``name.name[i, j]``, a plain ``name``, or ``shape(name.name)[k]``.

    LookupError says why it leads nowhere.
    """
    if match := _SHAPE.fullmatch(source):
        found: Any = getattr(_follow(match[1], sources), "shape", None)
        if found is None:
            raise LookupError(f"{match[1]} has no shape")
        place = (int(match[2]),)
    elif match := _ENTRY.fullmatch(source):
        found = _follow(match[1], sources)
        place = tuple(int(part) for part in match[2].split(",")) if match[2] else ()
    else:
        raise LookupError("it is no path")
    if place:
        try:
            found = found[place[0] if len(place) == 1 else place]
        except (IndexError, TypeError) as error:
            raise LookupError(str(error)) from None
    if not isinstance(found, Real):
        raise LookupError("it leads to no single number")
    return float(found)


def shown_text(text: Text) -> str:
    """The characters that a number's outline shows."""
    weight = "Semibold" if text.number is not None and text.number.is_strong else "Regular"
    return read(text.outline.points, alphabet(face_file(weight))).text


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
    first, *rest = path.split(".")
    if first not in sources:
        raise LookupError(f"there is no {first}")
    found = sources[first]
    for name in rest:
        if not hasattr(found, name):
            raise LookupError(f"there is no {name} in {path}")
        found = getattr(found, name)
    return found


def _is_number(text: str) -> bool:
    try:
        said(text)
    except ValueError:
        return False
    return True
