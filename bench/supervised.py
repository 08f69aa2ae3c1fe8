"""A training whose tensors are looked at natively, and the same by hooks in Python, step by step
switched on and off."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from sightline import _core
from sightline._module_hooks import ModuleHooks
from sightline.supervise._parameters import Parameters

Step = Callable[[], None]


def named_parameters(model: nn.Module) -> list[tuple[str, str, nn.Parameter]]:
    return [
        (path, name, parameter)
        for path, module in model.named_modules()
        for name, parameter in module.named_parameters(recurse=False)
    ]


class Native:
    """What `sightline run --supervise=full` does with tensors of modules and parameters: figures,
    rules, run file. Functions are not watched: hooks in Python do not see them either."""

    def __init__(
        self,
        recording: _core.Recording,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        **options: Any,
    ) -> None:
        self._model = model
        self._optimizer = optimizer
        self._step = 0
        bus = _core.Bus()
        self._supervision = _core.Supervision(recording)
        self._feed = _core.Feed(bus, self._supervision, budget_share=float("inf"), **options)
        self._parameters = Parameters(bus)
        self._parameters.watch(named_parameters(model))
        collector = importlib.import_module("sightline._torch")
        self._taps = collector.ModuleTaps(bus)
        functions = collector.FunctionTaps(bus, self._feed.watch_function)
        self._hooks = ModuleHooks(self._taps, functions, self._feed)
        self._outputs = "activations" in options["topics"]

    def __enter__(self) -> None:
        if self._outputs:
            self._hooks.add(self._model, "")
        before, after = self._before, self._after
        self._handles = [
            self._optimizer.register_step_pre_hook(before),
            self._optimizer.register_step_post_hook(after),
        ]

    def __exit__(self, *_: object) -> None:
        self._hooks.remove()
        for handle in self._handles:
            handle.remove()

    def _before(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        self._parameters.before_step(optimizer, self._step, 0)

    def _after(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        self._parameters.after_step(optimizer, self._step, 0)
        self._feed.end_step(self._step, 0, 0, 0)
        self._step += 1
        self._taps.begin_step(self._step, 0)


def ten_figures(tensor: Tensor) -> tuple[float, ...]:
    """By torch's operators, as one would write them."""
    size = tensor.abs()
    return (
        tensor.numel(),
        float((~torch.isfinite(tensor)).sum()),
        float((tensor == 0).sum()),
        float(tensor.mean()),
        float(tensor.var()) if tensor.numel() > 1 else 0.0,
        float(size.sum()),
        float(tensor.norm()),
        float(tensor.min()),
        float(tensor.max()),
        float(size.max()),
    )


class PythonHooks:
    """The ten figures of outputs, gradients, weights and updates."""

    def __init__(self, model: nn.Module, optimizer: torch.optim.Optimizer) -> None:
        self._model = model
        self._optimizer = optimizer
        self._before: dict[nn.Parameter, Tensor] = {}
        self.figures: dict[tuple[str, int], tuple[float, ...]] = {}

    def __enter__(self) -> None:
        self._handles = [
            module.register_forward_hook(self._output) for module in self._model.modules()
        ]
        self._handles += [
            parameter.register_post_accumulate_grad_hook(self._gradient)
            for parameter in self._model.parameters()
        ]
        self._handles += [
            self._optimizer.register_step_pre_hook(self._before_step),
            self._optimizer.register_step_post_hook(self._after_step),
        ]

    def __exit__(self, *_: object) -> None:
        for handle in self._handles:
            handle.remove()

    @torch.no_grad()
    def _note(self, kind: str, of: Any, tensor: Tensor) -> None:
        self.figures[kind, id(of)] = ten_figures(tensor.detach())

    def _output(self, module: nn.Module, inputs: Any, output: Tensor) -> None:
        self._note("output", module, output)

    def _gradient(self, parameter: nn.Parameter) -> None:
        assert parameter.grad is not None
        self._note("gradient", parameter, parameter.grad)

    def _before_step(self, *_: Any) -> None:
        for parameter in self._model.parameters():
            self._note("weight", parameter, parameter)
            self._before[parameter] = parameter.detach().clone()

    def _after_step(self, *_: Any) -> None:
        for parameter, before in self._before.items():
            self._note("update", parameter, parameter.detach() - before)


class PythonNorms:
    """The norm of every gradient, by the hook that torch has for it."""

    def __init__(self, model: nn.Module) -> None:
        self._model = model
        self.norms: dict[nn.Parameter, float] = {}

    def __enter__(self) -> None:
        self._handles = [
            parameter.register_post_accumulate_grad_hook(self._norm)
            for parameter in self._model.parameters()
        ]

    def __exit__(self, *_: object) -> None:
        for handle in self._handles:
            handle.remove()

    def _norm(self, parameter: nn.Parameter) -> None:
        assert parameter.grad is not None
        self.norms[parameter] = parameter.grad.norm().item()


def timed(step: Step) -> int:
    began = time.thread_time_ns()
    step()
    return time.thread_time_ns() - began
