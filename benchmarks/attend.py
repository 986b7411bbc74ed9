"""What the checks and the record of ``attend`` cost, against the bare formula in NumPy and SciPy.

Run it as ``python -m benchmarks.attend`` from the project's folder. Exit status 1 means a target was missed.
"""

import math
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable

import numpy as np
import scipy.special

from math_core import attend, causal_mask

HEADS, N, D_K = 8, 1024, 64
REPEATS = 9
TIME_TARGET = 2.0  # times the bare formula
MEMORY_TARGET = 6.0  # score matrices beyond inputs and output

Call = Callable[[], object]


def main() -> int:
    stream = np.random.default_rng(0)
    queries, keys, values = (stream.standard_normal((HEADS, N, D_K)) for _ in range(3))
    mask = causal_mask(N)

    def bare() -> object:
        return scipy.special.softmax(queries @ keys.mT / math.sqrt(D_K), axis=-1) @ values

    def bare_masked() -> object:
        scaled = queries @ keys.mT / math.sqrt(D_K)
        return scipy.special.softmax(np.where(mask, scaled, -np.inf), axis=-1) @ values

    print(f"attend with n = {N}, d_k = {D_K}, {HEADS} heads; times are medians of {REPEATS} alternating runs")
    rows = [
        _row("no mask", lambda: attend(queries, keys, values), bare),
        _row("causal mask", lambda: attend(queries, keys, values, mask=mask), bare_masked),
    ]
    return 0 if all(rows) else 1


def _row(name: str, recorded: Call, bare: Call) -> bool:
    ours, theirs = _median_times(recorded, bare)
    ratio = ours / theirs
    matrices = _peak_in_score_matrices(recorded)
    print(
        f"{name:12} time {ours * 1e3:5.0f} ms, bare {theirs * 1e3:5.0f} ms, ratio {ratio:4.2f}"
        f" (target {TIME_TARGET:g}); peak memory {matrices:4.2f} score matrices (target {MEMORY_TARGET:g})"
    )
    return ratio <= TIME_TARGET and matrices <= MEMORY_TARGET


def _median_times(*calls: Call) -> list[float]:
    """Time the calls in turn, so that a slow spell of the machine hits them all."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(REPEATS + 1):
        for call, own in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            own.append(time.perf_counter() - start)
    return [statistics.median(own[1:]) for own in times]  # the first of each warms up


def _peak_in_score_matrices(call: Call) -> float:
    """Return the peak beyond the inputs, which are there before, and the output, in stacks of all heads."""
    item = np.dtype(np.float64).itemsize
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return (peak - HEADS * N * D_K * item) / (HEADS * N * N * item)


if __name__ == "__main__":
    sys.exit(main())
