"""What is computed again inside of backward is backward time of its own line."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

PROGRAM = """
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(64, 64)

    def forward(self, x):
        hidden = self.linear(x)
        return torch.tanh(hidden)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(3))

    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant={reentrant})
        return x

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(10):
    optimizer.zero_grad()
    loss = model(torch.randn(16, 64, requires_grad=True)).square().sum()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("reentrant", [True, False], ids=["reentrant", "not reentrant"])
def test_recomputation_is_backward_time_of_its_line(record: Runner, reentrant: bool) -> None:
    run = record(PROGRAM.replace("{reentrant}", str(reentrant)))
    line = "hidden = self.linear(x)"
    assert run.calls_per_step("aten::linear", line, kind="forward") == 3
    assert run.calls_per_step("aten::linear", line, kind="recompute") == 3
    assert run.calls_per_step("AddmmBackward0", line, kind="backward") == 3
    assert run.calls_per_step("TanhBackward0", "return torch.tanh(hidden)") == 3

    kinds = {
        row["kind"]: row["ns"]
        for row in run.rows(
            "SELECT kind, CAST(round(sum(self_ms) * 1e6) AS INTEGER) AS ns FROM project_line_costs"
            " WHERE training AND line = ? GROUP BY kind",
            run.number_of(line),
        )
    }
    steps = run.report["iteration"]["steps"]
    row = run.line(line)
    assert kinds["recompute"] > 0
    assert row["backward_ms"] * steps * 1e6 == pytest.approx(
        kinds["backward"] + kinds["recompute"] + kinds.get("engine", 0), rel=1e-6
    )
    assert row["forward_ms"] * steps * 1e6 == pytest.approx(kinds["forward"], rel=1e-6)


@pytest.mark.parametrize("reentrant", [True, False], ids=["reentrant", "not reentrant"])
def test_recomputed_blocks_keep_their_module_paths(record: Runner, reentrant: bool) -> None:
    run = record(PROGRAM.replace("{reentrant}", str(reentrant)))
    assert {module["path"] for module in run.report["modules"]} == {
        "",
        "blocks",
        *(f"blocks.{i}" for i in range(3)),
        *(f"blocks.{i}.linear" for i in range(3)),
    }
    for i in range(3):
        assert run.module(f"blocks.{i}.linear")["backward_ms"] > 0
