"""The worker that the native program starts: it has imported the framework, and forks a process
for every analysis and every inspection, so that none pays for the import and none is disturbed by
another.

It runs no operator and no user code itself: a fork after that may hang.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from typing import Any

from sightline import _analysis, _core, _inspection, _torch_support
from sightline._channel import Channel

_EXIT_FAULT = 70  # of ours, not of the user's


def main() -> None:
    channel = Channel(int(os.environ.pop("SIGHTLINE_CHANNEL")))
    # Ctrl-C is for the program, which then ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _torch_support.load_collector()
    except _torch_support.CollectorError as error:
        channel.send("unusable", text=str(error))
        return
    channel.send("hello", version=_core.version)
    while (request := channel.receive()) is not None:
        _fork(channel, request)


def _fork(channel: Channel, request: dict[str, Any]) -> None:
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _core.die_with(parent)
        os._exit(_serve(channel, request))
    _, status = os.waitpid(child, 0)
    channel.send(
        "ended",
        exit_code=os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
        signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
    )


def _serve(channel: Channel, request: dict[str, Any]) -> int:
    serve = _inspection.serve if request["do"] == "inspect" else _analysis.serve
    try:
        serve(channel, request)
        code = 0
    except BaseException:
        traceback.print_exc()
        code = _EXIT_FAULT
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code
