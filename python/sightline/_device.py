"""The device that user code is to run on. Code that was written for a GPU runs on the CPU, too,
unchanged: whatever asks for a CUDA device gets the CPU."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree

from sightline._user_file import EntryError


def use(name: str) -> torch.device | None:
    """The device of this name, for the rest of this process; None where no name is given, and the
    code itself says where it runs. Raises EntryError if torch has no such device here."""
    if not name:
        return None
    try:
        device = torch.device(name)
        torch.empty(0, device=device)
    except Exception as error:
        raise EntryError("no_such_device", device=name, available=_those_there_are()) from error
    accelerator = torch.accelerator.current_accelerator()
    if device.type == "cpu":
        stay_on_the_cpu()
    elif accelerator and device.type == accelerator.type and device.index is not None:
        torch.accelerator.set_device_index(device.index)  # for code that says only "cuda"
    return device


def moved(values: Any, device: torch.device) -> Any:
    """All that can be moved among them, however deep they are nested."""

    def can_move(value: Any) -> bool:
        return hasattr(value, "to")

    return _pytree.tree_map(
        lambda value: value.to(device) if can_move(value) else value, values, is_leaf=can_move
    )


def _those_there_are() -> str:
    accelerator = torch.accelerator.current_accelerator(check_available=True)
    count = torch.accelerator.device_count() if accelerator else 0
    return ", ".join(["cpu", *(f"{accelerator}:{index}" for index in range(count))])


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
