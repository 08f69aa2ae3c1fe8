"""Runs a model as often as it takes to know what it costs."""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from sightline.measure import _optimizer
from sightline.measure._memory import WATCHED, peak_of
from sightline.measure._untouched import gradients_kept
from sightline.measure._values import tensors
from sightline.measure._watching import Watch

LAYER_RUNS = 10  # timed layer by layer, at most


class Runs:
    """The kinds of runs that a measurement is made of; none disturbs another. `leaves` are the
    tensors that may get a gradient."""

    def __init__(
        self, watch: Watch, leaves: list[Any], forward: Callable[[], Any], device: Any
    ) -> None:
        self._watch = watch
        self._collector = watch.collector
        self._leaves = leaves
        self._forward = forward
        self._device = device

    def rehearse(self, keeping: Callable[[], AbstractContextManager[None]]) -> None:
        """Before all others: what the model writes to its weights is known from then on."""
        import torch

        if self._device.type != "meta":
            with torch.no_grad(), keeping():
                self._forward()

    def time(self, repetitions: int | None) -> list[float]:
        import torch

        with torch.no_grad(), _no_garbage_collection():
            times: list[float] = self._collector.time_calls(self._finished_forward, repetitions)
            if times and self._device.type == "cpu":
                self._time_layers(min(len(times), LAYER_RUNS))
        return times

    def _time_layers(self, runs: int) -> None:
        """Not for devices that work while the program goes on: there a layer returns too early."""
        with self._watch.layers():
            self._forward()
            self._collector.drop_layers()
            for _ in range(runs):
                self._forward()
                self._collector.keep_layer_times()

    def _finished_forward(self) -> None:
        import torch

        self._forward()
        if self._device.type != "cpu":
            torch.accelerator.synchronize(self._device)

    def inference_peak(self) -> int:
        import torch

        with torch.no_grad():
            peak = peak_of(self._forward, self._collector, self._device)
            if self._device.type in WATCHED:
                with self._watch.layers():
                    peak_of(self._forward, self._collector, self._device)
                self._collector.keep_layer_peaks()
        return peak

    def training_peak(self, optimizer: Any) -> int | None:
        trained = False

        def train() -> None:
            nonlocal trained
            trained = self._train(optimizer)

        with gradients_kept(self._leaves), _optimizer.undone(optimizer):
            peak = peak_of(train, self._collector, self._device)
        return peak if trained else None

    def _train(self, optimizer: Any) -> bool:
        """False if no output wants a gradient."""
        import torch

        with torch.enable_grad():
            ends = _differentiable(self._forward())
            if ends:
                torch.autograd.backward(ends, [torch.ones_like(end) for end in ends])
        if ends and optimizer is not None:
            _optimizer.step(optimizer)
        return bool(ends)

    def count(self, backward: bool, optimizer: Any) -> None:
        """The peaks of layers in training come from this run too: it knows which layer the backward
        pass runs through."""
        with gradients_kept(self._leaves), _optimizer.undone(optimizer), self._watch.layers():
            if backward and self._device.type in WATCHED:
                run = functools.partial(self._count_once, backward, optimizer)
                peak_of(run, self._collector, self._device)
            else:
                self._count_once(backward, optimizer)

    def _count_once(self, backward: bool, optimizer: Any) -> None:
        import torch

        with torch.set_grad_enabled(backward):
            with self._watch.operators():
                outputs = self._forward()
            ends = _differentiable(outputs) if backward else []
            if not ends:
                return
            gradients = [torch.ones_like(end) for end in ends]
            with self._watch.operators():
                torch.autograd.backward(ends, gradients)
            if optimizer is not None:
                self._collector.begin_optimizer_step()
                with self._watch.operators():
                    _optimizer.step(optimizer)


def _differentiable(outputs: Any) -> list[Any]:
    return [tensor for tensor in tensors(outputs) if tensor.requires_grad]


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
