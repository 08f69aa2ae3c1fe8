"""What the models of batch sizes promise, against what is measured there."""

from __future__ import annotations

import importlib.util
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

import worker
from results import Result

import sightline

ENTRY_POINTS = pathlib.Path(__file__).resolve().parent / "entry_points"
NAMES = ("resnet18", "transformer", "lstm")
ROUNDS = 2
ROUNDS_QUICK = 1


def measure(quick: bool) -> list[Result]:
    peak_off: list[float] = []
    time_off: list[float] = []
    held: list[bool] = []
    notes: list[str] = []
    for _ in range(ROUNDS_QUICK if quick else ROUNDS):
        for name in NAMES:
            for point in compare(name):
                peak_off.append(point["peak_off"])
                time_off.append(point["time_off"])
                held.append(point["held"])
                notes.append(f"{name} {point['size']}: {point['time_off']:.1f} %")
    return [
        Result("peak at batch sizes not measured, worst of all, off by", max(peak_off), "%", bar=3),
        Result(
            "step time there, median, off by",
            statistics.median(time_off),
            "%",
            bar=10,
            note="; ".join(notes),
        ),
        Result(
            "step times inside their 90 % interval",
            sum(held) / len(held),
            "",
            bar=0.8,
            at_least=True,
            note=f"{sum(held)} of {len(held)}",
        ),
    ]


def compare(name: str) -> list[dict[str, Any]]:
    """Between two sizes that were measured, and at twice the largest."""
    with tempfile.TemporaryDirectory() as folder:
        run = profile(name, pathlib.Path(folder) / "run.sightline")
        models = run.batch_models
        assert models is not None, f"{name}: too few batch sizes could be measured"
        sampled = [sample["batch_size"] for sample in run.report["throughput"]["samples"]]
        sizes = [(sampled[1] + sampled[2]) // 2, 2 * sampled[-1]]
        measured_ms = worker.call("batch_sizes", "fastest_steps_ms", name=name, sizes=sizes)
        points = []
        for size, measured in zip(sizes, measured_ms, strict=True):
            path = pathlib.Path(folder) / f"{size}.sightline"
            alone = profile(name, path, "--batch-size", str(size), "--no-throughput")
            peak = alone.report["memory"]["peak_bytes"]
            expected = models.iteration_ms(size)
            points.append(
                {
                    "size": size,
                    "peak_off": 100 * abs(models.peak_bytes(size) - peak) / peak,
                    "time_off": 100 * abs(expected - measured) / measured,
                    "held": abs(expected - measured) <= models.iteration_interval_ms(size),
                }
            )
        return points


def profile(name: str, path: pathlib.Path, *options: str) -> sightline.Run:
    program = pathlib.Path(sys.executable).with_name("sightline")
    subprocess.run(
        [program, "profile", f"{name}.py", "-o", path, *options],
        cwd=ENTRY_POINTS,
        check=True,
        capture_output=True,
    )
    return sightline.open(path)


def fastest_steps_ms(name: str, sizes: list[int]) -> list[float]:
    """Runs in a process of its own, in turn, until the fastest step of each is known."""
    specification = importlib.util.spec_from_file_location(name, ENTRY_POINTS / f"{name}.py")
    assert specification is not None and specification.loader is not None
    entry = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(entry)
    iteration = entry.sightline_iteration_provider(entry.sightline_model_provider())
    inputs = [entry.sightline_input_provider(batch_size=size) for size in sizes]
    fastest = [float("inf")] * len(sizes)
    for _ in range(6):
        for at, batch in enumerate(inputs):
            iteration(*batch)
            for _ in range(3):
                start = time.perf_counter()
                iteration(*batch)
                fastest[at] = min(fastest[at], 1e3 * (time.perf_counter() - start))
    return fastest
