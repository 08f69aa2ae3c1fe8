import torch
from torch import nn


def sightline_model_provider():
    return nn.Linear(4, 2)


def sightline_input_provider(
    batch_size,
) -> tuple:
    return (torch.randn(batch_size, 4),)


def sightline_iteration_provider(model):
    def iteration(x):
        model(x).sum().backward()

    return iteration
