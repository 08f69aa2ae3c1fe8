"""Lines of JSON between the native program and its Python worker."""

from __future__ import annotations

import json
import os
from typing import Any


class Channel:
    """One end of a socket that the native program holds the other end of."""

    def __init__(self, descriptor: int) -> None:
        os.set_inheritable(descriptor, False)
        self._descriptor = descriptor
        self._unread = b""

    def send(self, event: str, **facts: Any) -> None:
        line = json.dumps({"event": event, **facts}).encode() + b"\n"
        while line:
            line = line[os.write(self._descriptor, line) :]

    def receive(self) -> dict[str, Any] | None:
        """The next request; None when the program has gone."""
        while b"\n" not in self._unread:
            more = os.read(self._descriptor, 65536)
            if not more:
                return None
            self._unread += more
        line, self._unread = self._unread.split(b"\n", 1)
        request: dict[str, Any] = json.loads(line)
        return request
