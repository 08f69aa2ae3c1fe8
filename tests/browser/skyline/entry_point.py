# As the README of Skyline prints it.
# ruff: noqa: UP006, UP035
from typing import Callable, Tuple

import torch
import torch.nn as nn
from model import Model


class ModelWithLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Model()
        self.loss_fn = nn.CrossEntropyLoss()

    def forward(self, input, target):
        output = self.model(input)
        return self.loss_fn(output, target)


def skyline_model_provider() -> torch.nn.Module:
    # Return a GPU-based instance of our model (that returns a loss)
    return ModelWithLoss().cuda()


def skyline_input_provider(batch_size: int = 32) -> Tuple:
    # Return GPU-based inputs for our model
    return (
        torch.randn((batch_size, 3, 32, 32)).cuda(),
        torch.randint(low=0, high=9, size=(batch_size,)).cuda(),
    )


def skyline_iteration_provider(model: torch.nn.Module) -> Callable:
    # Return a function that executes one training iteration
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def iteration(*inputs):
        optimizer.zero_grad()
        out = model(*inputs)
        out.backward()
        optimizer.step()

    return iteration
