"""Metrics that look at the numbers of a tensor, not at its shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sightline import _core
from sightline.supervise._messages import Message
from sightline.supervise._metric import MetricSubscriber
from sightline.supervise._statistics import plain, statistics


class MeanSubscriber(MetricSubscriber):
    """Arithmetic mean of the finite elements."""

    name, title = "mean", "Mean"

    def value_of(self, message: Message) -> float:
        return _of(message).mean


class SumSubscriber(MetricSubscriber):
    """Sum of the finite elements."""

    name, title = "sum", "Sum"

    def value_of(self, message: Message) -> float:
        figures = _of(message)
        finite = figures.count - figures.non_finite
        return figures.mean * finite if finite else 0.0


class VarianceSubscriber(MetricSubscriber):
    """Unbiased variance of the finite elements."""

    name, title = "variance", "Variance"

    def value_of(self, message: Message) -> float:
        return _of(message).variance


class NormSubscriber(MetricSubscriber):
    """The norm of some order, of the finite elements in a row; infinity is the largest
    magnitude."""

    title = "Norm"

    def __init__(
        self, kind: str | Sequence[str], *arguments: Any, order: float = 2, **options: Any
    ):
        if arguments and isinstance(arguments[0], (int, float)):
            order, *arguments = arguments  # type: ignore[assignment]
        if not order >= 0:
            raise ValueError(f"order is 0 or more, not {order}")
        self.order = order
        self.name = f"norm{order:g}"  # type: ignore[misc]
        super().__init__(kind, *arguments, **options)

    def value_of(self, message: Message) -> float:
        return _core.norm_of(plain(message.data), self.order)


class AbsMaxSubscriber(MetricSubscriber):
    """Largest magnitude."""

    name, title = "absmax", "Largest magnitude"

    def value_of(self, message: Message) -> float:
        return _of(message).absmax


class MinSubscriber(MetricSubscriber):
    """Smallest value."""

    name, title = "min", "Minimum"

    def value_of(self, message: Message) -> float:
        return _of(message).min


class MaxSubscriber(MetricSubscriber):
    """Largest value."""

    name, title = "max", "Maximum"

    def value_of(self, message: Message) -> float:
        return _of(message).max


class ZeroShareSubscriber(MetricSubscriber):
    """Share of the elements that are zero."""

    name, title = "zero_share", "Share of zeros"

    def value_of(self, message: Message) -> float | None:
        figures = _of(message)
        return figures.zero_share if figures.count else None


class NonFiniteShareSubscriber(MetricSubscriber):
    """Share of the elements that are not a number or infinite."""

    name, title = "non_finite_share", "Share of non-finite"

    def value_of(self, message: Message) -> float | None:
        figures = _of(message)
        return figures.non_finite / figures.count if figures.count else None


class QuantileSubscriber(MetricSubscriber):
    """The value that has `share` of the finite elements below it, at most 1/64 off. `sketch` has
    all that was seen, of all messages; sketches merge without loss."""

    title = "Quantile"

    def __init__(
        self, kind: str | Sequence[str], *arguments: Any, share: float = 0.5, **options: Any
    ):
        if arguments and isinstance(arguments[0], (int, float)):
            share, *arguments = arguments  # type: ignore[assignment]
        if not 0 <= share <= 1:
            raise ValueError(f"share is from 0 to 1, not {share}")
        self.share = share
        self.name = f"quantile{share:g}"  # type: ignore[misc]
        self.sketch = _core.Sketch()
        super().__init__(kind, *arguments, **options)

    def value_of(self, message: Message) -> float | None:
        sketch = _core.Sketch()
        statistics(message.data, sketch)
        self.sketch.merge(sketch)
        return sketch.quantile(self.share)


class HistogramSubscriber(MetricSubscriber):
    """How the elements are spread, to the backend; `histograms` has the newest of each name, as
    edges and counts."""

    name, title = "histogram", "Histogram"

    def __init__(self, kind: str | Sequence[str], *arguments: Any, **options: Any) -> None:
        self.histograms: dict[tuple[str, str], tuple[list[float], list[int]]] = {}
        super().__init__(kind, *arguments, **options)
        self._publications.clear()

    def compute(self, message: Message) -> None:
        from sightline.supervise._backend import histogram_of

        edges, counts = histogram_of(message.data)
        self.histograms[message.module, message.tensor] = (edges, counts)
        self._backend.put_histogram(
            message.module,
            edges,
            counts,
            message.global_step,
            tensor=message.tensor,
            topic=message.kind,
        )


def _of(message: Message) -> _core.Statistics:
    return statistics(message.data)
