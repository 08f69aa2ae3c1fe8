"""The sums that every run has to satisfy, computed here from the tables of the run file alone and
compared, in integers, with what the report says."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest
from integration.recorded_run import RecordedRun

KINDS = ("forward", "backward", "recompute", "engine", "optimizer", "data", "copy", "python")
PHASES = {
    "data_ms": ("data",),
    "forward_ms": ("forward",),
    "backward_ms": ("backward", "recompute", "engine"),
    "optimizer_ms": ("optimizer",),
    "other_ms": ("copy", "python"),
}
CATEGORIES = (
    "parameters",
    "gradients",
    "optimizer",
    "activations",
    "inputs",
    "temporaries",
    "other",
)

Line = tuple[str, int, str]  # file, number, function


def assert_identities(run: RecordedRun) -> None:
    assert arithmetic_problems(run) == []
    assert_time_adds_up(run)
    assert_steps_add_up(run)
    assert_memory_adds_up(run)
    assert_lines_are_those_of_the_tree(run)


def arithmetic_problems(run: RecordedRun) -> list[str]:
    """What the report itself finds wrong with the numbers; that a run has no end is not wrong."""
    return [problem for problem in run.report["problems"] if "has no end" not in problem]


def assert_time_adds_up(run: RecordedRun) -> None:
    (totals,) = run.rows("SELECT * FROM totals")
    wall_ns = totals["wall_ns"]
    assert wall_ns > 0
    assert sum(totals[f"{kind}_ns"] for kind in KINDS) == wall_ns
    by_kind = {row["kind"]: row["ns"] for row in training_costs(run, "kind")}
    assert {kind: by_kind.get(kind, 0) for kind in KINDS} == {
        kind: totals[f"{kind}_ns"] for kind in KINDS
    }

    report = run.report
    steps = totals["counted_steps"]
    assert report["iteration"]["steps"] == steps
    assert report["iteration"]["wall_ms"] == milliseconds(wall_ns, steps)
    for phase, kinds in PHASES.items():
        phase_ns = sum(totals[f"{kind}_ns"] for kind in kinds)
        assert report["phases"][phase] == milliseconds(phase_ns, steps), phase
    assert sum(report["phases"].values()) == milliseconds(wall_ns, steps)
    assert sum(report["other_parts"].values()) == pytest.approx(report["phases"]["other_ms"])
    lines_ns = sum(line["self_ns"] for line in report["lines"])
    assert lines_ns + report["sums"]["unattributed_ns"] == wall_ns
    lines_ms = sum(line["self_ms"] for line in report["lines"])
    assert lines_ms + report["unattributed_ms"] == milliseconds(wall_ns, steps)


def assert_steps_add_up(run: RecordedRun) -> None:
    for step in run.rows("SELECT * FROM steps"):
        kinds_ns = sum(step[f"{kind}_ns"] for kind in KINDS)
        assert kinds_ns == (0 if step["role"] == "unobserved" else step["wall_ns"]), step
    (totals,) = run.rows("SELECT * FROM totals")
    if run.rows("SELECT * FROM drops WHERE what = 'steps'"):
        return
    indexes = [row["step"] for row in run.rows("SELECT step FROM steps ORDER BY step")]
    assert indexes == list(range(0, totals["steps"], totals["step_stride"]))
    if totals["step_stride"] == 1:
        counted = run.rows("SELECT * FROM steps WHERE role = 'counted'")
        assert len(counted) == totals["counted_steps"]
        for column in ("wall_ns", *(f"{kind}_ns" for kind in KINDS)):
            assert sum(step[column] for step in counted) == totals[column], column


def assert_memory_adds_up(run: RecordedRun) -> None:
    memory = run.report["memory"]
    peak_bytes = run.value("SELECT peak_bytes FROM memory")
    assert memory["peak_bytes"] == peak_bytes
    assert run.value("SELECT total(bytes) FROM peak_blocks") == peak_bytes
    assert tuple(memory["at_peak"]) == CATEGORIES
    assert sum(memory["at_peak"].values()) == peak_bytes
    lines_bytes = sum(line["peak_bytes"] for line in run.report["lines"])
    assert lines_bytes + memory["unattributed_bytes"] == peak_bytes
    assert memory["boundary_peak_bytes"] <= peak_bytes
    assert run.value("SELECT coalesce(max(peak_bytes), 0) FROM steps") <= peak_bytes


def assert_lines_are_those_of_the_tree(run: RecordedRun) -> None:
    """Charges every cost to the innermost line that is not a library's, and to all lines above it
    once, and finds the same lines with the same figures in the report."""
    above = lines_on_the_way(run)
    self_ns: dict[Line, int] = defaultdict(int)
    total_ns: dict[Line, int] = defaultdict(int)
    peak_bytes: dict[Line, int] = defaultdict(int)
    for row in training_costs(run, "node"):
        if above[row["node"]]:
            self_ns[above[row["node"]][-1]] += row["ns"]
        for line in set(above[row["node"]]):
            total_ns[line] += row["ns"]
    for row in run.rows("SELECT node, bytes FROM peak_blocks"):
        if above[row["node"]]:
            peak_bytes[above[row["node"]][-1]] += row["bytes"]
    has_descended = run.report["descended"] is not None
    for row in run.report["lines"]:
        if row["library"]:
            assert has_descended
            continue
        line = (row["file"], row["line"], row["function"])
        assert row["total_ns"] == total_ns.pop(line, 0), line
        if not has_descended:
            assert row["self_ns"] == self_ns[line], line
            assert row["peak_bytes"] == peak_bytes[line], line
    assert not any(total_ns.values()), "lines that the report does not have"


def lines_on_the_way(run: RecordedRun) -> list[list[Line]]:
    """For every node the project's lines from the outermost to the node itself."""
    above: list[list[Line]] = []
    for row in run.rows(
        "SELECT nodes.id, parent, role, path, line, function FROM nodes"
        " LEFT JOIN frames ON frames.id = nodes.frame LEFT JOIN files ON files.id = frames.file"
        " ORDER BY nodes.id"
    ):
        assert row["id"] == len(above)
        way = list(above[row["parent"]]) if row["id"] > 0 else []
        if row["role"] in ("project", "included"):
            way.append((row["path"], row["line"], row["function"]))
        above.append(way)
    return above


def training_costs(run: RecordedRun, column: str) -> list[dict[str, Any]]:
    return run.rows(
        f"SELECT {column}, sum(self_ns) AS ns FROM costs JOIN threads ON threads.id = thread"
        f" WHERE training GROUP BY {column}"
    )


def milliseconds(ns: int, steps: int) -> Any:
    return pytest.approx(ns / steps / 1e6, rel=1e-9)
