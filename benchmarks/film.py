"""What a film costs, against only encoding its frames over all cores with Manim's own encoder and settings.

Run it as ``python -m benchmarks.film [--story STORY] [--quality high]`` from the project's folder; some minutes
at 1080p60. Exit status 1 means a target was missed.

Four things are timed in turn: the render of the whole film, as production makes it; encoding that film's frames;
the render of the same film with each wait cut to one frame; encoding those frames. The second pair is about the
frames that move, and the difference of the pairs about those that are held.

To encode, the film is dealt out in pieces to as many processes as there are cores. Each decodes its frames one
by one, hands them to Manim's ``VideoSegmentEncoder`` and adds up only the time that it spends in there. All of
them are busy all the time, so that no core is freer than if they did nothing but encode.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import av
import numpy as np
from manim._config.output import OutputFormat, OutputSpec
from manim._config.video_encoder import VideoEncoderSpec, resolve_video_encoder
from manim.scene.video_segment_encoder import VideoSegmentEncoder

from explainer.cache import ClipCache
from explainer.progress import Silence
from explainer.quality import QUALITIES
from explainer.render import render_film
from scenes import film as films
from scenes.story import default_story, load_story

WHOLE_TARGET = 1.5  # times only encoding
MOVING_TARGET = 2.0


@dataclass(frozen=True)
class Cost:
    """Seconds on the clock, and seconds of all processors together."""

    wall: float
    cpu: float

    def __sub__(self, other: "Cost") -> "Cost":
        return Cost(self.wall - other.wall, self.cpu - other.cpu)


class Clock:
    """Adds up what is spent inside of its ``with`` blocks by this process."""

    def __init__(self) -> None:
        self.total = Cost(0.0, 0.0)

    def __enter__(self) -> None:
        self._started = Cost(time.perf_counter(), _busy())

    def __exit__(self, *failure: object) -> None:
        spent = Cost(time.perf_counter(), _busy()) - self._started
        self.total = Cost(self.total.wall + spent.wall, self.total.cpu + spent.cpu)


def load_without_waits(name: str) -> type:
    """The scene class of a chapter, its waits cut to one frame each."""
    chapter: Any = films.load_chapter(name)

    class WithoutWaits(chapter):  # type: ignore[misc]
        def setup(self) -> None:
            super().setup()
            renderer = self.renderer
            renderer.freeze_current_frame = lambda duration: renderer.add_frame(renderer.get_frame())

    return WithoutWaits


def main() -> int:
    options = _options()
    cores = os.cpu_count() or 1
    # This module by its name, for it has another when it is run: the processes that draw import it.
    from benchmarks import film as here

    with TemporaryDirectory() as folder:
        render = partial(_render, options, Path(folder))
        whole, whole_film = render("whole", films.load_chapter)
        whole_encoding, frames = _encode(whole_film, cores)
        moving, moving_film = render("moving", here.load_without_waits)
        moving_encoding, moving_frames = _encode(moving_film, cores)
    print(f"{options.story or 'the default story'} at quality {options.quality}, {cores} cores")
    _row("held frames", frames - moving_frames, whole - moving, whole_encoding - moving_encoding, None)
    reached = [
        _row("moving frames", moving_frames, moving, moving_encoding, MOVING_TARGET),
        _row("whole film", frames, whole, whole_encoding, WHOLE_TARGET),
    ]
    return 0 if all(reached) else 1


def encode_part(path: Path, part: int, parts: int) -> tuple[Cost, int]:
    """Encode one of ``parts`` pieces of a film: what that cost, and how many frames it was."""
    with TemporaryDirectory() as folder, av.open(str(path)) as container:
        stream = container.streams.video[0]
        stream.codec_context.thread_count = 1
        first, end = (stream.frames * number // parts for number in (part, part + 1))
        encoder = VideoSegmentEncoder(target=Path(folder) / "part.mp4", spec=_spec(stream))
        clock = Clock()
        for frame in _frames(container, stream, first, end):
            pixels = np.ascontiguousarray(frame.to_ndarray(format="rgba"))
            with clock:
                encoder.write_frame(pixels)
        with clock:
            encoder.finish()
    return clock.total, end - first


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--story", type=Path, help="story file; left out, the default story")
    parser.add_argument("--quality", choices=QUALITIES, default="high")
    return parser.parse_args()


def _render(options: argparse.Namespace, folder: Path, name: str, load_chapter: Any) -> tuple[Cost, Path]:
    story = load_story(options.story) if options.story else default_story()
    chapters = films.chapters_of(story.chapters)
    clock = Clock()
    with clock:
        film = render_film(
            story,
            chapters=chapters,
            film_name=name,
            quality=options.quality,
            out=folder,
            load_chapter=load_chapter,
            cache=ClipCache(None),
            progress=Silence(),
        )
    return clock.total, film.path


def _encode(path: Path, cores: int) -> tuple[Cost, int]:
    with get_context("spawn").Pool(cores) as pool:
        parts = pool.starmap(encode_part, [(path, part, cores) for part in range(cores)], chunksize=1)
    costs, frames = zip(*parts, strict=True)
    return Cost(max(cost.wall for cost in costs), sum(cost.cpu for cost in costs)), sum(frames)


def _frames(
    container: av.container.InputContainer, stream: av.VideoStream, first: int, end: int
) -> Iterator[av.VideoFrame]:
    rate, clock = stream.average_rate, stream.time_base
    assert rate is not None
    assert clock is not None
    container.seek(int(first / rate / clock), stream=stream)
    for frame in container.decode(stream):
        number = round((frame.pts or 0) * clock * rate)
        if number >= end:
            return
        if number >= first:
            yield frame


def _spec(stream: av.VideoStream) -> VideoEncoderSpec:
    output = OutputSpec(OutputFormat.MP4, transparent=False, save_sections=False, fallback_to_still=False)
    rate = stream.average_rate
    assert rate is not None
    spec = resolve_video_encoder(output, width=stream.width, height=stream.height, frame_rate=rate)
    assert spec is not None
    return spec


def _busy() -> float:
    """Seconds that the processors have worked for this process and those that it has waited for."""
    return sum(os.times()[:4])


def _row(name: str, frames: int, ours: Cost, encoding: Cost, target: float | None) -> bool:
    ratio = ours.wall / encoding.wall if encoding.wall > 0 else float("nan")
    wanted = "" if target is None else f" (target {target:g})"
    print(
        f"{name:14}{frames:6} frames: rendered {ours.wall:6.1f} s, only encoded {encoding.wall:6.1f} s, "
        f"ratio {ratio:4.2f}{wanted}; in processor time {ours.cpu / encoding.cpu:4.2f}"
    )
    return target is None or ratio <= target


if __name__ == "__main__":
    sys.exit(main())
