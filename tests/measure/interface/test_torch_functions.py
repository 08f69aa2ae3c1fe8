"""The functions that come along, against numbers derived by hand; and what they refuse."""

from __future__ import annotations

import copy
import math
import time
from typing import Any

import pytest
import torch
from measure.interface.examples import loaders, small_model
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from sightline.measure import ProfilerFunction, TotalParams
from sightline.measure.torch import (
    ComputeComplexity,
    ComputeEvalMetric,
    ComputeExecutionTime,
    ComputeFlops,
    ComputeLayerwiseSummary,
    ComputeParams,
    ComputeSize,
    Device,
    ModelSize,
    TorchProfiler,
    get_accuracy,
)

MIB = 2**20


def profiler(model: nn.Module, data: Any, *functions: ProfilerFunction) -> TorchProfiler:
    made = TorchProfiler(model, data)
    for function in functions or (ComputeComplexity(),):
        made.register_profiler_function(function)
    return made


def two_layers() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 10))


def vectors(batch_size: int = 4) -> dict[str, Any]:
    data = TensorDataset(torch.zeros(8, 64), torch.zeros(8, dtype=torch.long))
    return {"train": DataLoader(data, batch_size=batch_size)}


def test_a_small_network_has_the_numbers_derived_by_hand() -> None:
    status = profiler(small_model(), loaders()).compute_network_status(batch_size=1)
    assert status["flops"] == 32 * 32 * 32 * 75 / 1e9
    assert status["total_params"] == 0.002432
    assert status["model_size"] == 0.00927734375
    # Convolution and ReLU have 32 x 32 x 32 results each; the convolution may work in more.
    assert status["memory_footprint"] >= status["model_size"] + 2 * 32**3 * 4 / MIB
    assert "Conv2d" in status["layerwise_summary"]


@pytest.mark.parametrize("batch_size", [1, 3, 8, 11])
def test_numbers_are_per_sample_whatever_the_batch(batch_size: int) -> None:
    status = profiler(two_layers(), vectors()).compute_network_status(batch_size=batch_size)
    assert status["flops"] == pytest.approx(9472 / 1e9, rel=1e-15)
    assert status["total_params"] == 0.00961
    assert status["model_size"] == 9610 * 4 / MIB
    peak = batch_size * 2 * 128 * 4
    assert status["memory_footprint"] == pytest.approx((9610 * 4 + peak) / batch_size / MIB)


def test_another_batch_size_is_measured_anew() -> None:
    made = profiler(two_layers(), vectors())
    one = made.compute_network_status(batch_size=1)
    assert made.compute_network_status(batch_size=8)["memory_footprint"] < one["memory_footprint"]


def test_weights_can_be_left_out_of_the_footprint() -> None:
    made = profiler(two_layers(), vectors())
    status = made.compute_network_status(batch_size=2, include_weights=False)
    assert status["memory_footprint"] == 2 * 128 * 4 / MIB
    assert status["model_size"] == 9610 * 4 / MIB


def test_frozen_shared_and_half_weights_are_counted_as_they_are() -> None:
    frozen = two_layers().requires_grad_(False)
    assert profiler(frozen, vectors()).compute_status("total_params") == 0.00961
    half = two_layers().to("meta", torch.bfloat16)  # not every processor can compute with it
    data = {"train": [(torch.zeros(2, 64, dtype=torch.bfloat16), 0)]}
    assert profiler(half, data).compute_status("model_size") == 9610 * 2 / MIB
    layer = nn.Linear(64, 64)
    shared = nn.Sequential(layer, nn.ReLU(), layer)
    status = profiler(shared, vectors()).compute_network_status()
    assert status["total_params"] == 64 * 65 / 1e6
    assert status["flops"] == 2 * 64 * 64 / 1e9


def test_each_function_computes_its_own() -> None:
    made = profiler(
        two_layers(),
        vectors(),
        ComputeFlops(),
        ComputeSize(),
        ComputeParams(),
        ComputeLayerwiseSummary(),
        ComputeExecutionTime(),
    )
    status = made.compute_network_status(batch_size=1, repetitions=3)
    together = profiler(two_layers(), vectors()).compute_network_status(batch_size=1)
    for key in ("flops", "model_size", "memory_footprint", "total_params"):
        assert status[key] == together[key]
    assert [row["path"] for row in status["layerwise_data"]] == ["", "0", "1", "2"]


class Sleeper(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        time.sleep(0.02)
        return x


def test_execution_time_is_milliseconds_per_sample() -> None:
    data = {"train": [torch.zeros(4, 2)]}
    made = profiler(Sleeper(), data, ComputeExecutionTime())
    assert made.compute_status("execution_time", batch_size=1, repetitions=3) >= 20
    assert made.compute_status("execution_time", batch_size=4, repetitions=3) >= 5


def test_layers_of_one_class_inside_each_other_are_not_mixed_up() -> None:
    nested = nn.Sequential(*(nn.Sequential(Sleeper()) for _ in range(3)))
    made = profiler(nested, {"train": [torch.zeros(1, 2)]}, ComputeExecutionTime())
    assert made.compute_status("execution_time", repetitions=3) >= 60


class Size(ProfilerFunction):
    def get_bounded_status_key(self) -> Any:
        return ModelSize()

    def __call__(self, model: Any, data_splits: Any) -> float:
        return 123.0


@pytest.mark.parametrize("first", [True, False])
def test_an_override_holds_against_complexity(first: bool) -> None:
    made = TorchProfiler(two_layers(), vectors())
    functions = [(Size(), True), (ComputeComplexity(), False)]
    for function, override in functions if first else reversed(functions):
        made.register_profiler_function(function, override=override)
    assert made.compute_network_status()["model_size"] == 123.0
    assert made.compute_network_status(recompute=True)["model_size"] == 123.0
    assert made.compute_status("total_params") == 0.00961


def test_attention_recurrence_and_products_without_modules_are_counted() -> None:
    class Mixed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.lstm = nn.LSTM(8, 16, batch_first=True)
            self.attention = nn.MultiheadAttention(16, 2, batch_first=True)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            x = self.lstm(x)[0]  # 4 x 16 x (8 + 16) a token
            x = self.attention(x, x, x, need_weights=False)[0]  # 4 x 256 a token, 2 x 25 x 16
            return torch.einsum("bti,bsi->bts", x, x)  # 25 x 16

    flops = 5 * 64 * 24 + 5 * 4 * 256 + 2 * 25 * 16 + 25 * 16
    made = profiler(Mixed(), {"train": [(torch.zeros(2, 5, 8), 0)]})
    assert made.compute_status("flops", batch_size=2) == pytest.approx(flops / 1e9, rel=1e-12)


def test_what_has_no_formula_is_warned_of() -> None:
    class Strange(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.linalg.eigvalsh(x @ x)

    made = profiler(Strange(), {"train": [torch.eye(4).repeat(2, 1, 1)]})
    with pytest.warns(UserWarning, match="are not counted in flops: aten::_linalg_eigh"):
        assert made.compute_status("flops") == 64 / 1e9


def test_a_profiler_can_be_copied() -> None:
    made = profiler(two_layers(), vectors())
    made.compute_status("flops")
    twin = copy.deepcopy(made)
    twin.reset_status()
    assert twin.compute_status("flops") == made.status_get("flops") == 9472 / 1e9


def test_compare_gives_equal_models_equal_numbers(capsys: Any) -> None:
    made = profiler(two_layers(), vectors())
    other = made.clone(model=two_layers())
    made.compare(other, batch_size=1, device=Device.CPU)
    for (key, one), (_, two) in zip(made.status_items(), other.status_items(), strict=True):
        assert key.startswith("layerwise") or one == two
    assert "1.00x" in capsys.readouterr().out


def test_a_model_without_data_is_measured_without_data() -> None:
    with torch.device("meta"):
        model = two_layers()
    data = {"train": [(torch.zeros(4, 64), 0)]}
    status = profiler(model, data).compute_network_status(batch_size=2)
    assert status["flops"] == 9472 / 1e9
    assert status["memory_footprint"] == (9610 * 4 + 2 * 1024) / 2 / MIB
    with pytest.raises(RuntimeError, match="without data, so that it takes no time"):
        profiler(model, data, ComputeExecutionTime()).compute_network_status()


def test_the_split_can_be_chosen_and_need_not_be_called_train() -> None:
    narrow, wide = torch.zeros(2, 64), torch.zeros(2, 3, 64)
    made = profiler(two_layers(), {"valid": [narrow], "wide": [wide]})
    assert made.compute_status("flops") == 9472 / 1e9
    assert made.compute_status("flops", split="wide") == 3 * 9472 / 1e9


def test_parameters_alone_and_a_mapping_of_status_keys() -> None:
    made = profiler(two_layers(), vectors(), ComputeParams())
    made.compute_network_status()
    assert isinstance(made.status_to_dict(to_value=False)["total_params"], TotalParams)


@pytest.mark.skipif(torch.accelerator.is_available(), reason="there is a GPU")
@pytest.mark.parametrize(
    "function",
    [ComputeComplexity(), ComputeExecutionTime(), ComputeEvalMetric(get_accuracy, "", "train")],
)
def test_without_a_gpu_the_cpu_is_named(function: ProfilerFunction) -> None:
    with pytest.raises(RuntimeError, match=r"no GPU here: use device=Device\.CPU"):
        profiler(two_layers(), vectors(), function).compute_network_status(device=Device.GPU)


def test_devices_are_named_in_any_case() -> None:
    assert Device("CPU") is Device("cpu") is Device.CPU
    assert Device("Gpu") is Device.GPU
    for wrong in ("tpu", 3, None):
        with pytest.raises(ValueError):
            Device(wrong)


class Fails(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        raise KeyError("a weight is missing")


class Tells(nn.Module):
    def forward(self, x: torch.Tensor) -> Any:
        return {"add": x + x, "word": "three", "number": 3}


def test_outputs_that_are_no_tensors_are_no_hindrance() -> None:
    status = profiler(Tells(), vectors()).compute_network_status()
    assert status["flops"] == 0
    assert math.isclose(status["memory_footprint"], 64 * 4 / MIB)


WRONG: list[tuple[Any, Any, type[Exception], str]] = [
    (Fails(), vectors(), RuntimeError, "cannot be measured with inputs 1x64 float32: KeyError"),
    (nn.Linear(3, 3), vectors(), RuntimeError, "cannot be measured with inputs 1x64 float32"),
    (two_layers(), {}, ValueError, "there are no data splits"),
    (two_layers(), None, ValueError, "there are no data splits"),
    (two_layers(), {"train": []}, ValueError, "the loader gives no batch"),
    (two_layers(), {"train": 3}, TypeError, "3 is no loader"),
    (two_layers(), {"train": ["text"]}, ValueError, "a batch is a str"),
    (two_layers(), {"train": [("text", 0)]}, ValueError, "holds no tensor that has samples"),
    (two_layers(), {"train": [torch.zeros(0, 64)]}, ValueError, "the batch holds no samples"),
    (
        two_layers(),
        {"train": [torch.zeros(2, 64, device="meta")]},
        ValueError,
        "the batch is on the device meta, without data, the model on cpu",
    ),
]


@pytest.mark.parametrize("function", [ComputeComplexity(), ComputeExecutionTime()])
@pytest.mark.parametrize(("model", "data", "error", "message"), WRONG)
def test_what_cannot_be_measured_is_said(
    function: ProfilerFunction, model: Any, data: Any, error: type[Exception], message: str
) -> None:
    made = profiler(model, data, function)
    with pytest.raises(error, match=message):
        made.compute_network_status()
    good = profiler(two_layers(), vectors())
    assert good.compute_status("total_params") == 0.00961, "an error leaves nothing running"


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(TypeError, match=r"the model is a function, not a torch\.nn\.Module"):
        TorchProfiler(lambda x: x, {})  # type: ignore[arg-type]
