"""A training that is small enough to tell by hand, and a subscriber that notes all it is told."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from sightline.supervise import Exporter, MessageBus, Subscriber, Subscription

ALL_KINDS = MessageBus().kinds


class Tape(Subscriber):
    """Every message: kind, name, and counters; and its data if it is asked to."""

    def __init__(self, kinds: list[str], *, tag: str | None = None, keep: bool = False) -> None:
        super().__init__([Subscription(self, kinds, tag)])
        self.messages: list[Any] = []
        self.data: list[Any] = []
        self._keep = keep

    def compute(self, message: Any) -> None:
        self.messages.append(message)
        if self._keep:
            self.data.append(message.data.clone())

    def lines(self) -> list[str]:
        return [
            " ".join([m.kind, m.module, f"{m.global_step}/{m.train_step}/{m.epoch}"])
            for m in self.messages
        ]

    def of(self, kind: str, module: str = "") -> list[Any]:
        return [m for m in self.messages if (m.kind, m.module) == (kind, module)]


def small_net() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 2), nn.Tanh())


def watch(exporter: Exporter, model: nn.Module, kinds: list[str], **options: Any) -> Tape:
    exporter.set_model(model)
    exporter.add_modules(model)
    tape = Tape(kinds, **options)
    exporter.subscribe(tape)
    return tape


def step_of(model: nn.Module, optimizer: torch.optim.Optimizer, loss: nn.Module) -> None:
    optimizer.zero_grad()
    loss(model(torch.ones(5, 3)), torch.zeros(5, 2)).backward()
    optimizer.step()
