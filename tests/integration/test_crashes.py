"""What is left of a recording that ends in violence: killed, forked, out of space."""

from __future__ import annotations

import os
import pathlib
import random
import signal
import subprocess
import time
from collections.abc import Iterator

import pytest
from integration.conftest import Runner, WarmPython
from integration.identities import arithmetic_problems, assert_identities
from integration.recorded_run import RecordedRun

ROUNDS = 10
MAY_BE_LOST_SECONDS = 1.5

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
        recording = {"path": str(path), "root": str(tmp_path)}
        process = warm_python.start(tmp_path, recording, f"run{number}")
        time.sleep(random.uniform(0.3, 3))
        os.kill(process, signal.SIGKILL)
        killed = time.time()
        assert warm_python.wait() == -signal.SIGKILL
        ends = [float(end) for end in (tmp_path / "log").read_text().split()]
        wanted = sum(end < killed - MAY_BE_LOST_SECONDS for end in ends)
        if not path.exists():
            assert wanted == 0
            continue
        run = RecordedRun(path, ENDLESS, 0, "", "")
        assert run.report["iteration"]["seen_steps"] >= wanted
        assert run.report["run"]["finished"] is False
        if wanted > 3:
            assert run.line("loss = model(")["calls"] == 5
            assert_identities(run)


def test_a_killed_run_reads_from_a_read_only_folder(
    warm_python: WarmPython, small_disk: pathlib.Path
) -> None:
    (small_disk / "program.py").write_text(ENDLESS)
    path = small_disk / "run.sightline"
    process = warm_python.start(
        small_disk, {"path": str(path), "root": str(small_disk)}, "run"
    )
    time.sleep(2)
    os.kill(process, signal.SIGKILL)
    warm_python.wait()
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    run = RecordedRun(path, ENDLESS, 0, "", "")
    assert run.report["iteration"]["seen_steps"] > 10
    assert arithmetic_problems(run) == []


@pytest.fixture
def small_disk(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounting = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)],
        capture_output=True,
        check=False,
    )
    if mounting.returncode != 0:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_leaves_the_program_unharmed(
    run_program: Runner, small_disk: pathlib.Path
) -> None:
    run = run_program(
        """
        import os
        import time
        import sightline
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)

        def train(seconds):
            until = time.time() + seconds
            while time.time() < until:
                loss = (weight @ weight).sum()
                loss.backward()
                optimizer.step()

        with sightline.record("disk/own.sightline"):
            train(0.5)
            with open("disk/filler", "wb", buffering=0) as filler:
                try:
                    while True:
                        filler.write(bytes(4096))
                except OSError:
                    pass
            train(2.5)
        print("trained")
        """
    )
    assert run.exit_code == 0, run.stderr
    assert run.stdout == "trained\n"
    assert "Traceback" not in run.stderr
    assert "sightline: " in run.stderr
    assert len(run.stderr.splitlines()) < 5
    (small_disk / "filler").unlink()
    report = RecordedRun(small_disk / "own.sightline", run.program, 0, "", "").report
    assert report["iteration"]["seen_steps"] > 3


def test_a_disk_that_is_full_from_the_start_is_named(
    run_program: Runner, small_disk: pathlib.Path
) -> None:
    run = run_program(
        """
        import sightline
        import torch

        try:
            with open("disk/filler", "wb", buffering=0) as filler:
                while True:
                    filler.write(bytes(4096))
        except OSError:
            pass
        try:
            with sightline.record("disk/own.sightline"):
                raise AssertionError("it recorded")
        except OSError as error:
            print(error)
        """
    )
    assert run.exit_code == 0, run.stderr
    assert "own.sightline" in run.stdout


def test_a_folder_that_cannot_be_written_is_named(
    run_program: Runner, small_disk: pathlib.Path
) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    run = run_program(
        """
        import sightline
        import torch

        for path in ("disk/own.sightline", "missing/own.sightline"):
            try:
                with sightline.record(path):
                    raise AssertionError("it recorded")
            except OSError as error:
                print(error)
        torch.ones(3).sum()
        """
    )
    assert run.exit_code == 0, run.stderr
    read_only, missing = run.stdout.splitlines()
    assert "disk/own.sightline" in read_only
    assert "missing" in missing


def test_a_fork_leaves_the_run_to_the_parent(record: Runner) -> None:
    run = record(
        """
        import os
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
