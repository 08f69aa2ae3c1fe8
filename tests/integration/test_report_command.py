"""`sightline report` and `sightline doctor`, on good files and on bad ones."""

from __future__ import annotations

import json
import pathlib
import random
import shutil
import sqlite3
from typing import Any

import pytest
from integration.command import Command
from integration.conftest import Runner, WarmPython
from integration.recorded_run import RecordedRun

import sightline

PROGRAM = """
import time
import torch
from torch import nn

model = nn.Sequential(nn.Linear(16, 16), nn.ReLU())
optimizer = torch.optim.Adam(model.parameters())
for _ in range({steps}):
    loss = model(torch.randn(4, 16)).sum()
    loss.backward()
    optimizer.step()
    time.sleep({pause})
"""

# What the documented report holds; null where a thing was not measured.
KEYS: dict[str, Any] = {
    "format": None,
    "run": [
        *("version", "command", "started", "host", "device", "threads", "framework"),
        *("framework_version", "python", "git_commit", "root", "rank", "world_size"),
    ],
    "iteration": ["wall_ms", "median_ms", "p95_ms", "batch_size", "samples_per_second", "steps"],
    "phases": ["data_ms", "forward_ms", "backward_ms", "optimizer_ms", "other_ms"],
    "other_parts": [],
    "evaluation_ms": None,
    "unattributed_ms": None,
    "throughput": [
        *("samples", "run_time_model", "memory_model", "limit_samples_per_second"),
        *("max_batch_size", "samples_per_second_at_max_batch"),
    ],
    "findings": None,
    "verdicts": None,
    "overhead": ["step_percent", "dropped"],
    "memory": [
        *("peak_bytes", "process_peak_bytes", "capacity_bytes", "at_peak"),
        *("device_peak_bytes", "device_capacity_bytes"),
    ],
}
LINE_KEYS = [
    *("file", "line", "function", "source", "calls", "module_calls", "forward_ms", "backward_ms"),
    *("python_ms", "self_ms", "total_ms", "allocated_bytes", "peak_bytes"),
]
MODULE_KEYS = [
    *("path", "type", "calls", "forward_ms", "backward_ms", "total_ms", "parameter_bytes"),
    "activation_bytes",
]


@pytest.fixture
def recorded(record: Runner) -> RecordedRun:
    return record(PROGRAM.replace("{steps}", "20").replace("{pause}", "0"))


def test_the_report_for_machines_has_every_documented_key(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    result = sightline_command("report", recorded.path, "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    report = json.loads(result.stdout)
    assert report == sightline.open(recorded.path).report
    assert report["format"] == 1
    for key, inner in KEYS.items():
        assert key in report
        if inner is not None:
            assert isinstance(report[key], dict), key
            assert set(inner) <= set(report[key]), key
    for line in report["lines"]:
        assert set(LINE_KEYS) <= set(line)
    for module in report["modules"]:
        assert set(MODULE_KEYS) <= set(module)
    assert report["run"]["framework"] == "torch"
    assert report["iteration"]["batch_size"] == 4
    assert report["iteration"]["samples_per_second"] == pytest.approx(
        4000 / report["iteration"]["wall_ms"]
    )


def test_the_report_for_people_shows_what_they_ask_for(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    by_line = sightline_command("report", recorded.path)
    assert by_line.returncode == 0
    assert "loss = model(torch.randn(4, 16)).sum()" in by_line.stdout
    assert "\x1b[" not in by_line.stdout
    assert "\x1b[" in sightline_command("report", recorded.path, "--color", "always").stdout
    by_module = sightline_command("report", recorded.path, "--by", "module").stdout
    assert "Linear" in by_module
    by_operator = sightline_command("report", recorded.path, "--by", "operator").stdout
    assert "aten::addmm" in by_operator
    for key in ("self", "total", "forward", "backward", "python", "calls", "memory", "peak"):
        result = sightline_command("report", recorded.path, "--sort", key, "--top", "2")
        assert result.returncode == 0, key
        assert len(result.stdout) < len(by_line.stdout)
    wrong = sightline_command("report", recorded.path, "--by", "phase of the moon")
    assert wrong.returncode == 2


def complaint(command: Command, path: pathlib.Path) -> str:
    """The complaint about a file that cannot be read, which names it and is short."""
    result = command("report", path, "--json")
    assert result.returncode == 1, result.stdout
    assert result.stdout == ""
    assert result.stderr.startswith("sightline: ")
    assert "Traceback" not in result.stderr
    assert path.name in result.stderr
    assert len(result.stderr.splitlines()) <= 3
    with pytest.raises((OSError, ValueError), match=path.name):
        sightline.open(path)
    return result.stderr


def test_a_truncated_run_is_refused(
    sightline_command: Command, recorded: RecordedRun, tmp_path: pathlib.Path
) -> None:
    whole = recorded.path.read_bytes()
    cut = tmp_path / "cut.sightline"
    for length in (0, 50, 1000, len(whole) // 2, len(whole) - 1):
        cut.write_bytes(whole[:length])
        complaint(sightline_command, cut)


def test_a_foreign_file_is_refused(sightline_command: Command, tmp_path: pathlib.Path) -> None:
    text = tmp_path / "text.sightline"
    text.write_text("Dear diary, " * 1000)
    complaint(sightline_command, text)
    database = tmp_path / "database.sightline"
    connection = sqlite3.connect(database)
    connection.execute("CREATE TABLE steps (step)")
    connection.commit()
    connection.close()
    complaint(sightline_command, database)


def test_a_newer_run_is_refused_with_both_versions(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    connection = sqlite3.connect(recorded.path)
    connection.execute("PRAGMA user_version = 99")
    connection.commit()
    connection.close()
    assert "99" in complaint(sightline_command, recorded.path)


def test_a_run_copied_without_its_journal_is_refused(
    sightline_command: Command, warm_python: WarmPython, tmp_path: pathlib.Path
) -> None:
    program = PROGRAM.replace("{steps}", "10_000").replace("{pause}", "0.005")
    path = warm_python.record_and_kill(tmp_path, program)
    journal = tmp_path / "own.sightline-wal"
    assert journal.stat().st_size > 0
    shutil.copy(path, tmp_path / "alone.sightline")
    assert "-wal" in complaint(sightline_command, tmp_path / "alone.sightline")
    shutil.copy(journal, tmp_path / "alone.sightline-wal")
    result = sightline_command("report", "alone.sightline", "--json")
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout)["iteration"]["seen_steps"] > 10


def test_a_damaged_run_never_crashes_the_reader(
    sightline_command: Command, recorded: RecordedRun, tmp_path: pathlib.Path
) -> None:
    whole = recorded.path.read_bytes()
    damaged = tmp_path / "damaged.sightline"
    chance = random.Random(0)
    for _ in range(40):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 200)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        damaged.write_bytes(data)
        result = sightline_command("report", damaged, "--json")
        assert result.returncode in (0, 1), result.stderr
        if result.returncode == 1:
            assert result.stderr.startswith("sightline: ")


def test_a_file_that_is_not_there_is_named(sightline_command: Command) -> None:
    result = sightline_command("report", "missing.sightline")
    assert result.returncode in (1, 2)
    assert "missing.sightline" in result.stderr


def test_doctor_finds_this_installation_in_order(sightline_command: Command) -> None:
    result = sightline_command("doctor")
    assert result.returncode == 0, result.stdout
    assert "torch" in result.stdout
    assert "collector" in result.stdout
    as_json = sightline_command("doctor", "--json")
    assert as_json.returncode == 0
    assert json.loads(as_json.stdout)


def test_the_program_and_the_package_have_one_version(sightline_command: Command) -> None:
    result = sightline_command("--version")
    assert result.returncode == 0
    assert result.stdout == f"sightline {sightline.__version__}\n"
