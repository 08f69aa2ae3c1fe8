"""Tells the native program what goes on in a process that runs user code."""

from __future__ import annotations

import faulthandler
from typing import Any

from sightline._channel import Channel


class Stages:
    """A stage that takes too long, and a crash, say where it happened; the native program ends the
    process."""

    def __init__(self, channel: Channel, request: dict[str, Any]) -> None:
        self._channel = channel
        self._timeout_s: float = request["timeout_s"]
        self._stack_report: int = request["stack_report"]
        faulthandler.enable(file=self._stack_report)

    def begin(self, stage: str, place: tuple[str, int] = ("", 0)) -> None:
        """`place` is the file and line where the user's part of it begins, as far as is known."""
        faulthandler.dump_traceback_later(self._timeout_s, file=self._stack_report)
        self._channel.send("stage", stage=stage, file=place[0], line=place[1])

    def rest(self) -> None:
        faulthandler.cancel_dump_traceback_later()
