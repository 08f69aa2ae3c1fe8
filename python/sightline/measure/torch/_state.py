"""Puts back what running a model, or preparing it, changes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch

from sightline.measure._parts import Parts
from sightline.measure._untouched import random_numbers_kept, untouched


@contextlib.contextmanager
def as_it_was(model: torch.nn.Module) -> Iterator[None]:
    """Whatever happens inside, the model then has its mode, its device, its parameters, gradients
    and buffers again, and random numbers go on where they were."""
    with untouched(Parts(model), []), _places_kept(model):
        yield


def random_kept() -> contextlib.AbstractContextManager[None]:
    """For loaders, which draw their numbers on the processor."""
    return random_numbers_kept(Parts(torch.nn.Identity()))


@contextlib.contextmanager
def _places_kept(model: torch.nn.Module) -> Iterator[None]:
    places = [(parameter, parameter.data) for parameter in model.parameters()]
    try:
        yield
    finally:
        for parameter, data in places:
            if parameter.device != data.device or parameter.dtype != data.dtype:
                parameter.grad = None  # it belongs to the other data
                parameter.data = data
