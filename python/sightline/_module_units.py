"""The modules of torch whose units may stop working, and how."""

from __future__ import annotations

from torch import nn

UNITS: dict[type[nn.Module], str] = {
    nn.ReLU: "relu",
    nn.ReLU6: "relu",
    nn.Tanh: "tanh",
    nn.Sigmoid: "sigmoid",
}
