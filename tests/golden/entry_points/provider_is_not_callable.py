import torch
from torch import nn

sightline_model_provider = nn.Linear
sightline_model_provider = 3


def sightline_input_provider(batch_size=8):
    return (torch.randn(batch_size, 4),)


def sightline_iteration_provider(model):
    def iteration(x):
        model(x).sum().backward()

    return iteration
