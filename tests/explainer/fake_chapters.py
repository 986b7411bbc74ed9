"""A story and the door to chapters for tests of the production.

Imported by the processes that draw, too, so nothing here may depend on pytest.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explainer.quality import Quality

TINY = Quality("tiny", 54, 10)
"""96 x 54 pixels and 10 frames a second at 16:9."""

WICKED = "é 猫 <&{\\#$\"'`%>"
"""Signs that one or another file format reads as its own."""


@dataclass(frozen=True)
class FakeLook:
    """As much of a story's look as the production reads."""

    aspect: str = "16:9"


@dataclass(frozen=True)
class FakeStory:
    """As much of a story as the production reads, and what the fake chapters make of it."""

    path: Path = Path("fake.toml")
    title: str = f"Title {WICKED}"
    look: FakeLook = FakeLook()
    word: str = "cat"

    @property
    def stem(self) -> str:
        return self.path.stem


def load_fake(name: str) -> type:
    """The fake chapter with this name. Only the processes that draw may import Manim."""
    from tests.explainer.fake_scenes import CHAPTERS

    return CHAPTERS[name]
