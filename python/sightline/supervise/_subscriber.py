"""Those who want to know, and what they are told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sightline.supervise._statistics import statistics

Missing = Literal["drop", "partial", "warn"]


@dataclass(frozen=True)
class Bundle:
    """What is told of one step and one tensor. `data` has the payload of each topic; a topic is an
    attribute too: `bundle.weights`."""

    module: str
    tensor: str
    step: int
    epoch: int
    tag: str
    complete: bool
    data: Mapping[str, Any]

    def __getattr__(self, topic: str) -> Any:
        data = self.__dict__.get("data", {})  # a copy that is being made has none yet
        if topic not in data:
            raise AttributeError(f"the bundle has no topic {topic!r}")
        return data[topic]


class Subscriber:
    """Gets the topics it names. Override `compute`.

    With several topics they come together, once for each step and tensor. `tag` None takes
    messages of evaluation passes too; `subsample` n takes the first step and then every n-th;
    `missing` says what becomes of a bundle that lacks a topic when its step is over."""

    def __init__(
        self,
        kinds: Sequence[str],
        *,
        tag: str | None = "training",
        subsample: int = 1,
        missing: Missing = "warn",
    ) -> None:
        if isinstance(kinds, str) or not kinds:
            raise ValueError(f"kinds is a list of topics, not {kinds!r}")
        if subsample < 1:
            raise ValueError(f"subsample is 1 or more, not {subsample}")
        self.kinds = list(kinds)
        self.tag = tag
        self.subsample = subsample
        self.missing: Missing = missing

    def compute(self, bundle: Bundle) -> None:
        raise NotImplementedError


class RatioSubscriber(Subscriber):
    """The l2 norm of one topic by that of another, for every tensor that has both. `values` has
    (step, module, tensor, ratio); `callback` is called with the same."""

    def __init__(
        self,
        kinds: Sequence[str],
        *,
        callback: Callable[[int, str, str, float], None] | None = None,
        tag: str | None = "training",
        subsample: int = 1,
        missing: Missing = "drop",
    ) -> None:
        super().__init__(kinds, tag=tag, subsample=subsample, missing=missing)
        if len(self.kinds) != 2:
            raise ValueError(f"a ratio is of two topics, not of {len(self.kinds)}")
        self.values: list[tuple[int, str, str, float]] = []
        self._callback = callback

    def compute(self, bundle: Bundle) -> None:
        over, under = (statistics(bundle.data[kind]).l2 for kind in self.kinds)
        ratio = over / under if under else float("inf") if over else float("nan")
        self.values.append((bundle.step, bundle.module, bundle.tensor, ratio))
        if self._callback is not None:
            self._callback(*self.values[-1])
