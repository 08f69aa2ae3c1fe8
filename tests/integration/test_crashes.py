"""What is left of a recording when its process is killed, forks or ends early."""

from __future__ import annotations

import os
import pathlib
import random
import signal
import time

import pytest
from integration.conftest import Runner, WarmPython
from integration.identities import assert_identities
from integration.recorded_run import RecordedRun

pytestmark = pytest.mark.alone

ROUNDS = 10
MAY_BE_LOST_SECONDS = 1.25  # a second, and what a busy machine adds

# Writes down when each step ended, so that the test knows what the run has to hold.
ENDLESS = """
import os
import time

import torch
from torch import nn

model = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 32))
optimizer = torch.optim.Adam(model.parameters())
log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
while True:
    optimizer.zero_grad()
    loss = model(torch.randn(8, 32)).sum()
    loss.backward()
    optimizer.step()
    os.write(log, f"{time.time()}\\n".encode())
    time.sleep(0.002)
"""


def test_a_run_killed_at_any_instant_has_all_but_its_last_second(
    warm_python: WarmPython, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "program.py").write_text(ENDLESS)
    for number in range(ROUNDS):
        path = tmp_path / f"run{number}.sightline"
        wanted = record_and_kill(warm_python, path, seconds=random.uniform(0.3, 3))
        if not path.exists():
            assert wanted == 0
            continue
        run = RecordedRun(path, ENDLESS, 0, "", "")
        assert run.report["iteration"]["seen_steps"] >= wanted
        assert run.report["run"]["finished"] is False
        if wanted > 3:
            assert run.line("loss = model(")["calls"] == 5
            assert_identities(run)


def record_and_kill(warm_python: WarmPython, path: pathlib.Path, *, seconds: float) -> int:
    """Records program.py beside the path, and returns how many iterations the run has to hold."""
    recording = {"path": str(path), "root": str(path.parent)}
    process = warm_python.start(path.parent, recording, path.stem)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    killed = time.time()
    assert warm_python.wait() == -signal.SIGKILL
    ends = [float(end) for end in (path.parent / "log").read_text().split()]
    return sum(end < killed - MAY_BE_LOST_SECONDS for end in ends)


WITHOUT_STEPS = """
import os
import time

import torch
from torch import nn

model = nn.Sequential(nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 32))
optimizer = torch.optim.Adam(model.parameters())
log = os.open("log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
with torch.profiler.record_function("all of it"), torch.set_grad_enabled({trains}):
    while True:
        loss = model(torch.randn(8, 32)).sum()
        if {trains}:
            loss.backward()
        os.write(log, f"{time.time()}\\n".encode())
        time.sleep(0.002)
"""


@pytest.mark.parametrize("trains", [False, True], ids=["inference", "one long step"])
def test_a_run_killed_before_its_first_step_has_all_but_its_last_second(
    warm_python: WarmPython, tmp_path: pathlib.Path, trains: bool
) -> None:
    program = WITHOUT_STEPS.replace("{trains}", str(trains))
    (tmp_path / "program.py").write_text(program)
    path = tmp_path / "own.sightline"
    wanted = record_and_kill(warm_python, path, seconds=3)
    assert wanted > 100
    run = RecordedRun(path, program, 0, "", "")
    assert_identities(run)
    assert run.report["run"]["finished"] is False
    assert run.report["iteration"]["steps"] == 1
    assert run.value("SELECT whole_recording FROM totals") == 1
    assert run.line("loss = model(")["calls"] >= 5 * wanted
    assert run.line("loss = model(")["module_calls"] >= wanted
    weights_bytes = 4 * 2 * (32 * 32 + 32)
    at_peak = run.report["memory"]["at_peak"]
    assert at_peak["parameters"] == weights_bytes
    assert at_peak["gradients"] == (weights_bytes if trains else 0)


def test_a_fork_leaves_the_run_to_the_parent(record: Runner) -> None:
    run = record(
        """
        import os
        import signal
        import torch
        from torch import nn

        model = nn.Linear(8, 8)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

        def train(steps):
            for _ in range(steps):
                loss = model(torch.randn(4, 8)).sum()
                loss.backward()
                optimizer.step()

        train(5)
        for ending in ("plain", "exit"):
            child = os.fork()
            if child == 0:
                signal.alarm(20)  # a child that hangs is not to stay behind
                train(20)
                if ending == "plain":
                    os._exit(0)
                raise SystemExit(0)
            _, status = os.waitpid(child, 0)
            assert status == 0, status
        train(5)
        """
    )
    assert run.report["iteration"]["seen_steps"] == 10
    assert run.line("loss = model(")["calls"] == 3


def test_an_exception_inside_of_the_block_passes_and_the_run_is_kept(
    run_program: Runner,
) -> None:
    run = run_program(
        """
        import sightline
        import torch

        weight = torch.randn(8, 8, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        with sightline.record("own.sightline"):
            for number in range(8):
                loss = weight.square().sum()
                loss.backward()
                optimizer.step()
            raise RuntimeError("out of patience")
        """
    )
    assert run.exit_code == 1
    assert run.stderr.endswith("RuntimeError: out of patience\n")
    assert_identities(run)
    assert run.report["run"]["finished"] is True
    assert run.report["iteration"]["seen_steps"] == 8


def test_a_program_that_exits_or_dies_inside_of_the_block_keeps_its_run(
    run_program: Runner,
) -> None:
    program = """
        import os
        import sightline
        import time
        import torch

        weight = torch.randn(8, 8, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        with sightline.record("{name}.sightline"):
            for number in range(8):
                loss = weight.square().sum()
                loss.backward()
                optimizer.step()
                time.sleep(0.3)
            {ending}
        """
    left = run_program(program.replace("{name}", "left").replace("{ending}", "raise SystemExit(5)"))
    assert left.exit_code == 5
    died = run_program(program.replace("{name}", "died").replace("{ending}", "os.abort()"))
    assert died.exit_code == -signal.SIGABRT
    for run, name, least in ((left, "left", 8), (died, "died", 3)):
        run.path = run.path.with_name(f"{name}.sightline")
        assert run.report["iteration"]["seen_steps"] >= least
