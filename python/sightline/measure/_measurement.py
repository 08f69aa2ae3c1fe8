"""A finished measurement, as an object."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from sightline import _core
from sightline.measure._figures import (
    Cost,
    Footprint,
    Operator,
    Parameters,
    Times,
    Uncounted,
)

_WORK = ("macs", "effective_macs", "flops", "bytes")


@dataclass(frozen=True)
class Layer:
    """One call of a module; one that was called twice has two. `parent` is the index of the layer
    that called it plus one, zero for the model. Work is with the layers that it called."""

    parent: int
    path: str
    type: str
    file: str
    line: int
    inputs: str
    outputs: str
    parameters: Parameters
    parameter_bytes: int
    macs: Cost
    effective_macs: Cost
    flops: Cost
    bytes: Cost
    activation_bytes: int
    peak_bytes: int | None
    training_peak_bytes: int | None
    time: Times | None
    times_ms: list[float]


@dataclass(frozen=True)
class Measurement:
    """What a model costs. Numbers are for the whole batch; times are milliseconds of a forward call
    without gradients. Printed, it is a table of the layers with the totals below."""

    model: str
    inputs: str
    batch_size: int
    training_mode: bool
    parameters: Parameters
    size_bytes: int
    macs: Cost
    effective_macs: Cost
    flops: Cost
    bytes: Cost
    footprint: Footprint
    execution_time: Times | None
    times_ms: list[float]
    layers: list[Layer]
    operators: list[Operator]
    uncounted: list[Uncounted]
    _text: str = field(repr=False)

    @classmethod
    def from_json(cls, text: str) -> Measurement:
        """Of what json() gave."""
        said = json.loads(text)
        return cls(
            model=said["model"],
            inputs=said["inputs"],
            batch_size=said["batch_size"],
            training_mode=said["training_mode"],
            parameters=Parameters(**said["parameters"]),
            size_bytes=said["size_bytes"],
            **_work(said),
            footprint=Footprint(**said["footprint_bytes"]),
            execution_time=_times(said["execution_time_ms"]),
            times_ms=said["times_ms"],
            layers=[_layer(row) for row in said["layers"]],
            operators=[Operator(**{**row, **_work(row)}) for row in said["operators"]],
            uncounted=[Uncounted(**row) for row in said["uncounted"]],
            _text=text,
        )

    def json(self) -> str:
        return self._text

    def table(self, *, flat: bool = False, depth: int | None = None, sort: str = "calls") -> str:
        """The layers as text: as a tree down to `depth`, or `flat` with those that call no others;
        in the order of the calls, or the largest first by "parameters", "macs", "flops",
        "activations", "peak" or "time"."""
        return _core.layer_table(self._text, flat=flat, depth=depth, sort=sort)

    def __str__(self) -> str:
        return self.table()


def _work(row: dict[str, Any]) -> dict[str, Cost]:
    return {name: Cost(**row[name]) for name in _WORK}


def _times(summary: dict[str, Any] | None) -> Times | None:
    return None if summary is None else Times(**summary)


def _layer(row: dict[str, Any]) -> Layer:
    made = {**row, **_work(row), "parameters": Parameters(**row["parameters"])}
    return Layer(time=_times(made.pop("time_ms")), **made)
