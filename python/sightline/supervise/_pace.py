"""When a step ends."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn


class ByHand:
    """Stands for the optimizer of a training that has none."""

    def __init__(self, parameters: Iterable[nn.Parameter]) -> None:
        self.param_groups = [{"params": list(parameters)}]
        self.state: dict[Tensor, dict[str, Any]] = {}


class Pace:
    """The first optimizer that is seen to step with watched parameters ends the steps, until it is
    gone. If there is none that has them, the parameters are changed by hand: then a step ends when
    the model begins another batch after a backward pass."""

    def __init__(self) -> None:
        self._optimizer: weakref.ref[torch.optim.Optimizer] | None = None
        self._by_hand: bool | None = None  # None: not known yet
        self.by_hand: ByHand | None = None  # set from a backward pass to the end of its step

    def is_known(self) -> bool:
        return self._optimizer is not None and self._optimizer() is not None

    def see(self, optimizer: torch.optim.Optimizer, watched: set[int]) -> None:
        if not self.is_known() and _holds(optimizer, watched):
            self._optimizer = weakref.ref(optimizer)
            self._by_hand = False

    def is_set_by(self, optimizer: torch.optim.Optimizer) -> bool:
        return self._optimizer is not None and self._optimizer() is optimizer

    def is_by_hand(self, watched: set[int]) -> bool:
        """To be asked after a backward pass. Looks for optimizers once."""
        if self._by_hand is None:
            self._by_hand = not any(
                _holds(thing, watched)
                for thing in gc.get_objects()
                if issubclass(type(thing), torch.optim.Optimizer) and "param_groups" in vars(thing)
            )
        return self._by_hand


def call_after_backward(outputs: Iterable[Tensor], function: Callable[[], None]) -> None:
    """Once for each backward pass that reaches one of the tensors, when it is over."""
    queued = False

    def run() -> None:
        nonlocal queued
        queued = False
        function()

    def note(gradient: Tensor) -> None:
        nonlocal queued
        if not queued:
            queued = True
            torch.autograd.Variable._execution_engine.queue_callback(run)

    for output in outputs:
        if output.requires_grad:
            output.register_hook(note)  # type: ignore[no-untyped-call]


def _holds(optimizer: torch.optim.Optimizer, watched: set[int]) -> bool:
    return any(id(p) in watched for group in optimizer.param_groups for p in group["params"])
