"""Where values go: run files, TensorBoard, matplotlib, nowhere."""

from __future__ import annotations

import json
import logging
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from torch import nn

import sightline
from sightline import _core, supervise
from sightline.supervise import Backend, Exporter, MessageBus, configure_prefix
from sightline.supervise._backend import PlotConfig, RunBackend


@pytest.fixture
def runs(tmp_path: pathlib.Path) -> Iterator[pathlib.Path]:
    configure_prefix(str(tmp_path / "runs"))
    yield tmp_path / "runs"
    configure_prefix("runs")


def publish(bus: MessageBus, step: int, module: str, data: torch.Tensor) -> None:
    bus.publish_module_message(step, step, 0, "weights", (None, module), data, tensor="weight")


def test_tensorboard_reads_scalars_and_histograms_back(runs: pathlib.Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    bus = MessageBus()
    norm = supervise.NormSubscriber("weights", bus, backend="tb", plot_config={"title": "Norm"})
    supervise.HistogramSubscriber("weights", bus, backend="tb", plot_config={"title": "Spread"})
    generator = torch.Generator().manual_seed(1)
    truth = [torch.randn(1000, generator=generator) for _ in range(3)]
    for step, tensor in enumerate(truth):
        publish(bus, step, "layer", tensor)
    bus.unregister_all()
    events = EventAccumulator(str(runs / "run0"), size_guidance={"histograms": 0})  # keep all
    events.Reload()
    assert events.Tags()["scalars"] == ["Norm/layer.weight"]
    scalars = events.Scalars("Norm/layer.weight")
    assert [event.step for event in scalars] == [0, 1, 2]
    assert [event.value for event in scalars] == pytest.approx([float(t.norm()) for t in truth])
    assert [event.value for event in scalars] == pytest.approx([v for *_, v in norm.values])
    histograms = events.Histograms("Spread/layer.weight")
    for event, tensor in zip(histograms, truth, strict=True):
        value = event.histogram_value
        assert value.num == 1000
        assert value.min <= tensor.min()
        assert value.max >= tensor.max()
        assert value.sum == pytest.approx(float(tensor.sum()), abs=1000 * 0.1)
        below = 0.0
        for limit, count in zip(value.bucket_limit, value.bucket, strict=True):
            below += count
            assert below == int((tensor.double() <= limit).sum()) or limit == 0


def test_each_prefix_has_runs_of_its_own(tmp_path: pathlib.Path, runs: pathlib.Path) -> None:
    first = supervise.LossSubscriber(backend="tb")
    again = supervise.LossSubscriber(backend="tb")
    assert first.backend.path == again.backend.path  # type: ignore[attr-defined]
    configure_prefix(str(runs))
    other = supervise.LossSubscriber(backend="tb")
    assert pathlib.Path(other.backend.path).parent == runs / "run1"  # type: ignore[attr-defined]
    own = tmp_path / "own"
    chosen = supervise.LossSubscriber(backend="tb", plot_config={"log_dir": str(own)})
    assert pathlib.Path(chosen.backend.path).parent == own  # type: ignore[attr-defined]


def test_event_files_are_whole_when_the_process_ends(tmp_path: pathlib.Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    script = """
from sightline import supervise
import torch
bus = supervise.MessageBus()
supervise.MeanSubscriber("weights", bus, backend="tb", plot_config={"title": "Mean"})
for step in range(10):
    bus.publish_module_message(step, step, 0, "weights", (None, "m"), torch.full((3,), float(step)))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, check=False, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    events = EventAccumulator(str(tmp_path / "runs" / "run0"))
    events.Reload()
    assert [event.value for event in events.Scalars("Mean/m")] == list(range(10))


def train(exporter: Exporter, steps: int) -> nn.Module:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
    exporter.set_model(model)
    exporter.add_modules(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.ones(2, 3)).sum().backward()
        optimizer.step()
    return model


def test_values_are_series_of_the_run_that_is_recorded(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "own.sightline"
    with sightline.record(path), Exporter() as exporter:
        ratio = supervise.UpdateRatioSubscriber()
        exporter.subscribe(ratio)
        exporter.subscribe(supervise.HistogramSubscriber("weight_gradients"))
        train(exporter, 6)
    rows = json.loads(_core.training_tables(str(path))["series"])
    series = [
        (row["step"], row["module"], row["tensor"], row["value"])
        for row in rows
        if row["topic"] == "weight_updates_weights_ratio"
    ]
    assert sorted(series) == sorted(ratio.values)
    assert len(series) == 12


def test_without_a_recording_one_warning_says_where_values_are(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RunBackend, "_warned", False)
    with caplog.at_level(logging.WARNING, logger="sightline"), Exporter() as exporter:
        subscribers = [supervise.MeanSubscriber("weights"), supervise.SumSubscriber("weights")]
        for subscriber in subscribers:
            exporter.subscribe(subscriber)
        train(exporter, 3)
    (record,) = caplog.records
    assert "`sightline.record`" in record.getMessage()
    assert [len(subscriber.values) for subscriber in subscribers] == [6, 6]


def test_a_figure_has_a_line_for_each_name() -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    bus = MessageBus()
    options: dict[str, Any] = {"backend": "mpl", "plot_config": {"redraw_interval": 4}}
    mean = supervise.MeanSubscriber("weights", bus, ylims=(-1, 5), **options)
    spread = supervise.HistogramSubscriber("weights", bus, **options)
    for step in range(10):
        for module in ("a", "b"):
            publish(bus, step, module, torch.tensor([float(step), 0.0]))
    bus.unregister_all()
    try:
        (axes,) = mean.backend.figure.axes  # type: ignore[attr-defined]
        lines = {line.get_label(): line for line in axes.get_lines()}
        assert set(lines) == {"a.weight", "b.weight"}
        assert list(lines["a.weight"].get_xdata()) == list(range(10))
        assert list(lines["a.weight"].get_ydata()) == [step / 2 for step in range(10)]
        assert axes.get_ylim() == (-1, 5)
        assert axes.get_title() == "Mean of weights"
        (bars,) = spread.backend.figure.axes  # type: ignore[attr-defined]
        assert sum(bars.get_lines()[0].get_ydata()) == 2
    finally:
        plt.close("all")


def test_a_missing_matplotlib_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        supervise.MeanSubscriber("weights", backend="mpl")


def test_other_backends_are_refused_or_are_the_users_own() -> None:
    with pytest.raises(ValueError, match="'run', 'tb', 'mpl' or None"):
        supervise.MeanSubscriber("weights", backend="paper")

    class Own(Backend):
        def __init__(self) -> None:
            super().__init__(PlotConfig("own"))
            self.points: list[tuple[str, float, int]] = []

        def add_data(self, name: str, value: Any, step: int, **_: Any) -> None:
            self.points.append((name, value, step))

    own, bus = Own(), MessageBus()
    supervise.MeanSubscriber("weights", bus, backend=own)
    publish(bus, 3, "a", torch.ones(2))
    assert own.points == [("a", 1.0, 3)]


def test_a_disk_that_says_no_costs_the_subscriber_not_the_training(
    tmp_path: pathlib.Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Full(Backend):
        def add_data(self, name: str, value: Any, step: int, **_: Any) -> None:
            raise OSError("No space left on device")

    with Exporter() as exporter:
        exporter.subscribe(supervise.MeanSubscriber("weights", backend=Full(PlotConfig("full"))))
        train(exporter, 3)
        assert exporter.step == 3
    (record,) = caplog.records
    assert "No space left" in record.getMessage()
