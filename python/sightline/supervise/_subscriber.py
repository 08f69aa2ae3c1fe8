"""Those who want to know. Subclasses override `compute`, or `_metric`, which is its older name."""

from __future__ import annotations

import functools
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from sightline.supervise._backend import Backend, PlotConfig, make_backend
from sightline.supervise._kinds import TRAINING
from sightline.supervise._messages import Message, MessageBundle
from sightline.supervise._subscription import Missing, Subscription, SynchronizedSubscription

if TYPE_CHECKING:
    from sightline.supervise._bus import MessageBus

# What is delivered to subscribers of single messages, and to those of bundles.
Delivered = Message | MessageBundle
Bundle = MessageBundle
Wanted = Subscription | Sequence[Subscription] | Sequence[str]

_log = logging.getLogger("sightline")

MOST_VALUES = 1 << 16  # that a subscriber keeps for those who ask it


_OLDER_ORDER = ("tag", "subsample", "ylims", "backend")


def takes_the_older_order(make: Callable[..., None]) -> Callable[..., None]:
    """For an `__init__` of kinds and a bus: what follows the kinds may also be tag, subsample,
    limits and backend in a row, as Ikkuna's guide has them."""

    @functools.wraps(make)
    def made(self: Subscriber, kinds: Any, *in_a_row: Any, **options: Any) -> None:
        if len(in_a_row) == 1 and not isinstance(in_a_row[0], str):
            make(self, kinds, *in_a_row, **options)
            return
        if len(in_a_row) > len(_OLDER_ORDER):
            raise TypeError(f"{type(self).__name__} takes kinds, {', '.join(_OLDER_ORDER)}")
        make(self, kinds, **dict(zip(_OLDER_ORDER, in_a_row, strict=False)), **options)

    return made


class Subscriber:
    """Gets what it subscribes to. The first argument is a subscription, a list of them, or just a
    list of kinds, which come in bundles; then `tag`, `subsample` and `missing` are those of
    SynchronizedSubscription.

    With a `message_bus` it is registered there at once, else by `Exporter.subscribe`. One that
    raises is logged once and gets nothing more; the training goes on."""

    def __init__(
        self,
        wanted: Wanted,
        message_bus: MessageBus | None = None,
        *,
        tag: str | None = TRAINING,
        subsample: int = 1,
        missing: Missing = "warn",
    ) -> None:
        kind = type(self)
        if kind.compute is Subscriber.compute and kind._metric is Subscriber._metric:
            raise TypeError(f"{kind.__name__} has to override compute()")
        if isinstance(wanted, Subscription):
            wanted = [wanted]
        if wanted and all(isinstance(one, Subscription) for one in wanted):
            self.subscriptions: list[Subscription] = list(wanted)  # type: ignore[arg-type]
        else:
            kinds: Any = wanted
            self.subscriptions = [
                SynchronizedSubscription(self, kinds, tag, subsample, policy=missing)
            ]
        self.message_bus: MessageBus | None = None
        self._publications: dict[str, Callable[[MessageBus], bool]] = {}
        self._attached: list[int] = []
        if message_bus is not None:
            message_bus.register_subscriber(self)

    @property
    def kinds(self) -> list[str]:
        return [kind for subscription in self.subscriptions for kind in subscription.kinds]

    @property
    def publications(self) -> list[str]:
        """The kinds that it publishes itself."""
        return list(self._publications)

    @property
    def kept_kinds(self) -> list[str]:
        """Those whose messages wait for others before it gets them."""
        waiting = [one for one in self.subscriptions if one.bundles and len(one.kinds) > 1]
        return [kind for subscription in waiting for kind in subscription.kinds]

    def compute(self, message: Any) -> None:
        raise NotImplementedError

    def _metric(self, message: Any) -> None:
        self.compute(message)

    def _add_publication(
        self, topic: str, type: Literal["DATA", "META"] = "DATA", *, like: str | None = None
    ) -> None:
        """Announces that messages of a kind will be published: about modules (DATA) or the model
        (META), or about the same as those of the kind `like`."""

        def is_of_model(bus: MessageBus) -> bool:
            return type == "META" if like is None else bus.is_of_model(like)

        self._publications[topic] = is_of_model
        if self.message_bus is not None:
            self.message_bus.declare(topic, of_model=is_of_model(self.message_bus))
            self.message_bus.refuse_circle(self)

    def attach(self, bus: MessageBus) -> None:
        """Called by the bus. ValueError if a kind is not known there."""
        if self.message_bus is not None:
            raise ValueError(f"{type(self).__name__} is registered on another bus already")
        try:
            for subscription in self.subscriptions:
                self._attached.append(subscription.attach(bus, self))
            for topic, is_of_model in self._publications.items():
                bus.declare(topic, of_model=is_of_model(bus))
        except ValueError:
            self._take_off(bus)
            raise
        self.message_bus = bus

    def detach(self) -> None:
        """Called by the bus."""
        if self.message_bus is not None:
            self._take_off(self.message_bus)
        self.message_bus = None

    def _take_off(self, bus: MessageBus) -> None:
        for subscription in self._attached:
            bus.unsubscribe(subscription)
        self._attached.clear()

    def receive(self, message: Delivered) -> None:
        """Called by subscriptions."""
        try:
            self._metric(message)
        except Exception as error:
            _log.warning(
                "the subscriber '%s' failed at step %d and gets nothing more: %s: %s",
                type(self).__name__,
                message.global_step,
                type(error).__name__,
                error,
                exc_info=True,
            )
            if self.message_bus is not None:
                self.message_bus.unregister_subscriber(self)

    def publish(self, topic: str, about: Delivered, value: Any) -> None:
        """A message of an announced kind, about the same step and module as another."""
        if self.message_bus is None:
            return
        call = f"@{about.call}" if about.call else ""
        self.message_bus.publish(
            topic,
            lambda: value,
            module=about.module,
            tensor=about.tensor + call,
            step=about.global_step,
            epoch=about.epoch,
            tag=about.tag,
        )


class PlotSubscriber(Subscriber):
    """One whose metric is a number, or a histogram, over the steps.

    `plot_config` has `title`, `xlabel`, `ylabel`, `ylims`, `redraw_interval` and `log_dir`; it may
    come as the second argument too, and what is given by name wins. `backend` is where it goes:
    `run`, the run file of the recording that runs; `tb`, an event file of TensorBoard; `mpl`, a
    figure of matplotlib; None, nowhere. `values` has the newest in any case, as (global step,
    module, tensor, value)."""

    def __init__(
        self,
        wanted: Wanted,
        *configuration: MessageBus | Mapping[str, Any] | None,
        plot_config: Mapping[str, Any] | None = None,
        ylims: tuple[float, float] | None = None,
        message_bus: MessageBus | None = None,
        backend: str | Backend | None = "run",
        tag: str | None = TRAINING,
        subsample: int = 1,
        missing: Missing = "warn",
    ) -> None:
        config: dict[str, Any] = {"title": type(self).__name__}
        for given in configuration:  # a bus and a configuration, in either order, or one of them
            if isinstance(given, Mapping):
                config.update(given)
            elif given is not None:
                message_bus = given
        if ylims is not None:
            config["ylims"] = ylims
        self.plot_config = PlotConfig.of({**config, **(plot_config or {})})
        self.values: deque[tuple[int, str, str, float]] = deque(maxlen=MOST_VALUES)
        self._backend = make_backend(backend, self.plot_config)
        super().__init__(wanted, message_bus, tag=tag, subsample=subsample, missing=missing)

    @property
    def backend(self) -> Backend:
        return self._backend

    def detach(self) -> None:
        super().detach()
        self._backend.flush()

    def tell(self, about: Delivered, value: float, topic: str = "") -> None:
        """A value of the metric: to `values`, to the backend, and to those who subscribed to
        `topic`, if it has been announced."""
        value = float(value)
        name = about.module
        if about.call:
            name += f"@{about.call}"
        self.values.append((about.global_step, about.module, about.tensor, value))
        self._backend.add_data(
            name, value, about.global_step, tensor=about.tensor, epoch=about.epoch, topic=topic
        )
        if topic in self._publications:
            self.publish(topic, about, value)


class CallbackSubscriber(Subscriber):
    """Calls `callback(*data, global_step, train_step, epoch, key)` with what the kinds brought, in
    their order."""

    def __init__(
        self,
        kinds: Sequence[str],
        callback: Callable[..., None],
        message_bus: MessageBus | None = None,
        *,
        tag: str | None = TRAINING,
        subsample: int = 1,
        missing: Missing = "warn",
    ) -> None:
        self._callback = callback
        super().__init__(kinds, message_bus, tag=tag, subsample=subsample, missing=missing)

    def compute(self, bundle: MessageBundle) -> None:
        data = [bundle.data.get(kind) for kind in self.kinds]
        position = (bundle.global_step, bundle.train_step, bundle.epoch, bundle.key)
        self._callback(*data, *position)
