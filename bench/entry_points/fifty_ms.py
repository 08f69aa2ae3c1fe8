"""A step of 50 milliseconds, most of which nobody works."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch
from torch import Tensor, nn

STEP_S = 0.05


def sightline_model_provider() -> nn.Module:
    return nn.Linear(64, 64)


def sightline_input_provider(batch_size: int = 16) -> tuple[Tensor]:
    return (torch.randn(batch_size, 64),)


def sightline_iteration_provider(model: nn.Module) -> Callable[[Tensor], None]:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def iteration(inputs: Tensor) -> None:
        end = time.perf_counter() + STEP_S
        optimizer.zero_grad()
        model(inputs).square().mean().backward()
        optimizer.step()
        time.sleep(max(0.0, end - time.perf_counter()))

    return iteration
