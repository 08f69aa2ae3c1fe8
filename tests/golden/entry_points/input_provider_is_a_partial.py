import functools

import torch
from torch import nn


def sightline_model_provider():
    return nn.Linear(4, 2)


def make_inputs(width, batch_size):
    return (torch.randn(batch_size, width),)


sightline_input_provider = functools.partial(make_inputs, 4)


def sightline_iteration_provider(model):
    def iteration(x):
        model(x).sum().backward()

    return iteration
