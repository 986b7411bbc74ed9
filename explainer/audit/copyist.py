"""Copies what is drawn off Manim's mobjects: outlines, colours, opacities, and what numbers say of themselves.

What has not changed since the last copy comes out as the same object, so that nothing is judged twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from manim import Mobject, Typst, VMobject
from manim.mobject.text.text_mobject import MarkupText
from manim.mobject.text.text_mobject import Text as ManimText

from explainer.audit.picture import SEEN, Array, Mark, NumberFacts, Outline, Paint, Part, Snapshot, Text
from scenes.fonts import film_face
from scenes.mobjects.number import Number
from scenes.mobjects.overlaps import is_ground
from scenes.mobjects.text import Label
from scenes.mobjects.typeset import Writing

Leaf: TypeAlias = tuple[Mobject, Mobject | None]
"""Something with an outline of its own, and the text that it belongs to."""

_WRITTEN = (Writing, Typst, ManimText, MarkupText)
_UNIT = 100.0
"""Manim's stroke widths are hundredths of a unit."""
_COARSE = 3
"""Every how many pixels of an image one is looked at to see whether it has changed."""

_Painted: TypeAlias = list[tuple[Mobject, Paint]]


class Copyist:
    """Makes snapshots, and remembers the last one."""

    def __init__(self) -> None:
        self._outlines: WeakKeyDictionary[Mobject, Outline] = WeakKeyDictionary()
        self._paints: WeakKeyDictionary[Mobject, tuple[tuple[bytes, bytes, float], Paint]] = WeakKeyDictionary()
        self._things: WeakKeyDictionary[Mobject, Text | Mark] = WeakKeyDictionary()
        self._static: tuple[Sequence[Leaf], list[Text | Mark]] = ((), [])

    def snapshot(self, static: Sequence[Leaf], moving: Sequence[Leaf]) -> Snapshot:
        """What can be seen, the lowest first. The same ``static`` object: what stands is as it was.

        A number that stands may still become untrue: what makes it true is asked for each time.
        """
        known, standing = self._static
        if known is not static:
            standing = self._copied(static)
            self._static = static, standing
        else:
            live = {id(text): text for _, text in static if isinstance(text, Number) and text.truth is not None}
            if live:
                standing = [self._asked_again(thing, live.get(thing.owner)) for thing in standing]
        drawn = standing + self._copied(moving)
        return Snapshot(
            drawn=tuple(thing for thing in drawn if thing.outline.is_finite),
            broken=tuple(thing for thing in drawn if not thing.outline.is_finite),
        )

    def _copied(self, leaves: Iterable[Leaf]) -> list[Text | Mark]:
        drawn: list[Text | Mark] = []
        for owner, group in groupby(leaves, key=lambda leaf: leaf[1] or leaf[0]):
            seen = [(leaf, paint) for leaf, _ in group if (paint := self._paint(leaf)).opacity > SEEN]
            # A line that hangs on a text, such as one that leads to what it names, is not written.
            is_text = isinstance(owner, _WRITTEN)
            written = [(leaf, paint) for leaf, paint in seen if is_text and paint.fill_opacity > SEEN]
            if written:
                drawn.append(self._text(owner, written))
            drawn += [self._mark(leaf, paint) for leaf, paint in seen if not (is_text and paint.fill_opacity > SEEN)]
        return drawn

    def _asked_again(self, thing: Text | Mark, number: Number | None) -> Text | Mark:
        if number is None or not isinstance(thing, Text) or thing.number == (facts := _facts(number)):
            return thing
        return replace(thing, number=facts)

    def _outline(self, leaf: Mobject) -> Outline:
        known, points = self._outlines.get(leaf), leaf.points
        if not isinstance(leaf, VMobject):
            points = _rectangle(points)
        if known is None or not np.array_equal(known.points, points):
            known = self._outlines[leaf] = Outline(points.copy())
        return known

    def _paint(self, leaf: Mobject) -> Paint:
        if not isinstance(leaf, VMobject):
            return _paint_of_image(leaf)
        width = leaf.stroke_width if isinstance(leaf.stroke_width, float | int) else float(np.max(leaf.stroke_width))
        key = leaf.fill_rgbas.tobytes(), leaf.stroke_rgbas.tobytes(), width
        known = self._paints.get(leaf)
        if known is None or known[0] != key:
            known = self._paints[leaf] = key, _paint(leaf.fill_rgbas, leaf.stroke_rgbas, width)
        return known[1]

    def _text(self, owner: Mobject, written: _Painted) -> Text:
        known = self._things.get(owner)
        number = _facts(owner) if isinstance(owner, Number) else None
        parts = [(self._outline(leaf), paint.fill, paint.fill_opacity) for leaf, paint in written]
        outline = None
        if isinstance(known, Text):
            before = [(part.outline, part.colour, part.opacity) for part in known.parts]
            if before == parts and known.number == number:
                return known
            if [part[0] for part in before] == [part[0] for part in parts]:
                outline = known.outline
        text = self._things[owner] = Text(
            owner=id(owner),
            kind=_kind(owner),
            outline=outline or _joined([part[0] for part in parts]),
            parts=tuple(Part(*part) for part in parts),
            said=owner.text if isinstance(owner, Label) else "",
            em=owner.em if isinstance(owner, Writing) else None,
            number=number,
        )
        return text

    def _mark(self, leaf: Mobject, paint: Paint) -> Mark:
        known, outline, ground = self._things.get(leaf), self._outline(leaf), is_ground(leaf)
        if isinstance(known, Mark) and known.outline is outline and (known.paint, known.is_ground) == (paint, ground):
            return known
        mark = self._things[leaf] = Mark(id(leaf), type(leaf).__name__, outline, paint, ground)
        return mark


def leaves_of(mobjects: Iterable[Mobject]) -> list[Leaf]:
    """Everything with points in some families, in the order of drawing."""
    found: dict[int, Leaf] = {}
    for mobject in mobjects:
        for leaf in _family(mobject, None):
            # As Manim does it: what comes twice is drawn where it comes last.
            found.pop(id(leaf[0]), None)
            found[id(leaf[0])] = leaf
    return sorted(found.values(), key=lambda leaf: leaf[0].z_index)


def _family(mobject: Mobject, text: Mobject | None) -> Iterator[Leaf]:
    text = mobject if text is None and isinstance(mobject, _WRITTEN) else text
    if len(mobject.points):
        yield mobject, text
    for child in mobject.submobjects:
        yield from _family(child, text)


def _paint(fills: Array, strokes: Array, width: float) -> Paint:
    fill, stroke = (np.atleast_2d(rgbas).mean(axis=0).tolist() for rgbas in (fills, strokes))
    fill_colour, stroke_colour = (fill[0], fill[1], fill[2]), (stroke[0], stroke[1], stroke[2])
    return Paint(fill_colour, fill[3], stroke_colour, stroke[3] if width > 0 else 0.0, width / _UNIT)


def _paint_of_image(image: Mobject) -> Paint:
    pixels = getattr(image, "pixel_array", np.full((1, 1, 4), 255))[::_COARSE, ::_COARSE]
    red, green, blue, alpha = (pixels.reshape(-1, 4).mean(axis=0) / 255).tolist()
    colour = red, green, blue
    return Paint(colour, alpha, colour, 0.0, 0.0, texture=hash(pixels.tobytes()))


def _rectangle(points: Array) -> Array:
    """The box around points as an outline."""
    (left, bottom), (right, top) = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    corners = np.array([(left, bottom, 0), (right, bottom, 0), (right, top, 0), (left, top, 0)])
    return np.concatenate([np.linspace(a, b, 4) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])


def _joined(outlines: Sequence[Outline]) -> Outline:
    return outlines[0] if len(outlines) == 1 else Outline(np.concatenate([outline.points for outline in outlines]))


def _facts(number: Number) -> NumberFacts:
    return NumberFacts(
        source=number.source,
        true=None if number.truth is None else float(number.truth()),
        decimals=number.style.decimals,
        is_percent=number.style.percent,
        is_strong=number.face == film_face().semibold,
    )


def _kind(owner: Mobject) -> str:
    if isinstance(owner, Number):
        return "number"
    return "label" if isinstance(owner, Label) else "formula"
