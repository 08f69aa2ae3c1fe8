"""What a bar has to say, and the table of all of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any


@dataclasses.dataclass
class Result:
    what: str
    figure: float
    unit: str
    bar: float | None = None  # None: for information only
    at_least: bool = False  # the figure must reach the bar; else it must not pass it
    peer: str = ""  # what the peer needs for the same
    note: str = ""  # how sure the figure is, what it was made from

    @property
    def passed(self) -> bool:
        if self.bar is None:
            return True
        return self.figure >= self.bar if self.at_least else self.figure <= self.bar

    def as_json(self) -> dict[str, Any]:
        return {**dataclasses.asdict(self), "passed": self.passed}


def table(results: Sequence[Result]) -> str:
    rows: list[tuple[str, ...]] = [("what", "figure", "bar", "torch.profiler", "")]
    rows += [_cells(result) for result in results]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    rows.insert(1, tuple("-" * width for width in widths))
    lines = []
    for row in rows:
        what, figure, bar, peer, verdict = row
        lines.append(
            f"{what:<{widths[0]}}  {figure:>{widths[1]}}  {bar:>{widths[2]}}  "
            f"{peer:<{widths[3]}}  {verdict}".rstrip()
        )
    return "\n".join(lines)


def _cells(result: Result) -> tuple[str, str, str, str, str]:
    figure = f"{number(result.figure)} {result.unit}".strip()
    if result.bar is None:
        return (result.what, figure, "", result.peer, "")
    sign = ">=" if result.at_least else "<="
    bar = f"{sign} {number(result.bar)} {result.unit}".strip()
    return (result.what, figure, bar, result.peer, "pass" if result.passed else "MISSED")


def number(value: float) -> str:
    """Three digits after the point for small numbers, none for large ones."""
    size = abs(value)
    if size < 10:
        return f"{value:.3f}"
    return f"{value:.1f}" if size < 1000 else f"{value:,.0f}"
