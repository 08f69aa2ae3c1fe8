"""Lets the collector see the calls of operators and of modules."""

from __future__ import annotations

import contextlib
import os
import pathlib
from collections.abc import Iterator
from typing import Any

from sightline._torch_support import load_collector
from sightline.measure._parts import Parts

_OURS = str(pathlib.Path(__file__).resolve().parents[1]) + os.sep


class Watch:
    """A model that is being watched. One at a time."""

    def __init__(self, collector: Any) -> None:
        self.collector = collector

    @contextlib.contextmanager
    def operators(self) -> Iterator[None]:
        self.collector.watch_calls(True)
        try:
            yield
        finally:
            self.collector.watch_calls(False)

    @contextlib.contextmanager
    def layers(self) -> Iterator[None]:
        """By hooks for all modules, which are gone afterwards; no module gets one."""
        from torch.nn.modules.module import (
            register_module_forward_hook,
            register_module_forward_pre_hook,
        )

        before = register_module_forward_pre_hook(self.collector.layer_started)
        after = register_module_forward_hook(
            self.collector.layer_ended, with_kwargs=True, always_call=True
        )
        try:
            yield
        finally:
            before.remove()
            after.remove()


@contextlib.contextmanager
def watching(parts: Parts, *, describes_layers: bool = False) -> Iterator[Watch]:
    import torch

    collector = load_collector()
    watch = Watch(collector)
    torchs = str(pathlib.Path(torch.__file__).parent) + os.sep
    passed_over = [torchs, _OURS]
    if not collector.begin_calls(parts.names, passed_over, describes_layers=describes_layers):
        raise RuntimeError("another model is being measured: wait until that is done")
    try:
        yield watch
    finally:
        collector.abandon_calls()
