"""Instructions a step, counted by valgrind: they repeat to a tenth of a percent on any machine, so
that a small change for the worse is seen. Minutes."""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import pathlib
import re
import shutil
import tempfile

import worker
from models import Training
from results import Result
from switches import Switches, recording

# Steps a process makes; the difference of two processes is steps and nothing else. The first ones,
# which learn the program and keep events, are in both.
FEW = 10
MANY = 30


def measure(quick: bool) -> list[Result]:
    del quick
    if shutil.which("valgrind") is None:
        raise worker.WorkerError("valgrind is not installed")
    jobs = [(steps, record) for record in (False, True) for steps in (FEW, MANY)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        bare_few, bare_many, few, many = pool.map(_count, jobs)
    bare = (bare_many - bare_few) / (MANY - FEW)
    recorded = (many - few) / (MANY - FEW)
    return [
        Result(
            "instructions a step, against bare",
            recorded / bare,
            "x",
            note=f"{bare / 1e6:.2f} million bare, {(recorded - bare) / 1e6:.2f} million more",
        )
    ]


def _count(job: tuple[int, bool]) -> int:
    steps, record = job
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder:
        output = pathlib.Path(folder) / "callgrind.out"
        valgrind = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={output}")
        worker.call("instructions", "steps", under=valgrind, count=steps, record=record)
        found = re.search(r"^(?:summary|totals): (\d+)", output.read_text(), re.MULTILINE)
    if found is None:
        raise worker.WorkerError("valgrind left no sum of instructions")
    return int(found[1])


def steps(count: int, record: bool) -> int:
    training = Training()
    with contextlib.ExitStack() as stack:
        if record:
            stack.enter_context(recording())
            Switches()  # no step runs unobserved
        training.steps(count)
    return count
