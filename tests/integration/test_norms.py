"""Norms alone, of gradients of every kind and size, against NumPy in double precision."""

from __future__ import annotations

import json
import pathlib
import textwrap

import pytest
from integration.conftest import Runner

import sightline

# More parameters than are told at once, the last steps past those in which quantiles are made.
TRAINING = """
import json

import numpy
import torch
from torch import nn

from sightline import _core, _recording
from sightline.supervise._parameters import Parameters

TYPES = [torch.float32, torch.float32, torch.float64, torch.bfloat16, torch.float16]
SIZES = [1.0, 1e-30, 1e-44, 1e30, 0.0]

recording = _recording.Recording("norms.sightline")
bus = _core.Bus()
_core.declare_training_topics(bus)
supervision = _core.Supervision(recording._native)
feed = _core.Feed(
    bus, supervision, topics={"gradients"}, figures={"l2", "non_finite"}, budget_share=float("inf")
)
torch.manual_seed(0)
tensors = {}
for i in range(150):
    shape = (37, 5) if i % 2 else (i + 1,)
    gradient = torch.randn(shape) * SIZES[i // 5 % len(SIZES)]
    if i % 7 == 0:
        gradient.view(-1)[0] = float("nan")
    if i % 11 == 0:
        gradient.view(-1)[-1] = -float("inf")
    tensors[str(i)] = nn.Parameter(torch.zeros(shape, dtype=TYPES[i % len(TYPES)]))
    gradient = gradient.to(tensors[str(i)].dtype)
    if i % 3 == 0:  # transposed, and with gaps
        gradient = torch.stack([gradient.t(), gradient.t()], -1)[..., 0].t()
    tensors[str(i)].grad = gradient
parameters = Parameters(bus)
parameters.watch([(name, "bias", tensor) for name, tensor in tensors.items()])
optimizer = torch.optim.SGD(tensors.values(), lr=0.0)
for step in range(14):
    parameters.before_step(optimizer, step, 0)
    parameters.after_step(optimizer, step, 0)
    feed.end_step(step, 0, 0, 0)
recording.stop()
truth = {}
for name, tensor in tensors.items():
    values = tensor.grad.double().numpy()
    finite = values[numpy.isfinite(values)]
    largest = float(numpy.abs(finite).max(initial=0.0)) or 1.0
    norm = largest * float(numpy.sqrt(((finite / largest) ** 2).sum()))
    truth[name] = [norm if finite.size else None, values.size - finite.size]
with open("truth.json", "w") as file:
    json.dump(truth, file)
"""


def test_norms_are_those_of_numpy(run_program: Runner, tmp_path: pathlib.Path) -> None:
    result = run_program(textwrap.dedent(TRAINING))
    assert result.exit_code == 0, result.stderr
    truth = json.loads((tmp_path / "truth.json").read_text())
    told: dict[tuple[str, str], dict[int, float]] = {}
    for row in sightline.open(tmp_path / "norms.sightline").series:
        told.setdefault((row["module"], row["statistic"]), {})[row["step"]] = row["value"]
    for name, (norm, non_finite) in truth.items():
        for step in (0, 13):
            assert told[name, "non_finite"][step] == non_finite
            if norm is None:
                assert (name, "l2") not in told
            else:
                assert told[name, "l2"][step] == pytest.approx(norm, rel=1e-11), name
