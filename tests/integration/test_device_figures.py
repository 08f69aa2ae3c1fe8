"""Figures that torch makes where a tensor lies, as on a device, against those of the engine."""

from __future__ import annotations

import collections
import math
import pathlib
import textwrap

import pytest
from integration.conftest import Runner

import sightline

Series = dict[tuple[str, ...], list[float]]

# Past the steps in which quantiles are made too, for which tensors are brought to the processor.
TRAINING = """
import importlib

import torch
from torch import nn

from sightline import _recording

importlib.import_module("sightline._torch").make_figures_of_all(ALL)
recording = _recording.Recording("NAME.sightline")
recording.supervise(full=True, budget_percent=1e6)
torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 8), nn.Tanh(), nn.Linear(8, 1)
)
with torch.no_grad():
    model[0].bias[:3] = -50  # so that most units of the ReLU are dead
model[3].to(torch.float64)
model[4].to(torch.float64)
model[3].register_forward_pre_hook(lambda module, inputs: (inputs[0].double(),))
model[5].register_forward_pre_hook(lambda module, inputs: (inputs[0].float(),))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for _ in range(24):
    optimizer.zero_grad()
    model(torch.randn(4, 1, 8, 8)).square().mean().backward()
    optimizer.step()
recording.stop()
"""


@pytest.fixture
def series(run_program: Runner, tmp_path: pathlib.Path) -> list[Series]:
    """By what they are of: those of the engine, and those of torch."""
    found = []
    for name, of_all in (("engine", False), ("device", True)):
        text = TRAINING.replace("ALL", str(of_all)).replace("NAME", name)
        result = run_program(textwrap.dedent(text))
        assert result.exit_code == 0, result.stderr
        assert "supervising has ended" not in result.stderr
        told: Series = collections.defaultdict(list)
        for row in sightline.open(tmp_path / f"{name}.sightline").series:
            key = tuple(row[part] for part in ("topic", "module", "tensor", "statistic"))
            told[key].append(row["value"])
        found.append(told)
    return found


def test_both_tell_the_same(series: list[Series]) -> None:
    engine, device = series
    assert set(engine) == set(device)
    assert ("activations", "1", "", "idle_share") in engine
    assert ("updates", "3", "weight", "l2") in engine
    for key, values in engine.items():
        if key[0] in ("supervision_ms", "step_time_ms", "memory_bytes"):
            continue
        assert len(values) == len(device[key]), key
        for ours, theirs in zip(values, device[key], strict=True):
            assert math.isclose(ours, theirs, rel_tol=2e-5, abs_tol=1e-9), key
