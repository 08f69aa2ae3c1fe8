"""Writes the tables of a run as .parquet files, for `sightline export --parquet`."""

from __future__ import annotations

import json
import os
import pathlib
import sys
from typing import Any

import pyarrow
import pyarrow.parquet

from sightline import _core
from sightline._run_file import Row, Run

_TIMES = ("forward_ms", "backward_ms", "python_ms", "optimizer_ms", "data_ms")
_CATEGORIES = (
    *("parameters", "gradients", "optimizer", "activations"),
    *("inputs", "temporaries", "other"),
)
# The columns of a table do not depend on its rows, so that the tables of two runs fit together.
COLUMNS: dict[str, tuple[str, ...]] = {
    "lines": (
        *("file", "line", "function", "source", "calls", "module_calls", *_TIMES),
        *("self_ms", "total_ms", "self_ns", "total_ns", "allocated_bytes", "peak_bytes", "library"),
    ),
    "modules": (
        *("path", "type", "calls", *_TIMES, "self_ms", "total_ms"),
        *("parameter_bytes", "activation_bytes"),
    ),
    "operators": ("name", "calls", "python_calls", *_TIMES, "self_ms"),
    "steps": (
        *("step", "role", "start_ms", "wall_ms", "evaluation_ms"),
        *("forward_ms", "backward_ms", "recompute_ms", "engine_ms", "optimizer_ms", "data_ms"),
        *("copy_ms", "python_ms", "operators", "allocated_bytes", "peak_bytes"),
    ),
    "memory": (
        *("peak_bytes", "boundary_peak_bytes", "process_peak_bytes", "capacity_bytes"),
        *("device_peak_bytes", "device_capacity_bytes", "peak_step"),
        *(f"at_peak_{category}_bytes" for category in _CATEGORIES),
        *("buffers_bytes", "unattributed_bytes"),
    ),
    "series": ("module", "tensor", "topic", "statistic", "step", "value"),
    "training_steps": (
        *("step", "epoch", "figures", "non_finite"),
        *("loss", "gradient_l2", "weight_l2", "update_l2"),
    ),
    "verdicts": (
        *("rule", "severity", "step", "module", "tensor", "topic"),
        *("file", "line", "cause", "advice"),
    ),
}
_TEXTS = {
    *("file", "function", "source", "path", "type", "name", "role"),
    *("module", "tensor", "topic", "statistic", "rule", "severity", "cause", "advice"),
}
_REALS = {"value", "loss", "gradient_l2", "weight_l2", "update_l2"}
_MEANS = {"calls", "module_calls", "python_calls"}  # per step, so they may have a fraction


def main() -> None:
    """The native program starts this, with RUN and DIR as arguments."""
    run, folder = sys.argv[1:]
    try:
        write_tables({**tables_of(Run(run)), **training_of(run)}, folder=pathlib.Path(folder))
    except (OSError, ValueError) as failure:
        sys.exit(f"sightline: the .parquet files cannot be written: {failure}")


def write_tables(tables: dict[str, list[Row]], *, folder: pathlib.Path) -> None:
    """Writes all tables or, if one cannot be written, none."""
    was_there = folder.is_dir()
    folder.mkdir(exist_ok=True)
    parts: dict[pathlib.Path, pathlib.Path] = {}
    try:
        for name, rows in tables.items():
            schema = schema_of(name)
            part = folder / f".sightline-{os.getpid()}-{name}.part"
            parts[part] = folder / f"{name}.parquet"
            pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), part)
        for part, final in parts.items():
            part.replace(final)
    finally:
        for part in parts:
            part.unlink(missing_ok=True)
        if not was_there and not any(folder.iterdir()):
            folder.rmdir()


def tables_of(run: Run) -> dict[str, list[Row]]:
    return {
        "lines": run.lines,
        "modules": run.modules,
        "operators": run.operators,
        "steps": run.steps,
        "memory": [memory_row(run.memory)],
    }


def training_of(path: str) -> dict[str, list[Row]]:
    """What a supervised training has besides; nothing of another run."""
    return {name: json.loads(rows) for name, rows in _core.training_tables(path).items()}


def memory_row(memory: Row) -> Row:
    """The report's memory as one row: its categories at the peak become columns."""
    row = {key: value for key, value in memory.items() if key != "at_peak"}
    for category, count in memory["at_peak"].items():
        row[f"at_peak_{category}_bytes"] = count
    return row


def schema_of(table: str) -> Any:
    return pyarrow.schema([(column, _type_of(table, column)) for column in COLUMNS[table]])


def _type_of(table: str, column: str) -> Any:
    if column in _TEXTS:
        return pyarrow.string()
    if column == "library":
        return pyarrow.bool_()
    if column in _REALS:
        return pyarrow.float64()
    is_mean = column in _MEANS or (table == "lines" and column == "allocated_bytes")
    return pyarrow.float64() if is_mean or column.endswith("_ms") else pyarrow.int64()
