"""Motions that several pictures share. They move or light what is there; none of them computes a value."""

from __future__ import annotations

from typing import Any

from manim import (
    Animation,
    AnimationGroup,
    FadeIn,
    FadeOut,
    Mobject,
    ReplacementTransform,
    VMobject,
    smooth,
    squish_rate_func,
)

from scenes.theme import DIM

early, late = squish_rate_func(smooth, 0.0, 0.3), squish_rate_func(smooth, 0.6, 1.0)
"""Rates for what has gone before the rest of a play gets there, and for what comes when the rest has nearly arrived."""


class Light(Animation):
    """Brings everything drawn in ``mobject`` to one opacity, leaving places and shapes alone.

    Cheaper than ``mobject.animate.set_opacity``, and free to run while the same mobject counts or moves.
    """

    def __init__(self, mobject: Mobject, opacity: float, **timing: Any) -> None:
        self._opacity = opacity
        super().__init__(mobject, **timing)

    def begin(self) -> None:
        self._leaves = [leaf for leaf in self.mobject.get_family() if isinstance(leaf, VMobject)]
        self._first = [_opacity(leaf) for leaf in self._leaves]
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        for leaf, first in zip(self._leaves, self._first, strict=True):
            opacity = first + share * (self._opacity - first)
            if leaf.get_fill_opacity():
                leaf.set_fill(opacity=opacity, family=False)
            if leaf.get_stroke_width():
                leaf.set_stroke(opacity=opacity, family=False)


def _opacity(leaf: VMobject) -> float:
    # What has no stroke to be seen may still call it opaque.
    return max(leaf.get_fill_opacity(), leaf.get_stroke_opacity() * (leaf.get_stroke_width() > 0))


def dim(*mobjects: Mobject) -> list[Animation]:
    """Step back: still seen, no longer talked about."""
    return [Light(mobject, DIM) for mobject in mobjects]


def light(*mobjects: Mobject) -> list[Animation]:
    """Come forward again."""
    return [Light(mobject, 1.0) for mobject in mobjects]


def fly(source: VMobject, target: VMobject) -> Animation:
    """A copy of ``source`` travels to where ``target`` is and becomes it: seen to come from somewhere."""
    return ReplacementTransform(source.copy(), target)


def become(old: VMobject, new: VMobject) -> Animation:
    """``old`` moves to where ``new`` is and turns into it; where their outlines differ it fades over on the way."""
    if len(old.get_all_points()) == len(new.get_all_points()):
        return ReplacementTransform(old, new)
    return AnimationGroup(FadeOut(old, target_position=new), FadeIn(new, target_position=old))
