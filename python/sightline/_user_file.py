"""A file of the user's that we load: how it is found, and what its errors are made into. These are
facts, of which the native program makes the message."""

from __future__ import annotations

import os
import pathlib
import traceback
from collections.abc import Callable
from types import TracebackType
from typing import Any


class EntryError(Exception):
    """Something is wrong with the user's code. `facts` are plain data: `kind` and what belongs to
    it, `file` (relative to the root) and `line` where they are known."""

    def __init__(self, kind: str, **facts: Any) -> None:
        super().__init__(kind)
        self.facts = {"kind": kind, **facts}


class UserFile:
    """A file below the project's root; both are absolute paths, links followed."""

    def __init__(self, path: str, root: str) -> None:
        self.path = path
        self.root = root

    def call(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Calls user code; whatever it raises becomes an EntryError."""
        try:
            return function(*arguments, **named)
        except BaseException as error:
            raise self.problem_of(error) from error

    def problem_of(self, error: BaseException) -> EntryError:
        if isinstance(error, EntryError):
            return error
        file, line = self._place_of(error)
        facts: dict[str, Any] = {
            "type": type(error).__name__,
            "text": str(error),
            "file": file,
            "line": line,
            "traceback": self._traceback_of(error),
        }
        if isinstance(error, SyntaxError) and error.filename:
            facts.update(file=self.shown(error.filename), line=error.lineno or 0)
            facts.update(text=error.msg, source=(error.text or "").rstrip("\n"))
            return EntryError("syntax_error", **facts)
        if isinstance(error, SystemExit):
            return EntryError("exited", code=str(error.code), **facts)
        if isinstance(error, ImportError):
            return EntryError("import_failed", name=error.name or "", **facts)
        return EntryError(_kind_of(error), **facts)

    def _is_own(self, path: str) -> bool:
        """Whether the file is the user's: under the root, and in no environment beneath it."""
        parts = pathlib.PurePath(os.path.relpath(os.path.realpath(path), self.root)).parts
        return ".." not in parts and "site-packages" not in parts and os.path.exists(path)

    def shown(self, path: str) -> str:
        return os.path.relpath(os.path.realpath(path), self.root) if self._is_own(path) else path

    def _place_of(self, error: BaseException) -> tuple[str, int]:
        """The innermost line of the user's own that it passed through."""
        own = [entry for entry in _frames(error.__traceback__) if self._is_own(entry[0])]
        return (self.shown(own[-1][0]), own[-1][1]) if own else (self.shown(self.path), 0)

    def _traceback_of(self, error: BaseException) -> str:
        """As Python prints it, without our own frames."""
        ours = os.path.dirname(os.path.realpath(__file__))
        trace = error.__traceback__
        while trace is not None:
            path = os.path.realpath(trace.tb_frame.f_code.co_filename)
            if not path.startswith(ours) and "<frozen" not in path:
                break
            trace = trace.tb_next
        return "".join(traceback.format_exception(type(error), error, trace, chain=False))


def module_name(path: str) -> tuple[str, str]:
    """The dotted name of a file and the folder that it can be imported from."""
    folder, stem = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    name = stem
    while os.path.exists(os.path.join(folder, "__init__.py")):
        name = f"{os.path.basename(folder)}.{name}"
        folder = os.path.dirname(folder)
    return name, folder


def search_folders(entry: str, root: str) -> list[str]:
    """What stands first in the search path of an entry point."""
    wanted = [os.path.dirname(entry), root]
    if os.path.exists(os.path.join(root, "__init__.py")):
        wanted.append(os.path.dirname(root))
    wanted.append(module_name(entry)[1])
    return [folder for i, folder in enumerate(wanted) if folder not in wanted[:i]]


def _frames(trace: TracebackType | None) -> list[tuple[str, int]]:
    found = []
    while trace is not None:
        found.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return found


_NO_CUDA = (
    "Torch not compiled with CUDA enabled",
    "Found no NVIDIA driver",
    "No CUDA GPUs are available",
    "Cannot access accelerator device",
    "CUDA driver version is insufficient",
)
_NO_MEMORY = ("can't allocate memory", "out of memory", "not enough memory")


def _kind_of(error: BaseException) -> str:
    text = str(error)
    if isinstance(error, (AssertionError, RuntimeError)) and any(one in text for one in _NO_CUDA):
        return "no_cuda"
    if isinstance(error, MemoryError) or any(one in text for one in _NO_MEMORY):
        return "out_of_memory"
    if "does not require grad" in text and isinstance(error, RuntimeError):
        return "loss_without_gradient"
    if isinstance(error, TypeError) and ".forward() " in text:
        return "forward_does_not_fit"
    return "raised"
