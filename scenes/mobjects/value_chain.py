"""Arrows of values, each scaled by what is taken of it, and laid tip to tail: the last tip is the blend of all."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from manim import Animation, ManimColor, VGroup
from numpy.typing import ArrayLike, NDArray

from scenes.mobjects.arrow_plane import ArrowPlane


class ValueChain(VGroup):
    """An arrow a value, ``shares[j]`` times as long as the value itself.

    ``laid`` tells how far the arrows are laid tip to tail: 0, all start at the origin; 1, each starts where the one
    before it ends. An arrow of which nothing at all is taken is not seen. ``result`` is the blend, an arrow from the
    origin to where the chain ends; it always follows, but is drawn by itself.

    Parameters
    ----------
    values
        ``(n, 2)``, as they are drawn on ``plane``.
    colour, ink
        The colour of the values, and that of the blend.
    """

    def __init__(self, plane: ArrowPlane, values: NDArray[np.float64], colour: ManimColor, ink: ManimColor) -> None:
        super().__init__()
        self.plane, self._values = plane, values
        self.shares, self.laid = np.ones(len(values)), 0.0
        self.arrows = tuple(plane.arrow(value, colour) for value in values)
        self.result = plane.arrow(self.blend, ink)
        self.add(*self.arrows)

    @property
    def blend(self) -> NDArray[np.float64]:
        """The values times their shares, added up: ``(2,)``."""
        return np.asarray((self.shares[:, np.newaxis] * self._values).sum(axis=0))

    def tip(self) -> NDArray[np.float64]:
        """Where the last arrow ends, as it is drawn: ``(2,)``."""
        return self.plane.vector(self.arrows[-1].tip)

    def lay(self, shares: ArrayLike, laid: float) -> Self:
        """Scale every arrow to its share and lay it, at once."""
        self.shares, self.laid = np.array(shares, dtype=np.float64), laid
        parts = self.shares[:, np.newaxis] * self._values
        ends = np.cumsum(parts, axis=0)
        for arrow, part, end, share in zip(self.arrows, parts, ends, self.shares, strict=True):
            start = laid * (end - part)
            arrow.point_to(self.plane.point(start + part), self.plane.point(start))
            arrow.set_fill(opacity=float(share != 0))
        self.result.point_to(self.plane.point(ends[-1]))
        return self

    def move(
        self,
        shares: ArrayLike | None = None,
        laid: float | None = None,
        *,
        with_result: bool = False,
        **timing: Any,
    ) -> Animation:
        """Change evenly how much is taken of each value, how the arrows are laid, or both.

        ``with_result`` draws the blend along with the chain.
        """
        last = self.shares if shares is None else np.array(shares, dtype=np.float64)
        drawn = VGroup(self, self.result) if with_result else self
        return _Move(self, drawn, last, self.laid if laid is None else laid, **timing)


class _Move(Animation):
    def __init__(
        self, chain: ValueChain, drawn: VGroup, shares: NDArray[np.float64], laid: float, **timing: Any
    ) -> None:
        self._chain, self._shares, self._laid = chain, shares, laid
        super().__init__(drawn, **timing)

    def begin(self) -> None:
        self._from = self._chain.shares, self._chain.laid
        super().begin()

    def interpolate_mobject(self, alpha: float) -> None:
        share = self.rate_func(alpha)
        if share == 1:
            self._chain.lay(self._shares, self._laid)
            return
        shares, laid = self._from
        self._chain.lay(shares + share * (self._shares - shares), laid + share * (self._laid - laid))
