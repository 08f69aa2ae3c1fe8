"""Runs a model once and asks the engine what its operators cost."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sightline.measure._checks import device_of
from sightline.measure._figures import Cost
from sightline.measure._formulas import raise_problems
from sightline.measure._parts import Parts
from sightline.measure._untouched import untouched
from sightline.measure._values import tensors
from sightline.measure._watching import watching


@dataclass(frozen=True)
class Count:
    """What one call of a model cost, and one backward pass if there was one. For the whole batch.

    `macs` are the multiply-accumulates of convolutions and matrix products; `effective_macs` leave
    out what a causal mask throws away. `flops` are all arithmetic. `bytes` are read and written if
    every operator reads its inputs once. `operators` have their `intensity` too, flops for each
    byte. `uncounted` names the operators that have no formula. The `time_share` of both is of the
    time of all operators; None on meta tensors."""

    macs: Cost
    effective_macs: Cost
    flops: Cost
    bytes: Cost
    modules: list[dict[str, Any]]
    lines: list[dict[str, Any]]
    operators: list[dict[str, Any]]
    uncounted: list[dict[str, Any]]


def count(model: Any, *inputs: Any, backward: bool = False, **keywords: Any) -> Count:
    """Calls the model as it is, in its mode and in the running grad mode, on real or on meta
    tensors, and counts. `backward` runs a backward pass too. The model is left as it was."""
    values = (inputs, keywords)
    parts = Parts(model)
    device = device_of(parts, values)
    with watching(parts) as watch, untouched(parts, values):
        with watch.layers():
            with watch.operators():
                outputs = model(*inputs, **keywords)
            if backward:
                _run_backward(watch, outputs)
        text = watch.collector.end_count(without_data=device.type == "meta")
    raise_problems()
    return _read(json.loads(text))


def _run_backward(watch: Any, outputs: Any) -> None:
    import torch

    ends = [tensor for tensor in tensors(outputs) if tensor.requires_grad]
    if not ends:
        raise ValueError("no output of the model requires a gradient")
    gradients = [torch.ones_like(tensor) for tensor in ends]
    with watch.operators():
        torch.autograd.backward(ends, gradients)


def _read(counted: dict[str, Any]) -> Count:
    fields: dict[str, Any] = dict(counted)
    for name in ("macs", "effective_macs", "flops", "bytes"):
        fields[name] = Cost(**counted[name])
    return Count(**fields)
