"""From batches to arguments of a model."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest
import torch
from measure.interface.examples import Notes, loaders, small_model
from torch import nn

from sightline.measure import Device, ForwardPass
from sightline.measure.torch import (
    ComputeFlops,
    ModelInputPattern,
    TorchDataLoader,
    TorchForwardPass,
    TorchProfiler,
    get_accuracy,
)


def test_patterns_put_parts_into_the_order_of_arguments() -> None:
    assert ModelInputPattern((0, "_")).rearrange_from_pattern("xy") == ("x",)
    assert ModelInputPattern((1, "_", 0)).rearrange_from_pattern("xyz") == ("z", "x")
    assert ModelInputPattern((5, 2)).rearrange_from_pattern("xy") == ("y", "x")
    assert ModelInputPattern((0,)).rearrange_from_pattern("xy") == ("xy",)
    assert ModelInputPattern(("_",)).rearrange_from_pattern("xy") == ()
    assert ModelInputPattern(()).rearrange_from_pattern("xy") == ()


@pytest.mark.parametrize("parts", [(-1,), ("x",), (0, 0), (1.0,), (True, "_"), (None,)])
def test_wrong_patterns_are_refused(parts: Any) -> None:
    with pytest.raises(TypeError):
        ModelInputPattern(parts)


def test_a_batch_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="the batch has 3 parts, the pattern"):
        ModelInputPattern((0, "_")).rearrange_from_pattern("xyz")


def test_a_forward_pass_must_know_inputs() -> None:
    with pytest.raises(TypeError, match="model_input_pattern or an extract_model_inputs"):
        TorchForwardPass()
    with pytest.raises(TypeError, match="create_random_model_inputs of its own"):
        TorchForwardPass((0, "_"), expecting_common_inputs=False)
    with pytest.raises(TypeError, match="abstract"):
        ForwardPass((0, "_"))  # type: ignore[abstract]


def test_a_loader_is_iterated_over_again_and_again() -> None:
    loader = TorchDataLoader(loaders(10, 4)["test"], TorchForwardPass((0, "_")))
    assert [len(x) for x, _ in loader] == [len(x) for x, _ in loader] == [4, 4, 2]
    assert (len(loader), loader.batch_size, loader.dataset_size) == (3, 4, 10)


def test_a_loader_calls_the_model() -> None:
    model = small_model()
    loader = TorchDataLoader(loaders()["test"], TorchForwardPass((0, "_")))
    x, _ = next(iter(loader))
    assert torch.equal(loader.sample_forward(model), model(x))
    assert loader.sample_random_forward(model).shape == (4, 8192)
    assert loader.sample_random_forward(model, batch_size=7).shape == (7, 8192)
    assert loader.timed_forward(model) > 0
    assert loader.timed_random_forward(model, batch_size=2) > 0
    assert loader.forward_pass.get_model_input_shapes() == ((3, 32, 32),)
    with pytest.raises(TypeError, match="no forward pass"):
        TorchDataLoader(loaders()["test"]).sample_forward(model)


def test_splits_are_wrapped_with_a_pass_for_training_or_for_each() -> None:
    splits = loaders()
    wrapped = TorchProfiler.enable_forward_pass_data_splits(splits)
    assert wrapped["train"].forward_pass.model_input_pattern == (0, "_")
    assert wrapped["test"].forward_pass is None
    own = TorchForwardPass((0, "_"))
    wrapped = TorchProfiler.enable_forward_pass_data_splits(splits, {"test": own})
    assert wrapped["train"].forward_pass is None
    assert wrapped["test"].forward_pass is own
    assert wrapped["test"].native_dl is splits["test"]


class Seen(nn.Module):
    """Remembers what it is called with; (1, 1) weights for each of 2 features."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(2, 3)
        self.notes = Notes()

    def note(self, **arguments: Any) -> None:
        self.notes.entries.append(arguments)


class OfTwo(Seen):
    def forward(self, first: torch.Tensor, second: torch.Tensor) -> torch.Tensor:
        self.note(first=first, second=second)
        return self.linear(first) * second


def measured_flops(
    model: nn.Module, loader: Any, forward_pass: Any = None, **options: Any
) -> float:
    splits = {"train": loader}
    if forward_pass is not None:
        splits = TorchProfiler.enable_forward_pass_data_splits(splits, forward_pass)
    profiler = TorchProfiler(model, splits)
    profiler.register_profiler_function(ComputeFlops())
    return profiler.compute_status("flops", **options)


def test_a_pattern_of_several_inputs() -> None:
    batch = ("id", torch.ones(4, 1), torch.zeros(4), torch.ones(4, 2))
    model = OfTwo()
    flops = measured_flops(model, [batch], TorchForwardPass(("_", 1, "_", 0)), batch_size=2)
    assert flops == 6e-9
    assert model.notes.entries[0]["first"].shape == (2, 2)
    assert model.notes.entries[0]["second"].shape == (2, 1)


def test_without_a_pattern_several_parts_are_not_guessed() -> None:
    with pytest.raises(ValueError, match=r"list of 3 parts.*model_input_pattern"):
        measured_flops(OfTwo(), [[torch.ones(4, 2), torch.ones(4, 1), torch.ones(4)]])
    with pytest.raises(ValueError, match="a batch is a str"):
        measured_flops(OfTwo(), ["text"])


class Named(Seen):
    def forward(self, x: torch.Tensor, mask: Any = None, labels: Any = None) -> torch.Tensor:
        self.note(x=x, mask=mask, labels=labels)
        return self.linear(x)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("kind", [dict, collections.OrderedDict, collections.UserDict])
def test_dictionaries_go_by_name_without_targets_and_strange_entries(kind: Any, wrap: bool) -> None:
    batch = kind(x=torch.ones(4, 2), mask=torch.ones(4, 5), labels=torch.ones(4), text=["a"] * 4)
    model = Named()
    splits = {"train": [batch]}
    if wrap:
        splits = TorchProfiler.enable_forward_pass_data_splits(splits)
    profiler = TorchProfiler(model, splits)
    profiler.register_profiler_function(ComputeFlops())
    assert profiler.compute_status("flops", batch_size=3) == 6e-9
    assert model.notes.entries[0]["x"].shape == (3, 2)
    assert model.notes.entries[0]["mask"].shape == (3, 5)
    assert model.notes.entries[0]["labels"] is None


class OfADictionary(Seen):
    def forward(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        self.note(batch=batch)
        return self.linear(batch["x"])


def test_a_model_that_takes_a_dictionary_gets_it() -> None:
    model = OfADictionary()
    assert measured_flops(model, [({"x": torch.ones(4, 2)}, torch.ones(4))]) == 6e-9
    assert model.notes.entries[0]["batch"]["x"].shape == (1, 2)


class OwnPass(TorchForwardPass):
    def extract_model_inputs(self, batch: Any) -> Any:
        return batch

    def model_call(self, model: Any, x: Any, device: Device) -> Any:
        try:
            return model.to("cpu").eval()(**x)
        except Exception:  # which must not hide the call
            return None

    def create_random_model_inputs(self, batch_size: int) -> Any:
        return {"x": torch.rand(batch_size, 2), "mask": None}


class Unlabelled(OwnPass):
    def extract_model_inputs(self, batch: Any) -> Any:
        return {"x": batch["x"]}


class Silent(OwnPass):
    def model_call(self, model: Any, x: Any, device: Device) -> Any:
        return None


def test_a_pass_of_the_users_own_makes_and_hands_over_inputs() -> None:
    own = OwnPass(expecting_common_inputs=False)
    assert measured_flops(Named(), [None], own, batch_size=5) == 6e-9
    evaluated = TorchProfiler.enable_forward_pass_data_splits(
        {"test": [{"x": torch.ones(2, 2), "labels": torch.zeros(2)}]},
        {"test": Unlabelled(expecting_common_inputs=False)},
    )
    assert get_accuracy(Named(), evaluated["test"]) in (0, 50, 100)
    with pytest.raises(TypeError, match=r"Silent.model_call does not call the model"):
        measured_flops(Named(), [None], Silent(expecting_common_inputs=False))


def test_samples_are_repeated_and_other_tensors_stay() -> None:
    fp = TorchForwardPass((0, 1))
    fp.infer_sampler((torch.arange(6.0).reshape(3, 2), torch.tensor(5)))
    x, scalar = fp.create_random_model_inputs(4)
    assert x.tolist() == [[0, 1], [2, 3], [4, 5], [0, 1]]
    assert scalar == 5
    with pytest.raises(TypeError, match="no batch has been seen"):
        TorchForwardPass((0, "_")).create_random_model_inputs(2)


def test_tensors_are_found_in_nests_and_arrays_of_numpy_too() -> None:
    pair = collections.namedtuple("pair", "a b")
    fp = TorchForwardPass((0,))
    nest = pair([np.ones((2, 3), dtype=np.float32)], {"c": (torch.ones(2, dtype=torch.long), "d")})
    fp.infer_sampler(nest)
    (made,) = fp.create_random_model_inputs(3)
    assert isinstance(made, pair)
    assert (made.a[0].shape, made.a[0].dtype) == ((3, 3), torch.float32)
    assert (made.b["c"][0].shape, made.b["c"][1]) == ((3,), "d")


@pytest.mark.parametrize("size", [0, -1, 1.5, "2", True, None])
def test_a_batch_size_is_a_number_from_one_on(size: Any) -> None:
    with pytest.raises(ValueError, match="it must be a whole number from 1 on"):
        measured_flops(Named(), [torch.ones(4, 2)], batch_size=size)


@pytest.mark.slow
def test_a_model_of_hugging_face_takes_its_batches_as_they_are() -> None:
    transformers = pytest.importorskip("transformers")
    config = transformers.BertConfig(
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=128,
        vocab_size=100,
        num_labels=3,
    )
    batch = transformers.BatchEncoding(
        {
            "input_ids": torch.arange(64).reshape(4, 16),
            "attention_mask": torch.ones(4, 16, dtype=torch.long),
            "labels": torch.tensor([0, 1, 2, 0]),
            "idx": torch.arange(4),
        }
    )
    model = transformers.BertForSequenceClassification(config)
    # Two layers of 16 tokens: projections, two wide layers, attention; the pooler and the head.
    layer = 16 * (4 * 64 * 64 + 2 * 64 * 128) + 2 * 16 * 16 * 64
    assert measured_flops(model, [batch], batch_size=2) == (2 * layer + 64 * 64 + 64 * 3) / 1e9
    assert 0 <= get_accuracy(model, [batch]) <= 100
