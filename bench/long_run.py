"""A long run: the file must not grow with the steps, nor must the memory."""

from __future__ import annotations

import pathlib
import tempfile

import worker
from models import Training
from results import Result
from switches import BENCH

import sightline

STEPS = 2_000
STEPS_QUICK = 300


def measure(quick: bool) -> list[Result]:
    steps = STEPS_QUICK if quick else STEPS
    bare = worker.call("long_run", "bare", steps=steps)
    recorded = worker.call("long_run", "recorded", steps=steps)
    added_mb = (recorded["peak_bytes"] - bare["peak_bytes"]) / 1e6
    added_at_end_mb = (recorded["resident_bytes"] - bare["resident_bytes"]) / 1e6
    return [
        Result(
            f"run file of {steps:,} steps",
            recorded["file_bytes"] / 1e6,
            "MB",
            bar=2,
            note=f"while it was recorded {recorded['open_bytes'] / 1e6:.2f} MB, with its log",
        ),
        Result(
            "resident memory added in them",
            added_mb,
            "MB",
            bar=64,
            note=f"at the peak: {recorded['peak_bytes'] / 1e6:.0f} MB against "
            f"{bare['peak_bytes'] / 1e6:.0f} MB; at the end {added_at_end_mb:.1f} MB more",
        ),
    ]


def bare(steps: int) -> dict[str, int]:
    Training().steps(steps)
    return _resident()


def recorded(steps: int) -> dict[str, int]:
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder:
        path = pathlib.Path(folder) / "long.sightline"
        training = Training()
        with sightline.record(path, root=BENCH):
            training.steps(steps)
            open_bytes = _folder_bytes(path.parent)
        return {"open_bytes": open_bytes, "file_bytes": _folder_bytes(path.parent), **_resident()}


def _folder_bytes(folder: pathlib.Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def _resident() -> dict[str, int]:
    """What the process holds now and held at most, as the kernel counts it."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    fields = dict(line.split(":", 1) for line in lines)
    return {
        "resident_bytes": int(fields["VmRSS"].split()[0]) * 1024,
        "peak_bytes": int(fields["VmHWM"].split()[0]) * 1024,
    }
