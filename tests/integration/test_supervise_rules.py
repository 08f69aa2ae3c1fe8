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


def verdicts(
    command: Command, folder: pathlib.Path, text: str, *options: str
) -> list[dict[str, Any]]:
    (folder / "train.py").write_text(text)
    every_step = ("--supervise=full", "--supervise-budget", "100000")
    done = command("run", *every_step, *options, "-o", "own.sightline", "train.py")
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
    assert judged_anew(sightline_command, "dead_share=0.5") == said  # which is the default


def judged_anew(command: Command, *thresholds: str) -> list[dict[str, Any]]:
    options = [word for one in thresholds for word in ("--threshold", one)]
    done = command("report", "own.sightline", "--json", *options)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)["verdicts"]
    return found


def test_a_training_is_judged_by_the_thresholds_that_are_given(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    quiet = ("--threshold", "initial_steps=0")
    said = verdicts(sightline_command, tmp_path, script(), *quiet)
    assert said == []
    strict = judged_anew(sightline_command, "vanishing_abs_mean=1000", "initial_steps=0")
    assert {verdict["rule"] for verdict in strict} == {"vanishing-gradient"}
    assert strict[0]["evidence"]["threshold"] == 1000
    assert judged_anew(sightline_command, "initial_steps=0") == []


@pytest.mark.parametrize("verb", ["run", "report"])
def test_an_unknown_threshold_is_refused_with_the_names_of_all(
    sightline_command: Command, tmp_path: pathlib.Path, verb: str
) -> None:
    (tmp_path / "train.py").write_text(script())
    target = "train.py" if verb == "run" else "own.sightline"
    for wrong in ("no_such=1", "dead_share", "loss_window=0"):
        done = sightline_command(verb, "--threshold", wrong, target)
        assert done.returncode == 2
        assert wrong.split("=")[0] in done.stderr
    done = sightline_command(verb, "--threshold", "no_such=1", target)
    assert "dead_share" in done.stderr
    assert "memory_increase_percent" in done.stderr


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


# Two layers that are in order, and a module that is not. Its last lines keep nothing for autograd.
FAULTY = """
import torch
from torch import nn


def doubled(x):
    bare = x * 2.0
    return bare / torch.zeros(1)


class Faulty(nn.Module):
    def forward(self, x):
        # the fault
        more = result + 1.0
        return more - 0.5


model = nn.Sequential(nn.Linear(8, 16), nn.Linear(16, 16), Faulty())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for step in range(5):
    loss = model(torch.randn(32, 8)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def faulty(*lines: str) -> str:
    return FAULTY.replace("# the fault", "\n        ".join(lines))


ARISING: dict[str, tuple[str, str, str]] = {
    "a product": (
        faulty("large = x * 1e25", "result = large * 1e25"),
        "aten::mul",
        "result = large",
    ),
    "an exponential": (
        faulty("large = x * 1e4", "result = torch.exp(large)"),
        "aten::exp",
        "torch.exp",
    ),
    "a logarithm": (
        faulty("kept = x * (x > 0)", "logs = torch.log(kept)", "result = logs * 2.0"),
        "aten::log",
        "torch.log",
    ),
    "zero by zero": (
        faulty("none = x - x", "result = none / none.sum()"),
        "aten::div",
        "none.sum()",
    ),
    "what is done in place": (
        faulty("result = x * 1.0", "result.div_(0.0)"),
        "aten::div_",
        "result.div_",
    ),
    "a function": (faulty("result = doubled(x)"), "aten::div", "bare / torch"),
    "a mask beside it": (
        faulty(
            "mask = torch.zeros(16).masked_fill(torch.arange(16) > 7, float('-inf'))",
            "result = torch.softmax(x + mask, 1) / torch.zeros(1)",
        ),
        "aten::div",
        "torch.softmax",
    ),
    "a root in the backward pass": (
        faulty("gap = (x - x.detach()).square()", "result = torch.sqrt(gap)"),
        "SqrtBackward0",
        "torch.sqrt",
    ),
}

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


def check_place(
    verdict: dict[str, Any], text: str, module: str | None, operator: str, line: str
) -> None:
    assert (verdict["module"], verdict["operator"]) == (module, operator)
    assert verdict["file"] == "train.py"
    assert line in text.splitlines()[verdict["line"] - 1]


@pytest.mark.parametrize("fault", ARISING)
def test_the_first_operator_and_line_that_are_not_finite_are_named(
    sightline_command: Command, tmp_path: pathlib.Path, fault: str
) -> None:
    text, operator, line = ARISING[fault]
    said = verdicts(sightline_command, tmp_path, text)
    (verdict,) = (found for found in said if found["rule"] == "non-finite")
    assert verdict["topic"] == ("gradients" if "Backward" in operator else "activations")
    check_place(verdict, text, "2", operator, line)


def test_a_loss_that_is_not_finite_has_operator_and_line(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    said = verdicts(sightline_command, tmp_path, DIVISION)
    (verdict,) = (found for found in said if found["rule"] == "non-finite")
    check_place(verdict, DIVISION, None, "aten::div", "loss =")


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
