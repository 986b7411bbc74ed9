"""What the nine chapters of the walkthrough have in common: each begins with the picture that the one before it leaves.

A chapter opens with the picture that it is handed, does its work with mobjects of its own and with those of the picture
that it will hand over, and ends by :meth:`Walkthrough._settle`, after which that picture stands there just as the next
chapter will make it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from manim import UP, Animation, FadeIn, FadeOut, Group, Mobject, Transform, VMobject

from scenes.cast import Cast
from scenes.handover.picture import Picture
from scenes.lecture import Lecture
from scenes.mobjects.motion import Light
from scenes.theme import DIM


class Walkthrough(Lecture):
    """A step of the walkthrough.

    Subclasses call :meth:`_begin` in ``open`` with the picture that they are handed, :meth:`_open_header` in their
    first beat, and :meth:`_settle` at the end of their last one with the picture that they hand over.
    """

    def open(self) -> None:
        """Gather the cast."""
        super().open()
        assert self.story is not None
        self.cast = Cast(self.story, self.theme, self.layout)
        self.formula = self.cast.formula

    def sources(self) -> Mapping[str, Any]:
        """The trace's fields, and what the cast adds to them."""
        return {**super().sources(), **self.cast.sources()}

    def words(self) -> Mapping[str, str]:
        """The focus word; chapters add their own."""
        return {"focus": self.cast.names[self.cast.focus]}

    # Handing over

    def _begin(self, picture: Picture) -> None:
        """Put the picture that the chapter is handed on the screen."""
        self.add(*picture.parts())

    def _open_header(self) -> None:
        """Bring this chapter's header."""
        self.header = self.cast.header(self.name)
        self.play(FadeIn(self.header, shift=UP * 0.1), run_time=0.5)

    def _settle(self, picture: Picture, run_time: float = 0.5) -> None:
        """End with ``picture``: what is not part of it goes, what is missing comes, the rest returns to its place."""
        captions = [] if self._caption_picture is None else [self._caption_picture]
        standing = {id(leaf): leaf for leaf in _leaves(*self.mobjects)}
        for leaf in _leaves(*captions):
            standing.pop(id(leaf), None)
        missing: list[Mobject] = []
        returns: list[Animation] = []
        for leaf, made in zip(_leaves(*picture.parts()), _leaves(*picture.as_made), strict=True):
            if standing.pop(id(leaf), None) is None:
                missing.append(made)
            elif not _look_alike(leaf, made):
                returns.append(Transform(leaf, made))
        leaves = [FadeOut(Group(*standing.values()))] if standing else []
        comes = [FadeIn(Group(*missing))] if missing else []
        if moves := [*leaves, *returns, *comes]:
            self.play(*moves, run_time=run_time)
        self.clear()
        # In the order, and with the very outlines, that the next chapter begins with.
        self.add(*picture.as_made, *captions)

    # Moving

    def _only_word(self, tokens: Sequence[Mobject], i: int | None) -> list[Animation]:
        """Show one word at full strength and dim the others; None shows all."""
        return [Light(token, 1.0 if i is None or i == k else DIM) for k, token in enumerate(tokens)]


def _leaves(*mobjects: Mobject) -> list[Mobject]:
    """Everything that is drawn of some mobjects, in order, each once."""
    family = {id(member): member for mobject in mobjects for member in mobject.get_family()}.values()
    return [member for member in family if len(member.points)]


def _look_alike(a: Mobject, b: Mobject) -> bool:
    if not (isinstance(a, VMobject) and isinstance(b, VMobject)) or a.points.shape != b.points.shape:
        return False
    looks = ((m.points, m.get_fill_rgbas(), m.get_stroke_rgbas(), [m.get_stroke_width()]) for m in (a, b))
    return all(np.allclose(x, y) for x, y in zip(*looks, strict=True))
