"""Holds a training against the rules while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sightline import _core
from sightline.supervise._kinds import PARAMETER_KINDS, series_topic_of
from sightline.supervise._statistics import plain
from sightline.supervise._subscriber import Bundle, Subscriber

if TYPE_CHECKING:
    from sightline.supervise._exporter import Exporter

Verdict = dict[str, Any]


class _Feed(Subscriber):
    """Hands one topic on."""

    def __init__(self, topic: str, use: Callable[[Bundle], None], subsample: int = 1) -> None:
        super().__init__([topic], subsample=subsample)
        self._use = use

    def compute(self, bundle: Bundle) -> None:
        self._use(bundle)


class Watch:
    """Says what is wrong with a training, as soon as it is: `verdicts` has all that was said, with
    rule, severity, step, module, tensor, evidence, likely cause and what to try. `on_verdict` is
    called with each. `subsample` n looks at tensors in every n-th step only.

    One watch for one exporter. docs/supervise.md has the rules."""

    def __init__(
        self,
        exporter: Exporter,
        *,
        subsample: int = 1,
        on_verdict: Callable[[Verdict], None] | None = None,
    ) -> None:
        self.verdicts: list[Verdict] = []
        self._exporter = exporter
        self._on_verdict = on_verdict
        self._watcher = _core.TensorWatcher()
        for kind in ("activations", *PARAMETER_KINDS):
            exporter.subscribe(_Feed(kind, self._look_at, subsample))
        exporter.subscribe(_Feed("loss", self._note_loss))
        exporter.subscribe(_Feed("step_finished", self._end_step))

    def note(self, topic: str, value: float) -> None:
        """A figure of the running step that only the loop knows: `validation_loss`,
        `step_time_ms`, `memory_bytes`; `loss` if there is no loss module."""
        self._watcher.add_number(topic, self._exporter.step, value)

    def _look_at(self, bundle: Bundle) -> None:
        ((kind, tensor),) = bundle.data.items()
        topic, array = series_topic_of(kind), plain(tensor)
        self._watcher.add(bundle.module, bundle.tensor, topic, bundle.global_step, array)
        if topic == "activations" and self._exporter.is_relu(bundle.module):
            units = (bundle.module, bundle.tensor, topic, bundle.global_step)
            self._watcher.add_relu(*units, array.float().contiguous())

    def _note_loss(self, bundle: Bundle) -> None:
        if bundle.loss.numel() == 1:
            self._watcher.add_number("loss", bundle.global_step, float(bundle.loss))

    def _end_step(self, bundle: Bundle) -> None:
        for verdict in self._watcher.end_step(bundle.global_step):
            self.verdicts.append(verdict)
            if self._on_verdict is not None:
                self._on_verdict(verdict)
