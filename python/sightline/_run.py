"""Runs a user's script under a recording; the native `sightline run` starts this.

The script must not notice: its arguments, `__main__`, search path, output, exceptions and exit code
are what they would be without us. The recording starts when the script imports torch, so that what
it sets before (environment variables, say) has its effect.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import runpy
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any


class _AfterImport(importlib.abc.MetaPathFinder):
    """Calls back once when the named package has been imported."""

    def __init__(self, name: str, callback: Callable[[], None]) -> None:
        self._name = name
        self._callback = callback

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return spec
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            execute(module)
            del loader.exec_module
            self._callback()

        loader.exec_module = exec_module
        return spec


def _start(options: dict[str, Any]) -> None:
    from sightline import _recording, _torch_support

    try:
        _recording.Recording(
            options["path"],
            root=options["root"],
            include=options["include"],
            memory_budget_bytes=options["memory_budget_bytes"],
            disk_budget_bytes=options["disk_budget_bytes"],
            keep_source=options["keep_source"],
            command=options["command"],
        )
    except _torch_support.CollectorError as error:
        _give_up(str(error))
    except (OSError, ValueError) as error:
        _give_up(str(error))


def _give_up(message: str) -> None:
    print(f"sightline: {message}", file=sys.stderr, flush=True)
    os._exit(2)


def main() -> None:
    options = json.loads(os.environ.pop("SIGHTLINE_RUN"))
    sys.meta_path.insert(0, _AfterImport("torch", lambda: _start(options)))
    target: str = options["target"]
    try:
        if options["module"]:
            sys.argv[0] = target
            sys.path[0] = os.getcwd()
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            sys.argv[0] = target
            sys.path[0] = os.path.dirname(os.path.realpath(target))
            runpy.run_path(os.path.abspath(target), run_name="__main__")
    except SystemExit:
        raise
    except BaseException as error:
        _hide_own_frames(error)
        raise


def _hide_own_frames(error: BaseException) -> None:
    """Leaves the script's own frames in the traceback, as if it had been started directly."""
    trace = error.__traceback__
    own = {__file__, runpy.__file__, "<frozen runpy>", "<string>"}
    while trace is not None and trace.tb_frame.f_code.co_filename in own:
        trace = trace.tb_next
    error.__traceback__ = trace


__all__ = ["main"]
