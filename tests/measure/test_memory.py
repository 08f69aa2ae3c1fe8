"""Peaks of memory, to the byte, against torch's own reports and against a tracker of storages."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from measure.models import AttentionBlock, LanguageLstm, convolution, encoder, tokens
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from sightline import measure


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """torch's reports come from the calling thread only."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 256), nn.Linear(256, 10))


def cnn() -> nn.Module:
    return nn.Sequential(
        convolution(3, 16, 3), nn.ReLU(), convolution(16, 32, 3, 2), nn.ReLU(inplace=True),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32 * 16, 10),
    )  # fmt: skip


MODELS: dict[str, tuple[Callable[[], nn.Module], Callable[[], torch.Tensor]]] = {
    "mlp": (mlp, lambda: torch.randn(32, 64)),
    "cnn": (cnn, lambda: torch.randn(4, 3, 16, 16)),
    "attention": (AttentionBlock, lambda: torch.randn(2, 64, 256)),
    "encoder": (encoder, lambda: torch.randn(2, 32, 256)),
    "lstm": (LanguageLstm, lambda: tokens(2, 16)),
}


def reported_peak(call: Callable[[], Any]) -> int:
    """From torch.profiler's reports of every block that is taken and given back."""
    activities = [torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=activities, profile_memory=True) as profile:
        call()
    events = profile.profiler.kineto_results.events()
    changes = [event.nbytes() for event in events if event.name() == "[memory]"]
    live = peak = 0
    for change in changes:
        live += change
        peak = max(peak, live)
    return peak


def train(
    model: nn.Module, x: torch.Tensor, optimizer: torch.optim.Optimizer | None = None
) -> None:
    outputs = model(x)
    torch.autograd.backward(outputs, torch.ones_like(outputs))
    if optimizer is not None:
        optimizer.step()


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_peaks_are_those_that_torch_reports(name: str, training: bool) -> None:
    make, make_input = MODELS[name]
    model, x = make().train(training), make_input()
    measure.measure(model, x, repetitions=0)  # what torch makes once is made
    result = measure.measure(model, x, repetitions=0)
    with torch.no_grad():
        assert result.footprint.inference_peak == reported_peak(lambda: model(x))
    assert result.footprint.training_peak == reported_peak(lambda: train(model, x))
    assert not result.footprint.computed


def test_the_state_of_an_optimizer_is_in_the_peak() -> None:
    model, x = mlp(), torch.randn(32, 64)
    result = measure.measure(model, x, repetitions=0, optimizer=lambda p: torch.optim.Adam(p))
    optimizer = torch.optim.Adam(model.parameters())
    assert result.footprint.training_peak == reported_peak(lambda: train(model, x, optimizer))


class StorageTracker(TorchDispatchMode):
    """The bytes of all storages that operators made and that are still alive."""

    def __init__(self) -> None:
        super().__init__()
        self.live = self.peak = 0
        self._known: dict[int, weakref.ref[Any]] = {}

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        outputs = func(*args, **(kwargs or {}))
        old = {
            leaf.untyped_storage()._cdata
            for leaf in tree_leaves((args, kwargs))
            if isinstance(leaf, torch.Tensor)
        }
        for leaf in tree_leaves(outputs):
            if isinstance(leaf, torch.Tensor) and leaf.untyped_storage()._cdata not in old:
                self._add(leaf.untyped_storage())
        self.peak = max(self.peak, self.live)
        return outputs

    def _add(self, storage: torch.UntypedStorage) -> None:
        key, size = storage._cdata, storage.nbytes()
        if key in self._known or size == 0:
            return

        def gone(_: Any) -> None:
            self._known.pop(key, None)
            self.live -= size

        self._known[key] = weakref.ref(storage, gone)
        self.live += size


WITHOUT_SCRATCH = ("mlp", "encoder")  # on the processor, kernels of these take no more


@pytest.mark.parametrize("name", WITHOUT_SCRATCH)
def test_without_data_the_peak_is_that_of_real_tensors(name: str) -> None:
    make, make_input = MODELS[name]
    real = measure.measure(make(), make_input(), repetitions=0)
    with torch.device("meta"):
        dataless = measure.measure(make(), make_input(), repetitions=0)
    assert dataless.footprint.computed
    assert dataless.footprint.inference_peak == real.footprint.inference_peak
    assert dataless.footprint.training_peak == real.footprint.training_peak


@pytest.mark.parametrize("name", ["mlp", "cnn", "encoder", "lstm"])
def test_without_data_the_peak_is_that_of_real_storages(name: str) -> None:
    """What kernels take for themselves is not in it."""
    make, make_input = MODELS[name]
    with torch.device("meta"):
        result = measure.measure(make(), make_input(), repetitions=0)
    model, x = make(), make_input()
    with torch.no_grad(), StorageTracker() as tracker:
        model(x)
    assert result.footprint.inference_peak == tracker.peak


def test_a_layer_knows_what_was_alive_while_it_ran() -> None:
    model = nn.Sequential(nn.Linear(8, 16, bias=False), nn.Linear(16, 32, bias=False))
    result = measure.measure(model, torch.randn(4, 8), repetitions=0)
    first, second = 4 * 16 * 4, 4 * 32 * 4
    assert [layer.peak_bytes for layer in result.layers] == [first + second, first, first + second]


def test_weights_can_be_added() -> None:
    result = measure.measure(mlp(), torch.randn(32, 64), repetitions=0)
    footprint = result.footprint
    assert footprint.inference_total == footprint.weights + footprint.inference_peak
    assert footprint.training_total == footprint.weights + footprint.training_peak
