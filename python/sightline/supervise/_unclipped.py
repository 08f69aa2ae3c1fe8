"""Publishes gradients as the backward pass leaves them, before anybody clips or unscales them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch import Tensor, nn

from sightline.supervise._bus import MessageBus
from sightline.supervise._kinds import UNCLIPPED
from sightline.supervise._progress import Progress


class UnclippedGradients:
    """Has hooks on parameters only while somebody wants to know."""

    def __init__(self, bus: MessageBus, progress: Progress) -> None:
        self._bus = bus
        self._progress = progress
        self._watched: set[int] = set()
        self._handles: list[Any] = []

    def are_wanted(self) -> bool:
        return any(self._bus.wants(kind) for kind in UNCLIPPED)

    def watch(self, entries: Mapping[int, tuple[str, str, nn.Parameter]]) -> None:
        """Path of the module, name in it, and parameter, by identity; in place of those before."""
        trained = {key: entry for key, entry in entries.items() if entry[2].requires_grad}
        if trained.keys() == self._watched:
            return
        self.remove()
        self._watched = set(trained)
        for path, name, parameter in trained.values():
            hooked: Any = parameter
            handle = hooked.register_post_accumulate_grad_hook(self._telling(path, name))
            self._handles.append(handle)

    def remove(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self._watched.clear()

    def _telling(self, path: str, name: str) -> Callable[[Tensor], None]:
        kind = UNCLIPPED[{"weight": 0, "bias": 1}.get(name, 2)]

        def tell(parameter: Tensor) -> None:
            make = self._bus.payload(kind, parameter.grad)
            step, epoch = self._progress.step, self._progress.epoch
            self._bus.publish(kind, make, module=path, tensor=name, step=step, epoch=epoch)

        return tell
