"""Plays a scene without making a film, and copies off what is drawn: with ``worker``, all of the audit that knows Manim.

A scene is played frame by frame as it would be rendered, but only frames that are looked at are made: every third while
something moves, the last of each move, and each picture that stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np
from manim import ManimColor, Mobject, Scene, Typst, VMobject, config
from manim.mobject.text.text_mobject import MarkupText
from manim.mobject.text.text_mobject import Text as ManimText
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene_file_writer import SceneFileWriter

from explainer.audit.contrast import Pixels
from explainer.audit.picture import SEEN, Mark, NumberFacts, Outline, Paint, Part, Snapshot, Text
from explainer.camera import QuickCamera
from scenes.fonts import film_face
from scenes.mobjects.number import Number
from scenes.mobjects.overlaps import is_ground
from scenes.mobjects.text import FormulaPart, Label
from scenes.mobjects.typeset import Writing

STEP = 3
"""Every how many frames one is looked at while something moves."""
_LARGE = 0.25
"""From this share of the frame on what moves may flash: then no frame is left out."""
_WRITTEN = (Writing, FormulaPart, Typst, ManimText, MarkupText)

Leaf: TypeAlias = tuple[Mobject, Mobject | None]
"""Something with an outline of its own, and the text that it belongs to."""


@dataclass(frozen=True)
class Moment:
    """A picture that stands for some frames. ``behind`` is the picture without its texts; the same array, the same picture.

    ``photograph`` draws all of it, larger.
    """

    beat: str
    frame: int
    frames: int
    snapshot: Snapshot
    behind: Pixels
    has_changed: bool
    photograph: Callable[[], Pixels]


OnMoment = Callable[[Moment], None]


class Player(CairoRenderer):
    """Plays a scene and hands on its moments.

    Parameters
    ----------
    on_moment
        Told of each picture in turn.
    only_ends
        Look only at the picture at each section's end, for a quick check.
    """

    def __init__(self, on_moment: OnMoment, *, only_ends: bool = False) -> None:
        super().__init__(file_writer_class=_Sections, camera_class=QuickCamera)
        self._on_moment, self._only_ends = on_moment, only_ends
        self._copyist = _Copyist()
        self._still: Snapshot | None = None
        self._behind: tuple[tuple[Mark, ...], Any, Pixels] | None = None
        self._scene: Scene | None = None
        self._frames_drawn = 0

    # What Manim calls

    def init_scene(self, scene: Scene, *args: Any) -> None:
        """Take a scene."""
        super().init_scene(scene, *args)
        self._scene = scene
        self.file_writer.on_section = self._end_section

    def play(self, scene: Scene, *args: Any, **kwargs: Any) -> None:
        """Play animations as they would be rendered, and look at some of their frames."""
        scene.compile_animation_data(*args, **kwargs)
        scene.begin_animations()
        if scene.is_current_animation_frozen_frame():
            frames = int(scene.duration * config.frame_rate)
            self._look(scene, self._frames_drawn, frames, [], _leaves(self._all(scene)))
        else:
            frames = self._move(scene)
        self._frames_drawn += frames
        self.time = self._frames_drawn / config.frame_rate
        self.num_plays += 1

    def scene_finished(self, scene: Scene) -> None:
        """Look at the last section's end."""
        self._end_section()

    # How it is done

    def _move(self, scene: Scene) -> int:
        times = np.arange(0, scene.duration, 1 / config.frame_rate)
        static = _leaves(scene.static_mobjects)
        last = len(times) - 1
        frame = 0
        while frame <= last and not self._only_ends:
            scene.update_to_time(times[frame])
            moving = _leaves(scene.moving_mobjects or self._all(scene))
            step = 1 if self._may_flash(moving) else STEP
            following = min(frame + step, last) if frame < last else len(times)
            self._look(scene, self._frames_drawn + frame, following - frame, static, moving)
            frame = following
        if self._only_ends:
            scene.update_to_time(times[last])
        for animation in scene.animations or ():
            animation.finish()
            animation.clean_up_from_scene(scene)
        scene.update_mobjects(0)
        return len(times)

    def _end_section(self) -> None:
        scene = self._scene
        if scene is not None and self._only_ends and self._frames_drawn:
            self._take(scene, self._frames_drawn - 1, 1, [], _leaves(self._all(scene)))

    def _look(
        self, scene: Scene, frame: int, frames: int, static: Sequence[Leaf], moving: Sequence[Leaf]
    ) -> None:
        if not self._only_ends:
            self._take(scene, frame, frames, static, moving)

    def _take(
        self, scene: Scene, frame: int, frames: int, static: Sequence[Leaf], moving: Sequence[Leaf]
    ) -> None:
        leaves = [*static, *moving]
        snapshot = self._copyist.snapshot(leaves)
        has_changed = self._still is None or not _same(self._still, snapshot)
        self._still = snapshot
        self._on_moment(
            Moment(
                beat=self.file_writer.sections[-1].name,
                frame=frame,
                frames=frames,
                snapshot=snapshot,
                behind=self._drawn_behind(leaves, snapshot),
                has_changed=has_changed,
                photograph=lambda: self._photograph(scene),
            )
        )

    def _drawn_behind(self, leaves: Sequence[Leaf], snapshot: Snapshot) -> Pixels:
        """The picture of all that is not written; drawn anew only where that has changed."""
        ground = str(self.camera.background_color)
        if self._behind is not None:
            marks, known_ground, pixels = self._behind
            if ground == known_ground and len(marks) == len(snapshot.marks) and all(map(_is, marks, snapshot.marks)):
                return pixels
        shown = {mark.owner for mark in snapshot.marks}
        self.camera.reset()
        self.camera.capture_mobjects([leaf for leaf, _ in leaves if id(leaf) in shown], include_submobjects=False)
        pixels = self.camera.pixel_array.copy()
        self._behind = snapshot.marks, ground, pixels
        return pixels

    def _photograph(self, scene: Scene) -> Pixels:
        camera = QuickCamera(
            pixel_width=2 * self.camera.pixel_width,
            pixel_height=2 * self.camera.pixel_height,
            background_color=self.camera.background_color,
            frame_width=self.camera.frame_width,
            frame_height=self.camera.frame_height,
            frame_center=self.camera.frame_center,
        )
        camera.capture_mobjects(self._all(scene))
        return np.asarray(camera.pixel_array[:, :, :3].copy())

    def _may_flash(self, moving: Iterable[Leaf]) -> bool:
        """Whether what moves is large enough for a flash."""
        area = sum(
            float(np.prod(np.ptp(leaf.points[:, :2], axis=0)))
            for leaf, text in moving
            if text is None and (not isinstance(leaf, VMobject) or leaf.fill_rgbas[0][3] > SEEN)
        )
        return area >= _LARGE * config.frame_width * config.frame_height

    @staticmethod
    def _all(scene: Scene) -> list[Mobject]:
        return [*scene.mobjects, *(m for m in scene.foreground_mobjects if m not in scene.mobjects)]


class _Sections(SceneFileWriter):
    """Writes nothing; tells when a section ends."""

    on_section: Callable[[], None] | None = None

    def next_section(self, name: str, type_: str, skip_animations: bool) -> None:
        if self.on_section is not None:
            self.on_section()
        super().next_section(name, type_, skip_animations)


class _Copyist:
    """Copies what is drawn; what has not changed since the last copy comes out as the same object."""

    def __init__(self) -> None:
        self._outlines: WeakKeyDictionary[Mobject, Outline] = WeakKeyDictionary()
        self._paints: WeakKeyDictionary[Mobject, tuple[tuple[bytes, bytes, float], Paint]] = WeakKeyDictionary()
        self._things: WeakKeyDictionary[Mobject, Text | Mark] = WeakKeyDictionary()

    def snapshot(self, leaves: Iterable[Leaf]) -> Snapshot:
        """What can be seen of some outlines, the lowest first."""
        drawn: list[Text | Mark] = []
        for owner, group in groupby(leaves, key=lambda leaf: leaf[1] or leaf[0]):
            painted = [
                (leaf, paint) for leaf, _ in group if (paint := self._paint(leaf)).opacity > SEEN
            ]
            written = [(leaf, paint) for leaf, paint in painted if isinstance(owner, _WRITTEN) and paint.fill_opacity]
            if written:
                drawn.append(self._text(owner, written))
            drawn += [self._mark(leaf, paint) for leaf, paint in painted if (leaf, paint) not in written]
        return Snapshot(tuple(drawn))

    def _outline(self, leaf: Mobject) -> Outline:
        known = self._outlines.get(leaf)
        if known is None or not np.array_equal(known.points, leaf.points):
            known = self._outlines[leaf] = Outline(leaf.points.copy())
        return known

    def _paint(self, leaf: Mobject) -> Paint:
        if not isinstance(leaf, VMobject):
            return Paint((0.5, 0.5, 0.5), 1.0, (0.5, 0.5, 0.5), 0.0, 0.0)
        width = float(np.max(leaf.stroke_width))
        key = leaf.fill_rgbas.tobytes(), leaf.stroke_rgbas.tobytes(), width
        known = self._paints.get(leaf)
        if known is None or known[0] != key:
            fill, stroke = (np.atleast_2d(rgbas).mean(axis=0).tolist() for rgbas in (leaf.fill_rgbas, leaf.stroke_rgbas))
            paint = Paint(tuple(fill[:3]), fill[3], tuple(stroke[:3]), stroke[3] * (width > 0), width / 100)
            known = self._paints[leaf] = key, paint
        return known[1]

    def _text(self, owner: Mobject, written: Sequence[tuple[Mobject, Paint]]) -> Text:
        known = self._things.get(owner)
        parts = tuple((self._outline(leaf), paint.fill, paint.fill_opacity) for leaf, paint in written)
        number = _facts(owner) if isinstance(owner, Number) else None
        if isinstance(known, Text) and known.number == number:
            if [(part.outline, part.colour, part.opacity) for part in known.parts] == list(parts):
                return known
        outlines = [outline for outline, _, _ in parts]
        if isinstance(known, Text) and [part.outline for part in known.parts] == outlines:
            outline = known.outline
        else:
            outline = outlines[0] if len(outlines) == 1 else Outline(np.concatenate([o.points for o in outlines]))
        text = Text(
            owner=id(owner),
            kind=_kind(owner),
            outline=outline,
            parts=tuple(Part(*part) for part in parts),
            said=owner.text if isinstance(owner, Label) else "",
            em=_em(owner),
            number=number,
        )
        self._things[owner] = text
        return text

    def _mark(self, leaf: Mobject, paint: Paint) -> Mark:
        known, outline, ground = self._things.get(leaf), self._outline(leaf), is_ground(leaf)
        if isinstance(known, Mark) and (known.outline, known.paint, known.is_ground) == (outline, paint, ground):
            return known
        mark = self._things[leaf] = Mark(id(leaf), type(leaf).__name__, outline, paint, ground)
        return mark


def _leaves(mobjects: Iterable[Mobject]) -> list[Leaf]:
    """Everything with points in some families, in the order of drawing."""
    found: dict[int, Leaf] = {}
    for mobject in mobjects:
        for leaf in _family(mobject, None):
            # As Manim does it: what comes twice is drawn where it comes last.
            found.pop(id(leaf[0]), None)
            found[id(leaf[0])] = leaf
    return sorted(found.values(), key=lambda leaf: leaf[0].z_index)


def _family(mobject: Mobject, text: Mobject | None) -> Iterator[Leaf]:
    text = mobject if text is None and isinstance(mobject, _WRITTEN) else text
    if len(mobject.points):
        yield mobject, text
    for child in mobject.submobjects:
        yield from _family(child, text)


def _facts(number: Number) -> NumberFacts:
    return NumberFacts(
        source=number.source,
        true=None if number.truth is None else float(number.truth()),
        decimals=number.style.decimals,
        is_percent=number.style.percent,
        is_strong=number.face == film_face().semibold,
    )


def _kind(owner: Mobject) -> str:
    if isinstance(owner, Number):
        return "number"
    return "label" if isinstance(owner, Label) else "formula"


def _em(owner: Mobject) -> float | None:
    return owner.em if isinstance(owner, Writing) else None


def _same(one: Snapshot, other: Snapshot) -> bool:
    return len(one.drawn) == len(other.drawn) and all(map(_is, one.drawn, other.drawn))


def _is(one: object, other: object) -> bool:
    return one is other


def background(scene: Scene) -> str:
    """The colour of the ground as ``#RRGGBB``."""
    return ManimColor(scene.camera.background_color).to_hex()
