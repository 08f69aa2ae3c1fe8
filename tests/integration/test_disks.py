"""Disks that are full, small or not to be written."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Iterator

import pytest
from integration.conftest import Runner, WarmPython
from integration.identities import arithmetic_problems
from integration.programs import TRAIN_FOR_SECONDS
from integration.recorded_run import RecordedRun


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
        TRAIN_FOR_SECONDS
        + """
import sightline

with sightline.record("disk/own.sightline"):
    train(2)
    with open("disk/filler", "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError:
            pass
    train(2)
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


def test_a_killed_run_reads_from_a_read_only_folder(
    warm_python: WarmPython, small_disk: pathlib.Path
) -> None:
    program = TRAIN_FOR_SECONDS + "train(60)\n"
    path = warm_python.record_and_kill(small_disk, program)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    run = RecordedRun(path, program, 0, "", "")
    assert run.report["iteration"]["seen_steps"] > 10
    assert arithmetic_problems(run) == []
