"""What the statistics of a tensor cost on one thread, against torch's plain sum of the same tensor.
Processor time of the calling thread: who else uses the machine does not count."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pairs
import torch
import worker
from results import Result

from sightline import _core

ELEMENTS = 10_000_000
ROUNDS = 40
ROUNDS_QUICK = 10


def measure(quick: bool) -> list[Result]:
    ns = worker.call("tensor_statistics", "run", rounds=ROUNDS_QUICK if quick else ROUNDS)
    return [
        _result(f"ten statistics of {ELEMENTS:,} floats", ns["statistics"], ns["sum"], 2),
        _result("the same with quantiles and histogram", ns["spread"], ns["sum"], 4),
        _result("the same of a ReLU's output", ns["spread_of_relu"], ns["sum_of_relu"], 4),
    ]


def _result(what: str, ours: list[float], theirs: list[float], bar: float) -> Result:
    ratio = pairs.median(pairs.paired_ratios(ours, theirs))
    total = pairs.median(theirs).value
    return Result(
        f"{what}, against torch.sum",
        ratio.value,
        "x",
        bar=bar,
        note=f"{ratio.note('pairs')}; torch.sum takes {total / 1e6:.2f} ms, "
        f"ours {pairs.median(ours).value / 1e6:.2f} ms",
    )


def run(rounds: int) -> dict[str, list[float]]:
    """Nanoseconds, one of each round."""
    torch.set_num_threads(1)
    values = torch.randn(ELEMENTS)
    relu = torch.relu(values)
    calls: dict[str, Callable[[], Any]] = {
        "sum": values.sum,
        "statistics": lambda: _core.statistics_of(values),
        "spread": lambda: _spread(values),
        "sum_of_relu": relu.sum,
        "spread_of_relu": lambda: _spread(relu),
    }
    ns: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            start = time.thread_time_ns()
            call()
            ns[name].append(time.thread_time_ns() - start)
    return {name: every[2:] for name, every in ns.items()}  # the first touch everything


def _spread(tensor: torch.Tensor) -> list[tuple[float, float, int]]:
    sketch = _core.Sketch()
    _core.statistics_of(tensor, sketch)
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        sketch.quantile(share)
    return sketch.linear_bins()
