"""Whether what is on screen can be read: inside the frame, large enough, and apart from all else."""

from __future__ import annotations

import string
from collections.abc import Iterator
from functools import lru_cache
from statistics import median

import numpy as np

from explainer.audit.faults import Sighting
from explainer.audit.glyphs import Alphabet, alphabet, face_file, sizes
from explainer.audit.ink import Ink, Meeting
from explainer.audit.picture import HINT, STRONG, Array, Box, Mark, Outline, Paint, Snapshot, Text

MARGIN = 0.3
"""Units from the frame's edge that nothing may come into."""
SHORTER_SIDE = 8.0
READ, LEAST = SHORTER_SIDE / 45, SHORTER_SIDE / 60
"""Height of capitals and figures: of what must be read, and of anything at all."""
TOUCH = 0.01
"""Units up to which two glyphs' boxes that meet are said to be apart."""
TRACE = 0.004
"""Share of a text's ink up to which it is said to lie beside a mark: what rounding to pixels makes."""

_LETTERS = string.ascii_letters + string.digits
_CHARACTERS = _LETTERS + "−+=≈×·/()[],%√"


# The frame


def beyond_margin(snapshot: Snapshot, frame: Box) -> Iterator[Sighting]:
    """Texts and marks that come too near to the frame's edge."""
    for thing in snapshot.broken:
        yield Sighting("frame", (thing.owner,), thing.kind, "at no place", f"{MARGIN:g} from the edge")
    safe = frame.grown(-MARGIN)
    # What comes in or goes may do so across the margin.
    shown = [thing for thing in snapshot.drawn if thing.opacity > HINT]
    things = [thing for thing in shown if not (isinstance(thing, Mark) and thing.is_ground)]
    if not things:
        return
    boxes = _stacked([thing.box for thing in things])
    outside = (boxes[:, 0] < safe.low - 1e-6) | (boxes[:, 1] > safe.high + 1e-6)
    for thing in (things[k] for k in np.flatnonzero(outside.any(axis=1))):
        box = thing.box
        room = MARGIN + min(float((box.low - safe.low).min()), float((safe.high - box.high).min()))
        found = f"{room:.2f} from the edge" if room >= 0 else f"{-room:.2f} beyond the edge"
        yield Sighting("frame", (thing.owner,), thing.name, found, f"{MARGIN:g} from the edge", box)


# Sizes


def too_small(snapshot: Snapshot) -> Iterator[Sighting]:
    """Texts whose capitals and figures are lower than they may be."""
    for text in snapshot.texts:
        whole, smallest = capital_heights(text)
        must_be_read = text.opacity > STRONG and not _is_tick(text)
        for height, allowed in ((whole, READ if must_be_read else LEAST), (smallest, LEAST)):
            if height < allowed - 1e-4:
                found, least = (f"1/{SHORTER_SIDE / size:.0f} of the frame" for size in (height, allowed))
                yield Sighting("size", (text.owner,), text.name, f"capitals {found}", f"{least} at least", text.box)
                break


def capital_heights(text: Text) -> tuple[float, float]:
    """The height that capitals have in a text, and in the smallest of its letters.

    Found from the shapes of its letters; where none is known, from the em that the text has, or its tallest glyph.
    """
    found = letter_sizes(text.outline, _is_strong(text))
    capital = _capital()
    known = [em for char, em in found if char in _LETTERS]
    if text.kind == "number" and known:
        return capital * max(known), capital * min(known)
    if text.kind == "formula" and text.em is not None:
        # Its symbols are of a face of mathematics; the words at their feet are not.
        return capital * text.em, min([capital * em for em in known], default=np.inf)
    if known:
        return float(capital * median(known)), np.inf
    if text.em is not None:
        return capital * text.em, np.inf
    heights = np.diff(text.outline.glyphs[:, :, 1], axis=1)
    return float(heights.max()), np.inf


@lru_cache(maxsize=4096)
def letter_sizes(outline: Outline, is_strong: bool | None = None) -> list[tuple[str, float]]:
    """Each glyph that looks like a character of the film's face, and the em at which that is as large.

    ``is_strong`` tells the weight of the face; None, where either may be meant.
    """
    regular, strong = _faces()
    if is_strong is not None:
        return sizes(outline.points, strong if is_strong else regular)
    return max((sizes(outline.points, face) for face in (regular, strong)), key=len)


def _is_strong(text: Text) -> bool | None:
    return None if text.number is None else text.number.is_strong


@lru_cache
def _faces() -> tuple[Alphabet, Alphabet]:
    return alphabet(face_file(), _CHARACTERS), alphabet(face_file("Semibold"), _CHARACTERS)


@lru_cache
def _capital() -> float:
    """The height of a capital in ems."""
    return next(shape.ink.height for shape in _faces()[0].shapes if shape.char == "H")


def _is_tick(text: Text) -> bool:
    """Whether a text is the number of a tick: it helps who looks for it, and is not read otherwise."""
    return text.number is not None and text.number.source.startswith("axis ")


# What lies on what


class Overlaps:
    """Finds texts that lie on texts and on marks, and remembers what has not moved since the moment before."""

    def __init__(self) -> None:
        self._before: frozenset[Outline] = frozenset()
        self._inks: dict[Outline, Ink] = {}
        self._meetings: dict[tuple[Outline, Outline, Paint], Meeting] = {}

    def sightings(self, snapshot: Snapshot, *, is_moving: bool = False) -> Iterator[Sighting]:
        """What lies on what in a picture that stands, or in one of a movement."""
        # A text that fades into another, or into a mark, does not lie on it.
        texts = [text for text in snapshot.texts if text.opacity > HINT]
        marks = [mark for mark in snapshot.marks if mark.opacity > HINT]
        if not texts:
            return
        boxes = _stacked([text.box for text in texts])
        yield from self._texts_on_texts(texts, boxes, is_moving)
        yield from self._texts_on_marks(snapshot, texts, marks, boxes)
        self._before = frozenset(text.outline for text in texts)

    def _texts_on_texts(self, texts: list[Text], boxes: Array, is_moving: bool) -> Iterator[Sighting]:
        for i, j in np.argwhere(np.triu(_common(boxes, boxes, TOUCH), 1)):
            a, b = texts[i], texts[j]
            moves = is_moving and not {a.outline, b.outline} <= self._before
            if _says_the_same(a, b) and (moves or _coincide(a, b)):
                # A copy waits on its original, leaves it, or comes to where it is wanted.
                continue
            glyphs, others = a.outline.glyphs, b.outline.glyphs
            pairs = np.argwhere(_common(glyphs, others, TOUCH))
            if len(pairs):
                low = np.maximum(glyphs[pairs[:, 0], 0], others[pairs[:, 1], 0]).min(axis=0)
                high = np.minimum(glyphs[pairs[:, 0], 1], others[pairs[:, 1], 1]).max(axis=0)
                width, height = high - low
                key = tuple(sorted((a.owner, b.owner)))
                what = f"{a.name} | {b.name}"
                yield Sighting("overlap", key, what, f"{width:.2f} x {height:.2f} shared", "apart", Box(low, high))

    def _texts_on_marks(
        self, snapshot: Snapshot, texts: list[Text], marks: list[Mark], boxes: Array
    ) -> Iterator[Sighting]:
        inks, meetings = self._inks, self._meetings
        self._inks, self._meetings = {}, {}
        meeting = _common(boxes, _stacked([mark.box for mark in marks])) if marks else np.zeros((len(texts), 0))
        for text, row in zip(texts, meeting, strict=True):
            near = [marks[j] for j in np.flatnonzero(row)]
            for mark in _not_hidden(snapshot, text, near):
                key = text.outline, mark.outline, mark.paint
                ink = inks.get(text.outline) or self._inks.get(text.outline) or Ink(text.outline)
                found = meetings.get(key) or ink.meeting(mark.outline, mark.paint)
                self._inks[text.outline], self._meetings[key] = ink, found
                yield from _judged(snapshot, text, mark, found)


def _judged(snapshot: Snapshot, text: Text, mark: Mark, meeting: Meeting) -> Iterator[Sighting]:
    """What is wrong about a text and a mark that meet: one crosses the other, or the mark covers the text."""
    is_over = snapshot.order[id(mark)] > snapshot.order[id(text)]
    if is_over and meeting.on_fill > TRACE:
        found = f"{meeting.on_fill:.0%} of it under the {mark.kind}"
    elif not mark.is_ground and meeting.on_stroke > TRACE:
        found = f"{max(0.01, meeting.on_stroke):.0%} of it on the stroke"
    elif not mark.is_ground and TRACE < meeting.on_fill < 1 - TRACE:
        found = f"across the edge, {meeting.on_fill:.0%} of it inside"
    else:
        return
    what = f"{text.name} | {mark.name}"
    yield Sighting("overlap", (text.owner, mark.owner), what, found, "apart", meeting.place)


def _not_hidden(snapshot: Snapshot, text: Text, near: list[Mark]) -> list[Mark]:
    """The marks of ``near`` that nothing opaque hides where the text stands."""
    place, order = snapshot.order[id(text)], snapshot.order
    plates = [
        order[id(mark)]
        for mark in near
        if order[id(mark)] < place and mark.paint.fill_opacity > 0.95 and _holds(mark.outline, text.outline.box)
    ]
    highest = max(plates, default=-1)
    shown = [mark for mark in near if order[id(mark)] >= highest]
    return [mark for mark in shown if not (order[id(mark)] < place and _clears(mark, text.outline.box))]


def _holds(outline: Outline, box: Box) -> bool:
    """Whether a filled outline that is nearly a rectangle holds a box."""
    return _is_rectangle(outline) and outline.box.contains(box)


def _clears(mark: Mark, box: Box) -> bool:
    """Whether a box stands on a nearly rectangular mark without touching its rim."""
    is_filled = mark.paint.fill_opacity > HINT
    return is_filled and _is_rectangle(mark.outline) and mark.outline.box.grown(-mark.paint.reach).contains(box)


@lru_cache(maxsize=4096)
def _is_rectangle(outline: Outline) -> bool:
    corners = outline.curves[:, 0]
    nexts = np.roll(corners, -1, axis=0)
    area = abs(float((corners[:, 0] * nexts[:, 1] - corners[:, 1] * nexts[:, 0]).sum())) / 2
    # Rounded corners take a few per cent.
    return len(outline.starts) == 1 and area > 0.93 * float(np.prod(outline.box.size))


def _says_the_same(a: Text, b: Text) -> bool:
    sources = [text.number.source if text.number is not None else "" for text in (a, b)]
    return (a.kind, a.said, sources[0]) == (b.kind, b.said, sources[1])


def _coincide(a: Text, b: Text) -> bool:
    one, other = a.outline.box, b.outline.box
    return bool(max(np.abs(one.low - other.low).max(), np.abs(one.high - other.high).max()) < TOUCH)


def _stacked(boxes: list[Box]) -> Array:
    """Boxes as one array ``(n, 2, 2)``."""
    return np.array([(box.low, box.high) for box in boxes])


def _common(some: Array, others: Array, touch: float = 0.0) -> Array:
    """Which boxes of ``(n, 2, 2)`` and ``(m, 2, 2)`` have more in common than a touch: ``(n, m)`` of truth values."""
    low = np.maximum(some[:, None, 0], others[None, :, 0])
    high = np.minimum(some[:, None, 1], others[None, :, 1])
    return np.asarray((high - low > touch).all(axis=2))
