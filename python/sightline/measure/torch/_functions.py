"""The functions that come along: each asks the engine for one measurement."""

from __future__ import annotations

import json
import warnings
from typing import Any

import torch

from sightline._core import measured_status
from sightline.measure._device import Device
from sightline.measure._functions import ProfilerFunction
from sightline.measure._measure import measure
from sightline.measure._measurement import Measurement
from sightline.measure._metrics import (
    ExecutionTime,
    Flops,
    LayerwiseData,
    LayerwiseSummary,
    MemoryFootprint,
    ModelSize,
    StatusKey,
    TotalParams,
)
from sightline.measure.torch._inputs import moved, shapes_of
from sightline.measure.torch._loaders import call_for, loader_for_inputs
from sightline.measure.torch._own_costs import OwnCosts, own_costs
from sightline.measure.torch._place import device_for
from sightline.measure.torch._state import as_it_was


def measured(
    model: torch.nn.Module,
    data_splits: Any,
    *,
    split: str | None,
    batch_size: int,
    device: Device,
    repetitions: int | None,
) -> tuple[Measurement, OwnCosts]:
    """Measures one inference with so many samples of the split. What modules say of themselves
    stands beside it."""
    place = device_for(model, device)
    loader = loader_for_inputs(data_splits, split)
    with as_it_was(model), torch.no_grad():
        model.to(place)
        model.eval()
        arguments, named = moved(call_for(model, loader, batch_size, device), place)
        try:
            measurement = measure(
                model,
                *arguments,
                batch_size=batch_size,
                backward=False,
                repetitions=repetitions,
                **named,
            )
            own = own_costs(model, lambda: model(*arguments, **named), measurement)
            return measurement, own
        except Exception as error:
            raise RuntimeError(
                f"the model cannot be measured with inputs {shapes_of((arguments, named))}: "
                f"{type(error).__name__}: {error}"
            ) from error


class _Measuring(ProfilerFunction):
    """Computes its keys from a measurement without times."""

    KEYS: tuple[type[StatusKey], ...]

    def get_bounded_status_keys(self) -> tuple[StatusKey, ...]:
        return tuple(key() for key in self.KEYS)

    def __call__(
        self,
        model: Any,
        data_splits: Any,
        batch_size: int = 1,
        device: Device = Device.CPU,
        include_weights: bool = True,
        split: str | None = None,
    ) -> dict[str, Any]:
        measurement, own = measured(
            model,
            data_splits,
            split=split,
            batch_size=batch_size,
            device=device,
            repetitions=0,
        )
        if Flops in self.KEYS:
            _warn_of_uncounted(measurement)
        text = measurement.json()
        values: dict[str, Any] = dict(
            measured_status(
                text,
                include_weights=include_weights,
                own_macs=own.macs,
                own_parameter_bytes=own.parameter_bytes,
            )
        )
        values[LayerwiseSummary.NAME] = str(measurement)
        values[LayerwiseData.NAME] = json.loads(text)["layers"]
        return {key.NAME: values.get(key.NAME) for key in self.KEYS}


def _warn_of_uncounted(measurement: Measurement) -> None:
    if measurement.uncounted:
        names = ", ".join(operator.name for operator in measurement.uncounted)
        warnings.warn(
            f"operators without a formula are not counted in flops: {names} "
            "(sightline.measure.add_formula gives them one)",
            stacklevel=2,
        )


class ComputeComplexity(_Measuring):
    """Everything that one inference tells, but for its time."""

    KEYS = (Flops, TotalParams, ModelSize, MemoryFootprint, LayerwiseSummary, LayerwiseData)


class ComputeFlops(_Measuring):
    KEYS = (Flops,)


class ComputeSize(_Measuring):
    KEYS = (ModelSize, MemoryFootprint)


class ComputeParams(_Measuring):
    KEYS = (TotalParams,)


class ComputeLayerwiseSummary(_Measuring):
    KEYS = (LayerwiseSummary, LayerwiseData)


class ComputeExecutionTime(ProfilerFunction):
    """The median of repeated inferences, after the first ones, which are slower."""

    def get_bounded_status_keys(self) -> StatusKey:
        return ExecutionTime()

    def __call__(
        self,
        model: Any,
        data_splits: Any,
        batch_size: int = 1,
        device: Device = Device.CPU,
        split: str | None = None,
        repetitions: int | None = None,
    ) -> float:
        measurement, _ = measured(
            model,
            data_splits,
            split=split,
            batch_size=batch_size,
            device=device,
            repetitions=repetitions,
        )
        status = measured_status(measurement.json(), include_weights=False)
        if ExecutionTime.NAME not in status:
            raise RuntimeError(
                "the model is on the device meta, without data, so that it takes no time: "
                'give it data, model.to_empty(device="cpu")'
            )
        return status[ExecutionTime.NAME]
