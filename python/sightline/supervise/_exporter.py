"""Publishes what happens in a PyTorch training on a bus, by hooks of torch's own.

A step ends when the first optimizer that was seen has made its step, as everywhere in Sightline.
All topics of a step belong to the same weights: `weights` are those that the forward pass used,
`gradients` what the optimizer is given (accumulated, unscaled and clipped), `updates` what its step
added to the weights.
"""

from __future__ import annotations

import atexit
import logging
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from sightline import _core
from sightline.supervise._parameters import Parameters
from sightline.supervise._plugin import Plugin
from sightline.supervise._subscriber import Bundle, Subscriber

_log = logging.getLogger("sightline")


class Exporter:
    """Watches modules and tells subscribers. Nothing is computed that no subscriber wants, and
    nothing is raised into the training: a subscriber that fails is taken off and logged."""

    def __init__(self) -> None:
        self.bus = _core.Bus()
        _core.declare_training_topics(self.bus)
        self._parameters = Parameters(self.bus)
        self.step = 0
        self.epoch = 0
        self.train_step = 0  # in the running epoch
        self._root: nn.Module | None = None
        self._names: dict[nn.Module, str] = {}
        self._relus: set[str] | None = None  # paths; None: to be found again
        self._pace: torch.optim.Optimizer | None = None
        self._subscriptions: list[int] = []
        self._plugins: list[Plugin] = []
        atexit.register(self.close)
        self._handles: list[Any] = [
            register_optimizer_step_pre_hook(self._before_optimizer),
            register_optimizer_step_post_hook(self._after_optimizer),
        ]

    def set_model(self, model: nn.Module) -> None:
        """The model that paths of modules begin at. Call it before or after `add_modules`."""
        self._root = model
        self._relus = None
        for name, module in model.named_modules():
            if module in self._names:
                self._names[module] = name

    def set_loss(self, loss: nn.Module) -> None:
        """Publishes `network_output`, `input_labels` and `loss` when the loss module is called in
        training mode, with the output and the labels."""
        self._handles.append(loss.register_forward_hook(self._after_loss))

    def add_modules(
        self, module: nn.Module | tuple[str, nn.Module], recursive: bool = True
    ) -> None:
        """Watches the module; with `recursive` also all that it holds. A module that is watched
        already is not watched twice."""
        given, module = module if isinstance(module, tuple) else ("", module)
        if not isinstance(module, nn.Module):
            raise ValueError(f"add_modules takes a module or (name, module), not {module!r}")
        self._relus = None
        below = module.named_modules() if recursive else [("", module)]
        base = given or self._path_of(module)
        for name, found in below:
            if found in self._names:
                continue
            self._names[found] = ".".join(part for part in (base, name) if part)
            self._handles.append(found.register_forward_hook(self._after_forward))
        if self._root is not None and not given:
            self.set_model(self._root)

    def __call__(self, module: nn.Module, recursive: bool = True) -> nn.Module:
        """Watches the module and gives it back, for use inside of an expression."""
        self.add_modules(module, recursive)
        return module

    def subscribe(self, subscriber: Subscriber | Plugin) -> int:
        """A number for `unsubscribe`. ValueError if a topic is not known."""
        if isinstance(subscriber, Plugin):
            subscriber.attach(self.bus)
            self._plugins.append(subscriber)
            return -1

        def receive(*arguments: Any) -> None:
            subscriber.compute(Bundle(*arguments))

        subscription = self.bus.subscribe(
            receive,
            type(subscriber).__name__,
            topics=subscriber.kinds,
            tag=subscriber.tag,
            every=subscriber.subsample,
            synchronised=len(subscriber.kinds) > 1,
            missing=subscriber.missing,
        )
        self._subscriptions.append(subscription)
        return subscription

    @property
    def named_modules(self) -> list[tuple[nn.Module, str]]:
        return list(self._names.items())

    def is_relu(self, path: str) -> bool:
        """Whether the watched module of that path is a ReLU."""
        if self._relus is None:
            kinds = (nn.ReLU, nn.ReLU6)
            self._relus = {
                name for module, name in self._names.items() if isinstance(module, kinds)
            }
        return path in self._relus

    def unsubscribe(self, subscription: int) -> None:
        self.bus.unsubscribe(subscription)

    def epoch_finished(self) -> None:
        """To be called when the training set has been gone through once."""
        self._publish("epoch_finished", lambda: None)
        self.epoch += 1
        self.train_step = 0

    def close(self) -> None:
        """Takes all hooks out again, and all subscribers off: the bus is not Python's, which does
        not see that those it holds may hold the exporter."""
        atexit.unregister(self.close)
        for handle in self._handles:
            handle.remove()
        for subscription in self._subscriptions:
            self.bus.unsubscribe(subscription)
        for plugin in self._plugins:
            plugin.detach()
        self._handles.clear()
        self._subscriptions.clear()
        self._plugins.clear()

    def __enter__(self) -> Exporter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _path_of(self, module: nn.Module) -> str:
        if self._root is not None:
            for name, found in self._root.named_modules():
                if found is module:
                    return str(name)
        return type(module).__name__

    def _publish(
        self,
        topic: str,
        make: Callable[[], Any],
        module: str = "",
        tensor: str = "",
        tag: str = "training",
    ) -> None:
        self.bus.publish(
            topic, make, module=module, tensor=tensor, step=self.step, epoch=self.epoch, tag=tag
        )

    def _after_forward(self, module: nn.Module, inputs: Any, output: Any) -> None:
        if not self.bus.wants("activations"):
            return
        tag = "training" if module.training else "evaluation"
        tensors = list(_tensors_in(output))
        for index, tensor in enumerate(tensors):
            name = "" if len(tensors) == 1 else str(index)
            self._publish("activations", tensor.detach, self._names[module], name, tag)

    def _after_loss(self, module: nn.Module, inputs: tuple[Any, ...], output: Any) -> None:
        tag = "training" if torch.is_grad_enabled() and module.training else "evaluation"
        if len(inputs) == 2:
            self._publish("network_output", inputs[0].detach, tag=tag)
            self._publish("input_labels", inputs[1].detach, tag=tag)
        self._publish("loss", output.detach, tag=tag)

    def _before_optimizer(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        if self._pace is None and any(self._parameters_of(optimizer)):
            self._pace = optimizer
        self._parameters.watch(self._parameters_of(optimizer))
        self._parameters.before_step(optimizer, self.step, self.epoch)

    def _after_optimizer(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        self._parameters.after_step(optimizer, self.step, self.epoch)
        if optimizer is self._pace:
            self._end_step()

    def _end_step(self) -> None:
        self._publish("step_finished", lambda: None)
        self.bus.end_step(self.step)
        self.step += 1
        self.train_step += 1
        for problem in self.bus.take_problems():
            _log.warning("%s", problem)

    def _parameters_of(
        self, optimizer: torch.optim.Optimizer
    ) -> Iterator[tuple[str, str, nn.Parameter]]:
        """Those of watched modules that the optimizer has, with module and name."""
        known = {parameter for group in optimizer.param_groups for parameter in group["params"]}
        for module, path in self._names.items():
            for name, parameter in module.named_parameters(recurse=False):
                if parameter in known:
                    yield path, name, parameter


def _tensors_in(output: Any) -> Iterator[Tensor]:
    if isinstance(output, Tensor):
        yield output
    elif isinstance(output, (tuple, list)):
        for part in output:
            yield from _tensors_in(part)
    elif isinstance(output, dict):
        for part in output.values():
            yield from _tensors_in(part)
