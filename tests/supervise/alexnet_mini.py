"""The network of the older tool's guide, smaller, with its ReLUs in place."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn


class AlexNetMini(nn.Module):
    """`watch` is called when the modules are made, as a model does that knows its exporter."""

    def __init__(
        self,
        input_shape: tuple[int, int, int] = (32, 32, 3),
        num_classes: int = 10,
        watch: Callable[[nn.Module], None] = lambda model: None,
    ) -> None:
        super().__init__()
        height, width, channels = input_shape
        self.features = nn.Sequential(
            nn.Conv2d(channels, 8, kernel_size=5, stride=2, padding=1),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(kernel_size=3, stride=2),
            nn.Conv2d(8, 12, kernel_size=3, padding=2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(kernel_size=3, stride=2),
            nn.Conv2d(12, 12, kernel_size=3, padding=1),
            nn.ReLU(inplace=True),
        )
        self.size = 12 * (height // 8) * (width // 8)
        self.classifier = nn.Sequential(
            nn.Dropout(),
            nn.Linear(self.size, 16),
            nn.ReLU(inplace=True),
            nn.Dropout(),
            nn.Linear(16, 16),
            nn.ReLU(inplace=True),
            nn.Linear(16, num_classes),
        )
        watch(self)

    def forward(self, x: Tensor) -> Tensor:
        x = self.features(x)
        result: Tensor = self.classifier(x.view(x.size(0), self.size))
        return result


def batches(count: int, size: int = 4) -> list[tuple[Tensor, Tensor]]:
    generator = torch.Generator().manual_seed(5)
    return [
        (
            torch.randn(size, 3, 32, 32, generator=generator),
            torch.randint(10, (size,), generator=generator),
        )
        for _ in range(count)
    ]
