"""`sightline export`: what other programs are given of a run, held against the report of it."""

from __future__ import annotations

import csv
import importlib.util
import itertools
import json
import pathlib
import xml.etree.ElementTree as ElementTree
from typing import Any

import pytest
from integration.command import Command
from integration.conftest import Runner
from integration.recorded_run import RecordedRun

import sightline

PROGRAM = """
import torch
from torch import nn

model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))
optimizer = torch.optim.Adam(model.parameters())
for _ in range({steps}):
    inputs = torch.randn(32, 64)
    loss = model(inputs).square().mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
"""
SVG = "{http://www.w3.org/2000/svg}"
TABLES = ("lines", "modules", "operators")
SPAN_OF_BOXES = 1180.0

Json = dict[str, Any]


@pytest.fixture
def recorded(record: Runner) -> RecordedRun:
    return record(PROGRAM.replace("{steps}", "24"))


def export(command: Command, run: RecordedRun, *arguments: str) -> str:
    result = command("export", run.path, *arguments)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    return result.stdout


def nanoseconds(microseconds: float) -> int:
    return round(microseconds * 1000)


def assert_nested(slices: list[Json]) -> None:
    """Slices of one thread, in order, lie within the one around them or behind it."""
    ends: list[int] = []
    for event in slices:
        start = nanoseconds(event["ts"])
        end = start + nanoseconds(event["dur"])
        while ends and ends[-1] <= start:
            ends.pop()
        assert not ends or end <= ends[-1], event
        ends.append(end)


def test_the_trace_follows_the_rules_of_its_format(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    said = export(sightline_command, recorded, "--trace", "trace.json")
    assert "open it at ui.perfetto.dev" in said
    trace = json.loads((recorded.path.parent / "trace.json").read_text())
    assert trace["displayTimeUnit"] == "ms"
    events = trace["traceEvents"]
    assert {event["ph"] for event in events} == {"M", "X", "C"}
    timed = [event for event in events if event["ph"] != "M"]
    assert [event["ts"] for event in timed] == sorted(event["ts"] for event in timed)
    slices = [event for event in events if event["ph"] == "X"]
    for event in slices:
        assert event["name"]
        assert event["ts"] >= 0
        assert event["dur"] >= 0
        assert isinstance(event["pid"], int)
        assert isinstance(event["tid"], int)
    for thread in {event["tid"] for event in slices}:
        assert_nested([event for event in slices if event["tid"] == thread])
    named = {event["tid"] for event in events if event["name"] == "thread_name"}
    assert {event["tid"] for event in slices} <= named


def test_the_trace_has_the_steps_and_operators_of_the_run(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    export(sightline_command, recorded, "--trace", "trace.json")
    events = json.loads((recorded.path.parent / "trace.json").read_text())["traceEvents"]
    slices = [event for event in events if event["ph"] == "X"]
    steps = {event["args"]["step"]: event for event in slices if event["cat"] == "step"}
    sampled = {row["step"] for row in recorded.rows("SELECT DISTINCT step FROM events")}
    assert sampled
    assert set(steps) == sampled
    for index, event in steps.items():
        (row,) = recorded.rows("SELECT * FROM steps WHERE step = ?", index)
        assert nanoseconds(event["ts"]) == row["start_ns"]
        assert nanoseconds(event["dur"]) == row["wall_ns"]
    forward = [event for event in slices if event["name"] == "aten::addmm"]
    assert len(forward) == 2 * len(sampled)
    for event in forward:
        assert event["cat"] == "forward"
        assert event["args"]["file"] == "program.py"
        assert event["args"]["line"] == recorded.number_of("loss = model(")
        assert event["args"]["source"] == "loss = model(inputs).square().mean()"
        assert event["args"]["library_line"].startswith("torch/nn/modules/linear.py:")
    assert {event["args"]["module"] for event in forward} == {"0", "2"}
    # 32 rows of 8 floats, taken by the operator or by one within it.
    allocated = [event["args"].get("allocated_bytes", 0) for event in slices]
    assert 32 * 64 * 4 in allocated
    assert any(event["args"]["bytes"] > 0 for event in events if event["ph"] == "C")


def test_the_stacks_add_up_to_the_report(sightline_command: Command, recorded: RecordedRun) -> None:
    export(sightline_command, recorded, "--speedscope", "stacks.json")
    scope = json.loads((recorded.path.parent / "stacks.json").read_text())
    frames = scope["shared"]["frames"]
    time, memory = scope["profiles"]
    for profile in scope["profiles"]:
        assert profile["type"] == "sampled"
        assert len(profile["samples"]) == len(profile["weights"])
        assert profile["endValue"] == sum(profile["weights"])
        assert all(0 <= frame < len(frames) for sample in profile["samples"] for frame in sample)
        assert all(sample for sample in profile["samples"])
    sums = recorded.report["sums"]
    assert time["unit"] == "nanoseconds"
    assert abs(time["endValue"] - sums["cost_ns"] / sums["steps"]) <= 0.5
    assert memory["unit"] == "bytes"
    assert memory["endValue"] == recorded.report["memory"]["peak_bytes"]
    # What is below a line of the program is that line's total in the report.
    number = recorded.number_of("loss = model(")
    below = sum(
        weight
        for sample, weight in zip(time["samples"], time["weights"], strict=True)
        if any(
            frames[at].get("line") == number and frames[at]["file"] == "program.py" for at in sample
        )
    )
    total_ns = recorded.line("loss = model(")["total_ns"] / sums["steps"]
    assert below == pytest.approx(total_ns, abs=len(time["weights"]))


def text_of(value: Any) -> str:
    """A value of the report as a field of a table."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def assert_same(field: str, value: Any) -> None:
    if isinstance(value, float):
        assert float(field) == value
    else:
        assert field == text_of(value)


def test_the_tables_are_those_of_the_report(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    said = export(sightline_command, recorded, "--csv", "tables")
    run = sightline.open(recorded.path)
    expected: dict[str, list[Json]] = {name: run.report[name] for name in TABLES}
    expected["steps"] = run.steps
    memory = dict(run.memory)
    for category, count in memory.pop("at_peak").items():
        memory[f"at_peak_{category}_bytes"] = count
    expected["memory"] = [memory]
    for name, rows in expected.items():
        path = recorded.path.parent / "tables" / f"{name}.csv"
        assert f"tables/{name}.csv" in said
        with path.open(newline="", encoding="utf-8") as file:
            written = list(csv.DictReader(file, strict=True))
        assert len(written) == len(rows) > 0
        for fields, row in zip(written, rows, strict=True):
            assert set(fields) == set(row)
            for key, value in row.items():
                assert_same(fields[key], value)


def boxes_of(path: pathlib.Path) -> list[tuple[int, float, float, str]]:
    """Row, left edge, width and tooltip of every box of a flame graph."""
    boxes = []
    for group in ElementTree.parse(path).getroot().iter(f"{SVG}g"):
        rect, title = group.find(f"{SVG}rect"), group.find(f"{SVG}title")
        assert rect is not None
        assert title is not None
        x, width = float(rect.attrib["x"]), float(rect.attrib["width"])
        boxes.append((int(rect.attrib["y"]), x, width, title.text or ""))
    return boxes


def test_the_flame_graph_is_a_picture_whose_widths_add_up(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    export(sightline_command, recorded, "--flame", "flame.svg")
    path = recorded.path.parent / "flame.svg"
    assert "<script" not in path.read_text()
    boxes = boxes_of(path)
    rows = sorted({y for y, *_ in boxes})
    assert [width for y, _, width, _ in boxes if y == rows[0]] == [SPAN_OF_BOXES]
    for above, below in itertools.pairwise(rows):
        callers = [(x, x + width) for y, x, width, _ in boxes if y == above]
        level = sorted((x, x + width) for y, x, width, _ in boxes if y == below)
        for left, right in level:
            assert any(x - 0.01 <= left and right <= end + 0.01 for x, end in callers)
        for (_, end), (start, _) in itertools.pairwise(level):
            assert end <= start + 0.01
    number = recorded.number_of("loss = model(")
    (width,) = [
        width
        for _, _, width, tooltip in boxes
        if tooltip.splitlines()[1:2] == [f"program.py:{number}"] and tooltip.startswith("<module>")
    ]
    share = recorded.line("loss = model(")["total_ns"] / recorded.report["sums"]["cost_ns"]
    assert width / SPAN_OF_BOXES == pytest.approx(share, abs=0.001)


def test_the_golden_flame_graph_is_well_formed() -> None:
    golden = pathlib.Path(__file__).parents[1] / "golden" / "export" / "flame.svg"
    assert len(boxes_of(golden)) > 3


def test_parquet_has_the_rows_of_the_report(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    export(sightline_command, recorded, "--parquet", "tables")
    report = recorded.report
    for name in TABLES:
        table = parquet.read_table(recorded.path.parent / "tables" / f"{name}.parquet")
        assert table.column_names == list(report[name][0])
        assert table.to_pylist() == report[name]
    steps = parquet.read_table(recorded.path.parent / "tables" / "steps.parquet")
    assert steps.to_pylist() == sightline.open(recorded.path).steps
    memory = parquet.read_table(recorded.path.parent / "tables" / "memory.parquet").to_pylist()
    assert memory[0]["peak_bytes"] == report["memory"]["peak_bytes"]
    assert memory[0]["at_peak_activations_bytes"] == report["memory"]["at_peak"]["activations"]


def test_without_pyarrow_parquet_says_what_to_install(
    sightline_command: Command, recorded: RecordedRun
) -> None:
    if importlib.util.find_spec("pyarrow") is not None:
        pytest.skip("pyarrow is here")
    result = sightline_command("export", recorded.path, "--parquet", "tables")
    assert result.returncode == 1
    assert "-m pip install pyarrow" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_run_without_sampled_steps_has_no_trace(
    sightline_command: Command, record: Runner
) -> None:
    run = record(PROGRAM.replace("{steps}", "2"))
    result = sightline_command("export", run.path, "--trace", "trace.json")
    assert result.returncode == 1
    assert "no sampled step" in result.stderr
    assert not (run.path.parent / "trace.json").exists()
    export(sightline_command, run, "--flame", "flame.svg", "--csv", "tables")
