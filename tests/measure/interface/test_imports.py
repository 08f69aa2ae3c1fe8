"""What is imported when, and what a star brings."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(code: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.parametrize("module", ["sightline", "sightline.measure"])
def test_no_framework_is_imported(module: str) -> None:
    frameworks = "{'torch', 'tensorflow', 'keras', 'jax', 'numpy', 'pandas'}"
    assert run(f"import sys, {module}; print({frameworks} & set(sys.modules))") == "set()\n"


def test_a_star_brings_what_the_guide_uses() -> None:
    names = """TorchProfiler, ComputeComplexity, ComputeExecutionTime, ComputeEvalMetric, Device,
        ComputeFlops, ComputeSize, ComputeParams, ComputeLayerwiseSummary, StatusKey, Metric,
        get_accuracy, get_missclass, get_topk, EvalLossFunction, Comparative, ProfilerFunction,
        ExternalProfilerFunction, setLogger, getLogger"""
    run(f"from sightline.measure.torch import *\n({names})\n")


def test_torch_stays_torch_beside_the_package_of_that_name() -> None:
    code = "import torch, sightline.measure.torch as ours; from sightline import measure\n"
    run(code + "assert ours is not torch and measure.torch is ours and torch.zeros(1) == 0")
