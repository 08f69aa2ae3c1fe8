"""`sightline gate` and `sightline compare` on measurements and on recorded runs."""

from __future__ import annotations

import json
import pathlib
import shutil
from typing import Any
from xml.etree import ElementTree

import pytest
from integration.command import Command
from measure.small_projects import ENTRY, FORWARD_MACS, INPUT, write_net

BASE, SAME, WIDE, RECORDED = "base.sightline", "same.sightline", "wide.sightline", "run.sightline"


@pytest.fixture(scope="module")
def runs(sightline_program: str, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A folder with a model measured twice, a wider one, and a recorded run."""
    folder = tmp_path_factory.mktemp("runs")
    write_net(folder)
    (folder / "entry.py").write_text(ENTRY)
    command = Command(sightline_program, folder)
    for run, name in ((BASE, "Net"), (SAME, "Net"), (WIDE, "wide")):
        result = command("measure", f"net.py:{name}", "--input", INPUT, "-o", run)
        assert result.returncode == 0, result.stderr
    result = command("profile", "entry.py", "-o", RECORDED, "--no-throughput")
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def gate(runs: pathlib.Path, command: Command, tmp_path: pathlib.Path) -> Command:
    """The program in a folder of its own that has these runs."""
    for run in runs.glob("*.sightline"):
        shutil.copy(run, tmp_path / run.name)
    return command


def checks_of(result: Any) -> dict[str, Any]:
    return {check["metric"]: check for check in json.loads(result.stdout)["checks"]}


def test_the_same_model_keeps_its_limits(gate: Command) -> None:
    result = gate("gate", BASE, SAME, "--max", "macs:+0%", "--max", "peak_bytes:+2%")
    assert result.returncode == 0, result.stdout + result.stderr
    assert "all limits are kept" in result.stdout
    assert result.stderr == ""


# 2 * (4 * 5 + 5 * 2) multiply-accumulates instead of 2 * (4 * 3 + 3 * 2).
def test_a_limit_that_is_exceeded_fails(gate: Command) -> None:
    result = gate("gate", BASE, WIDE, "--max", "macs:+0%", "--max", "parameters:+100%", "--json")
    assert result.returncode == 1
    assert not json.loads(result.stdout)["passed"]
    checks = checks_of(result)
    assert checks["macs"]["base"] == FORWARD_MACS
    assert checks["macs"]["new"] == 60
    assert checks["macs"]["verdict"] == "failed"
    assert checks["parameters"]["verdict"] == "passed"
    text = gate("gate", BASE, WIDE, "--max", "macs:+0%").stdout
    assert "1 of 1 limit is exceeded" in text
    assert " ".join(text.splitlines()[-1].split()[:8]) == "macs 36 60 +66.7 % at most +0%"


def test_the_other_direction_is_better(gate: Command) -> None:
    assert gate("gate", WIDE, BASE, "--max", "macs:-40%", "--max", "macs:36").returncode == 0
    assert gate("gate", WIDE, BASE, "--max", "macs:-41%").returncode == 1
    assert gate("gate", BASE, SAME, "--min", "parameters:23").returncode == 0
    assert gate("gate", BASE, SAME, "--min", "parameters:24").returncode == 1


def test_times_are_judged_by_their_noise(gate: Command) -> None:
    limits = ("--max", "execution_time:1000s", "--max", "execution_time:+0%")
    result = gate("gate", BASE, BASE, *limits, "--json")
    assert result.returncode == 0
    verdicts = [check["verdict"] for check in json.loads(result.stdout)["checks"]]
    assert verdicts == ["passed", "undecided"]
    assert gate("gate", BASE, BASE, *limits, "--strict").returncode == 1
    text = gate("gate", BASE, BASE, *limits).stdout
    assert "no limit is exceeded, 1 cannot be decided within the noise" in text
    assert gate("gate", BASE, BASE, "--max", "execution_time:1ns").returncode == 1


def test_recorded_runs_have_limits_too(gate: Command) -> None:
    limits = ("--max", "execution_time:1000s", "--max", "peak_bytes:+0%")
    limits += ("--min", "samples_per_second:0.001", "--max", "process_peak_bytes:+10%")
    result = gate("gate", RECORDED, RECORDED, *limits, "--json")
    assert result.returncode == 0, result.stdout
    assert {check["verdict"] for check in checks_of(result).values()} == {"passed"}


def test_times_of_recorded_runs_are_judged_by_their_noise(gate: Command) -> None:
    limits = ("--max", "execution_time:+0%", "--min", "samples_per_second:-0%")
    result = gate("gate", RECORDED, RECORDED, *limits, "--json")
    assert result.returncode == 0, result.stdout
    assert {check["verdict"] for check in checks_of(result).values()} == {"undecided"}
    assert gate("gate", RECORDED, RECORDED, *limits, "--strict").returncode == 1
    assert gate("gate", RECORDED, RECORDED, "--max", "execution_time:1ns").returncode == 1
    assert gate("gate", RECORDED, RECORDED, "--max", "peak_bytes:1B").returncode == 1


def test_junit_is_read_by_a_parser(gate: Command, tmp_path: pathlib.Path) -> None:
    limits = ("--max", "parameters:+100%", "--max", "macs:+0%", "--max", "execution_time:+0%")
    base = tmp_path / "a<b>&'\"|.sightline"
    shutil.copy(tmp_path / BASE, base)
    result = gate("gate", base.name, WIDE, *limits, "--junit", "gate.xml", "--markdown", "gate.md")
    assert result.returncode == 1
    suites = ElementTree.parse(tmp_path / "gate.xml").getroot()
    (suite,) = suites
    assert suite.get("name") == f"{base.name} -> {WIDE}"
    assert suites.tag == "testsuites"
    assert suite.get("tests") == "3"
    kinds = {case.get("name"): [child.tag for child in case] for case in suite}
    assert kinds["parameters at most +100%"] == []
    assert kinds["macs at most +0%"] == ["failure"]
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert failure.get("message") == "macs 36 -> 60 (+66.7 %), at most +0%"
    assert suite.get("failures") == str(len(suite.findall("testcase/failure")))
    assert suite.get("skipped") == str(len(suite.findall("testcase/skipped")))
    rows = [line for line in (tmp_path / "gate.md").read_text().splitlines() if line[:1] == "|"]
    assert len(rows) == 5
    assert all(row.replace("\\|", "").count("|") == 7 for row in rows)


def test_annotations_are_lines_of_the_runner(gate: Command) -> None:
    result = gate("gate", BASE, WIDE, "--max", "macs:+0%", "--annotations", "github")
    last = result.stdout.splitlines()[-1]
    assert last == "::error title=Sightline gate::macs 36 -> 60 (+66.7 %25), at most +0%25"
    quiet = gate("gate", BASE, SAME, "--max", "macs:+0%", "--annotations", "github")
    assert "::" not in quiet.stdout


def test_annotations_stand_beside_the_object_for_machines(gate: Command) -> None:
    limits = ("--max", "macs:+0%", "--annotations", "github", "--json")
    result = gate("gate", BASE, WIDE, *limits)
    assert result.returncode == 1
    assert checks_of(result)["macs"]["verdict"] == "failed"
    assert result.stderr.splitlines() == [
        "::error title=Sightline gate::macs 36 -> 60 (+66.7 %25), at most +0%25"
    ]
    assert gate("gate", BASE, SAME, *limits).stderr == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([BASE, SAME], "which limits are to be kept?"),
        ([BASE], "NEW is required"),
        ([BASE, SAME, "--max", "macs"], "--max macs is no limit; write METRIC:LIMIT"),
        ([BASE, SAME, "--min", "macs:x"], "--min macs:x is no limit"),
        ([BASE, SAME, "--max", "macs:5%"], "write macs:+5% or macs:-5%"),
        ([BASE, SAME, "--max", "macs:+5MiB"], "after its number may stand"),
        ([BASE, SAME, "--max", "joules:+0%"], "there are parameters, trainable_parameters, "),
        ([RECORDED, RECORDED, "--max", "macs:+0%"], "of recorded runs; there are execution_time"),
        ([BASE, RECORDED, "--max", "peak_bytes:+0%"], "give two of a kind"),
        ([BASE, "absent.sightline", "--max", "macs:+0%"], "there is no run file"),
        ([BASE, SAME, "--max", "macs:+0%", "--junit", BASE], "is the name of a run"),
        ([BASE, SAME, "--max", "macs:+0%", "--junit", "no/such/gate.xml"], "does not exist"),
        ([BASE, SAME, "--max", "macs:+0%", "--annotations", "jenkins"], "--annotations"),
    ],
)
def test_wrong_use_is_told_apart(arguments: list[str], message: str, gate: Command) -> None:
    result = gate("gate", *arguments)
    assert result.returncode == 2, result.stdout
    assert result.stdout == ""
    assert message in result.stderr


def test_help_lists_the_metrics(gate: Command) -> None:
    text = gate("gate", "--help").stdout
    for metric in ("macs", "execution_time", "peak_bytes", "samples_per_second", "size_bytes"):
        assert f"  {metric} " in text


def test_measurements_are_compared_by_metric_and_layer(gate: Command) -> None:
    report = json.loads(gate("compare", BASE, WIDE, SAME, "--json").stdout)
    assert report["metrics"]["macs"]["values"] == [36, 60, 36]
    assert report["metrics"]["macs"]["changes"][1]["verdict"] == "worse"
    assert report["metrics"]["macs"]["changes"][2]["verdict"] == "same"
    assert report["metrics"]["macs"]["best"] is None
    first = next(layer for layer in report["layers"] if layer["path"] == "first")
    assert first["outputs"] == ["2x3", "2x5", "2x3"]
    assert first["metrics"]["macs"]["values"] == [24, 40, 24]
    text = gate("compare", BASE, WIDE).stdout
    assert "output 2x3 -> 2x5" in text
    row = next(line.split() for line in text.splitlines() if line.split()[:1] == ["macs"])
    assert row[:6] == ["macs", "36", "60", "+66.7", "%", "worse"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([BASE, RECORDED], f"{BASE} is the measurement of a model, and {RECORDED} a recorded run"),
        ([RECORDED, BASE], f"{BASE} is the measurement of a model, and {RECORDED} a recorded run"),
        ([BASE], f"what is {BASE} to be compared with?"),
        ([RECORDED, RECORDED, RECORDED], "two at a time"),
        ([BASE, SAME, "--fail-above", "5"], "sightline gate"),
    ],
)
def test_what_cannot_be_compared_is_told(arguments: list[str], message: str, gate: Command) -> None:
    result = gate("compare", *arguments)
    assert result.returncode == 2
    assert message in result.stderr


def test_what_a_measurement_has_not_is_told(gate: Command) -> None:
    for arguments in (
        ("export", BASE, "--trace", "trace.json"),
        ("report", BASE, "--sort", "peak"),
        ("report", BASE, "--by", "operator"),
    ):
        result = gate(*arguments)
        assert result.returncode == 2
        assert f"{BASE} is the measurement of a model" in result.stderr
