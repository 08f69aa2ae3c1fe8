"""Reads a run file: its tables as rows, as data frames, or shown in a notebook."""

from __future__ import annotations

import html
import json
import os
import pathlib
from typing import TYPE_CHECKING, Any

from sightline import _core

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]


class Table(list[Row]):
    """Rows, which are dicts. `frame()` makes a pandas data frame of them."""

    def frame(self) -> pandas.DataFrame:
        import pandas

        return pandas.DataFrame(list(self))


class Run:
    """A run that was recorded. `report` is all of it, as `sightline report --json` prints it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = str(pathlib.Path(path))
        self._native = _core.read_run(self.path)
        self.report: Row = json.loads(self._native.report_json(self.path))

    @property
    def lines(self) -> Table:
        return Table(self.report["lines"])

    @property
    def modules(self) -> Table:
        return Table(self.report["modules"])

    @property
    def operators(self) -> Table:
        return Table(self.report["operators"])

    @property
    def steps(self) -> Table:
        return Table(json.loads(self._native.steps_json()))

    @property
    def findings(self) -> Table:
        return Table(self.report["findings"])

    @property
    def verdicts(self) -> Table:
        return Table(self.report["verdicts"])

    @property
    def series(self) -> Table:
        """Of a supervised training: a row for each module, tensor, topic, statistic and step. What
        is not finite is None."""
        return Table(json.loads(_core.series_json(self.path)))

    @property
    def batch_models(self) -> _core.BatchModels | None:
        """Answers questions about other batch sizes, if `sightline profile` measured enough."""
        return self._native.batch_models()

    @property
    def memory(self) -> Row:
        return dict(self.report["memory"])

    @property
    def phases(self) -> Row:
        return dict(self.report["phases"])

    def __str__(self) -> str:
        return self._native.report_text(self.path)

    def __repr__(self) -> str:
        wall_ms = self.report["iteration"]["wall_ms"]
        steps = self.report["iteration"]["steps"]
        speed = "no step timed" if wall_ms is None else f"{wall_ms:.3g} ms a step"
        return f"<sightline.Run {self.path}: {steps} steps, {speed}>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def open(path: str | os.PathLike[str]) -> Run:
    """Reads a run file, finished or still being recorded."""
    return Run(path)
