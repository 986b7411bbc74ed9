"""Parts of a frame. Integers only: no pixels, no Manim."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rectangle:
    """Rows ``top`` to ``bottom`` and columns ``left`` to ``right`` of a frame, the ends not counted."""

    top: int
    bottom: int
    left: int
    right: int

    def __bool__(self) -> bool:
        return self.top < self.bottom and self.left < self.right

    def __or__(self, other: Rectangle) -> Rectangle:
        """The smallest rectangle that holds both."""
        if not self or not other:
            return self or other
        return Rectangle(
            min(self.top, other.top),
            max(self.bottom, other.bottom),
            min(self.left, other.left),
            max(self.right, other.right),
        )

    def __and__(self, other: Rectangle) -> Rectangle:
        """What both have in common."""
        return Rectangle(
            max(self.top, other.top),
            min(self.bottom, other.bottom),
            max(self.left, other.left),
            min(self.right, other.right),
        )

    def grown(self, by: int) -> Rectangle:
        """The rectangle with every edge moved outwards."""
        return Rectangle(self.top - by, self.bottom + by, self.left - by, self.right + by)

    def evened(self) -> Rectangle:
        """The smallest rectangle around it whose edges are even."""
        return Rectangle(self.top // 2 * 2, -(-self.bottom // 2) * 2, self.left // 2 * 2, -(-self.right // 2) * 2)

    def halved(self) -> Rectangle:
        """The same part of a picture of half the size; for even edges."""
        return Rectangle(self.top // 2, self.bottom // 2, self.left // 2, self.right // 2)

    def seen_from(self, other: Rectangle) -> Rectangle:
        """The same part of the frame, counted from the first row and column of ``other``."""
        return Rectangle(self.top - other.top, self.bottom - other.top, self.left - other.left, self.right - other.left)

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns, to index an array that is (height, width, ...)."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


def whole(height: int, width: int) -> Rectangle:
    """All of a frame."""
    return Rectangle(0, height, 0, width)


NOTHING = Rectangle(0, 0, 0, 0)
