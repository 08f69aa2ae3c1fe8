"""A finished recording, as the tests look at it: its report, its tables, its program's text."""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import sqlite3
from typing import Any

import sightline

Row = dict[str, Any]
LINE_SUMS = (
    "calls",
    "module_calls",
    "forward_ms",
    "backward_ms",
    "python_ms",
    "optimizer_ms",
    "data_ms",
    "self_ms",
    "total_ms",
    "self_ns",
    "total_ns",
    "allocated_bytes",
    "peak_bytes",
)


@dataclasses.dataclass
class RecordedRun:
    path: pathlib.Path
    program: str
    exit_code: int
    stdout: str
    stderr: str

    @functools.cached_property
    def report(self) -> Row:
        return sightline.open(self.path).report

    def rows(self, query: str, *values: Any) -> list[Row]:
        """What plain SQLite finds in the run file."""
        connection = sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in connection.execute(query, values)]
        finally:
            connection.close()

    def value(self, query: str, *values: Any) -> Any:
        (row,) = self.rows(query, *values)
        (value,) = row.values()
        return value

    def number_of(self, text: str) -> int:
        """The number of the only line of the program that contains the text."""
        numbers = [
            number for number, line in enumerate(self.program.splitlines(), start=1) if text in line
        ]
        assert len(numbers) == 1, f"{text!r} is on the lines {numbers} of the program"
        return numbers[0]

    def has_line(self, text: str) -> bool:
        return bool(self._rows_of(text))

    def line(self, text: str) -> Row:
        """The report's figures for the only line that contains the text. A line that belongs to
        two functions (a comprehension, a lambda) has them added."""
        rows = self._rows_of(text)
        assert rows, f"the report has no line {self.number_of(text)} ({text})"
        return {key: sum(row[key] for row in rows) for key in LINE_SUMS}

    def _rows_of(self, text: str) -> list[Row]:
        number = self.number_of(text)
        rows = [
            row
            for row in self.report["lines"]
            if row["file"] == "program.py" and row["line"] == number
        ]
        # Where one line holds nearly all, the report shows the library lines below it in its place.
        whole = self.report["descended"]
        if whole is None:
            return rows
        place = ("file", "line", "function")
        return [whole if all(row[key] == whole[key] for key in place) else row for row in rows]

    def module(self, path: str) -> Row:
        (row,) = [row for row in self.report["modules"] if row["path"] == path]
        return row

    def calls_per_step(self, operator: str, text: str | None = None, kind: str = "%") -> float:
        """How often a step called the operator, all in all or from one line of the program."""
        rows = self.rows(
            "SELECT sum(costs.calls) AS calls FROM costs"
            " JOIN operators ON operators.id = costs.op"
            " JOIN threads ON threads.id = costs.thread"
            " JOIN project_nodes ON project_nodes.node = costs.node"
            " JOIN nodes ON nodes.id = project_nodes.project_node"
            " JOIN frames ON frames.id = nodes.frame"
            " JOIN files ON files.id = frames.file"
            " WHERE threads.training AND operators.name = ? AND costs.kind LIKE ?"
            " AND (? IS NULL OR (files.path = 'program.py' AND frames.line = ?))",
            operator,
            kind,
            text,
            None if text is None else self.number_of(text),
        )
        return (rows[0]["calls"] or 0) / self.value("SELECT counted_steps FROM totals")
