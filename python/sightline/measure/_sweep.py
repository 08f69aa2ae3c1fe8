"""Times of one model at several batch sizes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sightline import _core
from sightline.measure._call import Call
from sightline.measure._checks import device_of
from sightline.measure._figures import Times
from sightline.measure._parts import Parts
from sightline.measure._runs import Runs
from sightline.measure._untouched import untouched
from sightline.measure._watching import watching


@dataclass(frozen=True)
class BatchTime:
    """A forward call without gradients at one batch size."""

    batch_size: int
    time: Times
    times_ms: list[float]
    inference_peak: int

    @property
    def samples_per_second(self) -> float:
        return self.batch_size / self.time.median * 1000


def sweep(
    model: Any,
    make_inputs: Callable[[int], Any],
    batch_sizes: Sequence[int] = (1, 2, 4, 8, 16, 32),
    *,
    repetitions: int | None = None,
) -> list[BatchTime]:
    """`make_inputs(batch_size)` gives a tensor, or a tuple or list of arguments, or a dictionary of
    keyword arguments. The model is left as it was."""
    return [_time_batch(model, make_inputs(size), size, repetitions) for size in batch_sizes]


def _time_batch(model: Any, made: Any, size: int, repetitions: int | None) -> BatchTime:
    call = Call(model, *_arguments(made))
    parts = Parts(model)
    device = device_of(parts, call.values)
    if device.type == "meta" or repetitions == 0:
        raise ValueError("there is nothing to time: use a real device and at least one repetition")
    with watching(parts) as watch, untouched(parts, call.tensors) as keeping:
        runs = Runs(watch, [*parts.parameters, *call.tensors], call, device)
        runs.rehearse(keeping)
        times_ms = runs.time(repetitions)
        peak = runs.inference_peak()
    summary = Times(**json.loads(_core.time_summary(times_ms)))
    return BatchTime(size, summary, times_ms, peak)


def _arguments(made: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    if isinstance(made, dict):
        return (), made
    return (tuple(made) if isinstance(made, list | tuple) else (made,)), {}
