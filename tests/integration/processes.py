"""Whether processes that a test started indirectly have ended."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Callable


def wait_for(condition: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)


def has_ended(process: int) -> bool:
    """A process that nobody has asked about yet has ended too."""
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return True
    return state == "Z"
