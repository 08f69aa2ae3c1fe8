"""Statistics through Python, against NumPy in double precision and against torch."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from sightline.supervise import Sketch, statistics

TYPES = [
    torch.float32,
    torch.float64,
    torch.bfloat16,
    torch.float16,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.uint8,
    torch.bool,
]


def drawn(type_: torch.dtype, *shape: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(3)
    return (torch.randn(*shape, generator=generator, dtype=torch.float64) * 30).to(type_)


def expect_numpy(tensor: torch.Tensor) -> None:
    ours = statistics(tensor)
    values = tensor.detach().to(torch.float64).numpy()
    assert ours.count == values.size
    assert ours.zeros == np.count_nonzero(values == 0)
    assert ours.non_finite == 0
    assert ours.mean == pytest.approx(values.mean(), rel=1e-11, abs=1e-11)
    assert ours.variance == pytest.approx(values.var(ddof=1), rel=1e-11)
    assert ours.l1 == pytest.approx(np.abs(values).sum(), rel=1e-11)
    assert ours.l2 == pytest.approx(np.linalg.norm(values.ravel()), rel=1e-11)
    assert ours.min == values.min()
    assert ours.max == values.max()
    assert ours.absmax == np.abs(values).max()


@pytest.mark.parametrize("type_", TYPES)
def test_every_type_agrees_with_numpy(type_: torch.dtype) -> None:
    expect_numpy(drawn(type_, 37, 129))


@pytest.mark.parametrize("type_", TYPES)
def test_views_agree_with_numpy(type_: torch.dtype) -> None:
    tensor = drawn(type_, 24, 30, 10)
    expect_numpy(tensor.transpose(0, 2))
    expect_numpy(tensor[::3, 1::2, 4:])
    expect_numpy(tensor[3:4].expand(5, 30, 10))
    expect_numpy(tensor.permute(1, 2, 0)[5])


def test_numpy_arrays_may_run_backwards() -> None:
    values = np.arange(1000.0).reshape(20, 50)[::-1, ::-2]
    ours = statistics(values)
    assert ours.count == 500
    assert ours.mean == values.mean()


def test_a_tensor_with_gradients_is_read_as_it_is() -> None:
    parameter = torch.nn.Parameter(torch.ones(10))
    assert statistics(parameter * 2).mean == 2


def test_not_a_number_is_counted_and_hides_nothing() -> None:
    ours = statistics(torch.tensor([1.0, math.nan, 3.0, math.inf, -math.inf]))
    assert (ours.count, ours.non_finite, ours.mean, ours.variance) == (5, 3, 2.0, 2.0)


def test_an_empty_tensor_has_no_mean() -> None:
    ours = statistics(torch.empty(3, 0))
    assert ours.count == 0
    assert math.isnan(ours.mean)


def test_a_type_without_order_is_refused() -> None:
    with pytest.raises(TypeError, match="floating-point"):
        statistics(torch.zeros(3, dtype=torch.complex64))


def test_quantiles_are_within_a_sixtyfourth_of_numpys() -> None:
    tensor = torch.randn(400_001, generator=torch.Generator().manual_seed(1))
    sketch = Sketch()
    statistics(tensor, sketch)
    assert sketch.count == tensor.numel()
    for share in np.linspace(0, 1, 41):
        truth = np.quantile(tensor.numpy(), share, method="nearest")
        assert sketch.quantile(share) == pytest.approx(truth, rel=1 / 63, abs=1e-4)


def test_linear_bins_are_numpys_histogram() -> None:
    tensor = torch.randn(50_000, generator=torch.Generator().manual_seed(2)).abs() + 0.01
    sketch = Sketch()
    statistics(tensor, sketch)
    bins = sketch.linear_bins()
    edges = [bins[0][0], *(upper for _, upper, _ in bins)]
    counts, _ = np.histogram(tensor.numpy(), bins=edges)
    assert [count for _, _, count in bins] == counts.tolist()
    assert sum(count for _, _, count in sketch.log_bins()) == tensor.numel()
