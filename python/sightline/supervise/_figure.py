"""Metrics as figures of matplotlib: a line for each name; of histograms the newest of each."""

from __future__ import annotations

import itertools
from typing import Any

from sightline.supervise._backend import Backend, PlotConfig


class FigureBackend(Backend):
    """`figure` is redrawn after every `redraw_interval` values, and shown where matplotlib can.
    ImportError if matplotlib is not installed."""

    def __init__(self, config: PlotConfig) -> None:
        super().__init__(config)
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError(
                "the backend 'mpl' needs matplotlib: pip install matplotlib, or choose "
                "'run', 'tb' or None"
            ) from error
        self.figure, self._axes = plt.subplots()
        self._axes.set_title(config.title)
        self._axes.set_xlabel(config.xlabel)
        self._axes.set_ylabel(config.ylabel)
        if config.ylims is not None:
            self._axes.set_ylim(*config.ylims)
        self._points: dict[str, tuple[list[int], list[float]]] = {}
        self._lines: dict[str, Any] = {}
        self._waiting = 0

    def add_data(
        self,
        name: str,
        value: Any,
        step: int,
        *,
        tensor: str = "",
        epoch: int = 0,
        topic: str = "",
    ) -> None:
        whole = _label(name, tensor)
        steps, values = self._points.setdefault(whole, ([], []))
        steps.append(step)
        values.append(float(value))
        self._draw_when_due(whole)

    def put_histogram(
        self,
        name: str,
        edges: list[float],
        counts: list[int],
        step: int,
        *,
        tensor: str = "",
        topic: str = "",
    ) -> None:
        whole = _label(name, tensor)
        middles = [(low + high) / 2 for low, high in itertools.pairwise(edges)]
        self._points[whole] = (middles, counts)  # type: ignore[assignment]
        self._draw_when_due(whole)

    def _draw_when_due(self, name: str) -> None:
        self._waiting += 1
        if name not in self._lines or self._waiting >= self.config.redraw_interval:
            self.flush()

    def flush(self) -> None:
        self._waiting = 0
        for name, (x, y) in self._points.items():
            if name not in self._lines:
                (self._lines[name],) = self._axes.plot([], [], label=name)
                self._axes.legend()
            self._lines[name].set_data(x, y)
        self._axes.relim()
        self._axes.autoscale_view(scaley=self.config.ylims is None)
        self.figure.canvas.draw_idle()


def _label(name: str, tensor: str) -> str:
    return ".".join(part for part in (name, tensor) if part) or "model"
