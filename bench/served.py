"""A server of Sightline that is started for a measurement, and its page in a browser."""

from __future__ import annotations

import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

ROOT = pathlib.Path(__file__).parents[1]
PROGRAM = os.environ.get("SIGHTLINE_PROGRAM") or str(
    pathlib.Path(sys.executable).with_name("sightline")
)


class Server:
    """`sightline interactive` or `sightline view` with a home of its own."""

    def __init__(self, home: pathlib.Path, folder: pathlib.Path, *arguments: str) -> None:
        (home / "tmp").mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._process = subprocess.Popen(
            [PROGRAM, *arguments, "--no-browser"],
            cwd=folder,
            env={
                **os.environ,
                "HOME": str(home),
                "XDG_STATE_HOME": str(home / "state"),
                "TMPDIR": str(home / "tmp"),
            },
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        for line in self._process.stdout:
            found = re.search(r"http://\S+", line)
            if found:
                self.address = found[0]
                return
        raise RuntimeError(f"sightline {' '.join(arguments)} printed no address")

    def resident_mb(self) -> float:
        """Of the server alone, without the processes that run the user's code."""
        status = pathlib.Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        assert found
        return int(found[1]) * 1024 / 1e6

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate(timeout=20)


class Browser:
    """Chromium, by way of page_probe.mjs."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            ["node", str(ROOT / "bench" / "page_probe.mjs")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, do: str, **arguments: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the browser has ended; are the packages of tests/browser there?")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["result"]

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate(timeout=20)
