"""What a subscriber asks for."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from sightline.supervise._kinds import TRAINING, are_of_modules, kind_called, tag_called
from sightline.supervise._messages import Message, MessageBundle

if TYPE_CHECKING:
    from sightline.supervise._bus import MessageBus
    from sightline.supervise._subscriber import Subscriber

Missing = Literal["drop", "partial", "warn"]


class Subscription:
    """Gives its subscriber single messages of some kinds.

    `tag` None takes all, also those of evaluation passes. `subsample` n takes, of the steps in
    which a kind comes for a tensor, the first and then every n-th."""

    bundles = False

    def __init__(
        self,
        subscriber: Subscriber | None,
        kinds: Sequence[str],
        tag: str | None = TRAINING,
        subsample: int = 1,
    ) -> None:
        if isinstance(kinds, str) or not kinds or not all(isinstance(k, str) for k in kinds):
            raise ValueError(f"kinds is a list of topics, not {kinds!r}")
        if subsample < 1:
            raise ValueError(f"subsample is 1 or more, not {subsample}")
        self.subscriber = subscriber
        self.kinds = [kind_called(kind) for kind in kinds]
        self.tag = tag_called(tag)
        self.subsample = subsample
        self.missing: Missing = "drop"
        self.wait_steps = 0

    def attach(self, bus: MessageBus, subscriber: Subscriber) -> int:
        """ValueError if a kind is not known. The engine holds no more than a weak reference to the
        subscriber, because Python's garbage collector does not see what the engine holds."""
        listener = weakref.ref(subscriber)

        def receive(
            module: str,
            tensor: str,
            step: int,
            epoch: int,
            tag: str,
            complete: bool,
            data: dict[str, Any],
        ) -> None:
            told = listener()
            if told is None or told.message_bus is None:
                return
            position = (module, tensor, step, epoch, tag)
            told.receive(
                deliver([told.message_bus.message(kind, *position, data[kind]) for kind in data])
            )

        deliver = self._delivered
        synchronised = self.bundles and len(self.kinds) > 1
        return bus.subscribe(
            receive,
            type(subscriber).__name__,
            topics=self.kinds,
            tag=self.tag,
            every=self.subsample,
            synchronised=synchronised,
            by_module=synchronised and are_of_modules(self.kinds),
            missing=self.missing,
            wait_steps=self.wait_steps,
        )

    @property
    def _delivered(self) -> Callable[[list[Message]], Message | MessageBundle]:
        """What makes of the messages that come together what the subscriber gets."""
        return lambda messages: messages[0]


class SynchronizedSubscription(Subscription):
    """Gives its subscriber bundles, each once, when all kinds have come for a module and a step.

    `policy` says what becomes of a bundle that lacks something when its step is over: `drop`
    leaves it out, `partial` gives it as it is, `warn` leaves it out and logs it once. `wait_steps`
    lets a bundle wait for later steps. A kind that comes twice counts the last time."""

    bundles = True

    def __init__(
        self,
        subscriber: Subscriber | None,
        kinds: Sequence[str],
        tag: str | None = TRAINING,
        subsample: int = 1,
        *,
        policy: Missing = "warn",
        wait_steps: int = 0,
    ) -> None:
        super().__init__(subscriber, kinds, tag, subsample)
        if policy not in ("drop", "partial", "warn"):
            raise ValueError(f"policy is 'drop', 'partial' or 'warn', not {policy!r}")
        self.missing = policy
        self.wait_steps = wait_steps

    @property
    def _delivered(self) -> Callable[[list[Message]], Message | MessageBundle]:
        return functools.partial(MessageBundle.of, self.kinds)
