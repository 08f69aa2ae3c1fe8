"""ResNet-18 as it is used for CIFAR-10."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import torch
import torch.nn.functional as F
from models import Block
from torch import Tensor, nn


class ResNet18(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        widths = (64, 64, 128, 256, 512)
        stages: list[nn.Module] = [nn.Conv2d(3, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64)]
        stages.append(nn.ReLU())
        for planes_in, planes in itertools.pairwise(widths):
            stages += [Block(planes_in, planes, 1 if planes == 64 else 2), Block(planes, planes, 1)]
        self.features = nn.Sequential(*stages)
        self.head = nn.Linear(512, 10)

    def forward(self, x: Tensor) -> Tensor:
        logits: Tensor = self.head(F.adaptive_avg_pool2d(self.features(x), 1).flatten(1))
        return logits


def sightline_model_provider() -> nn.Module:
    return ResNet18()


def sightline_input_provider(batch_size: int = 4) -> tuple[Tensor, Tensor]:
    return torch.randn(batch_size, 3, 32, 32), torch.randint(10, (batch_size,))


def sightline_iteration_provider(model: nn.Module) -> Callable[[Tensor, Tensor], None]:
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def iteration(images: Tensor, labels: Tensor) -> None:
        optimizer.zero_grad()
        F.cross_entropy(model(images), labels).backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    return iteration
