"""What the integration tests share: programs that run in processes of their own, recorded."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

# Before they are imported, so that their assertions explain themselves.
pytest.register_assert_rewrite(
    "integration.golden", "integration.identities", "integration.recorded_run"
)

from integration.command import Command  # noqa: E402
from integration.identities import assert_identities  # noqa: E402
from integration.recorded_run import RecordedRun  # noqa: E402


class WarmPython:
    """Runs programs in forked children of a process that has imported torch."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._log = (folder / "stderr").open("w")
        self._process = subprocess.Popen(
            [sys.executable, pathlib.Path(__file__).with_name("warm_python.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def start(self, folder: pathlib.Path, recording: dict[str, Any] | None, name: str) -> int:
        """Starts program.py of the folder; returns the id of its process."""
        request = {
            "script": str(folder / "program.py"),
            "folder": str(folder),
            "recording": recording,
            "stdout": str(folder / f"{name}.stdout"),
            "stderr": str(folder / f"{name}.stderr"),
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def wait(self) -> int:
        """The exit code of the program that was started."""
        return self._answer()

    def record_and_kill(self, folder: pathlib.Path, program: str) -> pathlib.Path:
        """Records an endless program for two seconds, kills it, and returns what is left: the path
        of a run without an end."""
        (folder / "program.py").write_text(program)
        path = folder / "own.sightline"
        process = self.start(folder, {"path": str(path), "root": str(folder)}, "run")
        time.sleep(2)
        os.kill(process, signal.SIGKILL)
        self.wait()
        return path

    def _answer(self) -> int:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the warm process has died: " + pathlib.Path(self._log.name).read_text()
        return int(line)

    def close(self) -> None:
        self._process.communicate()
        self._log.close()


@pytest.fixture(scope="session")
def warm_python(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmPython]:
    python = WarmPython(tmp_path_factory.mktemp("warm_python"))
    yield python
    python.close()


Runner = Callable[..., RecordedRun]


@pytest.fixture
def run_program(warm_python: WarmPython, tmp_path: pathlib.Path) -> Runner:
    """Runs a program in a process of its own and returns what came of it. Without a recording of
    ours the program may make one itself, `own.sightline`."""

    def run(program: str, *, recorded: bool = False, **options: Any) -> RecordedRun:
        text = textwrap.dedent(program).lstrip("\n")
        (tmp_path / "program.py").write_text(text)
        count = len(list(tmp_path.glob("*.stdout")))
        path = tmp_path / (f"run{count}.sightline" if recorded else "own.sightline")
        recording = {"path": str(path), "root": str(tmp_path), **options} if recorded else None
        warm_python.start(tmp_path, recording, f"run{count}")
        exit_code = warm_python.wait()
        output = [(tmp_path / f"run{count}.{name}").read_text() for name in ("stdout", "stderr")]
        return RecordedRun(path, text, exit_code, *output)

    return run


SUPERVISED = """
import torch
import torch.nn.functional as F
from torch import nn
from sightline import _recording, supervise

recording = _recording.Recording("own.sightline")
recording.supervise(budget_percent=1e6)
torch.manual_seed(0)
"""


@pytest.fixture
def supervised(run_program: Runner) -> Runner:
    """Runs a program that is supervised in every step, and checks that nothing it told was lost."""

    def run(program: str) -> RecordedRun:
        result = run_program(SUPERVISED + textwrap.dedent(program) + "\nrecording.stop()\n")
        assert result.exit_code == 0, result.stderr
        assert "supervising has ended" not in result.stderr
        assert result.rows("SELECT * FROM drops WHERE what = 'series'") == []
        return result

    return run


@pytest.fixture
def record(run_program: Runner) -> Runner:
    """Records a program that must end well, and checks that the numbers of its run add up."""

    def run(program: str, *, quiet: bool = True, **options: Any) -> RecordedRun:
        result = run_program(program, recorded=True, **options)
        assert result.exit_code == 0, result.stderr
        assert not quiet or result.stderr == ""
        assert_identities(result)
        return result

    return run


@pytest.fixture
def sightline_command(sightline_program: str, tmp_path: pathlib.Path) -> Command:
    return Command(sightline_program, tmp_path)
