"""Parts of a frame, against the sets of pixels that they stand for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from explainer.rectangle import Rectangle, whole

SIDE = 12
FRAME = whole(SIDE, SIDE)


@st.composite
def rectangles(draw: st.DrawFn) -> Rectangle:
    """Any part of a small frame, also an empty one."""
    top, left = draw(st.integers(0, SIDE)), draw(st.integers(0, SIDE))
    return Rectangle(top, draw(st.integers(top, SIDE)), left, draw(st.integers(left, SIDE)))


def pixels(part: Rectangle) -> npt.NDArray[np.bool_]:
    """The part as a mask over the frame."""
    mask = np.zeros((SIDE, SIDE), dtype=np.bool_)
    mask[part.slices] = True
    return mask


@given(rectangles())
def test_a_part_is_true_when_it_has_pixels(part: Rectangle) -> None:
    assert bool(part) == pixels(part).any()


@given(rectangles(), rectangles())
def test_two_parts_have_in_common_the_pixels_that_are_in_both(one: Rectangle, other: Rectangle) -> None:
    np.testing.assert_array_equal(pixels(one & other), pixels(one) & pixels(other))


@given(rectangles(), rectangles())
def test_two_parts_together_are_the_smallest_part_that_holds_both(one: Rectangle, other: Rectangle) -> None:
    together, both = one | other, pixels(one) | pixels(other)
    assert not (both & ~pixels(together)).any()
    if both.any():
        # No edge could be moved inwards.
        rows, columns = np.flatnonzero(both.any(axis=1)), np.flatnonzero(both.any(axis=0))
        assert together == Rectangle(rows[0], rows[-1] + 1, columns[0], columns[-1] + 1)


@given(rectangles())
def test_even_edges_take_in_the_pixels_that_share_a_pair(part: Rectangle) -> None:
    in_pairs = pixels(part).reshape(SIDE // 2, 2, SIDE // 2, 2).any(axis=(1, 3))
    if part:
        np.testing.assert_array_equal(pixels(part.evened()), np.kron(in_pairs, np.ones((2, 2), dtype=np.bool_)))
        assert in_pairs[part.evened().halved().slices].all()


@given(rectangles(), rectangles())
def test_a_part_seen_from_a_larger_one_is_the_same_pixels_of_its_cut(part: Rectangle, by: Rectangle) -> None:
    larger = part | by
    picture = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    if part:
        cut = picture[larger.slices]
        np.testing.assert_array_equal(cut[part.seen_from(larger).slices], picture[part.slices])


def test_a_part_grows_on_every_side_and_is_cut_at_the_frame() -> None:
    assert Rectangle(3, 5, 4, 6).grown(2) == Rectangle(1, 7, 2, 8)
    assert Rectangle(1, 5, 4, 11).grown(2) & FRAME == Rectangle(0, 7, 2, 12)
