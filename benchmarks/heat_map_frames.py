"""What a frame costs while a grid of a million scores is drawn, against the average frame of the walkthrough.

Run it as ``python -m benchmarks.heat_map_frames [--story STORY] [--quality high]`` from the project's folder; some
minutes at 1080p60. Exit status 1 means the target was missed.

Every chapter of the walkthrough is drawn and encoded as production does it, but one after the other in this one
process. Each beat's cost in processor seconds, those of the encoder included, is shared among its frames, held ones
too; what chapters prepare before their first beat counts for no frame.
"""

import argparse
import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from explainer.pool import Job
from explainer.quality import FORMATS, QUALITIES, Picture, picture_size
from explainer.worker import draw
from scenes import film
from scenes.story import Story, default_story, load_story

CHAPTER, BEAT = "scores", "growth"
TARGET = 2.0  # times the average frame


@dataclass(frozen=True)
class Cost:
    """Processor seconds, and the frames that they were spent on."""

    chapter: str
    beat: str
    seconds: float
    frames: int

    @property
    def per_frame(self) -> float:
        return self.seconds / self.frames


def main() -> int:
    options = _options()
    story = load_story(options.story) if options.story else default_story()
    quality = QUALITIES[options.quality]
    size = picture_size(quality, story.look.aspect)
    picture = Picture(story.look.aspect, *size, quality.fps, FORMATS["mp4"])
    costs = [cost for name in options.chapters for cost in costs_of(name, story, picture)]
    average = sum(cost.seconds for cost in costs) / sum(cost.frames for cost in costs)
    (growth,) = (cost for cost in costs if (cost.chapter, cost.beat) == (CHAPTER, BEAT))
    print(f"{options.story or 'the default story'} at quality {options.quality}, average frame {1000 * average:.1f} ms")
    for cost in sorted(costs, key=lambda cost: -cost.per_frame)[: options.dearest]:
        _row(cost, average)
    print("the heat map's:")
    return 0 if _row(growth, average, f" (target {TARGET:g})") <= TARGET else 1


def costs_of(chapter: str, story: Story, picture: Picture) -> list[Cost]:
    """Draw a chapter: what each of its beats cost."""
    times: list[float] = []
    with TemporaryDirectory() as folder:
        job = Job(film.load_chapter, chapter, story, picture, burn_captions=False, folder=Path(folder))
        _, played = draw(job, lambda title, index, count: times.append(time.process_time()))
    times.append(time.process_time())
    spent = [end - start for start, end in pairwise(times)]
    return [
        Cost(chapter, beat.name, seconds, beat.end - beat.start)
        for beat, seconds in zip(played.beats, spent, strict=True)
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--story", type=Path, help="story file; left out, the default story")
    parser.add_argument("--quality", choices=QUALITIES, default="high")
    parser.add_argument("--chapters", nargs="+", choices=film.WALKTHROUGH, default=film.WALKTHROUGH, metavar="CHAPTER")
    parser.add_argument("--dearest", type=int, default=5, help="how many of the dearest beats to list")
    return parser.parse_args()


def _row(cost: Cost, average: float, target: str = "") -> float:
    ratio = cost.per_frame / average
    print(f"{cost.chapter:12}{cost.beat:24}{1000 * cost.per_frame:7.1f} ms a frame, ratio {ratio:5.2f}{target}")
    return ratio


if __name__ == "__main__":
    sys.exit(main())
