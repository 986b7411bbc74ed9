"""From a story and its chapters to a film and all that belongs to it: the one door of the production."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av

from explainer.assemble import Clip, Pixels, frame_at, has_content, join, save_png, write_frames, write_gif
from explainer.cache import ClipCache, cache_folder, chapter_key
from explainer.captions import to_srt, to_vtt
from explainer.errors import PlaceError, RenderError
from explainer.pool import Job, draw_chapters
from explainer.process import cores, ended_by_signals
from explainer.progress import Progress, progress_on
from explainer.quality import FORMATS, QUALITIES, Picture, Quality, frame_rate, picture_size
from explainer.staging import Places, places_for, publish, staging, workplace
from explainer.timeline import PlayedChapter, Timeline
from scenes import film as films
from scenes.story import Story

__all__ = ["Film", "PlaceError", "RenderError", "render_film"]


@dataclass(frozen=True)
class Film:
    """A film that was made, and its files.

    ``path`` is a video, a GIF or a folder of pictures; ``chapters`` are the chapters' own clips, of which a
    folder of pictures has none.
    """

    path: Path
    srt: Path
    vtt: Path
    beats: Path
    poster: Path
    chapters: tuple[Path, ...]
    width: int
    height: int
    fps: int
    frames: int

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the end of the last."""
        return self.frames / self.fps


@dataclass(frozen=True)
class _Drawn:
    """A chapter's clip and what was played in it."""

    clip: Clip
    played: PlayedChapter


def render_film(
    story: Story,
    *,
    chapters: Sequence[str],
    film_name: str,
    quality: Quality | str = "high",
    format: str = "mp4",
    out: Path | str = "renders",
    jobs: int | None = None,
    burn_captions: bool = False,
    load_chapter: Callable[[str], type] = films.load_chapter,
    cache: ClipCache | None = None,
    progress: Progress | None = None,
) -> Film:
    """Render ``chapters`` of ``story`` as one film into ``out``/<the story's stem>/.

    Parameters
    ----------
    quality, format
        A name of :data:`QUALITIES`, or a quality of one's own, and a name of :data:`FORMATS`.
    jobs
        How many chapters are drawn at once; None for one a core.
    burn_captions
        Draw the captions into the picture as well.
    load_chapter
        From a chapter's name to its scene class; a function of a module, for it is called in the process that
        draws.
    cache
        Where unchanged chapters come from; None for the system's cache folder.
    progress
        What is told how far the render is; None for a bar or lines on stderr.

    Raises
    ------
    PlaceError
        The film cannot be stored in ``out``; nothing was rendered.
    RenderError
        A chapter could not be drawn or the film not be written; nothing of what was there before has changed.
    KeyError
        No such quality or format.
    """
    quality = QUALITIES[quality] if isinstance(quality, str) else quality
    width, height = picture_size(quality, story.look.aspect)
    picture = Picture(
        aspect=story.look.aspect,
        width=width,
        height=height,
        fps=frame_rate(quality, FORMATS[format]),
        format=FORMATS[format],
    )
    places = places_for(Path(out).absolute(), story.stem, film_name, picture.format, chapters)
    processes = jobs or cores()
    with ExitStack() as stack:
        stack.enter_context(ended_by_signals())
        staged = stack.enter_context(staging(places))
        folder = stack.enter_context(workplace())
        progress = stack.enter_context(progress or progress_on(sys.stderr))
        progress.begin(film_name, chapters)
        drawing = _Drawing(story, picture, burn_captions, load_chapter, folder, processes)
        drawn = drawing.of(chapters, cache or ClipCache(cache_folder()), progress)
        progress.assembling(film_name)
        timeline = Timeline(tuple(chapter.played for chapter in drawn), picture.fps)
        try:
            _assemble(drawn, timeline, staged, picture, story.title or film_name, processes)
            _describe(timeline, staged, picture, film_name, story)
            publish(staged, places)
        except (OSError, av.error.FFmpegError) as error:
            reason = error.strerror or str(error)
            raise RenderError(f"the film could not be written to {places.folder}: {reason}") from error
    return Film(
        path=places.film,
        srt=places.srt,
        vtt=places.vtt,
        beats=places.beats,
        poster=places.poster,
        chapters=places.chapters,
        width=picture.width,
        height=picture.height,
        fps=picture.fps,
        frames=timeline.frames,
    )


@dataclass(frozen=True)
class _Drawing:
    """How chapters are drawn for one film."""

    story: Story
    picture: Picture
    burn_captions: bool
    load_chapter: Callable[[str], type]
    workplace: Path
    processes: int

    def of(self, chapters: Sequence[str], cache: ClipCache, progress: Progress) -> list[_Drawn]:
        """The chapters' clips: from the cache where nothing changed, else drawn."""
        keys = {name: self._key(name) for name in chapters}
        drawn: dict[str, _Drawn] = {}
        for name, key in keys.items():
            if found := cache.find(key):
                clip, played = found
                drawn[name] = _Drawn(Clip(clip, played.frames), played)
                progress.done(name, was_cached=True)
        jobs = [self._job(name) for name in keys if name not in drawn]
        for job, clip, played in draw_chapters(jobs, processes=self.processes, on_beat=progress.beat):
            cache.keep(keys[job.chapter], clip, played)
            drawn[job.chapter] = _Drawn(Clip(clip, played.frames), played)
            progress.done(job.chapter, was_cached=False)
        return [drawn[name] for name in chapters]

    def _key(self, name: str) -> str:
        return chapter_key(self.load_chapter, name, self.story, self.picture, self.burn_captions)

    def _job(self, name: str) -> Job:
        folder = self.workplace / name
        folder.mkdir()
        return Job(self.load_chapter, name, self.story, self.picture, self.burn_captions, folder)


def _assemble(
    drawn: Sequence[_Drawn], timeline: Timeline, staged: Places, picture: Picture, title: str, threads: int
) -> None:
    """Write the film and its chapters' clips."""
    for chapter, target in zip(drawn, staged.chapters, strict=bool(staged.chapters)):
        target.parent.mkdir(exist_ok=True)
        _write([chapter.clip], Timeline((chapter.played,), picture.fps), target, chapter.played.title)
    clips = [chapter.clip for chapter in drawn]
    if picture.format.suffix:
        _write(clips, timeline, staged.film, title)
    else:
        write_frames(clips, staged.film, threads=threads)
    save_png(_poster(drawn, picture.fps), staged.poster)


def _write(clips: Sequence[Clip], timeline: Timeline, target: Path, title: str) -> None:
    if target.suffix == ".gif":
        write_gif(clips, target, fps=timeline.fps)
    else:
        join(clips, target, fps=timeline.fps, title=title, marks=timeline.marks(), cues=timeline.cues())


def _describe(timeline: Timeline, staged: Places, picture: Picture, film_name: str, story: Story) -> None:
    """Write captions and beats beside the film."""
    cues = timeline.cues()
    staged.srt.write_text(to_srt(cues, timeline.fps), encoding="utf-8", newline="\n")
    staged.vtt.write_text(to_vtt(cues, timeline.fps), encoding="utf-8", newline="\n")
    description: Mapping[str, Any] = {
        "film": film_name,
        "title": story.title,
        "story": story.path.name,
        "width": picture.width,
        "height": picture.height,
        "fps": timeline.fps,
        "frames": timeline.frames,
        "duration": timeline.seconds(timeline.frames),
        "beats": list(timeline.rows()),
    }
    text = json.dumps(description, ensure_ascii=False, indent=2) + "\n"
    staged.beats.write_text(text, encoding="utf-8", newline="\n")


def _poster(drawn: Sequence[_Drawn], fps: int) -> Pixels:
    """The film's picture: the end of the beat that a chapter names, else of the last that shows something."""
    ends = [(chapter, beat) for chapter in reversed(drawn) for beat in reversed(chapter.played.beats)]
    for chapter, beat in ends:
        if beat.name == chapter.played.poster_beat:
            return frame_at(chapter.clip.path, beat.end - 1, fps)
    for chapter, beat in ends:
        pixels = frame_at(chapter.clip.path, beat.end - 1, fps)
        if has_content(pixels):
            return pixels
    return pixels
