"""The profiler for models of PyTorch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch

from sightline.measure._profiler import Profiler
from sightline.measure.torch._loaders import TorchDataLoader, TorchForwardPass
from sightline.measure.torch._state import as_it_was


class TorchProfiler(Profiler):
    """What a `torch.nn.Module` costs. Loaders are iterables of batches: a pair of input and
    target, an input, or a dictionary as Hugging Face's models take it; for others see
    `enable_forward_pass_data_splits`. No function changes the model."""

    backend = "TorchBackend"

    def __init__(self, model: torch.nn.Module, data_splits: Any, **options: Any) -> None:
        if not isinstance(model, torch.nn.Module):
            raise TypeError(f"the model is a {type(model).__name__}, not a torch.nn.Module")
        super().__init__(model, data_splits, **options)

    @classmethod
    def dl_cls(cls) -> type[TorchDataLoader]:
        return TorchDataLoader

    @classmethod
    def fp_cls(cls) -> type[TorchForwardPass]:
        return TorchForwardPass

    @contextlib.contextmanager
    def _guarding_model(self) -> Iterator[None]:
        with as_it_was(self.model):
            yield
