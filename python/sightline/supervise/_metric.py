"""What metrics of one kind have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from sightline.supervise._kinds import TRAINING, kind_called
from sightline.supervise._messages import Message
from sightline.supervise._subscriber import PlotSubscriber, takes_the_older_order
from sightline.supervise._subscription import Subscription

if TYPE_CHECKING:
    from sightline.supervise._bus import MessageBus


class MetricSubscriber(PlotSubscriber):
    """A number of each message of one kind, or of several alike. It publishes KIND_NAME.
    Subclasses have `name` and `title`, and override `value_of`; `plot` is what PlotSubscriber
    takes by name."""

    name: ClassVar[str]
    title: ClassVar[str]

    @takes_the_older_order
    def __init__(
        self,
        kind: str | Sequence[str],
        message_bus: MessageBus | None = None,
        *,
        tag: str | None = TRAINING,
        subsample: int = 1,
        **plot: Any,
    ) -> None:
        kinds = [kind] if isinstance(kind, str) else kind
        subscription = Subscription(self, kinds, tag, subsample)
        title = f"{self.title} of {', '.join(subscription.kinds)}"
        config = {"title": title, "ylabel": self.title}
        super().__init__(subscription, config, message_bus, **plot)
        for one in subscription.kinds:
            self._add_publication(self.topic_of(one), like=one)

    def topic_of(self, kind: str) -> str:
        return f"{kind_called(kind)}_{self.name}"

    def value_of(self, message: Message) -> float | None:
        """None: there is nothing to tell this time."""
        raise NotImplementedError

    def compute(self, message: Message) -> None:
        if getattr(message.data, "dtype", None) is not None and "complex" in str(
            message.data.dtype
        ):
            return  # has no order
        value = self.value_of(message)
        if value is not None:
            self.tell(message, value, self.topic_of(message.kind))
