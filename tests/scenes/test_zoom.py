"""A plane zooms to another: what stands on it keeps to its vectors in every frame, and it ends as the other one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from manim import ManimColor, Scene, tempconfig

from scenes.layout import Zone
from scenes.mobjects.arrow_plane import ArrowPlane
from scenes.mobjects.text import Label
from scenes.mobjects.zoom import View, Zoom
from scenes.theme import theme_for
from tests.scenes.moments import moments
from tests.scenes.stage import settings

THEME = theme_for("dark", {})
INK = ManimColor(THEME.colours.ink)
ZONE = Zone(-6.0, -1.0, -2.4, 2.4)
NEAR, FAR, FINE = [[1, 0], [0, 1]], [[3, -2], [-2, 4]], [[0.4, 0.1], [-0.2, 0.5]]


@pytest.fixture(autouse=True)
def _own_media_folder(tmp_path: Path) -> Iterator[None]:
    with tempconfig(settings(tmp_path)):
        yield


def planes(before: list[list[float]], after: list[list[float]]) -> tuple[ArrowPlane, ArrowPlane]:
    return ArrowPlane(ZONE, before, THEME), ArrowPlane(ZONE, after, THEME)


def test_a_view_begins_as_the_one_plane_and_ends_as_the_other() -> None:
    plane, target = planes(NEAR, FAR)
    view = View(plane, target)
    for vector in ([0.0, 0.0], [1.0, -0.5], [-2.0, 3.0]):
        assert np.allclose(view.point(np.array(vector), 0.0), plane.point(vector))
        assert np.allclose(view.point(np.array(vector), 1.0), target.point(vector))


def test_a_view_keeps_one_scale_and_one_point_that_does_not_move() -> None:
    plane, target = planes(NEAR, FAR)
    view = View(plane, target)
    fixed = np.linalg.solve(
        (plane.unit - target.unit) * np.eye(2), (target.origin - plane.origin)[:2]
    )  # plane.origin + v plane.unit = target.origin + v target.unit
    scales = []
    for share in (0.0, 0.3, 0.6, 1.0):
        origin, across, up = (view.point(np.array(v), share) for v in ([0.0, 0.0], [1.0, 0.0], [0.0, 1.0]))
        assert across[0] - origin[0] == pytest.approx(up[1] - origin[1])
        scales.append(across[0] - origin[0])
        assert np.allclose(view.point(fixed, share), plane.point(fixed))
    # By the same factor in the same time.
    assert scales[1] / scales[0] == pytest.approx(scales[2] / scales[1])


@pytest.mark.parametrize(("before", "after"), [(NEAR, FAR), (FAR, NEAR), (FINE, FAR), (NEAR, NEAR)])
def test_lines_that_are_seen_lie_where_their_values_are_in_every_frame(
    before: list[list[float]], after: list[list[float]]
) -> None:
    plane, target = planes(before, after)
    view = View(plane, target)
    zoom = Zoom(view)
    for share in moments(zoom):
        seen = [line for line in plane.lines if line.get_stroke_opacity() > 0]
        assert len(seen) >= 4
        for line in seen:
            expected = view.point(line.value * np.eye(2)[line.axis], share)[line.axis]
            for end in line.get_start_and_end():
                assert end[line.axis] == pytest.approx(expected)
            inside = (ZONE.left, ZONE.right) if line.axis == 0 else (ZONE.bottom, ZONE.top)
            assert inside[0] <= expected <= inside[1]


def test_a_line_that_both_planes_have_never_fades() -> None:
    plane, target = planes(NEAR, FAR)
    zoom = Zoom(View(plane, target))
    for _ in moments(zoom):
        axes = [line for line in plane.lines if line.value == 0]
        assert [line.get_stroke_opacity() for line in axes] == [1.0, 1.0]


def test_in_the_end_the_lines_and_ticks_are_those_of_the_other_plane() -> None:
    plane, target = planes(FINE, FAR)
    for _ in moments(Zoom(View(plane, target))):
        pass
    seen = {(line.axis, round(line.value, 6)) for line in plane.lines if line.get_stroke_opacity() > 0.99}
    assert seen == {(line.axis, round(line.value, 6)) for line in target.lines}
    written = {
        (tick.source, tick.shown_text(), *tick.get_center().round(6))
        for tick in plane.family_members_with_points()
        if hasattr(tick, "shown_text") and tick.get_fill_opacity() > 0.99
    }
    assert written == {(tick.source, tick.shown_text(), *tick.get_center().round(6)) for tick in target.ticks}


def test_an_arrow_that_rides_keeps_to_its_vector_and_its_label_to_its_tip() -> None:
    plane, target = planes(NEAR, FAR)
    view = View(plane, target)
    arrow, label = plane.arrow([0.5, -1.0], INK), Label("cat", em=0.4, colour=INK)
    label.move_to(arrow.tip + np.array([0.4, 0.2, 0.0]))
    for share in moments(view.ride(arrow, label)):
        assert np.allclose(arrow.tip, view.point(np.array([0.5, -1.0]), share))
        assert np.allclose(arrow.start_point, view.point(np.zeros(2), share))
        assert np.allclose(label.get_center() - arrow.tip, [0.4, 0.2, 0.0])


def test_the_other_plane_takes_the_place_of_the_first_one_on_the_screen() -> None:
    plane, target = planes(NEAR, FAR)
    above = Label("cat", em=0.4, colour=INK)
    scene = Scene()
    scene.add(plane, above)
    zoom = Zoom(View(plane, target))
    for _ in moments(zoom):
        pass
    zoom.clean_up_from_scene(scene)
    assert scene.mobjects == [target, above]
