"""Plays a scene without making a film, and hands on what is drawn in it, moment by moment.

A scene is played frame by frame as it would be rendered, but only frames that are looked at are made: every third while
something moves, the last of each move, and each picture that stands. Nothing is judged here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Any, TypeAlias

import numpy as np
from manim import Mobject, Scene, config
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene_file_writer import SceneFileWriter

from explainer.audit.copyist import Copyist, Leaf, leaves_of
from explainer.audit.moment import Moment, Pixels
from explainer.audit.picture import Mark, Snapshot, same
from explainer.camera import QuickCamera

STEP = 3
"""Every how many frames one is looked at while something moves."""
LARGE = 0.25
"""From this share of the frame on what moves may flash: then no frame is left out."""


OnMoment: TypeAlias = Callable[[Moment], None]
OnEnd: TypeAlias = Callable[[Callable[[], Pixels], bool], None]
"""Is given what draws the picture that stands, and whether the scene is over."""


class Player(CairoRenderer):
    """Plays a scene and hands on its moments.

    Parameters
    ----------
    on_moment
        Told of each picture in turn.
    on_end
        Told when a section is over, while its last picture still stands.
    only_ends
        Look only at the picture at each section's end, for a quick check.
    """

    def __init__(self, on_moment: OnMoment, on_end: OnEnd, *, only_ends: bool = False) -> None:
        super().__init__(file_writer_class=_Sections, camera_class=QuickCamera)
        self._on_moment, self._on_end, self._only_ends = on_moment, on_end, only_ends
        self._copyist = Copyist()
        self._before: Snapshot | None = None
        self._played = 0

    # What Manim calls

    def init_scene(self, scene: Scene, *args: Any) -> None:
        """Take a scene."""
        super().init_scene(scene, *args)
        self.file_writer.on_section = partial(self._end_section, scene, is_over=False)

    def play(self, scene: Scene, *args: Any, **kwargs: Any) -> None:
        """Play animations as they would be rendered, and look at some of their frames."""
        scene.compile_animation_data(*args, **kwargs)
        scene.begin_animations()
        self._played += self._stand(scene) if scene.is_current_animation_frozen_frame() else self._move(scene)
        self.time = self._played / config.frame_rate
        self.num_plays += 1

    def scene_finished(self, scene: Scene) -> None:
        """Look at the last section's end."""
        self._end_section(scene, is_over=True)

    # How it is done

    def _stand(self, scene: Scene) -> int:
        """Look at a picture that stands, and tell for how many frames."""
        frames = int(scene.duration * config.frame_rate)
        if not self._only_ends:
            self._take(scene, self._played, frames, (), leaves_of(_all(scene)))
        return frames

    def _move(self, scene: Scene) -> int:
        """Play something that moves, and tell how many frames it took."""
        times = np.arange(0, scene.duration, 1 / config.frame_rate)
        static = leaves_of(scene.static_mobjects)
        last, frame = len(times) - 1, 0
        # Only a film that is followed from frame to frame knows when a wait for something is over.
        can_skip = scene.stop_condition is None
        if self._only_ends and can_skip:
            frame = last
        while True:
            scene.update_to_time(times[frame])
            step = 1
            if not self._only_ends:
                moving = leaves_of(scene.moving_mobjects or _all(scene))
                snapshot = self._take(scene, self._played + frame, 1, static, moving)
                step = STEP if can_skip and not _may_flash(snapshot, {id(leaf) for leaf, _ in moving}) else 1
            if frame == last or not (can_skip or not scene.stop_condition()):
                break
            frame = min(frame + step, last)
        for animation in scene.animations or ():
            animation.finish()
            animation.clean_up_from_scene(scene)
        scene.update_mobjects(0)
        return frame + 1

    def _end_section(self, scene: Scene, is_over: bool) -> None:
        if not self._played:
            return
        if self._only_ends:
            self._take(scene, self._played - 1, 1, (), leaves_of(_all(scene)))
        self._on_end(partial(self._photograph, scene), is_over)

    def _take(self, scene: Scene, frame: int, frames: int, static: Sequence[Leaf], moving: Sequence[Leaf]) -> Snapshot:
        """Hand on the picture of what stands and what moves."""
        snapshot = self._copyist.snapshot(static, moving)
        has_changed = self._before is None or not same(self._before.drawn, snapshot.drawn)
        self._before = snapshot
        self._on_moment(
            Moment(
                beat=self.file_writer.sections[-1].name,
                frame=frame,
                frames=frames,
                snapshot=snapshot,
                ground=str(self.camera.background_color),
                draw=partial(self._drawn, (*static, *moving)),
                has_changed=has_changed,
                photograph=partial(self._photograph, scene),
            )
        )
        return snapshot

    def _drawn(self, leaves: Sequence[Leaf], marks: Sequence[Mark]) -> Pixels:
        """The picture of some marks on the ground."""
        shown = {mark.owner for mark in marks}
        self.camera.reset()
        self.camera.capture_mobjects([leaf for leaf, _ in leaves if id(leaf) in shown], include_submobjects=False)
        drawn: Pixels = self.camera.pixel_array.copy()
        return drawn

    def _photograph(self, scene: Scene) -> Pixels:
        small = self.camera
        camera = QuickCamera(
            pixel_width=2 * small.pixel_width,
            pixel_height=2 * small.pixel_height,
            frame_width=small.frame_width,
            frame_height=small.frame_height,
            frame_center=small.frame_center,
            background_color=small.background_color,
        )
        camera.capture_mobjects(_all(scene))
        pixels: Pixels = camera.pixel_array[:, :, :3].copy()
        return pixels


class _Sections(SceneFileWriter):
    """Writes nothing; tells when a section ends."""

    on_section: Callable[[], None] | None = None

    def next_section(self, name: str, type_: str, skip_animations: bool) -> None:
        if self.on_section is not None:
            self.on_section()
        super().next_section(name, type_, skip_animations)


def _all(scene: Scene) -> list[Mobject]:
    return [*scene.mobjects, *(mobject for mobject in scene.foreground_mobjects if mobject not in scene.mobjects)]


def _may_flash(snapshot: Snapshot, moving: Collection[int]) -> bool:
    """Whether what moves is large enough for a flash."""
    area = sum(mark.box.area for mark in snapshot.marks if mark.owner in moving and mark.paint.fill_opacity)
    return bool(area >= LARGE * config.frame_width * config.frame_height)
