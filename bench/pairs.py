"""Medians, and how far to trust them."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Sequence


@dataclasses.dataclass
class Median:
    value: float
    error: float  # standard error, from the spread of the middle half
    count: int

    def note(self, of: str) -> str:
        return f"median of {self.count} {of}, +- {self.error:.3f}"


def median(values: Sequence[float]) -> Median:
    lower, middle, upper = statistics.quantiles(values, n=4, method="inclusive")
    # For a normal distribution sigma is (upper - lower) / 1.349, and the median's error 1.2533
    # sigma / sqrt(n). The middle half does not care about a few steps that were interrupted.
    error = 1.2533 * (upper - lower) / 1.349 / math.sqrt(len(values))
    return Median(middle, error, len(values))


def paired_ratios(over: Sequence[float], under: Sequence[float]) -> list[float]:
    return [a / b for a, b in zip(over, under, strict=True)]


def paired_differences(left: Sequence[float], right: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(left, right, strict=True)]
