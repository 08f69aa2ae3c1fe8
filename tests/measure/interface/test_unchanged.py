"""Every public function leaves the model, its gradients and random numbers as they were, bit by
bit, also if it fails."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from measure.interface.examples import Snapshot, loaders
from torch import nn

from sightline.measure import Device
from sightline.measure.torch import (
    ComputeComplexity,
    ComputeEvalMetric,
    ComputeExecutionTime,
    ComputeFlops,
    ComputeLayerwiseSummary,
    ComputeParams,
    ComputeSize,
    EvalLossFunction,
    ExternalProfilerFunction,
    Flops,
    TorchDataLoader,
    TorchForwardPass,
    TorchProfiler,
    get_accuracy,
    get_missclass,
    get_topk,
)


def _draw(*_: Any) -> None:
    """A hook of the user's, with random numbers of every kind."""
    random.random()
    np.random.rand()
    torch.rand(())


def changing_model() -> nn.Module:
    """Whose statistics, masks, gradients and hooks a careless run would change."""
    model = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Dropout(), nn.Flatten(), nn.Linear(3600, 10)
    )
    model.register_buffer("scratch", torch.ones(3), persistent=False)
    model.register_forward_hook(_draw)
    model[0].register_forward_pre_hook(_draw)
    model[1].register_full_backward_hook(_draw)
    return model


@pytest.fixture(params=["train", "eval", "mixed"])
def model(request: Any) -> Iterator[nn.Module]:
    made = changing_model().train(request.param != "eval")
    if request.param == "mixed":
        made[1].eval()
    made(torch.randn(2, 3, 32, 32)).sum().backward()
    random.seed(3)
    np.random.seed(3)
    torch.manual_seed(3)
    yield made


EVALUATIONS: dict[str, Callable[..., Any]] = {
    "accuracy": get_accuracy,
    "missclass": get_missclass,
    "topk": get_topk,
    "loss": EvalLossFunction(nn.CrossEntropyLoss()),
    "loss of batches": EvalLossFunction(lambda model, batch: model(batch[0]).sum()),
}
FUNCTIONS = {
    "complexity": ComputeComplexity,
    "flops": ComputeFlops,
    "size": ComputeSize,
    "params": ComputeParams,
    "layers": ComputeLayerwiseSummary,
    "time": ComputeExecutionTime,
}


@pytest.mark.parametrize("name", EVALUATIONS)
def test_evaluations_leave_the_model(model: nn.Module, name: str) -> None:
    before = Snapshot(model)
    EVALUATIONS[name](model, loaders()["train"])
    before.check()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_leave_the_model(model: nn.Module, name: str) -> None:
    options = {"repetitions": 2} if name == "time" else {}
    before = Snapshot(model)
    FUNCTIONS[name]()(model, loaders(), **options)
    before.check()


@pytest.mark.parametrize("wrap", [False, True])
def test_a_profiler_leaves_the_model(model: nn.Module, wrap: bool, capsys: Any) -> None:
    before = Snapshot(model)
    splits = loaders()
    if wrap:
        splits = TorchProfiler.enable_forward_pass_data_splits(splits)
    profiler = TorchProfiler(model, splits)
    profiler.register_profiler_function(ComputeComplexity())
    profiler.register_profiler_function(ComputeExecutionTime())
    profiler.register_profiler_function(ComputeEvalMetric(get_accuracy, "accuracy"))
    profiler.compute_network_status(
        batch_size=3, print_mode="info", short_print=False, repetitions=2
    )
    profiler.compute_status("flops", recompute=True, batch_size=2)
    profiler.display_status()
    profiler.status_to_dict(to_value=False)
    before.check()


def test_comparing_and_cloning_leave_both_models(model: nn.Module, capsys: Any) -> None:
    other = copy.deepcopy(model)
    before = [Snapshot(model), Snapshot(other)]
    profiler = TorchProfiler(model, loaders())
    profiler.register_profiler_function(ComputeComplexity())
    profiler.compare(profiler.clone(model=other), print_mode="info")
    for snapshot in before:
        snapshot.check()


def test_forward_passes_leave_the_model(model: nn.Module) -> None:
    batch = next(iter(loaders()["test"]))
    before = Snapshot(model)
    forward_pass = TorchForwardPass((0, "_"))
    forward_pass.infer_sampler(batch)
    forward_pass.perform(model, batch, Device.CPU)
    forward_pass.random_perform(model, 2, Device.CPU)
    before.check()


def test_loaders_leave_the_model(model: nn.Module) -> None:
    before = Snapshot(model)
    loader = TorchDataLoader(loaders()["train"], TorchForwardPass((0, "_")))
    loader.sample_forward(model)
    loader.sample_random_forward(model, 2)
    loader.timed_forward(model)
    loader.timed_random_forward(model, 2)
    before.check()


def test_a_function_of_the_users_that_is_careless_is_cleaned_up_after(model: nn.Module) -> None:
    def careless(model: nn.Module, data_splits: Any) -> float:
        random.random()
        model.train()
        model(torch.randn(2, 3, 32, 32)).sum().backward()
        model.half()
        model.to("meta")
        model.eval()
        return 1.0

    before = Snapshot(model)
    profiler = TorchProfiler(model, loaders())
    profiler.register_profiler_function(ExternalProfilerFunction(careless, Flops()))
    assert profiler.compute_status("flops") == 1.0
    before.check()


class Breaks(nn.Module):
    """Raises at its second call, after it has changed itself."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = changing_model()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        if self.calls > 1:
            raise RuntimeError("broken")
        return self.inner(x)


@pytest.mark.parametrize("name", [*EVALUATIONS, *FUNCTIONS])
def test_after_an_error_nothing_is_changed_either(name: str) -> None:
    model = Breaks()
    torch.manual_seed(5)
    before = Snapshot(model)
    profiler = TorchProfiler(model, loaders())
    function = FUNCTIONS[name]() if name in FUNCTIONS else ComputeEvalMetric(EVALUATIONS[name])
    profiler.register_profiler_function(function)
    with pytest.raises(RuntimeError, match="broken"):
        profiler.compute_network_status()
    before.check()


def test_a_copy_of_a_measured_model_can_be_made(model: nn.Module) -> None:
    profiler = TorchProfiler(model, loaders())
    profiler.register_profiler_function(ComputeComplexity())
    profiler.compute_network_status()
    clone = profiler.clone(model=copy.deepcopy(model))
    assert clone.compute_network_status()["flops"] == profiler.status_get("flops")
