"""Animations brought to a moment without a scene: for tests of mobjects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from manim import Animation

MOMENTS = (0.0, 0.1, 0.25, 0.5, 0.75, 0.99, 1.0)


def moments(animation: Animation, shares: Iterable[float] = MOMENTS) -> Iterator[float]:
    """Play an animation evenly, stopping at some shares of its way, and finish it."""
    animation.rate_func = lambda alpha: alpha
    animation.begin()
    for share in shares:
        animation.interpolate(share)
        yield share
    animation.interpolate(1.0)
    animation.finish()


def play(animation: Animation) -> None:
    """Play an animation to its end."""
    for _ in moments(animation, (0.0, 0.5)):
        pass
