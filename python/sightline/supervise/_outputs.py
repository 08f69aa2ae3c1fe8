"""Publishes what modules give out, and the gradients of the loss with respect to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from sightline import _torch_support
from sightline.supervise._bus import MessageBus
from sightline.supervise._kinds import EVALUATION, TRAINING


class Pass:
    """One call of the model, or all calls of modules outside of it."""

    def __init__(self, tag: str | None = None) -> None:
        self.tag = tag
        self.calls: dict[nn.Module, int] = {}

    def count(self, module: nn.Module) -> int:
        """Which call of the module this is, from 0 on."""
        call = self.calls.get(module, 0)
        self.calls[module] = call + 1
        return call


class Outputs:
    """For forward hooks. Gradients are had by hooks on the outputs, not on the modules: those would
    make views of them, which in-place operations like ReLU(inplace=True) refuse."""

    def __init__(self, bus: MessageBus) -> None:
        self._bus = bus
        collector: Any = _torch_support.load_collector()
        self._gradients = collector.GradientTaps(bus)
        self.loose = Pass()

    def end(self) -> None:
        """Hooks on tensors of a graph that lives on do nothing from now on."""
        self._gradients.end()

    def tell(
        self, module: nn.Module, name: str, output: Any, running: Pass | None, step: int, epoch: int
    ) -> None:
        gradients = self._bus.wants("layer_gradients")
        if not gradients and not self._bus.wants("activations"):
            return
        if torch._C._current_graph_task_id() != -1:
            return  # computed again for the backward pass, and told already
        running = running or self.loose
        tag = running.tag or self._bus.pass_tag or tag_of(module)
        call = running.count(module)
        tensors = list(tensors_in(output))
        for index, tensor in enumerate(tensors):
            place: dict[str, Any] = {
                "module": name,
                "tensor": _tensor_name(index if len(tensors) > 1 else None, call),
                "step": step,
                "epoch": epoch,
                "tag": tag,
            }
            if gradients:
                self._gradients.tap(tensor, **place)
            self._bus.publish("activations", self._bus.payload("activations", tensor), **place)


def tag_of(module: nn.Module) -> str:
    return TRAINING if module.training and torch.is_grad_enabled() else EVALUATION


def tensors_in(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for part in value:
            yield from tensors_in(part)
    elif isinstance(value, dict):
        for part in value.values():
            yield from tensors_in(part)


def detached(value: Any) -> Any:
    """The value with all tensors in it detached."""
    if isinstance(value, Tensor):
        return value.detach()
    if isinstance(value, (tuple, list)):
        return (
            type(value)(detached(part) for part in value) if type(value) in (tuple, list) else value
        )
    if isinstance(value, dict):
        return {key: detached(part) for key, part in value.items()}
    return value


def _tensor_name(output: int | None, call: int) -> str:
    return ("" if output is None else str(output)) + (f"@{call}" if call else "")
