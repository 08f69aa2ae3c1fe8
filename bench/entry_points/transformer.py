"""Four layers of a transformer that predicts the next token."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

TOKENS = 1000
LENGTH = 64
WIDTH = 128


class Transformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(TOKENS, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 4)
        self.head = nn.Linear(WIDTH, TOKENS)

    def forward(self, tokens: Tensor) -> Tensor:
        logits: Tensor = self.head(self.layers(self.embedding(tokens)))
        return logits


def sightline_model_provider() -> nn.Module:
    return Transformer()


def sightline_input_provider(batch_size: int = 8) -> tuple[Tensor]:
    return (torch.randint(TOKENS, (batch_size, LENGTH)),)


def sightline_iteration_provider(model: nn.Module) -> Callable[[Tensor], None]:
    optimizer = torch.optim.Adam(model.parameters())

    def iteration(tokens: Tensor) -> None:
        optimizer.zero_grad()
        logits = model(tokens)[:, :-1].flatten(0, 1)
        F.cross_entropy(logits, tokens[:, 1:].flatten()).backward()  # type: ignore[no-untyped-call]
        optimizer.step()

    return iteration
