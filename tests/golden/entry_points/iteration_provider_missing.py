import torch
from torch import nn


def sightline_model_provider():
    return nn.Linear(4, 2)


def sightline_input_provider(batch_size=8):
    return (torch.randn(batch_size, 4),)
