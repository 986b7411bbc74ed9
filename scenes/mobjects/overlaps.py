"""What is meant to lie under writing: the one place that says so.

Nothing that is written touches a line, a curve, a rim or the edge of a filled shape, unless that is a ground: quiet by
its colour, and there to be written on. An audit of the screen asks here. A text that stands within a filled shape, as a
number in its cell, stands on it without being told to.
"""

from __future__ import annotations

from typing import TypeVar

from manim import Mobject

MobjectT = TypeVar("MobjectT", bound=Mobject)


def as_ground(mobject: MobjectT) -> MobjectT:
    """Let writing lie on everything that is drawn in ``mobject``: grid lines, tracks of bars, hatches."""
    for member in mobject.get_family():
        member.lies_under_writing = True
    return mobject


def is_ground(mobject: Mobject) -> bool:
    """Whether writing may lie on ``mobject``."""
    return bool(getattr(mobject, "lies_under_writing", False))
