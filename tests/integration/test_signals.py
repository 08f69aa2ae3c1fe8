"""Signals to `sightline run` are the script's own, and what was recorded is kept."""

from __future__ import annotations

import pathlib
import signal
import subprocess
import time

import pytest
from integration.command import Command
from integration.identities import assert_identities
from integration.programs import TRAIN_FOR_SECONDS
from integration.recorded_run import RecordedRun

TRAIN = (
    TRAIN_FOR_SECONDS
    + """
import os

train(2)
with open("pid", "w") as file:
    file.write(str(os.getpid()))
print("ready", flush=True)
train(60)
"""
)


def test_ctrl_c_keeps_what_was_recorded(sightline_command: Command, tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text(TRAIN)
    process = sightline_command.start("run", "-o", "own.sightline", "program.py")
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert "KeyboardInterrupt" in stderr
    assert "sightline report own.sightline" in stderr
    assert [path.name for path in tmp_path.glob("own*")] == ["own.sightline"]
    run = RecordedRun(tmp_path / "own.sightline", TRAIN, 0, "", stderr)
    assert_identities(run)
    assert run.report["iteration"]["seen_steps"] > 10


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
def test_a_script_ended_by_a_signal_leaves_a_single_file(
    sightline_command: Command, tmp_path: pathlib.Path, number: signal.Signals
) -> None:
    (tmp_path / "program.py").write_text(TRAIN)
    process = sightline_command.start("run", "-o", "own.sightline", "program.py")
    if number == signal.SIGTERM:
        process.send_signal(number)  # to be passed on
    else:
        subprocess.run(["kill", "-KILL", (tmp_path / "pid").read_text()], check=True)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == -number
    assert "Traceback" not in stderr
    assert f"signal {int(number)}" in stderr
    assert [path.name for path in tmp_path.glob("own*")] == ["own.sightline"]
    run = RecordedRun(tmp_path / "own.sightline", TRAIN, 0, "", "")
    assert run.report["iteration"]["seen_steps"] > 10


def test_a_script_that_handles_signals_gets_them(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "script.py").write_text(
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))\n"
        "signal.signal(signal.SIGUSR1, lambda *_: print('poked', flush=True))\n"
        "print('ready', flush=True)\n"
        "while True:\n    time.sleep(0.05)\n"
    )
    process = sightline_command.start("run", "script.py")
    process.send_signal(signal.SIGUSR1)
    assert process.stdout is not None
    assert process.stdout.readline() == "poked\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 7


def test_the_script_ends_when_sightline_is_killed(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "script.py").write_text(
        "import os, time\n"
        "open('pid', 'w').write(str(os.getpid()))\n"
        "print('ready', flush=True)\n"
        "time.sleep(60)\n"
    )
    process = sightline_command.start("run", "script.py")
    process.kill()
    process.communicate(timeout=30)
    script = pathlib.Path("/proc") / (tmp_path / "pid").read_text()
    until = time.time() + 10
    while script.exists() and "Z" not in (script / "stat").read_text().split()[2]:
        assert time.time() < until, "the script goes on alone"
        time.sleep(0.05)


def test_force_does_not_replace_a_run_that_is_still_being_recorded(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "program.py").write_text(TRAIN)
    first = sightline_command.start("run", "-o", "own.sightline", "program.py")
    second = sightline_command("run", "-o", "own.sightline", "--force", "program.py")
    assert second.returncode == 2
    assert "own.sightline is still being recorded" in second.stderr
    assert "choose another name" in second.stderr
    first.send_signal(signal.SIGINT)
    _, stderr = first.communicate(timeout=30)
    run = RecordedRun(tmp_path / "own.sightline", TRAIN, 0, "", stderr)
    assert run.report["iteration"]["seen_steps"] > 10
