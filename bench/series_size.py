"""The series of a long training in the run file: bytes a point, and how soon they are shown."""

from __future__ import annotations

import pathlib
import random
import sqlite3
import statistics
import tempfile
import time

import worker
from results import Result
from served import Browser, Server

STEPS = 10_000
SERIES = 100
ROUNDS = 9
ROUNDS_QUICK = 3


def measure(quick: bool) -> list[Result]:
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder, Browser() as browser:
        home = pathlib.Path(folder)
        run = home / "series.sightline"
        bare = worker.call("series_size", "write", path=str(home / "bare.sightline"), steps=0)
        size = worker.call("series_size", "write", path=str(run), steps=STEPS)
        with sqlite3.connect(run) as database:
            (points,) = database.execute("SELECT sum(points) FROM series").fetchone()
        assert points >= STEPS * SERIES, points
        return [
            Result(
                f"{STEPS:,} steps of {SERIES} series in the run file",
                (size - bare) / points,
                "bytes a point",
                bar=16,
                note=f"{points:,} points of noise; a run without them was taken off, "
                f"{bare / 1e3:.0f} kB; the summary of every step is counted",
            ),
            _opened(home, run, browser, ROUNDS_QUICK if quick else ROUNDS),
        ]


def _opened(home: pathlib.Path, run: pathlib.Path, browser: Browser, rounds: int) -> Result:
    times = []
    for number in range(rounds):
        began = time.perf_counter()
        with Server(home / f"view{number}", home, "view", str(run)) as server:
            started = time.perf_counter() - began
            times.append(started + browser.ask("training", address=server.address) / 1e3)
    return Result(
        "view of it, from the start of the server to its curves",
        statistics.median(times),
        "s",
        bar=1,
        note=f"the median of {rounds}, from {min(times):.2f} to {max(times):.2f}",
    )


def write(path: str, steps: int) -> int:
    """Bytes of a run with so many steps of noisy figures, which it tells as a training would."""
    import torch

    import sightline
    from sightline import _core

    recorded = sightline._recording.Recording(path)
    assert recorded._native is not None
    supervision = _core.Supervision(recorded._native)
    noise = random.Random(1)
    weight = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([weight], lr=0.1)
    weight.sum().backward()
    optimizer.step()  # a run has at least one step
    for step in range(steps):
        for series in range(SERIES):
            module = f"layers.{series // 10}"
            supervision.publish_value(
                "gradients", f"figure{series % 10}", module, "weight", step, 0, noise.gauss(1, 0.1)
            )
        supervision.end_step(step)
    supervision.end()
    recorded.stop()
    return pathlib.Path(path).stat().st_size
