"""Where tables go, and what is in them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable
from typing import Any

from sightline._core import ModelStatus, shown_keys
from sightline.measure._metrics import (
    Comparative,
    DynamicEvalMetric,
    LayerwiseSummary,
    Metric,
    StatusKey,
)

PRINT_MODES = ("debug", "info", "warning", "error", "critical")


class _StandardOutput:
    """Stands where a logger can stand, and needs no setting up."""

    def write(self, message: str) -> None:
        sys.stdout.write(message + "\n")
        sys.stdout.flush()

    debug = info = warning = error = critical = write


_logger: Any = _StandardOutput()


def setLogger(logger: Any) -> None:  # noqa: N802, the name that deeplite-profiler has
    """Tables go to the logger's method of the print mode. None: to standard output again."""
    global _logger
    missing = [] if logger is None else [m for m in PRINT_MODES if not hasattr(logger, m)]
    if missing:
        raise TypeError(f"{logger!r} is no logger: it has no method {missing[0]!r}")
    _logger = _StandardOutput() if logger is None else logger


def getLogger() -> Any:  # noqa: N802, the name that deeplite-profiler has
    """Where tables go."""
    return _logger


def checked_print_mode(print_mode: str | None) -> str | None:
    if print_mode is None:
        return None
    if not isinstance(print_mode, str) or print_mode.lower() not in PRINT_MODES:
        raise ValueError(
            f"print_mode is {print_mode!r}; it can be None or {', '.join(PRINT_MODES)}"
        )
    return print_mode.lower()


class Display:
    """Which metrics a table shows, and in which order: `order` first, by names; then, unless
    `include_leftovers` is False, the others as they were registered; nothing of `exclude`."""

    def __init__(
        self,
        *,
        order: Iterable[str] | None = None,
        include_leftovers: bool = True,
        exclude: str | Iterable[str] | None = None,
    ) -> None:
        self.order = list(order or [])
        self.include_leftovers = include_leftovers
        self.exclude = [exclude] if isinstance(exclude, str) else list(exclude or [])

    def text(self, profiler: Any, other: Any = None, *, short_print: bool = True) -> str:
        """The table of one profiler or of two; the long form has the layers and notes too."""
        first = self._model_status(profiler)
        second = None if other is None else self._model_status(other)
        table = first.table(second, descriptions=not short_print)
        profilers = [] if short_print else [one for one in (profiler, other) if one is not None]
        return "\n".join([*_layer_tables(profilers), table]).rstrip("\n")

    def show(self, text: str, print_mode: str) -> None:
        # A logger writes something before the text, which would break the first line of a table.
        getattr(_logger, print_mode)("\n" + text)

    def _model_status(self, profiler: Any) -> ModelStatus:
        status = profiler.status_to_dict(to_value=False)
        metrics = {key: one for key, one in status.items() if isinstance(one, Metric)}
        keys = shown_keys(
            list(metrics),
            secondary=[k for k, one in metrics.items() if isinstance(one, DynamicEvalMetric)],
            order=self.order,
            excluded=self.exclude,
            leftovers=self.include_leftovers,
        )
        model = ModelStatus(str(profiler.name), str(profiler.backend))
        for key in keys:
            _add_row(model, key, metrics[key])
        return model


def _layer_tables(profilers: list[Any]) -> list[str]:
    tables = []
    for profiler in profilers:
        summary: StatusKey | None = profiler.status_to_dict(to_value=False).get(
            LayerwiseSummary.NAME
        )
        if summary is not None and summary.value:
            tables.append(f"Layers of {profiler.name}\n{summary.value}".rstrip("\n") + "\n")
    return tables


def _add_row(model: ModelStatus, key: str, metric: Metric) -> None:
    value = _number(metric.value)
    shown = None if metric.value is None else metric.get_value()
    comparative = metric.get_comparative()
    model.add(
        key=key,
        label=str(metric.friendly_name()),
        description=str(metric.description()),
        comparative=comparative.value if isinstance(comparative, Comparative) else str(comparative),
        unit=_unit(metric),
        value=value,
        shown=_number(shown),
        text="" if metric.value is None else str(shown),
    )


def _unit(metric: Metric) -> str:
    if metric.value is None:
        # A unit that follows from the value, which is not there yet.
        with contextlib.suppress(TypeError):
            return str(metric.get_units())
        return ""
    return str(metric.get_units())


def _number(value: Any) -> float | None:
    if value is None or isinstance(value, str | bytes):
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None
