"""`sightline profile` is stopped, or loses its child, at every stage: nothing stays behind."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess

import pytest
from integration.command import Command
from integration.entry_points import HEAD
from integration.processes import wait_for

STAGES = ("entry", "model", "inputs", "iteration", "steps", "other batch sizes")

# Says which process has come to the stage, and waits there.
PROGRAM = (
    HEAD
    + """
import os, pathlib, time

def reach(stage, batch_size=8):
    if stage == STAGE or (STAGE == "other batch sizes" and batch_size != 8):
        pathlib.Path("reached").write_text(str(os.getpid()))
        time.sleep(100)

reach("entry")

def sightline_model_provider():
    reach("model")
    return nn.Linear(4, 2)

def sightline_input_provider(batch_size=8):
    reach("inputs", batch_size)
    return (torch.randn(batch_size, 4),)

def sightline_iteration_provider(model):
    reach("iteration")
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    def iteration(inputs):
        reach("steps")
        model(inputs).sum().backward()
        optimizer.step()
    return iteration
"""
)


class Profiling:
    """A `sightline profile` that has come to a stage and stays there."""

    def __init__(self, command: Command, stage: str) -> None:
        self.folder = command.folder
        (self.folder / "entry.py").write_text(f"STAGE = {stage!r}\n" + PROGRAM)
        self.process = command.spawn("profile", "entry.py", "-o", "run.sightline")
        marker = self.folder / "reached"
        wait_for(lambda: marker.exists() and marker.read_text() != "")
        self.child = int(marker.read_text())
        self.worker = parent_of(self.child)

    def end(self) -> str:
        """What it says; all of its processes have to be gone by then."""
        _, stderr = self.process.communicate(timeout=30)
        wait_for(lambda: not is_there(self.child) and not is_there(self.worker))
        return stderr

    def files(self) -> set[str]:
        return set(os.listdir(self.folder)) - {"entry.py", "reached", "__pycache__"}


def parent_of(process: int) -> int:
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("PPid:")]
    return int(line.split()[1])


def is_there(process: int) -> bool:
    return pathlib.Path(f"/proc/{process}").exists()


@pytest.mark.parametrize(
    ("stage", "definition"),
    [
        ("entry", None),
        ("model", "def sightline_model_provider"),
        ("inputs", "def sightline_input_provider"),
        ("iteration", "def sightline_iteration_provider"),
        ("steps", "def iteration"),
    ],
)
def test_a_child_that_is_killed_is_reported_with_the_place_of_its_stage(
    stage: str, definition: str | None, sightline_command: Command
) -> None:
    profiling = Profiling(sightline_command, stage)
    os.kill(profiling.child, signal.SIGKILL)
    message = profiling.end()
    assert profiling.process.returncode == 1
    assert message.startswith("sightline: the process was killed ")
    text = (sightline_command.folder / "entry.py").read_text()
    line = text[: text.index(definition)].count("\n") + 1 if definition else 0
    assert (f"\n  at entry.py:{line}\n" if line else "\n  at entry.py\n") in message
    assert profiling.files() == set()


def test_a_child_that_is_killed_at_another_batch_size_costs_that_size_only(
    sightline_command: Command,
) -> None:
    profiling = Profiling(sightline_command, STAGES[-1])
    (sightline_command.folder / "entry.py").write_text("STAGE = None\n" + PROGRAM)
    os.kill(profiling.child, signal.SIGKILL)
    message = profiling.end()
    assert profiling.process.returncode == 0, message
    assert profiling.files() == {"run.sightline"}


@pytest.mark.parametrize("stage", STAGES)
def test_ctrl_c_leaves_nothing_behind(stage: str, sightline_command: Command) -> None:
    profiling = Profiling(sightline_command, stage)
    profiling.process.send_signal(signal.SIGINT)
    message = profiling.end()
    assert profiling.process.returncode == -signal.SIGINT
    assert message == "sightline: interrupted\n"
    assert profiling.files() == set()


@pytest.mark.parametrize("stage", ["model", "steps"])
def test_no_process_outlives_a_program_that_is_killed(
    stage: str, sightline_command: Command
) -> None:
    profiling = Profiling(sightline_command, stage)
    profiling.process.kill()
    profiling.end()
    assert not (sightline_command.folder / "run.sightline").exists()


def test_the_terminal_is_left_as_it_was(sightline_command: Command, tmp_path: pathlib.Path) -> None:
    """Progress is shown on a terminal, and gone when the message comes."""
    (tmp_path / "entry.py").write_text("STAGE = 'model'\n" + PROGRAM)
    log = tmp_path / "typescript"
    script = subprocess.Popen(
        ["script", "-qec", f"{sightline_command.program} profile entry.py --timeout 8", str(log)],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    assert script.wait(timeout=60) == 1
    shown = log.read_bytes().decode()
    assert "making the model" in shown
    assert "\x1b[?" not in shown  # no mode of the terminal is changed
    assert shown.rindex("nothing came back within 8 seconds") > shown.rindex("\r\x1b[K")
