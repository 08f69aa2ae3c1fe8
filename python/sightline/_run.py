"""Runs a user's script under a recording; the native `sightline run` starts this.

The script must not notice: its arguments, `__main__`, search path, output, exceptions and exit code
are what they would be without us. The recording starts when the script imports torch, so that what
it sets before (environment variables, say) has its effect.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import os
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType, TracebackType
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
        recording = _recording.Recording(
            options["path"],
            root=options["root"],
            include=options["include"],
            memory_budget_bytes=options["memory_budget_bytes"],
            disk_budget_bytes=options["disk_budget_bytes"],
            keep_source=options["keep_source"],
            command=options["command"],
        )
        if options["supervise"]:
            recording.supervise(
                full=options["supervise"] == "full",
                stop_on=options["stop_on"],
                budget_percent=options["supervise_budget_percent"],
                thresholds=options["thresholds"],
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
    sys.argv[0] = target
    _show_only_the_scripts_frames()
    with _ending_quietly_when_stopped():
        if options["module"]:
            sys.path[0] = os.getcwd()
            runpy.run_module(target, run_name="__main__", alter_sys=True)
        else:
            sys.path[0] = os.path.dirname(os.path.realpath(target))
            _run_script(os.path.abspath(target))


def _run_script(path: str) -> None:
    """Not by runpy: its `__main__` is gone when the script's exit handlers run."""
    module = ModuleType("__main__")
    module.__file__ = path
    module.__dict__.update(__builtins__=builtins, __cached__=None, __package__=None)
    module.__loader__ = importlib.machinery.SourceFileLoader("__main__", path)
    sys.modules["__main__"] = module
    with io.open_code(path) as file:
        code = compile(file.read(), path, "exec", dont_inherit=True)
    exec(code, module.__dict__)


def _show_only_the_scripts_frames() -> None:
    """Until the script sets an exception hook of its own, tracebacks begin with its first frame."""
    shown_by = sys.excepthook
    own = {__file__, contextlib.__file__, runpy.__file__, "<frozen runpy>", "<string>"}

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        while trace is not None and trace.tb_frame.f_code.co_filename in own:
            trace = trace.tb_next
        shown_by(kind, error.with_traceback(trace), trace)

    sys.excepthook = show


@contextlib.contextmanager
def _ending_quietly_when_stopped() -> Iterator[None]:
    """A training that a rule has ended is no failure of the script, so it gets no traceback."""
    try:
        yield
    except KeyboardInterrupt as error:
        supervising = sys.modules.get("sightline._supervising")
        if supervising is None or not isinstance(error, supervising.TrainingStopped):
            raise
        print(f"sightline: the training was ended by {error}", file=sys.stderr)
        raise SystemExit(1) from None
