"""Manim's camera and renderer, faster, with the same pixels: the only place that touches how Manim draws.

What is drawn is settled in ``scenes``, where its pixels go in ``writer``; neither enters here.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import starmap
from math import ceil, floor
from typing import Any, Self
from weakref import WeakKeyDictionary

import cairo
import numpy as np
import numpy.typing as npt
from manim import Camera, Mobject, Scene, VMobject
from manim.mobject.types.image_mobject import AbstractImageMobject
from manim.renderer.cairo_renderer import CairoRenderer
from manim.typing import FloatRGBALike_Array, Point2D_Array, Point3D_Array
from PIL import Image

from explainer.rectangle import NOTHING, Rectangle, whole
from explainer.writer import ChapterWriter

Pixels = npt.NDArray[np.uint8]

_CURVE = 4
_OPAQUE = 255
_RELATIVE_TOLERANCE = 1e-5  # as numpy.isclose has it
_MITER_LIMIT = 10.0  # Cairo's: how far a corner may stick out, in line widths across
_LEAST_HEIGHT = 0.5  # Manim's: thinner images are not drawn
_SOFT_EDGE = 1  # a pixel for what Cairo rounds


class QuickRenderer(CairoRenderer):
    """Draws with :class:`QuickCamera` into a :class:`ChapterWriter`, without a copy of every frame between."""

    def __init__(self, file_writer_class: type[ChapterWriter] = ChapterWriter) -> None:
        super().__init__(file_writer_class=file_writer_class, camera_class=QuickCamera)

    def render(self, scene: Scene, time: float, moving_mobjects: Any = None) -> None:
        """Draw the moving mobjects over the static ones and write the frame."""
        self.update_frame(scene, moving_mobjects)
        if self.skip_animations:
            return
        self.time += 1 / self.camera.frame_rate
        self.file_writer.write_frame(self.camera.pixel_array, touched=self.camera.take_touched())


@dataclass
class _Seen:
    """An outline as it was drawn last, the corners around it, and its path once it has been drawn twice."""

    points: Point3D_Array
    corners: tuple[float, float, float, float]
    path: cairo.Path | None = None


@dataclass
class _SeenImage:
    """An image as it was drawn last: its pixels, where its corners lay, and what came of it."""

    pixels: Pixels
    corners: Point2D_Array
    resampling: int
    drawn: Pixels


class QuickCamera(Camera):
    """Draws what :class:`manim.Camera` draws, byte for byte.

    It saves work in five places: what has no colour is not prepared; an outline goes to Cairo without a loop over
    its curves in Python; one that has not changed since it was drawn last goes there as it was kept; an image
    is kept in the same way, and mixed only into the pixels that it covers; and the background is put back only where
    something has been drawn over it. So neither a background nor the pixels
    may be changed from outside, in place.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._seen: WeakKeyDictionary[VMobject, _Seen] = WeakKeyDictionary()
        self._seen_by: cairo.Context[Any] | None = None
        self._seen_images: WeakKeyDictionary[AbstractImageMobject, _SeenImage] = WeakKeyDictionary()
        self._ground: Any = None
        self._drawn_over = self._touched = NOTHING
        super().__init__(*args, **kwargs)

    def take_touched(self) -> Rectangle:
        """Where pixels have been written since this was called last: all other pixels are as they were then."""
        touched, self._touched = self._touched, NOTHING
        return touched

    # What Manim calls

    def set_pixel_array(self, pixel_array: Any, convert_from_floats: bool = False) -> None:
        """Begin a frame with a background."""
        if pixel_array is self._ground:
            part = self._drawn_over.slices
            self.pixel_array[part] = pixel_array[part]
            self._touched |= self._drawn_over
        else:
            super().set_pixel_array(pixel_array, convert_from_floats)
            self._ground = None if convert_from_floats else pixel_array
            self._touched = self._frame
        self._drawn_over = NOTHING

    def display_vectorized(self, vmobject: VMobject, ctx: cairo.Context[Any]) -> Self:
        """Draw one mobject: stroke behind, fill, stroke."""
        behind = vmobject.get_stroke_width(background=True)
        stroke = vmobject.get_stroke_width()
        if not _visible(self.get_stroke_rgbas(vmobject, background=True)):
            behind = 0.0
        if not _visible(self.get_stroke_rgbas(vmobject)):
            stroke = 0.0
        filled = _visible(self.get_fill_rgbas(vmobject))
        if not (behind or filled or stroke):
            return self
        self.set_cairo_context_path(ctx, vmobject)
        if behind:
            self.apply_stroke(ctx, vmobject, background=True)
        if filled:
            self.apply_fill(ctx, vmobject)
        if stroke:
            self.apply_stroke(ctx, vmobject)
        self._note(self._extent(ctx, self._seen[vmobject], max(behind, stroke)))
        return self

    def set_cairo_context_path(self, ctx: cairo.Context[Any], vmobject: VMobject) -> Self:
        """Make the mobject's outline the current path."""
        if ctx is not self._seen_by:
            # A path holds the rounding to pixels of the context that it was made in.
            self._seen, self._seen_by = WeakKeyDictionary(), ctx
        seen = self._seen.get(vmobject)
        if seen is None or not np.array_equal(seen.points, vmobject.points):
            self._seen[vmobject] = _Seen(vmobject.points.copy(), _corners(vmobject.points))
            return self._new_path(ctx, vmobject)
        if seen.path is None:
            self._new_path(ctx, vmobject)
            seen.path = ctx.copy_path()
            return self
        ctx.new_path()
        ctx.append_path(seen.path)
        return self

    def set_cairo_context_color(self, ctx: cairo.Context[Any], rgbas: FloatRGBALike_Array, vmobject: VMobject) -> Self:
        """Set the colour, or the gradient where there is more than one."""
        if len(rgbas) > 1:
            return super().set_cairo_context_color(ctx, rgbas, vmobject)
        red, green, blue, alpha = np.asarray(rgbas)[0].tolist()
        # Cairo's pixels are BGRA in memory, Manim's are RGBA.
        ctx.set_source_rgba(blue, green, red, alpha)
        return self

    def display_image_mobject(self, image_mobject: AbstractImageMobject, pixel_array: Any) -> None:
        """Lay an image over the frame, as Manim does, but only where it lies."""
        corners = self.points_to_subpixel_coords(image_mobject, image_mobject.points)
        whole_pixels = corners.astype(np.int64)
        left, top = whole_pixels.min(axis=0).tolist()
        width, height = np.ptp(whole_pixels, axis=0).tolist()
        place = Rectangle(top, top + height, left, left + width)
        seen = place & self._frame
        if not seen or not _has_area(corners):
            return
        image = self._resampled(image_mobject, corners - (left, top), (width, height))
        part = image[seen.seen_from(place).slices]
        if (part[..., 3] < _OPAQUE).any():
            under, over = (Image.fromarray(np.ascontiguousarray(p)) for p in (pixel_array[seen.slices], part))
            part = np.asarray(Image.alpha_composite(under, over))
        pixel_array[seen.slices] = part
        self._note(seen)

    def overlay_PIL_image(self, pixel_array: Any, image: Image.Image) -> None:
        """Lay an image over the frame, as Manim does for images and for what is coloured by one."""
        super().overlay_PIL_image(pixel_array, image)
        self._note(self._frame)

    def display_point_cloud(self, pmobject: Mobject, *args: Any, **kwargs: Any) -> None:
        """Draw points that are not an outline, as Manim does."""
        super().display_point_cloud(pmobject, *args, **kwargs)
        self._note(self._frame)

    # How it is done

    @property
    def _frame(self) -> Rectangle:
        return whole(int(self.pixel_height), int(self.pixel_width))

    def _note(self, drawn: Rectangle) -> None:
        self._drawn_over |= drawn
        self._touched |= drawn

    def _extent(self, ctx: cairo.Context[Any], seen: _Seen, stroke: float) -> Rectangle:
        """The pixels that an outline can reach."""
        left, right, bottom, top = seen.corners
        if not np.isfinite(seen.corners).all():
            return self._frame
        to_pixels, line = ctx.get_matrix(), stroke * self.cairo_line_width_multiple
        x0, y0 = to_pixels.transform_point(left, top)
        x1, y1 = to_pixels.transform_point(right, bottom)
        reach = line * max(to_pixels.xx, -to_pixels.yy) * _MITER_LIMIT / 2 + _SOFT_EDGE
        extent = Rectangle(floor(y0 - reach), ceil(y1 + reach), floor(x0 - reach), ceil(x1 + reach))
        return extent & self._frame

    def _resampled(self, mobject: AbstractImageMobject, corners: Point2D_Array, size: tuple[int, int]) -> Pixels:
        """An image brought to ``size``, its corners at ``corners`` in pixels."""
        pixels, resampling = mobject.get_pixel_array(), mobject.resampling_algorithm
        seen = self._seen_images.get(mobject)
        if (
            seen is None
            or seen.resampling != resampling
            or not np.array_equal(seen.corners, corners)
            or not np.array_equal(seen.pixels, pixels)
        ):
            image = Image.fromarray(pixels)
            drawn = image.transform(size, Image.Transform.PERSPECTIVE, _perspective(image, corners), resampling)
            seen = _SeenImage(pixels.copy(), corners, resampling, np.asarray(drawn))
            self._seen_images[mobject] = seen
        return seen.drawn

    def _new_path(self, ctx: cairo.Context[Any], vmobject: VMobject) -> Self:
        points = vmobject.points
        usual = vmobject.n_points_per_cubic_curve == _CURVE and len(points) % _CURVE == 0 < len(points)
        if not usual or not np.isfinite(points).all():
            return super().set_cairo_context_path(ctx, vmobject)
        ctx.new_path()
        curves = points[:, :2].reshape(-1, 2 * _CURVE)
        starts = np.flatnonzero(_begins(curves, vmobject.tolerance_for_point_equality))
        ends = np.append(starts[1:], len(curves))
        closed = _near(curves[starts, :2], curves[ends - 1, -2:], vmobject.tolerance_for_point_equality)
        first, rest = curves[starts, :2].tolist(), curves[:, 2:].tolist()
        for move_to, start, end, close in zip(first, starts.tolist(), ends.tolist(), closed.tolist(), strict=True):
            ctx.move_to(*move_to)
            deque(starmap(ctx.curve_to, rest[start:end]), maxlen=0)
            if close:
                ctx.close_path()
        return self


def _has_area(corners: Point2D_Array) -> bool:
    """Whether an image between such corners is more than half a pixel high over its longest side, as Manim asks."""
    around = corners[[0, 1, 3, 2]]
    sides = np.roll(around, -1, axis=0) - around
    lengths = np.linalg.norm(sides, axis=1)
    longest = int(np.argmax(lengths))
    if lengths[longest] == 0:
        return False
    (a, b), (c, d) = sides[longest], sides[longest - 1]
    return bool(abs(a * d - b * c) / lengths[longest] >= _LEAST_HEIGHT)


def _perspective(image: Image.Image, corners: Point2D_Array) -> list[float]:
    """The eight coefficients by which Pillow finds the pixel of ``image`` that lies at a place between ``corners``.

    Pillow looks up (x, y) at ((a x + b y + c) / (g x + h y + 1), (d x + e y + f) / (g x + h y + 1)).
    """
    ends = [(0, 0), (image.width, 0), (0, image.height), (image.width, image.height)]
    rows = []
    for (x, y), (to_x, to_y) in zip(corners, ends, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -to_x * x, -to_x * y])
        rows.append([0, 0, 0, x, y, 1, -to_y * x, -to_y * y])
    found: list[float] = np.linalg.solve(np.array(rows, dtype=np.float64), np.ravel(ends).astype(np.float64)).tolist()
    return found


def _visible(rgbas: FloatRGBALike_Array) -> bool:
    return len(rgbas) != 1 or rgbas[0][3] != 0


def _corners(points: Point3D_Array) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of the points; a curve never leaves the box around its points."""
    if not len(points):
        return 0.0, 0.0, 0.0, 0.0
    left, bottom = points[:, :2].min(axis=0).tolist()
    right, top = points[:, :2].max(axis=0).tolist()
    return left, right, bottom, top


def _begins(curves: npt.NDArray[np.float64], tolerance: float) -> npt.NDArray[np.bool_]:
    """Which curves do not start where the one before them ends."""
    begins = np.ones(len(curves), dtype=np.bool_)
    begins[1:] = ~_near(curves[:-1, -2:], curves[1:, :2], tolerance)
    return begins


def _near(points: npt.NDArray[np.float64], others: npt.NDArray[np.float64], tolerance: float) -> npt.NDArray[np.bool_]:
    """Which points are the same as Manim sees it: :func:`numpy.isclose` of both coordinates."""
    apart = np.abs(points - others) > tolerance + _RELATIVE_TOLERANCE * np.abs(others)
    return np.asarray(~apart.any(axis=1))
