"""Renders whose progress nobody can be told."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from explainer.progress import progress_on
from tests.explainer.test_render import ROOT, render

SCRIPT = """
import sys
from types import SimpleNamespace
import explainer.cli
import explainer.render
from explainer.progress import progress_on

def render_film(story, **options):
    with progress_on(sys.stderr) as progress:
        progress.begin("film", ["one"])
        progress.done("one", was_cached=False)
    return SimpleNamespace(path="a film")

explainer.render.render_film = render_film
sys.argv = ["explainer", "render"]
explainer.cli.main()
"""


class Unwritable(io.StringIO):
    """A stream that refuses all but the first lines, as a pipe whose reader has gone."""

    def __init__(self, error: Exception, *, terminal: bool) -> None:
        super().__init__()
        self.error, self.terminal = error, terminal

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        if self.tell() > 20:
            raise self.error
        return super().write(text)


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("error", [BrokenPipeError(), OSError("disk full"), ValueError("closed file")])
def test_progress_that_cannot_be_written_does_not_cost_the_film(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, terminal: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = Unwritable(error, terminal=terminal)
    assert render(tmp_path, "second", progress=progress_on(stream)).path.is_file()
    assert stream.getvalue()


def _closed() -> IO[str]:
    stream = io.StringIO()
    stream.close()
    return stream


@pytest.mark.parametrize("stream", [None, _closed()])
def test_without_a_stream_progress_is_silent(stream: IO[str] | None) -> None:
    with progress_on(stream) as progress:
        progress.begin("film", ["one"])
        progress.done("one", was_cached=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a POSIX shell and a full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("redirection", "told"),
    [("2>/dev/full", "a film\n"), ("2>&-", "a film\n"), ("2>&1 >&3 | true", "a film\n"), ("2>&1 | true", "")],
)
def test_the_command_succeeds_when_progress_cannot_be_told(
    redirection: str, told: str, unbuffered: str
) -> None:
    line = f'exec 3>&1; "$0" -c "$1" {redirection}; exit ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["bash", "-c", line, sys.executable, SCRIPT],
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, told, "")
