"""The recorder's parts, switched one by one. The switches are there for benchmarks only."""

from __future__ import annotations

import contextlib
import importlib
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

import sightline

BENCH = pathlib.Path(__file__).resolve().parent


@contextlib.contextmanager
def recording(**options: Any) -> Iterator[pathlib.Path]:
    """Records into a file that is thrown away afterwards. A recording that had to drop something
    did less than it should, so that its cost says nothing: an error."""
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder:
        path = pathlib.Path(folder) / "bench.sightline"
        with sightline.record(path, root=BENCH, **options):
            yield path
        overhead = sightline.open(path).report["overhead"]
        if overhead["dropped"]:
            raise RuntimeError(f"the recording dropped facts: {overhead['drops']}")


class Switches:
    """While a recording runs: decides for every step whether it is observed."""

    def __init__(self) -> None:
        # Not imported above: the collector is loaded by the first recording.
        self._collector = importlib.import_module("sightline._torch")
        self._collector.set_unobserved_steps(False)
        self._hooks = importlib.import_module("torch.optim.optimizer")._global_optimizer_post_hooks
        self._hooks_of_recording = dict(self._hooks)

    def observe(self, on: bool) -> None:
        """Off leaves nothing but the allocator's wrapper, which then passes everything on: memory
        is not recorded and the optimizer's hook is gone too, so that a bare step is bare."""
        self._collector.set_observing(on)
        self._collector.set_memory(on)
        if on:
            self._hooks.update(self._hooks_of_recording)
        else:
            self._hooks.clear()

    def record_memory(self, on: bool) -> None:
        self._collector.set_memory(on)

    def empty_observer(self, on: bool) -> None:
        """An observer that does nothing, beside the recorder's or alone."""
        self._collector.set_empty_observer(on)
