"""What the models of batch sizes promise, against what is measured there."""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import importlib.util
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import worker
from results import Result

import sightline

ROOT = pathlib.Path(__file__).resolve().parent
ENTRY_POINTS = ROOT / "entry_points"
NAMES = ("resnet18", "transformer", "lstm")
ROUNDS = 4
ROUNDS_QUICK = 1
WARM_UP = 2
STEPS = 18


@dataclasses.dataclass
class Point:
    """A batch size that was not among those measured by `profile`."""

    name: str
    size: int
    expected_ms: float  # from all rounds, as is the next
    measured_ms: float
    peak_off_percent: float
    held: list[bool]  # the time measured, by the interval of each round

    @property
    def time_off_percent(self) -> float:
        return 100 * abs(self.expected_ms - self.measured_ms) / self.measured_ms


def measure(quick: bool) -> list[Result]:
    rounds = ROUNDS_QUICK if quick else ROUNDS
    points = [point for name in NAMES for point in compare(name, rounds)]
    held = [held for point in points for held in point.held]
    missed = ", ".join(f"{p.name} {p.size}" for p in points for inside in p.held if not inside)
    each = "; ".join(f"{p.name} {p.size}: {p.time_off_percent:.1f} %" for p in points)
    return [
        Result(
            "peak at batch sizes not measured, worst of all, off by",
            max(point.peak_off_percent for point in points),
            "%",
            bar=3,
        ),
        Result(
            "step time there, median, off by",
            statistics.median(point.time_off_percent for point in points),
            "%",
            bar=10,
            note=f"{each}; the lower quartile of {rounds} rounds of both",
        ),
        Result(
            "step times inside their 90 % interval",
            sum(held) / len(held),
            "",
            bar=0.8,
            at_least=True,
            note=f"{sum(held)} of {len(held)}; outside: {missed or 'none'}",
        ),
    ]


def compare(name: str, rounds: int) -> list[Point]:
    """Between two sizes that were measured, and at twice the largest."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / f"{number}.sightline" for number in range(rounds)]
        runs, measured = [], []
        for path in paths:
            runs.append(profile(name, path))
            sizes = sizes_beside(runs[0])
            measured.append(
                [worker.call("batch_sizes", "fastest_step_ms", name=name, size=n) for n in sizes]
            )
        keep_quartile_of_samples(paths)
        best = models_of(sightline.open(paths[0]))
        points = []
        for at, size in enumerate(sizes):
            path = pathlib.Path(folder) / f"alone-{size}.sightline"
            alone = profile(name, path, "--batch-size", str(size), "--no-throughput")
            peak = alone.report["memory"]["peak_bytes"]
            measured_ms = lower_quartile([times[at] for times in measured])
            held = [
                abs(models_of(run).iteration_ms(size) - measured_ms)
                <= models_of(run).iteration_interval_ms(size)
                for run in runs
            ]
            points.append(
                Point(
                    name,
                    size,
                    best.iteration_ms(size),
                    measured_ms,
                    100 * abs(best.peak_bytes(size) - peak) / peak,
                    held,
                )
            )
        return points


def sizes_beside(run: sightline.Run) -> list[int]:
    sampled = [sample["batch_size"] for sample in run.report["throughput"]["samples"]]
    return [(sampled[1] + sampled[2]) // 2, 2 * sampled[-1]]


def models_of(run: sightline.Run) -> Any:
    models = run.batch_models
    assert models is not None, f"{run.path}: too few batch sizes could be measured"
    return models


def lower_quartile(of_processes: list[float]) -> float:
    """A process is disturbed more often than it is lucky."""
    return sorted(of_processes)[len(of_processes) // 4]


def keep_quartile_of_samples(paths: list[pathlib.Path]) -> None:
    """Puts the lower quartile of all runs into the first, for each batch size."""
    times: dict[int, list[float]] = collections.defaultdict(list)
    for path in paths:
        with contextlib.closing(sqlite3.connect(path)) as run:
            for size, ms in run.execute("SELECT batch_size, iteration_ms FROM batch_samples"):
                times[size].append(ms)
    with contextlib.closing(sqlite3.connect(paths[0])) as first:
        first.executemany(
            "UPDATE batch_samples SET iteration_ms = ? WHERE batch_size = ?",
            [(lower_quartile(all_ms), size) for size, all_ms in times.items()],
        )
        first.commit()


def profile(name: str, path: pathlib.Path, *options: str) -> sightline.Run:
    program = pathlib.Path(sys.executable).with_name("sightline")
    subprocess.run(
        [program, "profile", f"entry_points/{name}.py", "-o", path, *options],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    return sightline.open(path)


def fastest_step_ms(name: str, size: int) -> float:
    """Runs in a process of its own, which holds this batch size only, as a training would."""
    specification = importlib.util.spec_from_file_location(name, ENTRY_POINTS / f"{name}.py")
    assert specification is not None and specification.loader is not None
    entry = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(entry)
    iteration = entry.sightline_iteration_provider(entry.sightline_model_provider())
    batch = entry.sightline_input_provider(batch_size=size)
    for _ in range(WARM_UP):
        iteration(*batch)
    fastest = float("inf")
    for _ in range(STEPS):
        start = time.perf_counter()
        iteration(*batch)
        fastest = min(fastest, 1e3 * (time.perf_counter() - start))
    return fastest
