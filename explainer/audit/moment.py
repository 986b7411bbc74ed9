"""What passes from the player of a scene to its auditor: one picture after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from explainer.audit.picture import Mark, Snapshot

Pixels: TypeAlias = npt.NDArray[np.uint8]
"""A picture of the frame, ``(height, width, 3)`` or more, the top row first."""


@dataclass(frozen=True)
class Moment:
    """A picture that is known to stand for some frames: one, while something moves.

    ``ground`` is the colour behind everything. ``draw`` makes a small picture of some marks alone, ``photograph``
    a larger one of everything; both only while it stands.
    """

    beat: str
    frame: int
    frames: int
    snapshot: Snapshot
    ground: str
    draw: Callable[[Sequence[Mark]], Pixels]
    has_changed: bool
    photograph: Callable[[], Pixels]
