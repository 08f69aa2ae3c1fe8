"""Metrics that compare two kinds."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sightline.supervise._kinds import TRAINING
from sightline.supervise._messages import MessageBundle
from sightline.supervise._statistics import statistics
from sightline.supervise._subscriber import PlotSubscriber, takes_the_older_order
from sightline.supervise._subscription import Missing, SynchronizedSubscription

if TYPE_CHECKING:
    from sightline.supervise._bus import MessageBus


class RatioSubscriber(PlotSubscriber):
    """The l2 norm of one kind by that of another, for every module and step that has both; infinite
    over zero. It publishes A_B_ratio; `callback` is called with step, module, tensor and ratio."""

    @takes_the_older_order
    def __init__(
        self,
        kinds: Sequence[str],
        message_bus: MessageBus | None = None,
        *,
        callback: Callable[[int, str, str, float], None] | None = None,
        tag: str | None = TRAINING,
        subsample: int = 1,
        missing: Missing = "drop",
        **plot: Any,
    ) -> None:
        subscription = SynchronizedSubscription(self, kinds, tag, subsample, policy=missing)
        if len(subscription.kinds) != 2:
            raise ValueError(f"a ratio is of two topics, not of {len(subscription.kinds)}")
        over, under = subscription.kinds
        config = {"title": f"{over}/{under} ratio", "ylabel": "Ratio"}
        super().__init__(subscription, config, message_bus, **plot)
        self._callback = callback
        self._topic = f"{over}_{under}_ratio"
        self._add_publication(self._topic, like=over)

    def compute(self, bundle: MessageBundle) -> None:
        if not bundle.complete:
            return
        over, under = (statistics(bundle.data[kind]).l2 for kind in self.kinds)
        ratio = over / under if under else math.inf if over else math.nan
        self.tell(bundle, ratio, self._topic)
        if self._callback is not None:
            self._callback(*self.values[-1])


class UpdateRatioSubscriber(RatioSubscriber):
    """How far a step moves the weights: l2 of the updates by l2 of the weights. About 1e-3 is often
    called healthy."""

    def __init__(self, message_bus: MessageBus | None = None, **options: Any) -> None:
        super().__init__(["weight_updates", "weights"], message_bus, **options)
