"""Starts and stops a recording in this process."""

from __future__ import annotations

import atexit
import contextlib
import datetime
import json
import linecache
import os
import pathlib
import platform
import shlex
import site
import socket
import subprocess
import sys
import sysconfig
import weakref
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from sightline import _core, _torch_support

if TYPE_CHECKING:
    from sightline._supervising import Supervising

MEMORY_BUDGET_BYTES = 64 << 20
DISK_BUDGET_BYTES = 256 << 20

_running: Recording | None = None


class Recording:
    """A recording that runs until `stop()`. Use `sightline.record` unless you must start and stop
    it in different places."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        root: str | os.PathLike[str] | None = None,
        include: Sequence[str] = (),
        memory_budget_bytes: int = MEMORY_BUDGET_BYTES,
        disk_budget_bytes: int = DISK_BUDGET_BYTES,
        keep_source: bool = True,
        command: str | None = None,
    ) -> None:
        global _running
        import torch  # noqa: F401  (the collector is loaded into torch)

        self._owner = os.getpid()
        collector = _torch_support.load_collector()
        options = {
            "path": str(pathlib.Path(path).absolute()),
            "root": os.path.realpath(root or os.getcwd()),
            "library_dirs": library_folders(),
            "include": list(include),
            "memory_budget_bytes": memory_budget_bytes,
            "disk_budget_bytes": disk_budget_bytes,
            "keep_source": keep_source,
            "info": environment(command),
        }
        self._native: _core.Recording | None = _core.start_recording(json.dumps(options))
        self._hooks = _torch_support.Hooks(collector)
        self._root = str(options["root"])
        self._supervising: Supervising | None = None
        self._sources: list[_core.Supervision] = []
        self._source_of: weakref.WeakKeyDictionary[object, _core.Supervision] = (
            weakref.WeakKeyDictionary()
        )
        self.path = self._native.path
        _running = self
        atexit.register(self.stop)

    def supervise(
        self, *, full: bool = False, stop_on: Sequence[str] = (), budget_percent: float = 5.0
    ) -> None:
        """From now on what the training's tensors do is recorded too, and rules look at it. `full`
        has updates, which need a copy of the weights; a rule of `stop_on` that speaks raises
        KeyboardInterrupt at the end of the step. Where looking at the tensors would take more than
        `budget_percent` of the time that steps take by themselves, not every step is looked at."""
        from sightline import _supervising

        if self._native is None or self._supervising is not None:
            return
        self._supervising = _supervising.Supervising(
            self._native,
            full=full,
            stop_on=stop_on,
            root=self._root,
            libraries=library_folders(),
            budget_percent=budget_percent,
        )

    def observe_memory_only(self) -> None:
        """From now on steps run as if nobody looked, but for the allocator."""
        collector = sys.modules["sightline._torch"]
        collector.set_unobserved_steps(False)
        collector.set_observing(False)

    def tell_batch_size(self, size: int) -> None:
        """For steps whose batch size cannot be seen from the model's arguments."""
        sys.modules["sightline._torch"].tell_batch_size(size)

    def step_peak_bytes(self) -> int:
        """The most bytes that were alive at once in the running step so far."""
        return 0 if self._native is None else self._native.step_peak_bytes()

    def stop(self) -> None:
        """Ends the recording and closes the run file. A second call does nothing, and so does a
        call in a forked child."""
        global _running
        native, self._native = self._native, None
        if native is None or os.getpid() != self._owner:
            return
        atexit.unregister(self.stop)
        _running = None
        for source in self._sources:
            source.end()
        if self._supervising is not None:
            self._supervising.close()
        self._hooks.remove()
        texts: dict[str, str] = {}
        try:
            for name in native.end():
                texts[name] = text_without_file(name)
        finally:
            try:
                native.stop(texts)
            except OSError as error:  # a full disk must not cost users what they trained
                print(f"sightline: {error}", file=sys.stderr)


@contextlib.contextmanager
def record(path: str | os.PathLike[str], **options: Any) -> Iterator[Recording]:
    """Records what runs inside of the `with` block into the run file `path`.

    The file must not exist. An exception inside of the block passes through, and what was recorded
    until then is kept. Options: `root`, `include`, `memory_budget_bytes`, `disk_budget_bytes`,
    `keep_source`.
    """
    recording = Recording(path, **options)
    try:
        yield recording
    finally:
        recording.stop()


def series_of_running(teller: object) -> _core.Supervision | None:
    """Takes figures for the run that is being recorded; None if there is none. Each teller has
    steps of its own, and is not kept alive."""
    if _running is None or _running._native is None or os.getpid() != _running._owner:
        return None
    if teller not in _running._source_of:
        source = _running._source_of[teller] = _core.Supervision(_running._native)
        _running._sources.append(source)
    return _running._source_of[teller]


def step() -> None:
    """Marks the end of a training step, for loops in which no torch optimizer steps. Without a
    recording it does nothing."""
    if _running is not None:
        sys.modules["sightline._torch"].step()


def text_without_file(name: str) -> str:
    """The text of a notebook's cell or of generated code, if `linecache` was told it, else empty.
    Anyone may make its entries, so one that is broken counts as none."""
    if name not in linecache.cache:
        return ""
    try:
        return "".join(linecache.getlines(name)).encode("utf-8", "replace").decode()
    except Exception:
        return ""


def library_folders() -> list[str]:
    """Folders whose code is not the user's, links resolved."""
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders.update(getattr(site, "getsitepackages", list)())
    folders.add(site.getusersitepackages())
    folders.add(str(pathlib.Path(__file__).parent))
    folders.update(entry for entry in sys.path if pathlib.PurePath(entry).name == "site-packages")
    resolved = {os.path.realpath(folder) for folder in folders if folder}
    return sorted(folders | resolved)


def environment(command: str | None) -> dict[str, Any]:
    return {
        "command": command or shlex.join([pathlib.Path(sys.executable).name, *sys.argv]),
        "started": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "host": socket.gethostname(),
        "python": platform.python_version(),
        "git_commit": _git_commit(),
        "rank": int(os.environ.get("RANK", "0") or 0),
        "world_size": int(os.environ.get("WORLD_SIZE", "1") or 1),
        **_torch_support.describe_torch(),
    }


def _git_commit() -> str:
    try:
        found = subprocess.run(
            ["git", "rev-parse", "HEAD"], capture_output=True, text=True, timeout=2, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return found.stdout.strip() if found.returncode == 0 else ""
