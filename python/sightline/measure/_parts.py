"""The parts of a model. Walking through a model takes long, so it is done once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class Parts:
    """Each module, parameter and buffer once. Raises TypeError for what is no model."""

    def __init__(self, model: Any) -> None:
        import torch

        if not isinstance(model, torch.nn.Module):
            raise TypeError(
                f"a torch.nn.Module can be measured, not a {type(model).__name__}: "
                "wrap a function in a module whose forward calls it"
            )
        self.names: list[tuple[str, Any]] = list(model.named_modules())
        self.modules = [module for _, module in self.names]
        self.parameters = _each_once(module._parameters for module in self.modules)
        self.buffers = _each_once(module._buffers for module in self.modules)


def _each_once(dictionaries: Iterable[Any]) -> list[Any]:
    found = {
        id(tensor): tensor
        for members in dictionaries
        for tensor in members.values()
        if tensor is not None
    }
    return list(found.values())
