"""Lets code that was written for a GPU run on the CPU, unchanged: whatever asks for a CUDA device
gets the CPU."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch


def stay_on_the_cpu() -> None:
    """For the rest of this process."""
    for owner in (torch.Tensor, torch.nn.Module):
        owner.cuda = _giving_back()  # type: ignore[method-assign]
        owner.to = _with_cpu(owner.to)  # type: ignore[method-assign]
    for name in _factories():
        setattr(torch, name, _with_cpu(getattr(torch, name)))
    for name in ("new_tensor", "new_empty", "new_full", "new_ones", "new_zeros"):
        setattr(torch.Tensor, name, _with_cpu(getattr(torch.Tensor, name)))
    torch.Tensor.pin_memory = _giving_back()  # type: ignore[method-assign]
    torch.nn.Module.to_empty = _with_cpu(torch.nn.Module.to_empty)  # type: ignore[method-assign]
    torch.load = _with_cpu(torch.load)
    torch.set_default_device = _with_cpu(torch.set_default_device)
    on_the_device = "synchronize empty_cache set_device manual_seed manual_seed_all "
    on_the_device += "reset_peak_memory_stats ipc_collect"
    for name in on_the_device.split():
        setattr(torch.cuda, name, _doing_nothing())


def _factories() -> list[str]:
    """Functions that make a tensor on a device."""
    makers = "arange as_tensor empty empty_strided eye full hann_window hamming_window linspace "
    makers += "logspace ones rand randint randn randperm range scalar_tensor sparse_coo_tensor "
    makers += "tensor tril_indices triu_indices zeros "
    likes = "empty_like full_like ones_like rand_like randint_like randn_like zeros_like"
    return [name for name in (makers + likes).split() if hasattr(torch, name)]


def _with_cpu(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def on_the_cpu(*arguments: Any, **named: Any) -> Any:
        return function(
            *(_cpu_for_cuda(one) for one in arguments),
            **{name: _cpu_for_cuda(one) for name, one in named.items()},
        )

    return on_the_cpu


def _cpu_for_cuda(value: Any) -> Any:
    if isinstance(value, str) and (value == "cuda" or value.startswith("cuda:")):
        return "cpu"
    if isinstance(value, torch.device) and value.type == "cuda":
        return torch.device("cpu")
    return value


# A function of its own for each: torch tells its functions apart by identity.


def _giving_back() -> Callable[..., Any]:
    def give_back(self: Any, *_: Any, **__: Any) -> Any:
        return self

    return give_back


def _doing_nothing() -> Callable[..., Any]:
    def do_nothing(*_: Any, **__: Any) -> None:
        return None

    return do_nothing
