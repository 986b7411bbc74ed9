"""Where labels of a plane stand: beside the tips of their arrows, and in nobody's way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from manim import Line, VMobject
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import Arrow
from scenes.mobjects.boxes import (
    Boxes,
    Points,
    boxes_of,
    distances,
    length_inside,
    lengths_outside,
    sampled,
    shared_areas,
)

_RINGS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.55, 0.7, 0.9, 1.1, 1.4, 1.7)
"""How much farther from its tip a label may stand when there is no room beside it, in units."""
_TURNS = 36
"""In how many directions from its tip."""
_AIR = 0.07
"""The room around a label, in units."""
_APART, _ASTERN, _AT_ANOTHER, _ON_ARROWS, _ON_AXES = 3.0, 0.05, 3.0, 20.0, 6.0
"""What is to be said against a label, for each unit from its tip, each radian from straight ahead, each unit nearer to
the tip of another arrow, and each unit of an arrow's outline or of an axis under it."""
_ON_TEXT, _MUCH_ON_TEXT, _OUTSIDE = 10.0, 40.0, 400.0
"""And for each text that it touches, each square unit of that, and each unit out of its zone."""
_ROUNDS = 8
_FAR = 0.7
"""From this distance on a thin line leads from the label to its tip."""


@dataclass(frozen=True)
class _Surroundings:
    """What stands around labels: texts ``(l, 2, 2)``, points ``(k, 2)`` on the outlines of arrows and on axes, tips."""

    zone: Zone
    texts: Boxes
    outlines: Points
    axes: Points
    tips: Points

    def against(self, boxes: Boxes, tip: Points) -> NDArray[np.float64]:
        """What is to be said against boxes ``(m, 2, 2)`` as places of what belongs to ``tip`` ``(2,)``: ``(m,)``."""
        return np.asarray(
            _OUTSIDE * lengths_outside(boxes, self.zone, _AIR)
            + _crowding(boxes, self.texts)
            + _ON_ARROWS * length_inside(boxes, self.outlines, _AIR)
            + _ON_AXES * length_inside(boxes, self.axes, _AIR)
            + _AT_ANOTHER * _nearer_to_others(boxes, tip, self.tips)
        )


@dataclass(frozen=True)
class _Spots:
    """Where a label may stand: boxes ``(m, 2, 2)``, how much farther from the tip than need be ``(m,)``, and what is
    to be said against each of them, whatever the other labels do ``(m,)``."""

    boxes: Boxes
    far: NDArray[np.float64]
    costs: NDArray[np.float64]

    def best_beside(self, others: Boxes) -> int:
        """The best of them where other labels stand at ``others``."""
        return int(np.argmin(self.costs + _crowding(self.boxes, others)))


def place_at_tips(
    labels: Sequence[VMobject],
    arrows: Sequence[Arrow],
    zone: Zone,
    *,
    avoid: Iterable[VMobject] = (),
    axes: Iterable[tuple[Point3D, Point3D]] = (),
    distance: float = 0.16,
) -> None:
    """Put each label beside its arrow's tip, where it covers neither a label, an arrow nor the zone's edge.

    ``avoid`` are other texts and arrows that stand there, ``axes`` the ends of lines that should stay free. All labels
    are placed together: each moves to its best spot again and again, until none finds a better one.
    """
    others = list(avoid)
    drawn = [*arrows, *(other for other in others if isinstance(other, Arrow))]
    around = _Surroundings(
        zone=zone,
        texts=boxes_of(other for other in others if not isinstance(other, Arrow)),
        outlines=sampled(edge for arrow in drawn for edge in arrow.edges()),
        axes=sampled(axes),
        tips=np.array([arrow.tip[:2] for arrow in drawn]),
    )
    spots = [_spots(label, arrow, distance, around) for label, arrow in zip(labels, arrows, strict=True)]
    chosen = _best_together(spots)
    written = np.concatenate([around.texts, _boxes_at(spots, chosen)])
    for label, arrow, spot, k in zip(labels, arrows, spots, chosen, strict=True):
        label.shift(np.array([*(spot.boxes[k] - boxes_of([label])[0])[0], 0.0]))
        ends = _leader(spot.boxes[k], arrow.tip)
        if spot.far[k] >= _FAR and not length_inside(written, sampled([ends]), 0.0).any():
            label.add(Line(*ends, stroke_color=_colour_of(label), stroke_width=1.5))


def is_clear(label: VMobject, strokes: Iterable[Arrow | Line], texts: Iterable[VMobject], zone: Zone) -> bool:
    """Whether a label where it stands touches neither arrows nor lines nor texts, and lies in the zone."""
    box = boxes_of([label])
    edges = (stroke.edges() if isinstance(stroke, Arrow) else [stroke.get_start_and_end()] for stroke in strokes)
    found = (
        lengths_outside(box, zone, _AIR),
        shared_areas(box, boxes_of(texts), _AIR),
        length_inside(box, sampled(edge for outline in edges for edge in outline), _AIR),
    )
    return not any(np.any(much) for much in found)


def _spots(label: VMobject, arrow: Arrow, distance: float, around: _Surroundings) -> _Spots:
    """All around the tip, touching circles around it: the nearer and the more outward, the better."""
    outward = arrow.tip - arrow.start_point
    ahead = float(np.arctan2(outward[1], outward[0])) if np.any(outward) else np.pi / 4
    far, turn = (grid.ravel() for grid in np.meshgrid(_RINGS, np.linspace(-np.pi, np.pi, _TURNS, endpoint=False)))
    half = np.array([label.width, label.height]) / 2
    directions = np.stack([np.cos(ahead + turn), np.sin(ahead + turn)], axis=-1)
    # How far the box's own edge is from its middle in each direction.
    own = (half / np.maximum(np.abs(directions), 1e-9)).min(axis=-1)
    middles = arrow.tip[:2] + directions * (distance + far + own)[:, np.newaxis]
    boxes = np.stack([middles - half, middles + half], axis=1)
    costs = _APART * far + _ASTERN * np.abs(turn) + around.against(boxes, arrow.tip[:2])
    return _Spots(boxes, far, costs)


def _best_together(spots: Sequence[_Spots]) -> list[int]:
    """The spot of each label with which no label alone would rather stand elsewhere."""
    chosen: list[int] = []
    for spot in spots:
        chosen.append(spot.best_beside(_boxes_at(spots, chosen)))
    for _ in range(_ROUNDS):
        before = list(chosen)
        for i, spot in enumerate(spots):
            chosen[i] = spot.best_beside(np.delete(_boxes_at(spots, chosen), i, axis=0))
        if chosen == before:
            break
    return chosen


def _boxes_at(spots: Sequence[_Spots], chosen: Sequence[int]) -> Boxes:
    return np.array([spot.boxes[k] for spot, k in zip(spots, chosen, strict=False)]).reshape(-1, 2, 2)


def _crowding(boxes: Boxes, others: Boxes) -> NDArray[np.float64]:
    """What is to be said against boxes ``(m, 2, 2)`` that touch others: ``(m,)``."""
    areas = shared_areas(boxes, others, _AIR)
    return np.asarray(((areas > 0) * _ON_TEXT + _MUCH_ON_TEXT * areas).sum(axis=1))


def _nearer_to_others(boxes: Boxes, tip: Points, tips: Points) -> NDArray[np.float64]:
    """How much nearer each box is to the tip of another arrow than to its own, in units."""
    others = tips[np.linalg.norm(tips - tip, axis=-1) > 1e-9]
    if not len(others):
        return np.zeros(len(boxes))
    return np.clip(distances(boxes, tip[np.newaxis])[:, 0] - distances(boxes, others).min(axis=1), 0.0, None)


def _leader(box: Boxes, tip: Point3D) -> tuple[Point3D, Point3D]:
    """The ends of a line from a label that stands apart to the tip that it names."""
    near = np.array([*np.clip(tip[:2], *box), 0.0])
    forward = (tip - near) / np.linalg.norm(tip - near)
    return near + 0.06 * forward, tip - 0.12 * forward


def _colour_of(label: VMobject) -> str:
    filled = next(part for part in label.family_members_with_points() if part.get_fill_opacity())
    return str(filled.get_fill_color().to_hex())
