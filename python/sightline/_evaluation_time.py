"""How long a training evaluates between its steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from torch import nn

from sightline._replacement import Replacement


class EvaluationTime:
    """Time from `eval()` to `train()` of the model, unless somebody went backward in between, which
    is training in eval mode. Measures until `remove`."""

    def __init__(self, model: Callable[[], nn.Module | None]) -> None:
        self._model = model
        self._began_ns: int | None = None
        self._spent_ns = 0
        self._replacement = Replacement(nn.Module, "train", self._noting)

    def remove(self) -> None:
        self._replacement.remove()

    def cancel(self) -> None:
        """What runs is training."""
        self._began_ns = None

    def take_ns(self) -> int:
        """Since the last time."""
        spent, self._spent_ns = self._spent_ns, 0
        return spent

    def _noting(self, train: Callable[..., Any]) -> Callable[..., Any]:
        def noting(module: nn.Module, mode: bool = True) -> Any:
            result = train(module, mode)
            if module is self._model():
                self._note(training=mode)
            return result

        return noting

    def _note(self, *, training: bool) -> None:
        now = time.perf_counter_ns()
        if not training:
            self._began_ns = now if self._began_ns is None else self._began_ns
        elif self._began_ns is not None:
            self._spent_ns += now - self._began_ns
            self._began_ns = None
