"""Publishes what an optimizer's step does to the parameters of watched modules."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import torch
from torch import Tensor, nn

from sightline import _core
from sightline.supervise._kinds import GRADIENTS, UPDATES, VALUES, family_of

Entry = tuple[str, str, nn.Parameter]


class Parameters:
    """Values and gradients are published before a step, updates and the optimizer's state after it.
    Nothing is copied that nobody wants."""

    def __init__(self, bus: _core.Bus) -> None:
        self._bus = bus
        self._entries: list[Entry] = []
        self._before: dict[int, Tensor] = {}

    def watch(self, entries: Iterable[Entry]) -> None:
        """Module, name and parameter, in place of those before."""
        self._entries = list(entries)
        self._before.clear()

    def before_step(self, optimizer: torch.optim.Optimizer, step: int, epoch: int) -> None:
        wanted = [self._bus.wants(kind) for kind in UPDATES]
        for module, name, parameter in self._of(optimizer):
            family = family_of(name)
            # A copy, because the optimizer changes the values in place: made once, if at all.
            copy = functools.cache(parameter.detach().clone)
            if wanted[family]:
                self._before[id(parameter)] = copy()
            place = {"module": module, "tensor": name, "step": step, "epoch": epoch}
            self._bus.publish(VALUES[family], copy, **place)  # type: ignore[arg-type]
            if parameter.grad is not None:
                gradient = parameter.grad.detach
                self._bus.publish(GRADIENTS[family], gradient, **place)  # type: ignore[arg-type]

    def after_step(self, optimizer: torch.optim.Optimizer, step: int, epoch: int) -> None:
        state_wanted = self._bus.wants("optimizer_state")
        for module, name, parameter in self._of(optimizer):
            place = {"module": module, "tensor": name, "step": step, "epoch": epoch}
            before = self._before.pop(id(parameter), None)
            if before is not None:
                update = functools.partial(torch.sub, parameter.detach(), before)
                self._bus.publish(UPDATES[family_of(name)], update, **place)  # type: ignore[arg-type]
            if state_wanted:
                for key, value in optimizer.state.get(parameter, {}).items():
                    if isinstance(value, Tensor):
                        place["tensor"] = f"{name}.{key}"
                        state = value.detach
                        self._bus.publish("optimizer_state", state, **place)  # type: ignore[arg-type]

    def _of(self, optimizer: torch.optim.Optimizer) -> Iterator[Entry]:
        held = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
        return (entry for entry in self._entries if id(entry[2]) in held)
