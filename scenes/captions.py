"""How narration is cut into cues: 42 characters a line, two lines a cue, 17 characters a second at most. Pure text."""

from __future__ import annotations

import re
import textwrap

LINE = 42
LINES = 2
SHORTEST = 1.0
LONGEST = 7.0
COMFORT = 16.0
"""Characters a second that a cue is held for; the limit is 17."""


def cut(text: str) -> tuple[str, ...]:
    """``text`` as cues of at most two lines of at most 42 characters.

    It is cut between sentences where it can be, else between words; a word longer than a line gets an ellipsis.
    """
    joined = re.sub(r"(\d) %", "\\1\u00a0%", text)  # a percentage does not end a line before its sign
    words = [word if len(word) <= LINE else word[: LINE - 1] + "…" for word in re.split(r"[ \t\n]+", joined)]
    pages: list[list[str]] = []
    for sentence in re.split(r"(?<=[.!?]) ", " ".join(words)):
        together = _lines(" ".join([*pages[-1], sentence])) if pages else []
        if 0 < len(together) <= LINES:
            pages[-1] = together
        else:
            lines = _lines(sentence)
            pages += [lines[i : i + LINES] for i in range(0, len(lines), LINES)]
    return tuple("\n".join(_balanced(page)) for page in pages)


def _lines(text: str) -> list[str]:
    return textwrap.wrap(text, LINE, break_long_words=False, break_on_hyphens=False)


def reading_time(cue: str) -> float:
    """Seconds that a cue must stand to be read in comfort."""
    return min(LONGEST, max(SHORTEST, len(cue.replace("\n", " ")) / COMFORT))


def _balanced(page: list[str]) -> list[str]:
    """The same words with the lines as equal in length as they can be: easier to take in at a glance."""
    words = " ".join(page).split(" ")
    if len(page) < LINES:
        return page
    splits = ((" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words)))
    fitting = [[first, second] for first, second in splits if max(len(first), len(second)) <= LINE]
    return min(fitting, key=lambda lines: abs(len(lines[0]) - len(lines[1])))
