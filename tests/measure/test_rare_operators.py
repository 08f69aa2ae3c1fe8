"""Operators that few models have are counted too, forward and backward."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from sightline import measure


class Function(nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: torch.Tensor) -> Any:
        return self.function(*inputs)


def wanted(*shape: int) -> torch.Tensor:
    return torch.randn(shape, requires_grad=True)


def resized(**options: Any) -> Callable[[], tuple[nn.Module, list[torch.Tensor]]]:
    return lambda: (Function(lambda x: F.interpolate(x, **options)), [wanted(1, 2, 8, 8)])


def sampled(mode: str, *shape: int) -> Callable[[], tuple[nn.Module, list[torch.Tensor]]]:
    grid = (1, *[2] * (len(shape) - 2), len(shape) - 2)
    sample = Function(lambda x, g: F.grid_sample(x, g, mode, align_corners=False))
    return lambda: (sample, [wanted(*shape), wanted(*grid)])


def unpooled() -> tuple[nn.Module, list[torch.Tensor]]:
    def there_and_back(x: torch.Tensor) -> torch.Tensor:
        return F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2)

    return Function(there_and_back), [wanted(1, 2, 8, 8)]


RARE: dict[str, Callable[[], tuple[nn.Module, list[torch.Tensor]]]] = {
    **{
        f"embedding_bag_{mode}": lambda mode=mode: (
            nn.EmbeddingBag(10, 4, mode=mode),
            [torch.randint(10, (3, 5))],
        )
        for mode in ("sum", "mean", "max")
    },
    "nearest_exact": resized(scale_factor=2, mode="nearest-exact"),
    "bilinear_antialiased": resized(size=(4, 4), mode="bilinear", antialias=True),
    "bicubic_antialiased": resized(size=(4, 4), mode="bicubic", antialias=True),
    "grid_sample_bilinear": sampled("bilinear", 1, 3, 8, 8),
    "grid_sample_nearest": sampled("nearest", 1, 3, 8, 8),
    "grid_sample_bicubic": sampled("bicubic", 1, 3, 8, 8),
    "grid_sample_3d": sampled("bilinear", 1, 3, 4, 4, 4),
    "max_unpool": unpooled,
    "fractional_max_pool": lambda: (
        nn.FractionalMaxPool2d(2, output_size=3),
        [wanted(1, 2, 8, 8)],
    ),
    "weight_norm": lambda: (
        nn.utils.parametrizations.weight_norm(nn.Linear(4, 5)),
        [torch.randn(3, 4)],
    ),
    **{
        f"distances_{power}": lambda power=power: (
            Function(lambda a, b: torch.cdist(a, b, power)),
            [wanted(5, 3), wanted(7, 3)],
        )
        for power in (1.0, 2.0, 3.0)
    },
}


@pytest.mark.parametrize("name", RARE)
def test_nothing_is_uncounted(name: str) -> None:
    model, inputs = RARE[name]()
    result = measure.count(model, *inputs, backward=True)
    assert result.uncounted == []
    assert result.bytes.forward > 0
    assert result.bytes.backward > 0


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (torch.optim.SGD, {"lr": 0.1}),
        (torch.optim.SGD, {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.01}),
        (torch.optim.Adam, {}),
        (torch.optim.AdamW, {}),
    ],
)
def test_an_optimizer_costs_the_same_over_lists(make: Any, options: dict[str, Any]) -> None:
    def flops(over_lists: bool) -> int:
        result = measure.measure(
            nn.Sequential(nn.Linear(4, 5), nn.Linear(5, 6)),
            torch.randn(2, 4),
            repetitions=0,
            optimizer=lambda p: make(p, foreach=over_lists, **options),
        )
        assert result.uncounted == []
        return result.flops.optimizer

    assert flops(over_lists=True) == flops(over_lists=False)


def test_an_encoder_without_its_padding_is_counted() -> None:
    """Of three sequences of at most five tokens ten tokens remain."""
    layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True)
    model = nn.TransformerEncoder(layer, 2, enable_nested_tensor=True).eval()
    lengths = torch.tensor([5, 3, 2])
    padding = torch.arange(5) >= lengths[:, None]
    with torch.no_grad():
        result = measure.count(model, torch.randn(3, 5, 16), src_key_padding_mask=padding)
    assert result.uncounted == []
    # Projections and linear layers of ten tokens; scores are made with padding.
    assert result.macs.forward == 2 * (10 * (4 * 16 * 16 + 2 * 16 * 32) + 2 * 3 * 5 * 5 * 16)
    flops = {row["name"]: row["flops"]["forward"] for row in result.operators}
    assert flops["aten::native_layer_norm"] == 2 * 2 * 10 * 16 * 7
    assert flops["aten::add_"] == 2 * 2 * 10 * 16
    assert flops["aten::_transform_bias_rescale_qkv"] >= 2 * 10 * 48
