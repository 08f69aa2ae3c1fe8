"""What a model costs, in one measurement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sightline.measure import _optimizer
from sightline.measure._call import Call
from sightline.measure._checks import device_of
from sightline.measure._formulas import raise_problems
from sightline.measure._measurement import Measurement
from sightline.measure._parts import Parts
from sightline.measure._runs import Runs
from sightline.measure._untouched import untouched
from sightline.measure._watching import watching


def measure(
    model: Any,
    *inputs: Any,
    batch_size: int | None = None,
    backward: bool = True,
    optimizer: Any = None,
    repetitions: int | None = None,
    name: str | None = None,
    **keywords: Any,
) -> Measurement:
    """Calls the model with these inputs, in its mode, and leaves it as it was.

    `backward` runs a backward pass too, from gradients of ones, if an output wants one; `optimizer`
    then makes one step, and undoes it: an optimizer, or a function that makes one of a list of
    parameters. Forward calls are repeated for their time until the median is known, or
    `repetitions` times; 0 leaves times out. On meta tensors there are no times, and the peaks of
    memory are computed."""
    return measure_call(
        model,
        inputs,
        keywords,
        batch_size=batch_size,
        backward=backward,
        optimizer=optimizer,
        repetitions=repetitions,
        name=name,
    )


def measure_call(
    model: Any,
    inputs: Sequence[Any],
    keywords: dict[str, Any],
    *,
    batch_size: int | None = None,
    backward: bool = True,
    optimizer: Any = None,
    repetitions: int | None = None,
    name: str | None = None,
    on_part: Callable[[str], Any] = lambda part: None,
) -> Measurement:
    """The same. `on_part` is told what begins: "time", "memory" or "work"."""
    call = Call(model, tuple(inputs), keywords)
    parts = Parts(model)
    device = device_of(parts, call.values)
    with (
        watching(parts, describes_layers=True) as watch,
        untouched(parts, call.tensors) as keeping,
    ):
        runs = Runs(watch, [*parts.parameters, *call.tensors], call, device)
        runs.rehearse(keeping)
        without_data = device.type == "meta"
        on_part("time")
        times_ms = [] if without_data else runs.time(repetitions)
        on_part("memory")
        inference_peak = runs.inference_peak()
        stepper = _optimizer.make(optimizer, parts)
        training_peak = runs.training_peak(stepper) if backward else None
        on_part("work")
        runs.count(backward, stepper)
        text = watch.collector.end_measurement(
            parts.names,
            model=name or type(model).__name__,
            inputs=watch.collector.shapes(call.values),
            batch_size=_batch_size(call.tensors) if batch_size is None else batch_size,
            training_mode=model.training,
            inference_peak=inference_peak,
            training_peak=training_peak,
            without_data=without_data,
            times_ms=times_ms,
        )
    raise_problems()
    return Measurement.from_json(text)


def _batch_size(inputs: list[Any]) -> int:
    """The first dimension of the first input that has one."""
    return next((int(tensor.size(0)) for tensor in inputs if tensor.dim() > 0), 0)
