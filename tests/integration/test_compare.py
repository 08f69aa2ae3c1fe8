"""`sightline compare`: a program recorded twice, and with one line that does more."""

from __future__ import annotations

import json
from typing import Any

import pytest
from integration.command import Command
from integration.conftest import Runner
from integration.recorded_run import RecordedRun

pytestmark = pytest.mark.alone

PROGRAM = """
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(64, 64), nn.ReLU())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
a = torch.randn(256, 256)


def work(x):
    for _ in range(3):
        x = x @ a
    return x


for _ in range(60):
    loss = model(torch.randn(64, 64)).sum()
    loss.backward()
    optimizer.step()
    work(a)
"""
COMMENTS = "# Three lines\n# that move\n# all others down.\n"
SLOWER = PROGRAM.replace("def work", COMMENTS + "def work").replace("range(3)", "range(12)")


@pytest.fixture
def before(record: Runner) -> RecordedRun:
    return record(PROGRAM)


def comparison(command: Command, a: RecordedRun, b: RecordedRun) -> dict[str, Any]:
    result = command("compare", a.path, b.path, "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    compared = json.loads(result.stdout)
    assert isinstance(compared, dict)
    assert compared["format"] == 1
    return compared


def assert_differences_add_up(compared: dict[str, Any]) -> None:
    lines = sum(line["self_ms"]["difference"] for line in compared["lines"])
    rest = compared["unattributed_ms"]["difference"]
    step = compared["iteration"]["wall_ms"]["difference"]
    assert lines + rest == pytest.approx(step, abs=1e-6)
    phases = sum(phase["difference"] for phase in compared["phases"].values())
    assert phases == pytest.approx(step, abs=1e-6)


def test_a_run_compared_with_itself_is_the_same_in_everything(
    sightline_command: Command, before: RecordedRun
) -> None:
    compared = comparison(sightline_command, before, before)
    assert compared["differs"] == []
    assert compared["iteration"]["wall_ms"]["verdict"] == "same"
    assert {line["verdict"] for line in compared["lines"]} == {"same"}
    assert {module["verdict"] for module in compared["modules"]} == {"same"}
    assert compared["memory"]["peak_bytes"]["verdict"] == "same"


def test_a_program_recorded_twice_has_all_its_lines_matched(
    sightline_command: Command, before: RecordedRun, record: Runner
) -> None:
    compared = comparison(sightline_command, before, record(PROGRAM))
    step = compared["iteration"]["wall_ms"]
    # The machine may be busier the second time, which no noise within a run tells; three times as
    # slow it is not.
    assert step["verdict"] == "same" or abs(step["percent"]) < 200
    assert step["noise"] > 0
    assert all(line["a"]["line"] == line["b"]["line"] for line in compared["lines"])
    assert compared["memory"]["peak_bytes"]["verdict"] == "same"
    assert_differences_add_up(compared)


def test_a_line_that_does_four_times_the_work_is_found_under_its_new_number(
    sightline_command: Command, before: RecordedRun, record: Runner
) -> None:
    after = record(SLOWER)
    compared = comparison(sightline_command, before, after)
    assert_differences_add_up(compared)
    first = compared["lines"][0]
    assert first["verdict"] == "worse"
    assert first["b"]["line"] == after.number_of("x = x @ a")
    assert first["a"]["line"] == before.number_of("x = x @ a") == first["b"]["line"] - 3
    assert first["self_ms"]["after"] > 2 * first["self_ms"]["before"]
    assert all(line["a"] is not None and line["b"] is not None for line in compared["lines"])

    text = sightline_command("compare", before.path, after.path)
    assert text.returncode == 0
    assert text.stdout.startswith("B is ")
    sentence = " ".join(text.stdout.split("  A  ")[0].split())
    assert "slower" in sentence
    assert f"Most of the difference in time is at program.py:{first['b']['line']}" in sentence
    limit = ("--fail-above", "10")
    assert sightline_command("compare", before.path, after.path, *limit).returncode == 1
    assert sightline_command("compare", after.path, before.path, *limit).returncode == 0


def test_a_run_that_is_not_there_is_named(sightline_command: Command, before: RecordedRun) -> None:
    for arguments in ((before.path, "missing.sightline"), ("missing.sightline", before.path)):
        result = sightline_command("compare", *arguments)
        assert result.returncode == 2
        assert "missing.sightline" in result.stderr
