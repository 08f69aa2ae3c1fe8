"""Two layers of an LSTM that classify sequences."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

FEATURES = 64
LENGTH = 40
WIDTH = 128


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.LSTM(FEATURES, WIDTH, num_layers=2, batch_first=True)
        self.head = nn.Linear(WIDTH, 10)

    def forward(self, sequences: Tensor) -> Tensor:
        outputs, _ = self.layers(sequences)
        logits: Tensor = self.head(outputs[:, -1])
        return logits


def sightline_model_provider() -> nn.Module:
    return Classifier()


def sightline_input_provider(batch_size: int = 16) -> tuple[Tensor, Tensor]:
    return torch.randn(batch_size, LENGTH, FEATURES), torch.randint(10, (batch_size,))


def sightline_iteration_provider(model: nn.Module) -> Callable[[Tensor, Tensor], None]:
    optimizer = torch.optim.Adam(model.parameters())

    def iteration(sequences: Tensor, labels: Tensor) -> None:
        optimizer.zero_grad()
        F.cross_entropy(model(sequences), labels).backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    return iteration
