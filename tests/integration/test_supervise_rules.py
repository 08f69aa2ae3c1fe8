"""Every rule on an unchanged script that has its fault, and all of them on one that has none."""

from __future__ import annotations

import json
import pathlib
import textwrap
from typing import Any

import pytest
from integration.command import Command

# Learns a sum, from new data in every step, with weights that keep the scale of what passes
# through. Faults are put in by replacing lines.
HEALTHY = """
import time
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 1))
nn.init.kaiming_normal_(model[0].weight, nonlinearity="relu")
nn.init.xavier_normal_(model[2].weight)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
# faults of the model
for step in range(60):
    inputs = torch.randn(256, 8)
    targets = inputs.sum(1, keepdim=True) / 8**0.5
    factor = 1.0
    # faults of the step
    loss = criterion(model(inputs), targets) * factor
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    # faults after the step
"""


def script(model: str = "", step: str = "", after: str = "") -> str:
    text = HEALTHY.replace("# faults of the model", textwrap.dedent(model).strip())
    for place, fault in (("of the step", step), ("after the step", after)):
        body = textwrap.indent(textwrap.dedent(fault).strip(), "    ").strip()
        text = text.replace(f"# faults {place}", body)
    return text


FAULTS: dict[str, str] = {
    "vanishing-gradient": script(step="factor = 1e-9"),
    "exploding-gradient": script(step="factor = 1e5 if step == 40 else 1.0"),
    "non-finite": script(step="inputs[0, 0] = float('inf') if step == 20 else 0.0"),
    "dead-units": script(model="with torch.no_grad(): model[0].bias.fill_(-100)"),
    "saturated-units": script(
        model="with torch.no_grad(): model[0].weight.mul_(1e5)",
    ).replace("nn.ReLU()", "nn.Tanh()"),
    "update-ratio": script().replace("lr=0.01", "lr=1e-12"),
    "poor-initialisation": script(
        model="with torch.no_grad(): model[0].weight.mul_(1e-3); model[0].bias.zero_()"
    ),
    "unchanged-tensor": script().replace("lr=0.01", "lr=0.0"),
    "all-zero-tensor": script(model="with torch.no_grad(): model[0].bias.fill_(-100)"),
    "loss-not-decreasing": script()
    .replace("targets = inputs.sum(1, keepdim=True) / 8**0.5", "targets = torch.randn(256, 1)")
    .replace("lr=0.01", "lr=1e-6"),
    "overfit": script(
        after="""
        if step % 10 == 9:
            model.eval()
            with torch.no_grad():
                criterion(model(torch.randn(256, 8)), torch.full((256, 1), 9.0))
            model.train()
        """
    ),
    "step-time-outliers": script(
        model="torch.set_num_threads(1)",  # threads wait for each other on a busy machine
        step="time.sleep(0.2 if step % 20 == 19 else 0)",
    ).replace("range(60)", "range(300)"),
    "growing-memory": script(model="kept = []", step="kept.append(torch.randn(8, 1 << 17))"),
}


def verdicts(command: Command, folder: pathlib.Path, text: str) -> list[dict[str, Any]]:
    (folder / "train.py").write_text(text)
    done = command(
        "run", "--supervise=full", "--supervise-budget", "100000", "-o", "own.sightline", "train.py"
    )
    assert done.returncode == 0, done.stderr
    assert "supervising has ended" not in done.stderr
    report = json.loads(command("report", "own.sightline", "--json").stdout)
    found: list[dict[str, Any]] = report["verdicts"]
    return found


@pytest.mark.parametrize("rule", FAULTS)
def test_a_fault_is_found_by_its_rule(
    sightline_command: Command, tmp_path: pathlib.Path, rule: str
) -> None:
    said = verdicts(sightline_command, tmp_path, FAULTS[rule])
    assert rule in {verdict["rule"] for verdict in said}
    for verdict in said:
        assert verdict["evidence"]
        assert verdict["cause"]
        assert verdict["advice"]


VALIDATING = """
if step % 10 == 9:
    model.eval()
    with torch.no_grad():
        inputs = torch.randn(256, 8)
        criterion(model(inputs), inputs.sum(1, keepdim=True) / 8**0.5)
        time.sleep(0.05)
    model.train()
"""


@pytest.mark.parametrize("after", ["", VALIDATING])
def test_of_a_training_without_a_fault_no_rule_says_anything(
    sightline_command: Command, tmp_path: pathlib.Path, after: str
) -> None:
    assert verdicts(sightline_command, tmp_path, script(after=after)) == []


LOGARITHM = """
import torch
from torch import nn


class Entropy(nn.Module):
    def forward(self, x):
        share = torch.softmax(x, 1)
        kept = share * (share > 0.2)
        logs = torch.log(kept)
        return (logs * 2.0).sum(1)


model = nn.Sequential(nn.Linear(8, 16), Entropy())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(5):
    loss = model(torch.randn(32, 8)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""

DIVISION = """
import torch
from torch import nn

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(20):
    error = model(torch.ones(4, 8)).square()
    weights = torch.zeros(4, 1) if step == 18 else torch.ones(4, 1)
    loss = (error * weights).sum() / weights.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("text", "module", "operator", "line"),
    [
        (LOGARITHM, "1", "aten::log", "logs = torch.log(kept)"),
        (DIVISION, None, "aten::div", "loss ="),
    ],
)
def test_the_first_operator_and_line_that_are_not_finite_are_named(
    sightline_command: Command,
    tmp_path: pathlib.Path,
    text: str,
    module: str | None,
    operator: str,
    line: str,
) -> None:
    said = verdicts(sightline_command, tmp_path, text)
    (verdict,) = (found for found in said if found["rule"] == "non-finite")
    assert verdict["module"] == module
    assert verdict["operator"] == operator
    assert verdict["file"] == "train.py"
    assert line in text.splitlines()[verdict["line"] - 1]


def test_a_run_says_how_many_steps_were_looked_at(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "train.py").write_text(script().replace("range(60)", "range(400)"))
    sightline_command(
        "run", "--supervise", "--supervise-budget", "0.01", "-o", "own.sightline", "train.py"
    )
    report = json.loads(sightline_command("report", "own.sightline", "--json").stdout)
    looked = report["supervision"]
    assert looked["steps"] == 400
    assert 10 <= looked["looked_at_steps"] < 200
    text = sightline_command("report", "own.sightline").stdout
    assert f"tensors looked at in {looked['looked_at_steps']} of 400 steps" in text
