"""Peaks of memory, to the byte, against torch's own reports and against a tracker of storages."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from measure.models import (
    AttentionBlock,
    LanguageLstm,
    SelfAttention,
    convolution,
    encoder,
    resnet18_cifar,
    tokens,
)
from torch import nn
from torch.nn import functional
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from sightline import measure
from sightline.measure import Footprint


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
    "masked_attention": (lambda: AttentionBlock(causal=True), lambda: torch.randn(2, 64, 256)),
    "multi_head_attention": (SelfAttention, lambda: torch.randn(2, 64, 256)),
    "resnet18": (resnet18_cifar, lambda: torch.randn(1, 3, 32, 32)),
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


def with_and_without_data(name: str, training: bool) -> tuple[Footprint, Footprint]:
    make, make_input = MODELS[name]
    measure.measure(make(), make_input(), repetitions=0)  # what torch makes once is made
    real = measure.measure(make().train(training), make_input(), repetitions=0)
    with torch.device("meta"):
        dataless = measure.measure(make().train(training), make_input(), repetitions=0)
    assert dataless.footprint.computed
    return real.footprint, dataless.footprint


WITHOUT_SCRATCH = ("mlp", "encoder")  # on the processor, kernels of these take no more


@pytest.mark.parametrize("name", WITHOUT_SCRATCH)
def test_without_data_the_peak_is_that_of_real_tensors(name: str) -> None:
    real, dataless = with_and_without_data(name, training=True)
    assert dataless.inference_peak == real.inference_peak
    assert dataless.training_peak == real.training_peak


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("name", ["attention", "masked_attention", "multi_head_attention"])
def test_without_data_attention_makes_no_scores_either(name: str, training: bool) -> None:
    real, dataless = with_and_without_data(name, training)
    if name != "multi_head_attention" or training:  # else it is another operator on real data
        assert dataless.inference_peak == real.inference_peak
    assert dataless.training_peak == pytest.approx(real.training_peak, rel=0.1)


class WithDropout(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        heads = x.unflatten(-1, (8, 32)).transpose(1, 2)
        return functional.scaled_dot_product_attention(heads, heads, heads, dropout_p=0.5)


def test_without_data_attention_makes_its_scores_where_real_tensors_do() -> None:
    with torch.device("meta"):
        result = measure.measure(WithDropout(), torch.randn(2, 64, 256), repetitions=0)
    scores = 2 * 8 * 64 * 64 * 4
    assert result.footprint.inference_peak > 2 * scores
    assert functional.scaled_dot_product_attention.__module__ != __name__
    assert functional.scaled_dot_product_attention is torch._C._nn.scaled_dot_product_attention


# For its kernels oneDNN lays the weights, inputs and outputs of one layer out anew.
@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("name", ["cnn", "resnet18", "lstm"])
def test_without_data_only_the_scratch_of_one_layer_is_missing(name: str, training: bool) -> None:
    real, dataless = with_and_without_data(name, training)
    make, make_input = MODELS[name]
    layers = measure.measure(make(), make_input(), repetitions=0).layers
    leaves = [layer for layer in layers if layer.type in ("Conv2d", "LSTM")]
    scratch = max(layer.parameter_bytes + 8 * layer.activation_bytes for layer in leaves)
    assert dataless.inference_peak <= real.inference_peak <= dataless.inference_peak + scratch
    assert dataless.training_peak <= real.training_peak <= dataless.training_peak + scratch


@pytest.mark.parametrize("name", ["mlp", "cnn", "encoder", "lstm", "resnet18", "attention"])
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


def test_a_layer_has_a_peak_in_training() -> None:
    torch.manual_seed(0)
    measured = measure.measure(mlp(), torch.randn(32, 64), repetitions=0)
    model, *_, last = measured.layers
    assert model.training_peak_bytes == measured.footprint.training_peak
    # What ReLU and the layer before gave out, the result and its gradient, then what the layer adds
    # in the backward pass: the gradients of its input, its weight and its bias.
    hidden, result = 32 * 256 * 4, 32 * 10 * 4
    added = hidden + 256 * 10 * 4 + 10 * 4
    assert last.training_peak_bytes == 2 * hidden + 2 * result + added
    without = measure.measure(mlp(), torch.randn(32, 64), repetitions=0, backward=False)
    assert all(layer.training_peak_bytes is None for layer in without.layers)
