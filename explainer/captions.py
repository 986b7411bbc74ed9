"""Captions as files and tracks: SRT, WebVTT and the samples of an MP4's text track. Pure text in, text out.

The chapter has already cut its words into lines and cues; nothing is wrapped, dropped or reworded here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from html import escape

import srt

from scenes.played import Cue


def to_srt(cues: Iterable[Cue], fps: int) -> str:
    """SubRip text. Every character stands for itself, as the format has no way to escape one."""
    subtitles = [
        srt.Subtitle(index, _moment(cue.start, fps), _moment(cue.end, fps), cue.text)
        for index, cue in enumerate(cues, 1)
    ]
    return str(srt.compose(subtitles))


def to_vtt(cues: Iterable[Cue], fps: int) -> str:
    """WebVTT text. Signs that WebVTT would read as its own are escaped."""
    blocks = [
        f"{index}\n{_vtt_time(cue.start, fps)} --> {_vtt_time(cue.end, fps)}\n{vtt_text(cue.text)}\n"
        for index, cue in enumerate(cues, 1)
    ]
    return "\n".join(["WEBVTT\n", *blocks])


def vtt_text(text: str) -> str:
    """The text of one cue, as WebVTT writes it."""
    return escape(text, quote=False)


def mov_text(text: str) -> bytes:
    """The sample of one cue in an MP4's text track (3GPP timed text): its length in bytes, then UTF-8.

    Written by hand because FFmpeg's encoder would read ``{`` and ``\\`` as styling.
    """
    encoded = text.encode()
    return len(encoded).to_bytes(2, "big") + encoded


def _moment(frame: int, fps: int) -> timedelta:
    return timedelta(milliseconds=_milliseconds(frame, fps))


def _vtt_time(frame: int, fps: int) -> str:
    seconds, milliseconds = divmod(_milliseconds(frame, fps), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02}:{minutes:02}:{seconds:02}.{milliseconds:03}"


def _milliseconds(frame: int, fps: int) -> int:
    return round(1000 * frame / fps)
