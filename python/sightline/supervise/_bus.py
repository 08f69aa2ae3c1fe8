"""The bus as Python publishes and subscribes on it. Matching, thinning and putting together is done
by the engine."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from sightline import _core
from sightline.supervise._kinds import META_KINDS, MODULE_KINDS, TRAINING
from sightline.supervise._messages import (
    META_KEY,
    Message,
    MetaMessage,
    ModuleKey,
    TrainingMessage,
)

if TYPE_CHECKING:
    from torch import nn

_log = logging.getLogger("sightline")


class Registered(Protocol):
    """What a bus wants of a subscriber."""

    @property
    def kinds(self) -> list[str]: ...
    @property
    def publications(self) -> list[str]: ...
    def attach(self, bus: MessageBus, /) -> None: ...
    def detach(self) -> None: ...


class MessageBus(_core.Bus):
    """Carries messages from exporters, and from subscribers that publish what they compute, to
    those who subscribed. Kinds belong to one bus: what is registered here is unknown elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.modules: dict[str, nn.Module] = {}  # by the names that keys have
        self.pass_tag: str | None = None  # of all messages while a subscriber runs the model
        self._of_model: dict[str, bool] = {}
        self._epoch_begins: dict[int, int] = {}  # global step of its first
        self._subscribers: list[Registered] = []
        self._kept: set[str] = set()  # kinds that wait in bundles
        for kind in META_KINDS:
            self.register_meta_topic(kind)
        for kind in MODULE_KINDS:
            self.register_data_topic(kind)

    @property
    def kinds(self) -> list[str]:
        return list(self._of_model)

    def declare(self, topic: str, *, of_model: bool = False) -> None:
        super().declare(topic, of_model=of_model)
        self._of_model[topic] = of_model

    def register_meta_topic(self, kind: str) -> None:
        """A kind of messages about the whole model."""
        self.declare(kind, of_model=True)

    def register_data_topic(self, kind: str) -> None:
        """A kind of messages about modules."""
        self.declare(kind)

    def is_of_model(self, kind: str) -> bool:
        """Whether its messages are about the whole model. ValueError if it is not known."""
        if kind not in self._of_model:
            raise ValueError(f"nobody has registered the kind {kind!r}")
        return self._of_model[kind]

    def register_subscriber(self, subscriber: Registered) -> None:
        """A second time does nothing. ValueError if a kind is not known, or if subscribers would
        wait for each other in a circle."""
        if subscriber in self._subscribers:
            return
        subscriber.attach(self)
        self._subscribers.append(subscriber)
        self._kept.update(getattr(subscriber, "kept_kinds", ()))
        self.refuse_circle(subscriber)

    def refuse_circle(self, subscriber: Registered) -> None:
        """Takes it off and raises ValueError if it subscribes to what is made from what it
        publishes."""
        if subscriber not in self._fed_by(subscriber):
            return
        self.unregister_subscriber(subscriber)
        raise ValueError(
            f"{type(subscriber).__name__} subscribes to what is made from what it publishes "
            f"({', '.join(subscriber.publications)}): break the circle"
        )

    def _fed_by(self, source: Registered) -> list[Registered]:
        """Those that get what it publishes, or what is made from that."""
        found: list[Registered] = []
        waiting = [source]
        while waiting:
            published = set(waiting.pop().publications)
            for other in self._subscribers:
                if published & set(other.kinds) and other not in found:
                    found.append(other)
                    waiting.append(other)
        return found

    def unregister_subscriber(self, subscriber: Registered) -> None:
        if subscriber in self._subscribers:
            self._subscribers.remove(subscriber)
            subscriber.detach()

    def unregister_all(self) -> None:
        for subscriber in list(self._subscribers):
            self.unregister_subscriber(subscriber)

    def publish_network_message(
        self,
        global_step: int,
        train_step: int,
        epoch: int,
        kind: str,
        data: Any = None,
        tag: str = TRAINING,
    ) -> None:
        """ValueError for a negative step or epoch, and for a kind that is unknown or of modules."""
        self._check(kind, of_model=True)
        self._note_steps(MetaMessage(tag, global_step, train_step, epoch, kind, META_KEY, data))
        self.publish(kind, lambda: data, step=global_step, epoch=epoch, tag=tag)

    def publish_module_message(
        self,
        global_step: int,
        train_step: int,
        epoch: int,
        kind: str,
        named_module: ModuleKey,
        data: Any,
        tag: str = TRAINING,
        tensor: str = "",
    ) -> None:
        """ValueError as above, and for data that is None."""
        self._check(kind, of_model=False)
        message = TrainingMessage(tag, global_step, train_step, epoch, kind, named_module, data)
        self._note_steps(message)
        module, name = named_module
        if module is not None:
            self.modules.setdefault(name, module)
        self.publish(
            kind,
            lambda: data,
            module=name,
            tensor=tensor,
            step=global_step,
            epoch=epoch,
            tag=tag,
        )

    def begin_epoch(self, epoch: int, global_step: int) -> None:
        """The steps of the epoch are counted from this one."""
        self._epoch_begins[epoch] = global_step

    def message(
        self, kind: str, module: str, tensor: str, step: int, epoch: int, tag: str, data: Any
    ) -> Message:
        """What the engine told, as subscribers see it."""
        train_step = max(0, step - self._epoch_begins.get(epoch, 0))
        if self._of_model[kind]:
            return MetaMessage(tag, step, train_step, epoch, kind, META_KEY, data)
        name, _, call = tensor.partition("@")
        whole = f"{module}.{name}" if kind.startswith(("parameter", "optimizer")) else module
        key = (self.modules.get(module), whole)
        position = (module, name, int(call or 0))
        return TrainingMessage(tag, step, train_step, epoch, kind, key, data, *position)

    def payload(self, kind: str, value: Any) -> Callable[[], Any]:
        """What makes the data of a message from a tensor that the training may change afterwards:
        a copy where a bundle will wait with it."""
        if not hasattr(value, "detach"):
            return lambda: value
        if kind in self._kept:
            return lambda: value.detach().clone()
        return lambda: value.detach()

    def tell_problems(self) -> None:
        """Logs what went wrong since the last time."""
        for problem in self.take_problems():
            _log.warning("%s", problem)

    @contextlib.contextmanager
    def private_pass(
        self, model: nn.Module, tag: str, *, gradients: bool = False
    ) -> Iterator[None]:
        """For subscribers that run the model themselves: in eval mode, with messages of a tag of
        their own. Modes, random numbers and gradients of the training are afterwards as before."""
        import torch

        modes = {module: module.training for module in model.modules()}
        before, self.pass_tag = self.pass_tag, tag
        devices = range(torch.cuda.device_count()) if torch.cuda.is_available() else []
        try:
            model.eval()
            with torch.random.fork_rng(devices=devices), torch.set_grad_enabled(gradients):
                yield
        finally:
            self.pass_tag = before
            for module, mode in modes.items():
                module.training = mode

    def _check(self, kind: str, *, of_model: bool) -> None:
        if self.is_of_model(kind) != of_model:
            about = "modules" if of_model else "the whole model"
            raise ValueError(f"messages of the kind {kind!r} are about {about}")

    def _note_steps(self, message: Message) -> None:
        self._epoch_begins[message.epoch] = message.global_step - message.train_step


_default_bus: MessageBus | None = None


def get_default_bus() -> MessageBus:
    """The one bus of the process for those who want to share one."""
    global _default_bus
    if _default_bus is None:
        _default_bus = MessageBus()
    return _default_bus
