"""Where the values of a metric go."""

from __future__ import annotations

import logging
import re
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from sightline import _core
from sightline.supervise._statistics import statistics

if TYPE_CHECKING:
    from sightline.supervise._bus import MessageBus

_log = logging.getLogger("sightline")


@dataclass(frozen=True)
class PlotConfig:
    title: str
    xlabel: str = "Step"
    ylabel: str = ""
    ylims: tuple[float, float] | None = None
    redraw_interval: int = 10  # values, in a figure
    log_dir: str | None = None  # of event files

    @staticmethod
    def of(words: Mapping[str, Any]) -> PlotConfig:
        """ValueError for a word that it does not know."""
        unknown = set(words) - {field.name for field in fields(PlotConfig)}
        if unknown:
            raise ValueError(f"plot_config does not know {', '.join(sorted(unknown))}")
        return PlotConfig(**{word: value for word, value in words.items() if value is not None})

    @property
    def topic(self) -> str:
        return re.sub(r"[^a-z0-9]+", "_", self.title.lower()).strip("_")


class Backend:
    """Takes values and histograms. This one lets them go."""

    def __init__(self, config: PlotConfig) -> None:
        self.config = config

    def attach(self, bus: MessageBus) -> None:
        """From now on values are of what is told on this bus."""

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
        """A value of what is called `name`, at a global step."""

    def add_histogram(
        self, name: str, data: Any, step: int, *, tensor: str = "", topic: str = ""
    ) -> None:
        """How the values of a tensor are spread."""
        self.put_histogram(name, *histogram_of(data), step, tensor=tensor, topic=topic)

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
        """The same, counted already."""

    def flush(self) -> None:
        """Makes visible what has come."""


class RunBackend(Backend):
    """Series of the run file that is being recorded."""

    _warned = False

    def __init__(self, config: PlotConfig) -> None:
        super().__init__(config)
        self._bus: weakref.ref[MessageBus] | None = None

    def attach(self, bus: MessageBus) -> None:
        self._bus = weakref.ref(bus)

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
        series = self._series()
        if series is not None:
            topic = topic or self.config.topic
            series.publish_value(topic, "", name, tensor, step, epoch, float(value))

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
        series = self._series()
        if series is not None:
            series.publish_histogram(topic or self.config.topic, name, tensor, step, edges, counts)

    def _series(self) -> _core.Supervision | None:
        from sightline import _recording

        bus = None if self._bus is None else self._bus()
        series = _recording.series_of_running(self if bus is None else bus)
        if series is None and not RunBackend._warned:
            RunBackend._warned = True
            _log.warning(
                "no recording runs, so the values of %s are kept in its `values` only: train "
                "under `sightline run` or `sightline.record`, or choose another backend",
                self.config.title,
            )
        return series


def histogram_of(data: Any) -> tuple[list[float], list[int]]:
    """Edges and counts; none of a tensor without finite values. Bins at both ends that hold
    nothing are left out."""
    sketch = _core.Sketch()
    statistics(data, sketch)
    bins = sketch.linear_bins()
    while bins and bins[0][2] == 0:
        bins.pop(0)
    while bins and bins[-1][2] == 0:
        bins.pop()
    if not bins:
        return [], []
    return [bins[0][0], *(upper for _, upper, _ in bins)], [count for _, _, count in bins]


def make_backend(backend: str | Backend | None, config: PlotConfig) -> Backend:
    """ValueError for a name that it does not know; ImportError if matplotlib is wanted and not
    there."""
    if isinstance(backend, Backend):
        return backend
    if backend is None:
        return Backend(config)
    if backend == "run":
        return RunBackend(config)
    if backend == "tb":
        from sightline.supervise._tensorboard import TensorBoardBackend

        return TensorBoardBackend(config)
    if backend == "mpl":
        from sightline.supervise._figure import FigureBackend

        return FigureBackend(config)
    raise ValueError(f"backend is 'run', 'tb', 'mpl' or None, not {backend!r}")
