"""Times of repeated calls. How long something takes is not tested, only what is said of it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch import nn

from sightline import measure


def test_the_summary_is_that_of_the_times() -> None:
    result = measure.measure(nn.Linear(8, 8), torch.randn(2, 8), repetitions=30)
    summary = result.execution_time
    assert summary is not None
    assert summary.runs == len(result.times_ms) == 30
    assert summary.median == pytest.approx(np.median(result.times_ms))
    assert summary.p10 == pytest.approx(np.percentile(result.times_ms, 10))
    assert summary.p90 == pytest.approx(np.percentile(result.times_ms, 90))
    # Of 30 values the 10th and the 21st hold the median with 95 %: tables of the sign test.
    ordered = sorted(result.times_ms)
    assert (summary.confidence_low, summary.confidence_high) == (ordered[9], ordered[20])
    assert summary.confidence == 0.95
    assert summary.noise in ("steady", "noisy")


def test_without_a_number_there_are_enough_runs_to_say_how_sure_it_is() -> None:
    summary = measure.measure(nn.Linear(8, 8), torch.randn(2, 8)).execution_time
    assert summary is not None
    assert 10 <= summary.runs <= 100
    assert summary.confidence_low is not None


def test_without_data_there_are_no_times() -> None:
    with torch.device("meta"):
        result = measure.measure(nn.Linear(8, 8), torch.zeros(2, 8))
    assert result.times_ms == []
    assert result.execution_time is None
    assert result.layers[0].time is None


def test_a_sweep_has_a_row_for_each_batch_size() -> None:
    model = nn.Linear(8, 16, bias=False)
    rows = measure.sweep(model, lambda size: torch.randn(size, 8), [1, 4], repetitions=8)
    assert [row.batch_size for row in rows] == [1, 4]
    assert [row.inference_peak for row in rows] == [64, 256]
    for row in rows:
        assert len(row.times_ms) == 8
        assert row.samples_per_second == pytest.approx(row.batch_size * 1000 / row.time.median)


def test_a_sweep_takes_keywords_and_several_inputs() -> None:
    model = nn.Bilinear(2, 3, 4)
    both = {"input1": torch.randn(5, 2), "input2": torch.randn(5, 3)}
    assert len(measure.sweep(model, lambda size: both, [5], repetitions=1)) == 1
    assert len(measure.sweep(model, lambda size: list(both.values()), [5], repetitions=1)) == 1
    with pytest.raises(ValueError, match="nothing to time"):
        measure.sweep(model, lambda size: both, [5], repetitions=0)


def test_importing_sightline_imports_no_framework() -> None:
    program = "import sightline, sightline.measure, sys; print('torch' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "False"
