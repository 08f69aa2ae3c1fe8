"""What it costs to look at the tensors of a training, against the bare training and against the
same by hooks in Python. Processor time of the calling thread, one torch thread."""

from __future__ import annotations

import contextlib
import gc
import pathlib
import statistics
import tempfile
from typing import Any

import pairs
import torch
import torch.nn.functional as F
import worker
from cifar_resnet import ResNet18
from results import Result
from supervised import Native, PythonHooks, PythonNorms, Step, timed
from switches import Switches
from torch import nn

import sightline

ROUNDS_OF_RESNET = 12
ROUNDS_OF_LAYERS = 300
QUICK = 6  # times fewer
WARM_UP = 12  # past the steps in which quantiles are made too
LAYERS = 200
WIDTH = 32


def measure(quick: bool) -> list[Result]:
    return [*_resnet(quick), *_layers(quick)]


def _resnet(quick: bool) -> list[Result]:
    rounds = ROUNDS_OF_RESNET // (QUICK if quick else 1)
    times = worker.call("supervision", "run_resnet", rounds=max(rounds, 3))
    ratio = pairs.median(pairs.paired_ratios(times["native"], times["bare"]))
    ours, theirs = _added(times, "native"), _added(times, "python")
    bare_ms = statistics.median(times["bare"]) / 1e6
    return [
        Result(
            "CIFAR ResNet-18, batch 32, all figures of all tensors in every step, against bare",
            ratio.value,
            "x",
            bar=1.10,
            note=f"{ratio.note('pairs')}; a bare step takes {bare_ms:.0f} ms",
        ),
        _of_python("the time added, against torch's operators in Python hooks", ours, theirs, 10),
    ]


def _layers(quick: bool) -> list[Result]:
    rounds = ROUNDS_OF_LAYERS // (QUICK if quick else 1)
    times = worker.call("supervision", "run_layers", rounds=rounds)
    what = f"norms of all gradients of {LAYERS} small layers, time added, against Python hooks"
    return [_of_python(what, _added(times, "native"), _added(times, "python"), 20)]


def _added(times: dict[str, list[float]], which: str) -> pairs.Median:
    return pairs.median(pairs.paired_differences(times[which], times["bare"]))


def _of_python(what: str, ours: pairs.Median, theirs: pairs.Median, times: int) -> Result:
    return Result(
        what,
        ours.value / theirs.value,
        "x",
        bar=1 / times,
        note=f"ours {ours.value / 1e6:.3f} ms +- {ours.error / 1e6:.3f}, by Python "
        f"{theirs.value / 1e6:.2f} ms +- {theirs.error / 1e6:.2f}",
    )


def run_resnet(rounds: int) -> dict[str, list[int]]:
    torch.manual_seed(0)
    model = ResNet18()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4)
    images, labels = torch.randn(32, 3, 32, 32), torch.randint(0, 10, (32,))

    def step() -> None:
        optimizer.zero_grad()
        F.cross_entropy(model(images), labels).backward()
        optimizer.step()

    topics = {"weights", "gradients", "updates", "activations"}
    return _interleaved(
        model, optimizer, step, rounds, PythonHooks(model, optimizer), topics=topics
    )


def run_layers(rounds: int) -> dict[str, list[int]]:
    torch.manual_seed(0)
    layers = [part for _ in range(LAYERS) for part in (nn.Linear(WIDTH, WIDTH), nn.ReLU(True))]
    model = nn.Sequential(*layers)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, foreach=True)
    inputs = torch.randn(16, WIDTH)

    def step() -> None:
        optimizer.zero_grad()
        model(inputs).square().mean().backward()
        optimizer.step()

    options: dict[str, Any] = {"topics": {"gradients"}, "figures": {"l2"}}
    return _interleaved(model, optimizer, step, rounds, PythonNorms(model), **options)


def _interleaved(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    step: Step,
    rounds: int,
    python: Any,
    **options: Any,
) -> dict[str, list[int]]:
    """Nanoseconds of each kind of step, one of each in a round."""
    torch.set_num_threads(1)
    times: dict[str, list[int]] = {"bare": [], "native": [], "python": []}
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder:
        recorded = sightline._recording.Recording(pathlib.Path(folder) / "bench.sightline")
        assert recorded._native is not None
        Switches().observe(False)  # operators and memory are not recorded here: tensors alone
        native = Native(recorded._native, model, optimizer, **options)
        kinds = {"bare": contextlib.nullcontext(), "native": native, "python": python}
        with native:
            for _ in range(WARM_UP):
                step()
        gc.collect()
        gc.disable()
        for number in range(rounds):
            order = list(kinds) if number % 2 else list(reversed(kinds))
            for kind in order:
                with kinds[kind]:
                    times[kind].append(timed(step))
        recorded.stop()
    return times
