"""Rectangles and what they touch: by array, for placing many labels among many lines. Nothing here is drawn.

A box is the lower left and the upper right corner of a rectangle, ``(2, 2)``; many of them are ``(m, 2, 2)``. All
lengths are in units.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from manim import VMobject
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.layout import Zone

Boxes = NDArray[np.float64]
Points = NDArray[np.float64]

SAMPLE = 0.05
"""How far apart the points lie that stand for a line."""


def boxes_of(mobjects: Iterable[VMobject]) -> Boxes:
    """What mobjects fill: ``(m, 2, 2)``."""
    corners = [
        ((mobject.get_left()[0], mobject.get_bottom()[1]), (mobject.get_right()[0], mobject.get_top()[1]))
        for mobject in mobjects
    ]
    return np.array(corners, dtype=np.float64).reshape(-1, 2, 2)


def sampled(lines: Iterable[tuple[Point3D, Point3D]]) -> Points:
    """Points all along lines from end to end, ``(l, 2)``."""
    found = [np.zeros((0, 2))]
    for start, end in lines:
        found.append(np.linspace(start, end, 2 + int(np.linalg.norm(end - start) / SAMPLE))[:, :2])
    return np.concatenate(found)


def length_inside(boxes: Boxes, points: Points, air: float) -> NDArray[np.float64]:
    """How much of what ``points`` are sampled from lies within each box and the ``air`` around it, ``(m,)``."""
    low, high = boxes[:, np.newaxis, 0] - air, boxes[:, np.newaxis, 1] + air
    return np.asarray(((points > low) & (points < high)).all(axis=-1).sum(axis=1) * SAMPLE)


def shared_areas(boxes: Boxes, others: Boxes, air: float) -> NDArray[np.float64]:
    """The area that each box and the ``air`` around it share with each of the others ``(l, 2, 2)``: ``(m, l)``."""
    low = np.maximum(boxes[:, np.newaxis, 0] - air, others[:, 0])
    high = np.minimum(boxes[:, np.newaxis, 1] + air, others[:, 1])
    return np.asarray(np.prod(np.clip(high - low, 0.0, None), axis=-1))


def lengths_outside(boxes: Boxes, zone: Zone, air: float) -> NDArray[np.float64]:
    """How far each box and the ``air`` around it reach out of a zone, ``(m,)``."""
    low, high = np.array([zone.left, zone.bottom]), np.array([zone.right, zone.top])
    over = np.clip(low - (boxes[:, 0] - air), 0.0, None) + np.clip(boxes[:, 1] + air - high, 0.0, None)
    return np.asarray(over.sum(axis=-1))


def distances(boxes: Boxes, points: Points) -> NDArray[np.float64]:
    """How far points ``(l, 2)`` are from boxes: ``(m, l)``; 0 inside."""
    nearest = np.clip(points, boxes[:, np.newaxis, 0], boxes[:, np.newaxis, 1])
    return np.asarray(np.linalg.norm(points - nearest, axis=-1))
