"""Holds a training against the rules while it runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sightline import _core
from sightline._module_units import UNITS
from sightline.supervise._subscriber import Subscriber

if TYPE_CHECKING:
    from sightline.supervise._exporter import Exporter

Verdict = dict[str, Any]


class _Ear(Subscriber):
    """Hands one kind on, with its step."""

    def __init__(self, kind: str, use: Callable[[int, Any], None]) -> None:
        super().__init__([kind])
        self._use = use

    def compute(self, bundle: Any) -> None:
        (kind,) = self.kinds
        step = getattr(bundle, "global_step", None)
        self._use(bundle.step if step is None else step, bundle.data[kind])


class Watch:
    """Says what is wrong with a training, as soon as it is: `verdicts` has all that was said, with
    rule, severity, step, module, tensor, evidence, likely cause and what to try. `on_verdict` is
    called with each. `subsample` n looks at tensors in every n-th step only. With `updates` False
    no copy of the weights is made. `thresholds` says when rules speak: {"dead_share": 0.3}.

    One watch for one exporter. docs/supervise.md has the rules."""

    def __init__(
        self,
        exporter: Exporter,
        *,
        subsample: int = 1,
        updates: bool = True,
        thresholds: Mapping[str, float] | None = None,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> None:
        self.verdicts: list[Verdict] = []
        self._exporter = exporter
        self._on_verdict = on_verdict
        self._supervision = _core.Supervision(thresholds=dict(thresholds or {}))
        topics = {"weights", "gradients", "activations"} | ({"updates"} if updates else set())
        self._feed = _core.Feed(
            exporter.bus, self._supervision, topics=topics, budget_share=math.inf, every=subsample
        )
        self._units: set[str] = set()  # modules whose units are watched
        self._watch_units()
        exporter.subscribe(_Ear("loss", self._note_loss))
        exporter.subscribe(_Ear("step_finished", self._end_step))

    def note(self, topic: str, value: float) -> None:
        """A figure of the running step that only the loop knows: `validation_loss`,
        `step_time_ms`, `memory_bytes`; `loss` if there is no loss module."""
        self._tell(topic, self._exporter.step, value)

    def _tell(self, topic: str, step: int, value: float) -> None:
        self._supervision.publish_value(topic, "", "", "", step, 0, value)

    def _watch_units(self) -> None:
        for module, path in self._exporter.named_modules:
            if path not in self._units and type(module) in UNITS:
                self._units.add(path)
                self._feed.watch_units(path, UNITS[type(module)])

    def _note_loss(self, step: int, loss: Any) -> None:
        if loss.numel() == 1:
            self._tell("loss", step, float(loss))

    def _end_step(self, step: int, _: Any) -> None:
        self._watch_units()
        for found in self._feed.end_step(step, self._exporter.epoch, 0, 0):
            verdict = row_of(found)
            self.verdicts.append(verdict)
            if self._on_verdict is not None:
                self._on_verdict(verdict)


def row_of(verdict: _core.Verdict) -> Verdict:
    names = ("rule", "severity", "step", "module", "tensor", "topic", "evidence", "cause", "advice")
    return {name: getattr(verdict, name) for name in names}
