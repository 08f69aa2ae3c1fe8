"""Units of activation functions that a module calls without a module for them."""

from __future__ import annotations

import contextlib
import json
import pathlib
import sqlite3
from typing import Any

import pytest
from integration.command import Command

# Each layer's function stands on a line of its own.
PROGRAM = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(8, 16), nn.Linear(16, 8)

    def forward(self, x):
        x = FIRST(self.first(x))
        return SECOND(self.second(x))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block, self.act, self.head = Block(), nn.ReLU(), nn.Linear(8, 1)

    def forward(self, x):
        x = self.act(x)
        return self.head(CALL)

model = Net()
with torch.no_grad():
    FAULT
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for step in range(15):
    loss = model(torch.randn(64, 8)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    model.eval()
    with torch.no_grad():
        model(torch.full((64, 8), -1e6))
    model.train()
    torch.relu(torch.zeros(4))
"""


def program(
    first: str = "F.relu",
    second: str = "torch.tanh",
    fault: str = "pass",
    call: str = "self.block(x)",
) -> str:
    text = PROGRAM.replace("FIRST", first).replace("SECOND", second)
    return text.replace("FAULT", fault).replace("CALL", call)


def line_of(text: str, part: str) -> int:
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


def supervise(command: Command, folder: pathlib.Path, text: str) -> list[dict[str, Any]]:
    (folder / "train.py").write_text(text)
    options = ("--supervise", "--supervise-budget", "100000", "-o", "own.sightline")
    done = command("run", *options, "train.py")
    assert done.returncode == 0, done.stderr
    report = json.loads(command("report", "own.sightline", "--json").stdout)
    found: list[dict[str, Any]] = report["verdicts"]
    return found


def shares_of_idle_units(folder: pathlib.Path) -> dict[str, float]:
    """The last of each series."""
    rows = "SELECT module, tensor, last FROM series WHERE statistic IN (?, ?)"
    names = ("idle_share", "saturated_share")
    with contextlib.closing(sqlite3.connect(folder / "own.sightline")) as run:
        return {f"{module} {tensor}": value for module, tensor, value in run.execute(rows, names)}


RECOMPUTED = "checkpoint(self.block, x, use_reentrant=False)"


@pytest.mark.parametrize(
    ("relu", "call"),
    [
        *(
            (relu, "self.block(x)")
            for relu in ("F.relu", "torch.relu_", "torch.Tensor.relu", "F.relu6")
        ),
        ("F.relu", RECOMPUTED),
    ],
)
def test_dead_units_of_a_function_are_found_on_its_line(
    sightline_command: Command, tmp_path: pathlib.Path, relu: str, call: str
) -> None:
    text = program(first=relu, fault="model.block.first.bias.fill_(-100)", call=call)
    said = [one for one in supervise(sightline_command, tmp_path, text) if "units" in one["rule"]]
    assert [(one["rule"], one["module"], one["tensor"]) for one in said] == [
        ("dead-units", "block", "relu")
    ]
    assert (said[0]["file"], said[0]["line"]) == ("train.py", line_of(text, "(self.first(x))"))


@pytest.mark.parametrize("function", ["torch.tanh", "torch.sigmoid"])
def test_saturated_units_of_a_function_are_found_on_its_line(
    sightline_command: Command, tmp_path: pathlib.Path, function: str
) -> None:
    text = program(second=function, fault="model.block.second.bias.fill_(1000)")
    said = [one for one in supervise(sightline_command, tmp_path, text) if "units" in one["rule"]]
    assert [(one["rule"], one["tensor"], one["line"]) for one in said] == [
        ("saturated-units", f"{function.split('.')[1]}.2", line_of(text, "(self.second(x))"))
    ]


def test_of_functions_that_work_nothing_is_said_and_modules_are_told_once(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    said = supervise(sightline_command, tmp_path, program())
    assert [one for one in said if "units" in one["rule"]] == []
    shares = shares_of_idle_units(tmp_path)
    assert shares.keys() == {"block relu", "block tanh.2", "act "}
    assert max(shares.values()) < 0.2
