"""Publishes what happens in a PyTorch training on a bus, by hooks of torch's own.

A step ends when the first optimizer that was seen has made its step, as everywhere in Sightline.
All kinds of a step belong to the same weights: `weights` are those that the forward pass used,
gradients what the optimizer is given (accumulated, unscaled and clipped), updates what its step
added to the weights.
"""

from __future__ import annotations

import atexit
import functools
import logging
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

import torch
from torch import nn
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from sightline.supervise._bus import MessageBus, Registered
from sightline.supervise._kinds import EVALUATION, PARAMETER_KINDS, TRAINING
from sightline.supervise._outputs import Outputs, Pass, detached, tag_of, tensors_in
from sightline.supervise._pace import ByHand, Pace, call_after_backward
from sightline.supervise._parameters import Parameters, is_skipped
from sightline.supervise._progress import Progress
from sightline.supervise._unclipped import UnclippedGradients
from sightline.supervise._watched import WatchedModules

_log = logging.getLogger("sightline")
_Hook = TypeVar("_Hook", bound=Callable[..., Any])


def _harmless(hook: _Hook) -> _Hook:
    """What goes wrong in a hook ends the exporter, not the training. What is compiled has no place
    for hooks: there they do nothing."""

    @functools.wraps(hook)
    def guarded(self: Exporter, *arguments: Any, **keywords: Any) -> None:
        if torch.compiler.is_compiling() or self._ended:
            return
        try:
            hook(self, *arguments, **keywords)
        except Exception as error:
            _log.exception("supervising has ended, the training goes on: %r", error)
            self.detach()

    return guarded  # type: ignore[return-value]


class Exporter:
    """Watches modules and tells subscribers. Nothing is computed that no subscriber wants, and
    nothing is raised into the training: a subscriber that fails is taken off and logged.

    `depth` is how far `add_modules` goes down, `module_filter` a list of the classes it takes; by
    default it takes every module that does something itself, and with `containers` the others too.
    """

    def __init__(
        self,
        depth: int = -1,
        module_filter: Sequence[type[nn.Module]] | None = None,
        bus: MessageBus | None = None,
        *,
        containers: bool = False,
    ) -> None:
        self.bus = MessageBus() if bus is None else bus
        self._progress = Progress(self.bus)
        self._watched = WatchedModules(depth, module_filter, containers)
        self._parameters = Parameters(self.bus)
        self._entries: dict[int, tuple[str, str, nn.Parameter]] = {}
        self._unclipped = UnclippedGradients(self.bus, self._progress)
        self._outputs = Outputs(self.bus)
        self._pace = Pace()
        self._passes: list[Pass] = []
        self._last_tag: str | None = None  # of the model's last pass
        self._subscribers: list[Registered] = []
        self._ended = False
        self._root_handles: list[Any] = []
        self._handles: list[Any] = []
        self._in_optimizer = False
        before = register_optimizer_step_pre_hook(self._before_optimizer)
        after = register_optimizer_step_post_hook(self._after_optimizer)
        # Before others, who may close the step when the optimizer has made it.
        hooks: Any = after.hooks_dict_ref()
        hooks.move_to_end(after.id, last=False)
        self._optimizer_handles = [before, after]
        atexit.register(self.detach)

    @property
    def message_bus(self) -> MessageBus:
        return self.bus

    @property
    def step(self) -> int:
        """Of the training; the one that runs."""
        return self._progress.step

    @property
    def global_step(self) -> int:
        return self.step

    @property
    def train_step(self) -> int:
        """In the running epoch."""
        return self._progress.train_step

    @property
    def epoch(self) -> int:
        return self._progress.epoch

    @property
    def modules(self) -> list[nn.Module]:
        return list(self._watched.names())

    @property
    def named_modules(self) -> list[tuple[nn.Module, str]]:
        return list(self._watched.names().items())

    def set_model(self, model: nn.Module) -> None:
        """The model that paths of modules begin at, and whose calls are the batches. Call it before
        or after `add_modules`."""
        self._refuse_if_ended()
        if not isinstance(model, nn.Module):
            raise ValueError(f"set_model takes a module, not {model!r}")
        _remove(self._root_handles)
        self._watched.set_root(model)
        self._root_handles = [
            model.register_forward_pre_hook(self._before_model, prepend=True, with_kwargs=True),
            model.register_forward_hook(self._after_model, always_call=True),
        ]

    def set_loss(self, loss: nn.Module) -> None:
        """Publishes `network_output`, `input_labels` and `loss` when the loss module is called with
        the output and the labels."""
        self._refuse_if_ended()
        if not isinstance(loss, nn.Module):
            raise ValueError(f"set_loss takes a module, not {loss!r}")
        self._handles.append(loss.register_forward_hook(self._after_loss, with_kwargs=True))

    def add_modules(
        self, module: nn.Module | tuple[str, nn.Module], recursive: bool = True
    ) -> None:
        """Watches the module; with `recursive` also all that it holds. A name that is given stands
        in place of the module's path. A module that is watched already is not watched twice."""
        self._refuse_if_ended()
        given, module = module if isinstance(module, tuple) else ("", module)
        if not isinstance(module, nn.Module):
            raise ValueError(f"add_modules takes a module or (name, module), not {module!r}")
        for found in self._watched.add(given, module, recursive):
            self._handles.append(found.register_forward_hook(self._after_forward))

    def __call__(self, module: nn.Module, recursive: bool = True) -> nn.Module:
        """Watches the module and gives it back, for use inside of an expression."""
        self.add_modules(module, recursive)
        return module

    def subscribe(self, subscriber: Registered) -> None:
        """ValueError if a kind is not known. A second time does nothing."""
        self._refuse_if_ended()
        if subscriber not in self._subscribers:
            self.bus.register_subscriber(subscriber)
            self._subscribers.append(subscriber)

    def unsubscribe(self, subscriber: Registered) -> None:
        self.bus.unregister_subscriber(subscriber)
        if subscriber in self._subscribers:
            self._subscribers.remove(subscriber)

    def freeze_module(self, module: nn.Module) -> None:
        """The module's parameters are trained no further, whatever optimizer has them."""
        freeze(module)

    def epoch_finished(self) -> None:
        """To be called when the training set has been gone through once."""
        if self._ended:
            return
        if self._pace.by_hand is not None:
            self._end_step_by_hand()
        self._progress.end_epoch()

    def state_dict(self) -> dict[str, int]:
        """The counters, to be saved with the model and loaded when the training is resumed."""
        return self._progress.state_dict()

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """ValueError if steps would come again that this exporter has told."""
        self._progress.load_state_dict(state)

    def detach(self) -> None:
        """Takes all hooks out again, and all subscribers off: the bus is not Python's, which does
        not see that those it holds may hold the exporter. A second time does nothing."""
        atexit.unregister(self.detach)
        self._ended = True
        self._outputs.end()
        _remove(self._handles)
        _remove(self._root_handles)
        if not self._in_optimizer:  # torch is going through them; there they do nothing any more
            _remove(self._optimizer_handles)
        for subscriber in list(self._subscribers):
            self.unsubscribe(subscriber)
        self.bus.tell_problems()
        self._unclipped.remove()
        self._entries.clear()
        self._parameters.watch([])
        self._watched.clear()

    close = detach

    def __enter__(self) -> Exporter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.detach()

    def _refuse_if_ended(self) -> None:
        if self._ended:
            raise RuntimeError("this exporter has been detached: make a new one")

    def _name_modules(self) -> dict[nn.Module, str]:
        names = self._watched.names()
        if len(names) != len(self.bus.modules) or any(
            n not in self.bus.modules for n in names.values()
        ):
            self.bus.modules.update({name: module for module, name in names.items()})
        return names

    @_harmless
    def _before_model(
        self, model: nn.Module, inputs: tuple[Any, ...], keywords: dict[str, Any]
    ) -> None:
        outermost = not self._passes
        self._passes.append(Pass(self.bus.pass_tag or tag_of(model)))
        tag = self._passes[-1].tag
        if self.bus.pass_tag is None:
            self._last_tag = tag
        if outermost and tag == TRAINING:
            self._begin_batch((*inputs, *keywords.values()))

    @_harmless
    def _after_model(self, model: nn.Module, inputs: Any, output: Any) -> None:
        ended = self._passes.pop() if self._passes else Pass()
        if ended.tag == TRAINING and not self._passes and not self._pace.is_known():
            call_after_backward(tensors_in(output), self._after_backward)

    def _begin_batch(self, inputs: tuple[Any, ...]) -> None:
        if self._pace.by_hand is not None:
            self._end_step_by_hand()
        if self.step == 0:
            self._watched.look_again()
        if self._unclipped.are_wanted():
            self._watch_parameters()
            self._unclipped.watch(self._entries)
        else:
            self._unclipped.remove()
        self._progress.begin_batch()
        data = inputs[0] if len(inputs) == 1 else inputs
        self._progress.publish("input_data", lambda: detached(data))

    @_harmless
    def _after_forward(self, module: nn.Module, inputs: Any, output: Any) -> None:
        name = self._name_modules().get(module)
        if name is not None:
            running = self._passes[-1] if self._passes else None
            self._outputs.tell(module, name, output, running, self.step, self.epoch)

    @_harmless
    def _after_loss(
        self, module: nn.Module, inputs: tuple[Any, ...], keywords: dict[str, Any], output: Any
    ) -> None:
        tag = self.bus.pass_tag or self._last_tag or tag_of(module)
        if not torch.is_grad_enabled() and tag == TRAINING:
            tag = EVALUATION
        given = (*inputs, *keywords.values())
        told = {"network_output": given[0], "input_labels": given[1]} if len(given) >= 2 else {}
        for kind, value in {**told, "loss": output}.items():
            self._progress.publish(kind, self.bus.payload(kind, value), tag)

    def _watch_parameters(self) -> set[int]:
        """All of watched modules, each once; their identities."""
        entries: dict[int, tuple[str, str, nn.Parameter]] = {}
        for module, path in self._name_modules().items():
            for name, parameter in module._parameters.items():
                if parameter is not None:
                    entries.setdefault(id(parameter), (path, name, parameter))
        if entries != self._entries:  # the same parameters are compared by identity
            self._entries = entries
            self._parameters.watch(entries.values())
        return set(entries)

    @_harmless
    def _after_backward(self) -> None:
        """Only until an optimizer sets the pace."""
        watched = self._watch_parameters()
        if self._pace.is_known() or not self._pace.is_by_hand(watched):
            return
        if self._pace.by_hand is None:
            self._pace.by_hand = ByHand(entry[2] for entry in self._entries.values())
        stand_in: Any = self._pace.by_hand
        self._parameters.before_step(stand_in, self.step, self.epoch)

    def _end_step_by_hand(self) -> None:
        stand_in: Any = self._pace.by_hand
        self._pace.by_hand = None
        self._parameters.after_step(stand_in, self.step, self.epoch)
        self._end_step()

    def _is_told(self) -> bool:
        return any(self.bus.wants(kind) for kind in (*PARAMETER_KINDS, "optimizer_state"))

    def _before_optimizer(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        self._in_optimizer = True
        try:
            self._tell_before(optimizer)
        finally:
            self._in_optimizer = False

    def _after_optimizer(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        self._in_optimizer = True
        try:
            self._tell_after(optimizer)
        finally:
            self._in_optimizer = False

    @_harmless
    def _tell_before(self, optimizer: torch.optim.Optimizer) -> None:
        if is_skipped(optimizer) or (self._pace.is_known() and not self._is_told()):
            return
        self._pace.see(optimizer, self._watch_parameters())
        self._pace.by_hand = None
        self._parameters.before_step(optimizer, self.step, self.epoch)

    @_harmless
    def _tell_after(self, optimizer: torch.optim.Optimizer) -> None:
        if is_skipped(optimizer):
            return
        self._parameters.after_step(optimizer, self.step, self.epoch)
        if self._pace.is_set_by(optimizer):
            self._end_step()

    def _end_step(self) -> None:
        self._progress.end_step()
        self._outputs.loose = Pass()
        self.bus.tell_problems()


def freeze(module: nn.Module) -> None:
    for parameter in module.parameters():
        parameter.requires_grad_(False)
        parameter.grad = None  # an optimizer would still apply what is there


def _remove(handles: list[Any]) -> None:
    for handle in handles:
        handle.remove()
    handles.clear()
