import torch
from torch import nn


def sightline_model_provider():
    return nn.Linear(4, 2)


def make_inputs(batch_size):
    return (torch.randn(batch_size, 4),)


sightline_input_provider = make_inputs


def sightline_iteration_provider(model):
    def iteration(x):
        model(x).sum().backward()

    return iteration
