"""Runs a program the way a user does."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess

SECONDS = 120


def _let_ctrl_c_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Command:
    """A program, mostly `sightline`, run in one folder."""

    def __init__(self, program: str, folder: pathlib.Path) -> None:
        self.program = program
        self.folder = folder

    def __call__(self, *arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program, *arguments],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def spawn(self, *arguments: str | os.PathLike[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.program, *arguments],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # A shell starts what it puts into the background with Ctrl-C ignored, and that is
            # handed down: without this the test would depend on how it was started.
            preexec_fn=_let_ctrl_c_interrupt,
        )

    def start(self, *arguments: str | os.PathLike[str]) -> subprocess.Popen[str]:
        """Starts it and waits for the script's line that says that it is ready."""
        process = self.spawn(*arguments)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
        return process
