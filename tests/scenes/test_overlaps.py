"""What says that it may lie under writing goes on saying so, and nothing else does."""

from __future__ import annotations

from manim import Line, Square, VGroup

from scenes.mobjects.overlaps import as_ground, is_ground


def test_everything_in_a_ground_is_one_and_what_comes_into_it_later_is_not() -> None:
    line, square = Line(), Square()
    group = as_ground(VGroup(line, VGroup(square)))
    late = Line()
    group.add(late)
    assert is_ground(line)
    assert is_ground(square)
    assert not is_ground(late)
    assert not is_ground(Line())


def test_a_copy_of_a_ground_is_a_ground() -> None:
    line = as_ground(Line())
    assert is_ground(line.copy())
    assert is_ground(line.animate.shift([1, 0, 0]).build().mobject)
