"""Metrics of what a weight does to directions. A tensor of more than two dimensions is a matrix of
its first by all others; one of fewer has no such metric."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from sightline import _core
from sightline.supervise._messages import Message
from sightline.supervise._metric import MetricSubscriber
from sightline.supervise._statistics import matrix, statistics

_log = logging.getLogger("sightline")


class SpectralNormSubscriber(MetricSubscriber):
    """The largest singular value, by power iterations that begin where those of the last message
    ended: from below, and better with every step."""

    name, title = "spectral_norm", "Spectral norm"

    def __init__(
        self, kind: str | Sequence[str], *arguments: Any, iterations: int = 3, **options: Any
    ) -> None:
        self._iterations = iterations
        self._warm: dict[tuple[str, str, str], _core.SpectralNorm] = {}
        super().__init__(kind, *arguments, **options)

    def value_of(self, message: Message) -> float | None:
        values = matrix(message.data)
        if values is None or values.numel() == 0:
            return None
        key = (message.kind, message.module, message.tensor)
        if key not in self._warm:
            self._warm[key] = _core.SpectralNorm(self._iterations)
        return self._warm[key].next(values)


class SingularValuesSubscriber(MetricSubscriber):
    """What is made of all singular values. They take a time of rows times columns times the smaller
    of both, so a matrix whose smaller side is over `largest` is left out, which is logged once."""

    def __init__(
        self, kind: str | Sequence[str], *arguments: Any, largest: int = 512, **options: Any
    ) -> None:
        self._largest = largest
        self._left_out: set[tuple[str, str]] = set()
        super().__init__(kind, *arguments, **options)

    def value_of(self, message: Message) -> float | None:
        values = matrix(message.data)
        if values is None or values.numel() == 0:
            return None
        if statistics(values).non_finite > 0:
            return None  # it has no singular values
        if min(values.shape) > self._largest:
            self._leave_out(message)
            return None
        return self.value_from(_core.singular_values(values))

    def value_from(self, singular_values: list[float]) -> float:
        raise NotImplementedError

    def _leave_out(self, message: Message) -> None:
        if (message.module, message.tensor) in self._left_out:
            return
        self._left_out.add((message.module, message.tensor))
        _log.warning(
            "%s leaves out %s of %s, whose smaller side is over %d: choose `largest` if it is "
            "worth the time",
            type(self).__name__,
            message.kind,
            message.module,
            self._largest,
        )


class ConditionNumberSubscriber(SingularValuesSubscriber):
    """Largest by smallest singular value; infinite if the smallest is zero to working precision."""

    name, title = "condition_number", "Condition number"

    def value_from(self, singular_values: list[float]) -> float:
        return _core.condition_number(singular_values)


class EffectiveRankSubscriber(SingularValuesSubscriber):
    """How many directions count: exp of the entropy of the singular values as shares."""

    name, title = "effective_rank", "Effective rank"

    def value_from(self, singular_values: list[float]) -> float:
        return _core.effective_rank(singular_values)
