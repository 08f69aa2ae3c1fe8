"""Supervises the training of a script that knows nothing of it.

The models are found when an optimizer steps for the first time: they are the modules that hold its
parameters and that no other module holds. The loss is what `backward` is called on. What is told of
a step goes to the rules and into the run; a rule that was asked for ends the training as Ctrl-C
does, by an exception that is a KeyboardInterrupt.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from sightline import _core
from sightline.supervise._exporter import Exporter
from sightline.supervise._kinds import GRADIENTS, UPDATES, VALUES, series_topic_of
from sightline.supervise._statistics import statistics

# A step's tensors arise in this order: outputs, the loss, gradients from the last to the first.
_AFTER_OUTPUTS = 1 << 20


class TrainingStopped(KeyboardInterrupt):
    """A rule that `--stop-on` names has spoken."""


class Supervising:
    def __init__(
        self,
        recording: _core.Recording,
        *,
        full: bool,
        stop_on: Sequence[str],
        root: str,
        libraries: Sequence[str],
    ) -> None:
        self._recording = recording
        self._supervision = _core.Supervision(recording)
        self._full = full
        self._stop_on = frozenset(stop_on)
        self._root = root
        self._libraries = tuple(folder + os.sep for folder in libraries)
        self._owner = os.getpid()
        self._known: set[int] = set()  # optimizers whose models were looked for
        self._models: list[nn.Module] = []
        self._origins: dict[str, dict[str, Any]] = {}
        self._outputs = 0  # of the running step
        self._losses: list[Tensor] = []
        self._judged = 0
        self._step_began = time.perf_counter()
        # Before the exporter's own hooks, so that the first step is seen whole.
        self._handles = [register_optimizer_step_pre_hook(self._before_optimizer)]
        self._exporter = Exporter(containers=True)
        self._subscriptions = [
            self._exporter.bus.subscribe(
                functools.partial(self._receive, topic), f"supervise {topic}", topics=[topic]
            )
            for topic in self._topics()
        ]
        self._handles.append(register_optimizer_step_post_hook(self._after_optimizer))
        self._backward = torch.autograd.backward
        torch.autograd.backward = self._noting_losses(self._backward)

    def close(self) -> None:
        """Tells what was not told yet, and takes everything out of torch again."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        if getattr(torch.autograd.backward, "__wrapped__", None) is self._backward:
            torch.autograd.backward = self._backward
        for subscription in self._subscriptions:
            self._exporter.bus.unsubscribe(subscription)
        self._subscriptions.clear()
        self._exporter.close()
        if os.getpid() == self._owner:
            self._announce(self._supervision.end())

    def _topics(self) -> Iterable[str]:
        """`light` has no updates, because they need a copy of the weights."""
        kinds = [*VALUES, *GRADIENTS, "activations"]
        return [*kinds, *UPDATES] if self._full else kinds

    def _before_optimizer(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        if id(optimizer) in self._known:
            return
        self._known.add(id(optimizer))
        with self._harmless():
            for model in models_of(optimizer):
                self._add_model(model)

    def _add_model(self, model: nn.Module) -> None:
        """Paths of the first begin at it; others are called by their class."""
        if any(model is known for known in self._models):
            return
        if not self._models:
            self._exporter.set_model(model)
            self._exporter.add_modules(model)
        else:
            self._exporter.add_modules((type(model).__name__, model))
        self._models.append(model)

    @contextlib.contextmanager
    def _harmless(self) -> Iterator[None]:
        """What goes wrong here is told once, and ends the supervising, not the training."""
        try:
            yield
        except Exception as error:
            print(f"sightline: supervising has ended: {error!r}", file=sys.stderr)
            self.close()

    def _receive(
        self,
        topic: str,
        module: str,
        tensor: str,
        step: int,
        epoch: int,
        tag: str,
        complete: bool,
        data: dict[str, Any],
    ) -> None:
        value = data[topic]
        if topic == "activations":
            self._outputs += 1
            order = self._outputs
            if module not in self._origins:
                self._origins[module] = {**self._origin_of_caller(), "order": order}
        else:
            order = 2 * _AFTER_OUTPUTS - self._origins.get(module, {}).get("order", 0)
        origin = {**self._origins.get(module, {}), "order": order}
        self._supervision.publish_statistics(
            statistics(value),
            series_topic_of(topic),
            module=module,
            tensor=tensor,
            step=step,
            epoch=epoch,
            **origin,
        )

    def _origin_of_caller(self) -> dict[str, Any]:
        """Where in the project the module is called that now gives something out."""
        frame: Any = sys._getframe()
        while frame is not None:
            file = os.path.realpath(frame.f_code.co_filename)
            if file.startswith(self._root + os.sep) and not file.startswith(self._libraries):
                return {"file": os.path.relpath(file, self._root), "line": frame.f_lineno}
            frame = frame.f_back
        return {}

    def _noting_losses(self, backward: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(backward)
        def noting(tensors: Any, *arguments: Any, **options: Any) -> Any:
            if os.getpid() == self._owner:
                self._losses.extend(
                    tensor.detach()
                    for tensor in ([tensors] if isinstance(tensors, Tensor) else tensors)
                    if isinstance(tensor, Tensor) and tensor.numel() == 1
                )
            return backward(tensors, *arguments, **options)

        return noting

    def _after_optimizer(self, *_: Any) -> None:
        """Not in a receiver of the bus: there an exception would not reach the training."""
        if os.getpid() != self._owner or self._exporter.step == self._judged:
            return
        step = self._judged
        self._judged = self._exporter.step
        verdicts: list[_core.Verdict] = []
        with self._harmless():
            verdicts = self._end_step(step)
        for verdict in verdicts:
            if verdict.rule in self._stop_on:
                raise TrainingStopped(f"--stop-on {verdict.rule}: {place_of(verdict)}")

    def _end_step(self, step: int) -> list[_core.Verdict]:
        self._tell("step_time_ms", step, (time.perf_counter() - self._step_began) * 1e3)
        self._tell("memory_bytes", step, self._recording.step_peak_bytes())
        if self._losses:
            losses = [float(loss) for loss in self._losses]
            self._tell("loss", step, math.fsum(losses) / len(losses), order=_AFTER_OUTPUTS)
        self._losses.clear()
        self._outputs = 0
        verdicts = self._supervision.end_step(step)
        self._announce(verdicts)
        self._step_began = time.perf_counter()
        return verdicts

    def _tell(self, topic: str, step: int, value: float, order: int = 0) -> None:
        self._supervision.publish_value(
            topic, "", "", "", step, self._exporter.epoch, value, order=order
        )

    @staticmethod
    def _announce(verdicts: Iterable[_core.Verdict]) -> None:
        for verdict in verdicts:
            if verdict.severity != "info":
                print(f"sightline: {verdict.rule}, {place_of(verdict)}", file=sys.stderr)


def place_of(verdict: _core.Verdict) -> str:
    """In few words: what it is about, and when it was first true."""
    names = [verdict.module, verdict.tensor, f"({verdict.topic})" if verdict.topic else ""]
    about = " ".join(name for name in names if name)
    line = f", {verdict.file}:{verdict.line}" if verdict.file else ""
    return f"step {verdict.step}: {about}{line}"


def models_of(optimizer: torch.optim.Optimizer) -> list[nn.Module]:
    """The modules that hold parameters of the optimizer and that no other holds, the largest
    first."""
    wanted = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    # One that is just being made has no table of its parts yet.
    found = [thing for thing in gc.get_objects() if _is_module(thing) and "_modules" in vars(thing)]
    held = {id(child) for module in found for child in module.children()}
    roots = [
        module
        for module in found
        if id(module) not in held
        and any(id(parameter) in wanted for parameter in module.parameters())
    ]
    return sorted(roots, key=lambda module: -sum(1 for _ in module.parameters()))


def _is_module(thing: Any) -> bool:
    """By its type: to ask `isinstance` would let proxies of foreign libraries run their code."""
    return issubclass(type(thing), nn.Module)
