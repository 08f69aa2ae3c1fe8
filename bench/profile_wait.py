"""How long `sightline profile --no-throughput` takes beside the steps that it measures."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
import time

from batch_sizes import ENTRY_POINTS
from results import Result

import sightline

# torch imports its compiler, which takes as long again, when the first optimizer is made.
IMPORTS = """
import sightline, torch
torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.1)
"""
ROUNDS = 5
ROUNDS_QUICK = 2


def measure(quick: bool) -> list[Result]:
    imports_s, rests_s = [], []
    rounds = ROUNDS_QUICK if quick else ROUNDS
    for _ in range(rounds):
        imports_s.append(seconds_of([sys.executable, "-c", IMPORTS]))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.sightline"
            program = str(pathlib.Path(sys.executable).with_name("sightline"))
            whole_s = seconds_of(
                [program, "profile", "fifty_ms.py", "-o", str(path), "--no-throughput"]
            )
            steps_s = sum(step["wall_ms"] for step in sightline.open(path).steps) / 1e3
        rests_s.append(whole_s - steps_s)
    return [
        Result(
            "profile --no-throughput, without its steps and what torch imports",
            min(rests_s) - min(imports_s),
            "s",
            bar=0.5,
            note=f"the imports take {min(imports_s):.2f} s; each the least of {rounds}",
        )
    ]


def seconds_of(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, cwd=ENTRY_POINTS, check=True, capture_output=True)
    return time.perf_counter() - start
