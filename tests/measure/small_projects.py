"""Projects of a file or two whose costs are known: derived by hand."""

from __future__ import annotations

import pathlib
from typing import Any

# Two samples: 2 * (4 * 3 + 3 * 2) multiply-accumulates forward. Backward as many for the weights,
# and 2 * 3 * 2 for the input of the second layer; the first one's needs no gradient.
NET = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=3):
        super().__init__()
        self.first = nn.Linear(4, width)
        self.second = nn.Linear(width, 2)

    def forward(self, x):
        return self.second(torch.relu(self.first(x)))


def wide():
    return Net(5)


ready_made = Net()
number = 7


def gives_a_number():
    return 7


def needs_a_width(width):
    return Net(width)


def raises():
    print("about to fail")
    raise ValueError("no such weights")
"""
INPUT = "2x4"
FORWARD_MACS = 36
BACKWARD_MACS = 48
PARAMETERS = 23

# The model is given the first of the two inputs only, and by name.
ENTRY = """
import torch
import torch.nn.functional as F
from net import Net


def sightline_model_provider():
    return Net()


def sightline_input_provider(batch_size=2):
    return torch.randn(batch_size, 4), torch.randint(2, (batch_size,))


def sightline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def iteration(inputs, labels):
        optimizer.zero_grad()
        F.cross_entropy(model(x=inputs), labels).backward()
        optimizer.step()

    return iteration
"""


def write_net(folder: pathlib.Path) -> None:
    (folder / "net.py").write_text(NET)


def assert_costs_of_net(measured: dict[str, Any], samples: int = 2) -> None:
    assert measured["format"] == 1
    assert measured["parameters"] == {
        "total": PARAMETERS,
        "trainable": PARAMETERS,
        "frozen": 0,
        "buffers": 0,
    }
    assert measured["size_bytes"] == 4 * PARAMETERS
    assert measured["macs"]["forward"] * 2 == FORWARD_MACS * samples
    assert measured["macs"]["backward"] * 2 == BACKWARD_MACS * samples
    assert measured["flops"]["forward"] > 2 * measured["macs"]["forward"]
    assert measured["footprint_bytes"]["weights"] == 4 * PARAMETERS
    times = measured["execution_time_ms"]
    assert 0 < times["p10"] <= times["median"] <= times["p90"]
    assert times["runs"] == len(measured["times_ms"])
    assert [layer["path"] for layer in measured["layers"]] == ["", "first", "second"]
    assert measured["uncounted"] == []
