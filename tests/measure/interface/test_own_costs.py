"""Modules that say themselves what they cost."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from measure.interface.examples import Notes, Snapshot
from torch import nn

from sightline.measure.torch import ComputeComplexity, TorchProfiler

MIB = 2**20


class Quantised(nn.Module):
    """By its operators 16 MACs a sample, and 20 parameters of 4 bytes."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.answer = answer
        self.asked = Notes()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.inner(x)) * 2

    def compute_module_complexity(self, inputs: Any, outputs: Any) -> Any:
        self.asked.entries.append((inputs, outputs))
        return self.answer


def status(model: nn.Module) -> dict[str, Any]:
    profiler = TorchProfiler(model, {"train": [torch.zeros(2, 4)]})
    profiler.register_profiler_function(ComputeComplexity())
    result: dict[str, Any] = profiler.compute_network_status(batch_size=2)
    return result


def test_its_word_stands_for_the_call_with_all_inside() -> None:
    own = Quantised({"flops": 2000, "param_size": {"inner.weight": 1}})
    model = nn.Sequential(nn.Linear(4, 4), own, own)
    before = Snapshot(model)
    result = status(model)
    before.check()
    assert result["flops"] == (16 + 2 * 1000) / 1e9  # per sample of two; called twice
    assert result["model_size"] == (2 * 20 * 4 - 16 * 3) / MIB
    assert [(x[0].shape, y.shape) for x, y in own.asked.entries] == [((2, 4), (2, 4))] * 2


def test_inside_of_one_that_answers_nobody_is_asked() -> None:
    inner = Quantised({"flops": 5})
    outer = Quantised({"flops": 100})
    outer.inner = inner
    assert status(outer)["flops"] == 50 / 1e9
    assert inner.asked.entries == []


def test_without_flops_the_engine_counts() -> None:
    assert status(Quantised({"param_size": {"inner.bias": 2}}))["flops"] == 16 / 1e9


def test_wrong_answers_are_named() -> None:
    with pytest.raises(RuntimeError, match=r"0\.compute_module_complexity returned int"):
        status(nn.Sequential(Quantised(3)))
    with pytest.raises(RuntimeError, match="unheard_of"):
        status(Quantised({"param_size": {"unheard_of": 2}}))
