"""How large, how fast and in which container a film is made. Tables and arithmetic; nothing here draws."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Quality:
    """The shorter side of the picture in pixels, and frames a second."""

    name: str
    shorter_side: int
    fps: int


QUALITIES: Mapping[str, Quality] = {
    quality.name: quality
    for quality in (
        Quality("draft", 480, 15),
        Quality("standard", 720, 30),
        Quality("high", 1080, 60),
        Quality("4k", 2160, 60),
    )
}


@dataclass(frozen=True)
class Format:
    """What a film is stored as.

    ``suffix`` is the ending of its files, empty for a folder of pictures. The rest is how a chapter's clip is
    encoded before the film is put together: GIF and PNG films are made from clips without loss.
    """

    name: str
    suffix: str
    container: str
    codec: str
    pixel_format: str
    options: tuple[tuple[str, str], ...]


# A bit rate of 0 leaves the quality to crf alone; cpu-used gives up a little size for much time.
_VP9 = (("b", "0"), ("cpu-used", "4"), ("crf", "30"))
_LOSSLESS = ("mp4", "libx264rgb", "rgb24", (("preset", "ultrafast"), ("qp", "0")))

FORMATS: Mapping[str, Format] = {
    format_.name: format_
    for format_ in (
        Format("mp4", ".mp4", "mp4", "libx264", "yuv420p", (("crf", "23"),)),
        Format("webm", ".webm", "webm", "libvpx-vp9", "yuv420p", _VP9),
        Format("gif", ".gif", *_LOSSLESS),
        Format("png", "", *_LOSSLESS),
    )
}

# A GIF's pictures last whole hundredths of a second, and players slow down those of one hundredth.
_GIF_RATES = (1, 2, 4, 5, 10, 20, 25, 50)


@dataclass(frozen=True)
class Picture:
    """All that settles how a chapter's pictures are made, apart from the story."""

    aspect: str
    width: int
    height: int
    fps: int
    format: Format


def frame_rate(quality: Quality, format_: Format) -> int:
    """Frames a second; for a GIF the nearest lower rate that it can hold exactly."""
    if format_.name != "gif":
        return quality.fps
    return max((rate for rate in _GIF_RATES if rate <= quality.fps), default=1)


def picture_size(quality: Quality, aspect: str) -> tuple[int, int]:
    """Width and height in pixels for an aspect such as "16:9"; both even, as H.264 needs them."""
    across, down = (int(part) for part in aspect.split(":"))
    longer = 2 * round(quality.shorter_side * max(across, down) / min(across, down) / 2)
    shorter = 2 * round(quality.shorter_side / 2)
    return (longer, shorter) if across >= down else (shorter, longer)
