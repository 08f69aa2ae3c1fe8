"""From a batch to the arguments of a model: what of it, where, and how many samples."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import torch

from sightline.measure._values import mapped, tensors

Call = tuple[tuple[Any, ...], dict[str, Any]]  # positional arguments, and those by name

TARGETS = ("labels", "label")


def is_array(value: Any) -> bool:
    return isinstance(value, torch.Tensor) or type(value).__module__ == "numpy"


def map_tensors(value: Any, change: Callable[[torch.Tensor], Any]) -> Any:
    """Every tensor changed, also those in tuples, lists and dictionaries. Arrays of NumPy become
    tensors."""
    return mapped(value, lambda part: change(torch.as_tensor(part)) if is_array(part) else part)


def with_tensors(value: Any) -> Any:
    return map_tensors(value, lambda tensor: tensor)


def shapes_of(value: Any) -> str:
    """As messages tell them: "4x3x8x8 float32, 4 int64"."""
    described = [
        f"{'x'.join(map(str, tensor.shape)) or 'scalar'} {str(tensor.dtype).removeprefix('torch.')}"
        for tensor in tensors(value)
    ]
    return ", ".join(described) or "no tensors"


def with_samples(value: Any, batch_size: int) -> Any:
    """Inputs of so many samples: the first ones, again and again if there are too few. What does
    not have the batch as its first dimension stays as it is."""
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
        raise ValueError(f"batch_size is {batch_size!r}; it must be a whole number from 1 on")
    value = with_tensors(value)
    first = next((tensor for tensor in tensors(value) if tensor.dim() > 0), None)
    if first is None:
        raise ValueError("the batch holds no tensor that has samples")
    there = first.shape[0]
    if there == 0:
        raise ValueError("the batch holds no samples")

    def resize(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.dim() == 0 or tensor.shape[0] != there:
            return tensor
        chosen = torch.arange(batch_size, device=tensor.device) % there
        return tensor.detach()[chosen]

    return map_tensors(value, resize)


def moved(value: Any, device: torch.device) -> Any:
    def move(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.is_meta and device.type != "meta":
            raise ValueError(
                f"the batch is on the device meta, without data, the model on {device}"
            )
        return tensor.to(device)

    return map_tensors(value, move)


def as_call(model: torch.nn.Module, inputs: Any) -> Call:
    """The arguments for the model. A dictionary is given by name, as Hugging Face's models take it:
    the entries that the model's forward knows, without targets. A model that knows none of the
    names gets the dictionary."""
    if isinstance(inputs, Mapping):
        inputs = (inputs,)
    if len(inputs) == 1 and isinstance(inputs[0], Mapping):
        named = _named(model, inputs[0])
        if named:
            return (), named
    return tuple(inputs), {}


def _named(model: torch.nn.Module, batch: Mapping[str, Any]) -> dict[str, Any]:
    parameters = inspect.signature(model.forward).parameters.values()
    known = {one.name for one in parameters if one.kind is not inspect.Parameter.VAR_KEYWORD}
    takes_any = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)
    inputs = {str(name): part for name, part in batch.items() if name not in TARGETS}
    named = {name: part for name, part in inputs.items() if name in known}
    return named or (inputs if takes_any else {})
