"""One step of an optimizer, of which nothing remains."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from sightline.measure._parts import Parts
from sightline.measure._untouched import contents_kept
from sightline.measure._values import tensors


def make(optimizer: Any, parts: Parts) -> Any:
    """An optimizer as it is, or what a class or function makes of the model's parameters."""
    import torch

    if optimizer is None or isinstance(optimizer, torch.optim.Optimizer):
        return optimizer
    if callable(optimizer):
        made = optimizer([p for p in parts.parameters if p.requires_grad])
        if isinstance(made, torch.optim.Optimizer):
            return made
    raise TypeError(
        "optimizer is to be a torch.optim.Optimizer, or a function that makes one of a list of "
        "parameters, such as lambda parameters: torch.optim.SGD(parameters, lr=0.1)"
    )


@contextlib.contextmanager
def undone(optimizer: Any) -> Iterator[None]:
    """Afterwards parameters, state and settings of the optimizer are what they were."""
    if optimizer is None:
        yield
        return
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    state = {parameter: dict(kept) for parameter, kept in optimizer.state.items()}
    groups = [dict(group) for group in optimizer.param_groups]
    members = dict(optimizer.__dict__)
    with contents_kept([*parameters, *tensors(list(state.values())), *tensors(groups)]):
        try:
            yield
        finally:
            optimizer.__dict__.clear()
            optimizer.__dict__.update(members)
            for group, before in zip(optimizer.param_groups, groups, strict=True):
                group.clear()
                group.update(before)
            for parameter in [p for p in optimizer.state if p not in state]:
                del optimizer.state[parameter]
            for parameter, before in state.items():
                kept = optimizer.state[parameter]
                kept.clear()
                kept.update(before)


def step(optimizer: Any) -> None:
    try:
        optimizer.step()
    except TypeError as error:
        if "closure" not in str(error):
            raise
        raise ValueError(
            f"{type(optimizer).__name__} calls the model itself, as often as it likes: "
            "its step cannot be measured"
        ) from error
