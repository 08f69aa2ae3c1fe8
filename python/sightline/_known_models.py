"""The models of a training that knows nothing of being supervised."""

from __future__ import annotations

import gc
import itertools
import weakref
from collections.abc import Iterator
from typing import Any

import torch
from torch import nn


class KnownModels:
    """Each with the name that the paths of its modules begin with: none for the first, the class
    for others. They are not kept alive, and the name of one that is gone is free again."""

    def __init__(self) -> None:
        self._names: weakref.WeakKeyDictionary[nn.Module, str] = weakref.WeakKeyDictionary()

    def add(self, model: nn.Module) -> str:
        taken = set(self._names.values())
        kind = type(model).__name__
        names = itertools.chain(["", kind], (f"{kind}_{number}" for number in itertools.count(1)))
        self._names[model] = next(name for name in names if name not in taken)
        return self._names[model]

    def __contains__(self, model: nn.Module) -> bool:
        return model in self._names

    def first(self) -> nn.Module | None:
        return next(iter(self._names), None)

    def parameters(self) -> Iterator[tuple[str, str, nn.Parameter]]:
        """Path of the module, name in it, and parameter; a shared module once."""
        seen: set[nn.Module] = set()
        for model, base in self._names.items():
            for path, module in model.named_modules():
                if module in seen:
                    continue
                seen.add(module)
                whole = ".".join(part for part in (base, path) if part)
                for name, parameter in module.named_parameters(recurse=False):
                    yield whole, name, parameter


def models_of(optimizer: torch.optim.Optimizer) -> list[nn.Module]:
    """The modules that hold parameters of the optimizer and that no other holds, the largest
    first. Wrappers that only pass calls on are looked through, so that paths are the model's."""
    wanted = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    # One that is just being made has no table of its parts yet.
    found = [thing for thing in gc.get_objects() if _is_module(thing) and "_modules" in vars(thing)]
    held = {id(child) for module in found if not _is_wrapper(module) for child in module.children()}
    roots = [
        module
        for module in found
        if id(module) not in held
        and not _is_wrapper(module)
        and any(id(parameter) in wanted for parameter in module.parameters())
    ]
    return sorted(roots, key=lambda module: -sum(1 for _ in module.parameters()))


def _is_module(thing: Any) -> bool:
    """By its type: to ask `isinstance` would let proxies of foreign libraries run their code."""
    return issubclass(type(thing), nn.Module)


def _is_wrapper(module: nn.Module) -> bool:
    """Of data parallelism, or of the compiler."""
    names = {kind.__name__ for kind in type(module).__mro__}
    return not names.isdisjoint({"DistributedDataParallel", "DataParallel", "OptimizedModule"})
