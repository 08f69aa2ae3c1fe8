"""Refuses what cannot be measured, before anything is touched."""

from __future__ import annotations

from typing import Any

from sightline.measure._parts import Parts
from sightline.measure._values import tensors


def device_of(parts: Parts, values: Any) -> Any:
    """The device of the model. Raises ValueError, with what to do about it."""
    import torch

    _refuse_lazy_modules(parts)
    devices = {tensor.device for tensor in (*parts.parameters, *parts.buffers)}
    for index, tensor in enumerate(tensors(values)):
        if len(devices) == 1 and tensor.device not in devices and tensor.dim() > 0:
            device = next(iter(devices))
            raise ValueError(
                f"input {index} is on {tensor.device}, but the model is on {device}: "
                f'move the input with .to("{device}"), or the model'
            )
        devices = devices or {tensor.device}
    return next(iter(devices), torch.device("cpu"))


def _refuse_lazy_modules(parts: Parts) -> None:
    from torch.nn.parameter import is_lazy

    if any(is_lazy(parameter) for parameter in parts.parameters):
        raise ValueError("a parameter has no shape yet: call the model once before it is measured")
