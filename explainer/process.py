"""What long work asks of this process and this machine: how many cores there are, and to be ended cleanly."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


def cores() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the work by an exception, as Ctrl-C does, so that it is cleaned up."""
    if threading.current_thread() is not threading.main_thread():
        # Only the main thread may settle what signals do.
        yield
        return

    def end(number: int, frame: FrameType | None) -> None:
        # A second signal must not cut the cleaning short.
        signal.signal(number, signal.SIG_IGN)
        raise SystemExit(128 + number)

    signals = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    # Who has settled a signal already, as nohup does, knows better.
    ours = [number for number in signals if signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
