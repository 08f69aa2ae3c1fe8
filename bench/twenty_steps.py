"""Twenty steps and their report, by Sightline and by the peer: what time_to_report and file_size
compare. Each function is called in a process of its own."""

from __future__ import annotations

import json
import os
import pathlib
import sqlite3
import tempfile
import time
from typing import Any

import peer
from models import Training
from switches import BENCH

import sightline

STEPS = 20
WARM_UP_STEPS = 3


def bare() -> dict[str, float]:
    training = Training()
    training.steps(WARM_UP_STEPS)
    start = time.perf_counter()
    training.steps(STEPS)
    return {"total_s": time.perf_counter() - start}


def with_sightline() -> dict[str, Any]:
    """From the first step to the report as Python data."""
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder:
        training = Training()
        training.steps(WARM_UP_STEPS)
        _record(training, pathlib.Path(folder) / "warm-up.sightline", steps=1)

        path = pathlib.Path(folder) / "run.sightline"
        start = time.perf_counter()
        report = _record(training, path, STEPS)
        total_s = time.perf_counter() - start
        return {
            "total_s": total_s,
            "bytes": os.path.getsize(path),
            "steps": report["iteration"]["seen_steps"],
            "dropped": report["overhead"]["dropped"],
            "steps_with_events": _steps_with_events(path),
        }


def _record(training: Training, path: pathlib.Path, steps: int) -> dict[str, Any]:
    with sightline.record(path, root=BENCH):
        training.steps(steps)
    return sightline.open(path).report


def _steps_with_events(path: pathlib.Path) -> int:
    with sqlite3.connect(path) as run:
        (steps,) = run.execute("SELECT count(DISTINCT step) FROM events").fetchone()
    return int(steps)


def with_peer() -> dict[str, Any]:
    """From the first step to the exported trace and the averages by stack."""
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder:
        training = Training()
        training.steps(WARM_UP_STEPS)
        _profile(training, pathlib.Path(folder) / "warm-up.json", steps=1)

        path = pathlib.Path(folder) / "trace.json"
        parts = _profile(training, path, STEPS)
        events = json.loads(path.read_bytes())["traceEvents"]
        return {**parts, "bytes": os.path.getsize(path), "events": len(events)}


def _profile(training: Training, path: pathlib.Path, steps: int) -> dict[str, float]:
    start = time.perf_counter()
    with peer.with_stacks() as profiler:
        training.steps(steps)
    profiler.export_chrome_trace(str(path))
    exported = time.perf_counter()
    profiler.key_averages(group_by_stack_n=5).table(sort_by="self_cpu_time_total")
    done = time.perf_counter()
    return {"total_s": done - start, "without_averages_s": exported - start}
