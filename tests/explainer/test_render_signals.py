"""Renders that are ended from outside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.explainer.test_render import render

ROOT = Path(__file__).parents[2]
SCRIPT = """
from explainer.cache import ClipCache
from explainer.render import render_film
from tests.explainer.fake_chapters import *
render_film(FakeStory(), chapters=["second", "endless"], film_name="film", quality=TINY, out="out",
            load_chapter=load_fake, cache=ClipCache(None))
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by signals")


def until(happened: Callable[[], bool], seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while not happened() and time.monotonic() < end:
        time.sleep(0.05)
    return happened()


def _heed_signals() -> None:
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A render of two chapters, of which one never ends, caught in that one."""
    (tmp_path / "temporary").mkdir()
    folder = tmp_path / "out" / "fake"
    folder.mkdir(parents=True)
    (folder / "film.mp4").write_text("an older film")
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path / "temporary")},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A test run in the background (nohup, &) would hand down signals that are ignored.
        preexec_fn=_heed_signals,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("endless: beat"):
            break
    yield process
    process.kill()
    process.wait()
    process.stderr.close()


def members(session: int) -> list[int]:
    """The processes of a session that run."""
    told = subprocess.run(["ps", "-eo", "pid=,sid=,stat="], capture_output=True, text=True, check=True)
    rows = [line.split() for line in told.stdout.splitlines()]
    return [int(pid) for pid, sid, state in rows if int(sid) == session and not state.startswith("Z")]


@pytest.mark.parametrize(
    ("number", "to_all"), [(signal.SIGTERM, False), (signal.SIGHUP, False), (signal.SIGINT, True)]
)
def test_a_render_that_is_ended_leaves_nothing_behind(
    endless: subprocess.Popen[str], tmp_path: Path, number: signal.Signals, to_all: bool
) -> None:
    assert len(members(endless.pid)) > 1
    # Ctrl-C in a terminal reaches the processes that draw as well.
    os.killpg(endless.pid, number) if to_all else endless.send_signal(number)
    status = endless.wait(timeout=20)
    assert status == (-signal.SIGINT if number == signal.SIGINT else 128 + number)
    assert members(endless.pid) == []
    assert list((tmp_path / "temporary").iterdir()) == []
    assert [path.name for path in (tmp_path / "out" / "fake").iterdir()] == ["film.mp4"]
    assert (tmp_path / "out" / "fake" / "film.mp4").read_text() == "an older film"


def test_after_a_render_was_killed_outright_its_processes_end_and_the_next_render_tidies_up(
    endless: subprocess.Popen[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.killpg(endless.pid, signal.SIGKILL)
    endless.wait()
    assert until(lambda: members(endless.pid) == [])
    folder = tmp_path / "out" / "fake"
    temporary = tmp_path / "temporary"
    (temporary / ".explainer-not-ours").mkdir()
    assert len(list(folder.glob(".explainer-*"))) == 1
    assert len(list(temporary.iterdir())) == 2
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    made = render(tmp_path / "out", "second")
    assert made.path.stat().st_size > 1000
    assert not list(folder.glob(".explainer-*"))
    assert [path.name for path in temporary.iterdir()] == [".explainer-not-ours"]
