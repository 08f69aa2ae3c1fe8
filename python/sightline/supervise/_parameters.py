"""Tells a bus of parameters when an optimizer steps: values and gradients before, updates and the
optimizer's state after. The work is done in C++, in one call for all parameters."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sightline import _core, _torch_support

if TYPE_CHECKING:
    import torch
    from torch import nn

_log = logging.getLogger("sightline")


def is_skipped(optimizer: torch.optim.Optimizer) -> bool:
    """Whether the step that the optimizer makes changes nothing, because a gradient scaler has
    found an overflow. Fused optimizers are called all the same, and told so."""
    found: Any = getattr(optimizer, "found_inf", None)
    return found is not None and bool(found)


class Parameters:
    """Publishes on the bus what it has of the watched parameters that the optimizer has, and of
    that only what somebody wants. Nothing is raised into the training."""

    def __init__(self, bus: _core.Bus) -> None:
        collector: Any = _torch_support.load_collector()
        self._sweep = collector.ParameterSweep(bus)
        self._told = False

    def watch(self, entries: Iterable[tuple[str, str, nn.Parameter]]) -> None:
        """Path of the module, name in it, and parameter; in place of those watched before. A
        parameter may have several names. It is not kept alive."""
        self._sweep.watch(list(entries))

    def before_step(self, optimizer: torch.optim.Optimizer, step: int, epoch: int) -> int:
        """How many of the optimizer's parameters are not watched."""
        scale = getattr(optimizer, "grad_scale", None)
        gradient_scale = 1.0 if scale is None else float(scale)
        unknown: int = self._sweep.before_step(optimizer, step, epoch, gradient_scale)
        self._tell_problems()
        return unknown

    def after_step(self, optimizer: torch.optim.Optimizer, step: int, epoch: int) -> None:
        self._sweep.after_step(optimizer, step, epoch)
        self._tell_problems()

    def limit_update_memory(self, bytes: int) -> None:
        """Updates need a copy of the weights. What does not fit is replaced by a sample: always the
        same elements, as many as fit."""
        self._sweep.set_update_budget(bytes)

    @property
    def copied_bytes(self) -> int:
        """What copies of the weights take."""
        return int(self._sweep.copied_bytes())

    @property
    def sampled_one_of(self) -> int:
        """1 if updates are whole, else that one of about so many elements is taken."""
        return int(self._sweep.sampled_one_of())

    def take_spent_ns(self) -> int:
        """Time spent here since the last time, with what receivers spent."""
        return int(self._sweep.take_spent_ns())

    def _tell_problems(self) -> None:
        for problem in self._sweep.take_problems():
            if not self._told:
                _log.warning("parameters are not told: %s", problem)
            self._told = True
