"""Operators that the engine does not know: named, and counted once somebody tells how."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
import torch
from torch import nn

from sightline import measure

NAME = "sightline_test::mystery"


@torch.library.custom_op(NAME, mutates_args=())
def mystery(x: torch.Tensor, scale: int) -> torch.Tensor:
    return torch.from_numpy(x.numpy() * scale)


class Mysterious(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return mystery(x, 3) + mystery(x, 3)


@pytest.fixture
def formula() -> Iterator[None]:
    yield
    with contextlib.suppress(KeyError):
        measure.remove_formula(NAME)


def test_without_a_formula_it_is_named_with_its_share_of_the_time() -> None:
    result = measure.measure(Mysterious(), torch.randn(4, 5), repetitions=0)
    (row,) = result.uncounted
    assert (row.name, row.calls) == (NAME, 2)
    assert row.time_share is not None and 0 < row.time_share <= 1
    assert NAME in str(result)


def test_a_formula_over_shapes_counts_it(formula: None) -> None:
    seen = []

    def cost(inputs: list, outputs: list) -> int:
        seen.append((inputs, outputs))
        return 7 * inputs[1]

    measure.add_formula(NAME, cost)
    result = measure.measure(Mysterious(), torch.randn(4, 5), repetitions=0)
    assert seen[0] == ([(4, 5), 3], [(4, 5)])
    assert result.macs.forward == 2 * 21
    assert result.flops.forward == 2 * 42 + 20
    assert result.uncounted == []


def test_it_may_tell_all_arithmetic(formula: None) -> None:
    measure.add_formula(NAME, lambda inputs, outputs: (5, 100))
    result = measure.count(Mysterious(), torch.randn(4, 5))
    assert (result.macs.forward, result.flops.forward) == (10, 220)


def test_none_leaves_it_uncounted(formula: None) -> None:
    measure.add_formula(NAME, lambda inputs, outputs: None)
    (row,) = measure.count(Mysterious(), torch.randn(4, 5)).uncounted
    assert (row["name"], row["calls"]) == (NAME, 2)
    assert 0 < row["time_share"] <= 1


def test_what_a_formula_raises_is_told(formula: None) -> None:
    measure.add_formula(NAME, lambda inputs, outputs: inputs[9])
    with pytest.raises(ValueError, match=f"formula for {NAME} failed: list index"):
        measure.count(Mysterious(), torch.randn(4, 5))
    measure.add_formula(NAME, lambda inputs, outputs: -1)
    with pytest.raises(ValueError, match="cannot be negative"):
        measure.measure(Mysterious(), torch.randn(4, 5), repetitions=0)


def test_a_name_without_namespace_is_refused() -> None:
    with pytest.raises(ValueError, match="no namespace"):
        measure.add_formula("relu", lambda inputs, outputs: 0)
    with pytest.raises(KeyError):
        measure.remove_formula("nobody::knows")
