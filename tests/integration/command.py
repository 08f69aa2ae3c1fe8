"""Runs the native program the way a user does."""

from __future__ import annotations

import os
import pathlib
import subprocess

SECONDS = 120


class Command:
    """The `sightline` program, run in one folder."""

    def __init__(self, program: str, folder: pathlib.Path) -> None:
        self.program = program
        self.folder = folder

    def __call__(self, *arguments: str | os.PathLike[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.program, *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def start(self, *arguments: str | os.PathLike[str]) -> subprocess.Popen[str]:
        """Starts it and waits for the script's line that says that it is ready."""
        process = subprocess.Popen(
            [self.program, *arguments],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
        return process
