"""The loss of evaluation passes, as far as it is computed by loss modules of torch: when the model
is in eval mode and no gradients are wanted."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.modules.loss import _Loss


class EvaluationLosses:
    """Watches every loss module that is made from now on, until `remove`."""

    def __init__(self, in_evaluation: Callable[[], bool]) -> None:
        self._in_evaluation = in_evaluation
        self._handles: list[Any] = []
        self._sum: Tensor | None = None
        self._samples = 0
        self._make = _Loss.__init__
        _Loss.__init__ = self._watching(self._make)  # type: ignore[method-assign]

    def remove(self) -> None:
        made_by: Any = _Loss.__init__
        if getattr(made_by, "__wrapped__", None) is self._make:
            _Loss.__init__ = self._make  # type: ignore[method-assign]
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def take_mean(self) -> float | None:
        """Over all samples since the last time; None if there was no evaluation."""
        if self._sum is None:
            return None
        mean = float(self._sum) / self._samples
        self._sum, self._samples = None, 0
        return mean

    def _watching(self, make: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(make)
        def watching(loss: nn.Module, *arguments: Any, **options: Any) -> None:
            make(loss, *arguments, **options)
            self._handles.append(loss.register_forward_hook(self._note))

        return watching

    def _note(self, module: nn.Module, arguments: tuple[Any, ...], output: Any) -> None:
        if torch.compiler.is_compiling() or not isinstance(output, Tensor):
            return
        if output.requires_grad or output.numel() != 1 or not self._in_evaluation():
            return
        first = arguments[0] if arguments else None
        samples = len(first) if isinstance(first, Tensor) and first.dim() > 0 else 1
        # A criterion that sums has the samples in it already.
        loss = output.detach() * (1 if getattr(module, "reduction", "mean") == "sum" else samples)
        self._sum = loss if self._sum is None else self._sum + loss
        self._samples += max(samples, 1)
