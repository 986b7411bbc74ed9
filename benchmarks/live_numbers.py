"""What 64 numbers that count cost to draw, against Manim's own numbers in the same places.

Run it as ``python -m benchmarks.live_numbers`` from the project's folder; it takes about two minutes. Exit status 1
means the target was missed.

Both scenes show an 8 x 8 grid that counts for 3 s at 720p30. What is timed is the counting alone, from its first
frame to its last, in processor seconds of the process that draws; nothing is encoded. Ours is timed before and
after Manim's, so that a slow spell of the machine does not hit one side alone.
"""

import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any

from manim import (
    RIGHT,
    UP,
    CairoRenderer,
    ChangeDecimalToValue,
    DecimalNumber,
    ManimColor,
    Scene,
    Text,
    linear,
    tempconfig,
)

from explainer.camera import QuickRenderer
from scenes.fonts import film_face
from scenes.mobjects.number import CountTo, Number
from scenes.numerals import NumberStyle

SIDE, SECONDS, FPS = 8, 3, 30
PIXEL_HEIGHT, UNIT = 720, 0.95
TARGET = 15.0  # times as fast as Manim's numbers

COUNTS = [(i - SIDE * SIDE / 2, 3.5 * i - 60) for i in range(SIDE * SIDE)]
"""From where to where each number counts: some of them through zero, some gaining figures."""

PLACES = [UNIT * ((i % SIDE - (SIDE - 1) / 2) * RIGHT - (i // SIDE - (SIDE - 1) / 2) * UP) for i in range(SIDE * SIDE)]


class Grid(Scene):
    """Numbers that count; subclasses make them. ``spent`` is what the counting cost, in processor seconds."""

    spent = 0.0

    def counting(self) -> list[Any]:
        """The animations."""
        raise NotImplementedError

    def construct(self) -> None:
        animations = self.counting()
        started = time.process_time()
        self.play(*animations, run_time=SECONDS, rate_func=linear)
        self.spent = time.process_time() - started


class OurGrid(Grid):
    """The numbers of the film."""

    def counting(self) -> list[Any]:
        face, white = film_face().regular, ManimColor("#FFFFFF")
        numbers = [
            Number(first, NumberStyle(2), face=face, em=0.3, colour=white).move_to(place)
            for (first, _), place in zip(COUNTS, PLACES, strict=True)
        ]
        return [CountTo(number, last) for number, (_, last) in zip(numbers, COUNTS, strict=True)]


class ManimsGrid(Grid):
    """The numbers of Manim, made of text."""

    def counting(self) -> list[Any]:
        numbers = [
            DecimalNumber(first, num_decimal_places=2, mob_class=Text, font_size=20).move_to(place)
            for (first, _), place in zip(COUNTS, PLACES, strict=True)
        ]
        return [ChangeDecimalToValue(number, last) for number, (_, last) in zip(numbers, COUNTS, strict=True)]


def main() -> int:
    before = _spent(OurGrid, QuickRenderer)
    manims = _spent(ManimsGrid, CairoRenderer)
    after = _spent(OurGrid, QuickRenderer)
    ours = (before + after) / 2
    ratio = manims / ours
    print(
        f"{SIDE} x {SIDE} numbers counting for {SECONDS} s at {PIXEL_HEIGHT}p{FPS}: ours {ours:.2f} s, "
        f"Manim's {manims:.2f} s, {ratio:.1f} times as fast (target {TARGET:g})"
    )
    return 0 if ratio >= TARGET else 1


def _spent(grid_class: type[Grid], renderer_class: Callable[[], CairoRenderer]) -> float:
    with TemporaryDirectory() as folder:
        settings = {
            "media_dir": folder, "pixel_height": PIXEL_HEIGHT, "pixel_width": PIXEL_HEIGHT * 16 // 9,
            "frame_rate": FPS, "dry_run": True, "disable_caching": True, "progress_bar": "none",
            "verbosity": "ERROR",
        }  # fmt: skip
        with tempconfig(settings):
            grid = grid_class(renderer=renderer_class())
            grid.render()
        return grid.spent


if __name__ == "__main__":
    sys.exit(main())
