"""Metrics as event files of TensorBoard, which the engine writes."""

from __future__ import annotations

import atexit
import pathlib
from typing import Any

from sightline import _core
from sightline.supervise._backend import Backend, PlotConfig

_prefix = pathlib.Path("runs")
_folder: pathlib.Path | None = None
_writers: dict[pathlib.Path, _core.EventWriter] = {}


def configure_prefix(prefix: str) -> None:
    """Event files go into folders `run0`, `run1`, ... of this one (default: `runs`): a new one for
    each process, and after each call."""
    global _prefix, _folder
    _prefix = pathlib.Path(prefix)
    _folder = None


def _run_folder() -> pathlib.Path:
    global _folder
    if _folder is None:
        number = sum(1 for _ in _prefix.iterdir()) if _prefix.is_dir() else 0
        while (_prefix / f"run{number}").exists():
            number += 1
        _folder = _prefix.absolute() / f"run{number}"
    return _folder


def _writer(folder: pathlib.Path) -> _core.EventWriter:
    if folder not in _writers:
        if not _writers:
            atexit.register(flush)
        _writers[folder] = _core.EventWriter(str(folder))
    return _writers[folder]


def flush() -> None:
    """Writes what has not been written yet."""
    for writer in _writers.values():
        writer.flush()


class TensorBoardBackend(Backend):
    """Tags are TITLE/MODULE.TENSOR. The folder is that of the process, or `log_dir`."""

    def __init__(self, config: PlotConfig) -> None:
        super().__init__(config)
        folder = pathlib.Path(config.log_dir).absolute() if config.log_dir else _run_folder()
        self._events = _writer(folder)

    @property
    def path(self) -> str:
        return self._events.path

    def add_data(
        self,
        name: str,
        value: Any,
        step: int,
        *,
        tensor: str = "",
        epoch: int = 0,
        topic: str = "",
    ) -> None:
        self._events.add_scalar(self._tag(name, tensor), step, float(value))

    def put_histogram(
        self,
        name: str,
        edges: list[float],
        counts: list[int],
        step: int,
        *,
        tensor: str = "",
        topic: str = "",
    ) -> None:
        if counts:
            self._events.add_histogram(self._tag(name, tensor), step, edges, counts)

    def flush(self) -> None:
        self._events.flush()

    def _tag(self, name: str, tensor: str) -> str:
        whole = ".".join(part for part in (name, tensor) if part)
        return "/".join(part for part in (self.config.title, whole) if part)
