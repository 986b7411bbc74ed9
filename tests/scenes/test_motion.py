"""Stepping back and coming forward: by opacity only, and never by way of full strength."""

from __future__ import annotations

import pytest
from manim import Circle, ManimColor, VMobject

from scenes.mobjects.motion import Light, dim, light
from scenes.mobjects.text import Label
from scenes.theme import DIM
from tests.scenes.moments import moments, play

INK = ManimColor("#FFFFFF")


def label() -> Label:
    return Label("cat", em=0.5, colour=INK)


def ring() -> Circle:
    return Circle(radius=1.0, stroke_width=4.0, stroke_opacity=1.0, fill_opacity=0.0)


@pytest.mark.parametrize("make", [label, ring])
def test_what_has_stepped_back_stays_there_when_it_is_told_to_step_back_again(make: type[VMobject]) -> None:
    mobject = make()
    play(*dim(mobject))
    seen = [opacity(mobject) for _ in moments(Light(mobject, DIM))]
    assert seen == pytest.approx([DIM] * len(seen))


@pytest.mark.parametrize("make", [label, ring])
def test_what_has_stepped_back_comes_forward_evenly(make: type[VMobject]) -> None:
    mobject = make()
    play(*dim(mobject))
    (animation,) = light(mobject)
    for share in moments(animation):
        assert opacity(mobject) == pytest.approx(DIM + share * (1 - DIM))


def opacity(mobject: VMobject) -> float:
    """Of what is drawn."""
    fill, stroke = float(mobject.get_fill_opacity()), float(mobject.get_stroke_opacity())
    return fill if isinstance(mobject, Label) else stroke
