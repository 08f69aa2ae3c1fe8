"""The worker that the native program starts: it has imported the framework, and forks a process
for every analysis, inspection and measurement, so that none pays for the import and none is
disturbed by another.

It runs no operator and no user code itself: a fork after that may hang.
"""

from __future__ import annotations

import importlib
import os
import signal
import site
import sys
import traceback
from collections.abc import Callable
from typing import Any

from sightline import _analysis, _core, _inspection, _measuring, _torch_support
from sightline._channel import Channel

_EXIT_FAULT = 70  # of ours, not of the user's
_SERVED: dict[str, Callable[[Channel, dict[str, Any]], None]] = {
    "analyse": _analysis.serve,
    "inspect": _inspection.serve,
    "measure": _measuring.serve,
}


def main() -> None:
    channel = Channel(int(os.environ.pop("SIGHTLINE_CHANNEL")))
    # Ctrl-C is for the program, which then ends us.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        _torch_support.load_collector()
    except _torch_support.CollectorError as error:
        channel.send("unusable", text=str(error))
        return
    channel.send("hello", version=_core.version, packages=_folders_of_packages())
    while (request := channel.receive()) is not None:
        if request["do"] == "analyse":
            _import_what_a_first_step_would()
        if request["do"] in _SERVED:  # else it was meant for an analysis that was ended
            _fork(channel, request)


def _import_what_a_first_step_would() -> None:
    """The first optimizer imports the compiler, a second that not every analysis has to pay for."""
    importlib.import_module("torch._dynamo")


def _folders_of_packages() -> list[str]:
    """Where something that is installed or removed leaves its mark."""
    folders = {*site.getsitepackages(), site.getusersitepackages()}
    return sorted(folder for folder in folders if os.path.isdir(folder))


def _fork(channel: Channel, request: dict[str, Any]) -> None:
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        _core.die_with(parent)
        os.setpgid(0, 0)  # with all that it starts it can be ended alone
        channel.send("begun", process=os.getpid())
        os._exit(_serve(channel, request))
    _, status = os.waitpid(child, 0)
    channel.send(
        "ended",
        exit_code=os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0,
        signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0,
    )


def _serve(channel: Channel, request: dict[str, Any]) -> int:
    try:
        _SERVED[request["do"]](channel, request)
        code = 0
    except BaseException:
        traceback.print_exc()
        code = _EXIT_FAULT
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    return code
