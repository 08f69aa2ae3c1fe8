"""Modules that say themselves what they cost, because their kernels are nothing that the engine
could know: a layer that stands for a quantised one.

Such a module has `compute_module_complexity(inputs, outputs)`, which is asked at every call and
returns a dictionary with one or both of
  flops       the multiply-accumulates of the call, with those of all modules inside;
  param_size  the bytes of one element, by the name of a parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.modules.module import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
)

from sightline.measure._measurement import Layer, Measurement

_METHOD = "compute_module_complexity"


@dataclass(frozen=True)
class OwnCosts:
    """What modules say beyond what the engine counted, or below it."""

    macs: int = 0
    parameter_bytes: int = 0


def own_costs(
    model: torch.nn.Module, call: Callable[[], Any], measurement: Measurement
) -> OwnCosts:
    """Calls the model once more if a module has something to say."""
    names = {module: path for path, module in model.named_modules() if hasattr(module, _METHOD)}
    if not names:
        return OwnCosts()
    said = _Listening(names).during(call)
    counted = _counted_in(measurement.layers, {names[module] for module, _ in said.macs})
    bytes_beyond = sum(said.parameter_bytes.values())
    return OwnCosts(sum(macs for _, macs in said.macs) - counted, bytes_beyond)


class _Listening:
    """Asks modules at the ends of their calls; what is inside one that answered is not asked."""

    def __init__(self, names: Mapping[torch.nn.Module, str]) -> None:
        self._names = names
        self._running: list[torch.nn.Module] = []
        self.macs: list[tuple[torch.nn.Module, int]] = []
        self.parameter_bytes: dict[int, int] = {}  # beyond their own, by parameter

    def during(self, call: Callable[[], Any]) -> _Listening:
        before = register_module_forward_pre_hook(self._started)
        after = register_module_forward_hook(self._ended)
        try:
            call()
        finally:
            before.remove()
            after.remove()
        return self

    def _started(self, module: torch.nn.Module, inputs: Any) -> None:
        if module in self._names:
            self._running.append(module)

    def _ended(self, module: torch.nn.Module, inputs: Any, outputs: Any) -> None:
        if module not in self._names:
            return
        self._running.pop()
        if self._running:
            return
        answer = getattr(module, _METHOD)(inputs, outputs)
        if not isinstance(answer, Mapping):
            raise TypeError(
                f"{self._names[module] or 'the model'}.{_METHOD} returned "
                f"{type(answer).__name__}, not a dictionary"
            )
        if answer.get("flops") is not None:
            self.macs.append((module, int(answer["flops"])))
        for name, size in dict(answer.get("param_size") or {}).items():
            parameter = module.get_parameter(name)
            beyond = parameter.numel() * (size - parameter.element_size())
            self.parameter_bytes[id(parameter)] = int(beyond)


def _counted_in(layers: list[Layer], paths: set[str]) -> int:
    """What the engine counted in calls of these modules; calls inside each other once."""

    def is_inside(layer: Layer) -> bool:
        while layer.parent:
            layer = layers[layer.parent - 1]
            if layer.path in paths:
                return True
        return False

    own = [layer for layer in layers if layer.path in paths]
    return sum(layer.macs.forward for layer in own if not is_inside(layer))
