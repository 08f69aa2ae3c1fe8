"""Models, data and functions that the tests of the interface share."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from sightline.measure import Flops, Profiler, ProfilerFunction, TotalParams


def small_model() -> nn.Module:
    """32 x 75 weights and 32 biases; 32 x 32 x 32 results of 75 products."""
    return nn.Sequential(
        nn.Conv2d(3, 32, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Identity()
    )


def loaders(samples: int = 8, batch_size: int = 4, **options: Any) -> dict[str, DataLoader]:
    generator = torch.Generator().manual_seed(0)
    x = torch.randn(samples, 3, 32, 32, generator=generator)
    y = torch.arange(samples) % 10
    data = TensorDataset(x, y)
    return {
        "train": DataLoader(data, batch_size=batch_size, shuffle=True, **options),
        "test": DataLoader(data, batch_size=batch_size, **options),
    }


class Notes:
    """What a model keeps of its calls. A list would be put back as it was."""

    def __init__(self) -> None:
        self.entries: list[Any] = []


class PlainProfiler(Profiler):
    """Knows no framework."""

    @classmethod
    def dl_cls(cls) -> Any:
        return None

    @classmethod
    def fp_cls(cls) -> Any:
        return None


class Constant(ProfilerFunction):
    """Computes `flops` as it is told to, and counts its calls."""

    KEYS: tuple[type, ...] = (Flops,)

    def __init__(self, value: Any = 1) -> None:
        self.value = value
        self.calls = 0

    def get_bounded_status_key(self) -> Any:
        return tuple(key() for key in self.KEYS)

    def __call__(self, model: Any, data_splits: Any, factor: int = 1) -> Any:
        self.calls += 1
        return {key.NAME: self.value * factor for key in self.KEYS}


class TwoConstants(Constant):
    KEYS = (Flops, TotalParams)


class Snapshot:
    """Everything of a model, and of random numbers, that a measurement must leave alone."""

    def __init__(self, model: nn.Module) -> None:
        self.model = model
        self.state = {name: value.clone() for name, value in model.state_dict().items()}
        self.identities = self._identities()
        self.gradients = [None if p.grad is None else p.grad.clone() for p in model.parameters()]
        self.modes = [module.training for module in model.modules()]
        self.members = [sorted(vars(module)) for module in model.modules()]
        self.hooks = self._hooks()
        self.random = self._random()

    @staticmethod
    def _random() -> tuple[Any, ...]:
        (name, keys, *more) = np.random.get_state()
        return torch.get_rng_state().tolist(), random.getstate(), name, keys.tolist(), more

    def _hooks(self) -> list[Any]:
        return [
            dict(hooks)
            for module in self.model.modules()
            for hooks in (
                module._forward_hooks,
                module._forward_pre_hooks,
                module._backward_hooks,
                module._backward_pre_hooks,
            )
        ]

    def _identities(self) -> dict[str, Any]:
        parameters = {name: (id(p), p.data_ptr()) for name, p in self.model.named_parameters()}
        buffers = {name: (id(b), b.data_ptr()) for name, b in self.model.named_buffers()}
        grads = {name: id(p.grad) for name, p in self.model.named_parameters()}
        return {"parameters": parameters, "buffers": buffers, "gradients": grads}

    def check(self) -> None:
        assert self._identities() == self.identities
        assert list(self.model.state_dict()) == list(self.state)
        for name, value in self.model.state_dict().items():
            assert torch.equal(value, self.state[name]), name
            assert value.device == self.state[name].device
        for parameter, gradient in zip(self.model.parameters(), self.gradients, strict=True):
            assert (parameter.grad is None) == (gradient is None)
            assert gradient is None or torch.equal(parameter.grad, gradient)
        assert [module.training for module in self.model.modules()] == self.modes
        assert [sorted(vars(module)) for module in self.model.modules()] == self.members
        assert self._hooks() == self.hooks
        assert self._random() == self.random
