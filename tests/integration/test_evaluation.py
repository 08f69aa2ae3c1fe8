"""Evaluation between steps is in no step."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

pytestmark = pytest.mark.alone

PROGRAM = """
import time
import torch
from torch import nn

model = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64), nn.Dropout(0.1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def evaluate():
    model.eval()
    with torch.no_grad():
        for _ in range(20):
            score = model(torch.randn(256, 64)).sum()
    time.sleep(0.03)
    model.train()

spent = 0.0
for step in range(12):
    loss = model(torch.randn(16, 64)).sum()
    loss.backward()
    optimizer.step()
    if step % 3 == 2:
        before = time.perf_counter()
        evaluate()
        spent += time.perf_counter() - before
loss = model(torch.randn(16, 64)).sum()
optimizer.step()
print(spent * 1e9)
"""


def test_evaluation_between_steps_is_in_no_step(record: Runner) -> None:
    run = record(PROGRAM)
    assert run.report["iteration"]["seen_steps"] == 13
    assert run.report["evaluation_ms"] > 0
    assert run.value("SELECT evaluation_ns FROM totals") == pytest.approx(
        float(run.stdout), rel=0.05
    )
    if run.has_line("score = model("):
        line = run.line("score = model(")
        assert (line["calls"], line["module_calls"], line["self_ns"]) == (0, 0, 0)
    assert run.module("")["calls"] == 1
    walls_ns = sorted(row["wall_ns"] for row in run.rows("SELECT wall_ns FROM steps"))
    assert walls_ns[len(walls_ns) // 2] < 30e6


def test_a_frozen_part_in_evaluation_mode_is_not_an_evaluation(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        frozen = nn.Linear(32, 32).eval()
        model = nn.Linear(32, 4)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            with torch.no_grad():
                features = frozen(torch.randn(8, 32))
            loss = model(features).sum()
            loss.backward()
            optimizer.step()
        """
    )
    assert run.report["evaluation_ms"] == 0
    assert run.line("features = frozen(")["module_calls"] == 1
    assert run.line("features = frozen(")["forward_ms"] > 0
