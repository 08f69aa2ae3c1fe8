"""What can be told of the classes of a module, of a model, and of what it returns: plain data."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeGuard

import torch

_LAYERS = (
    *("Embedding", "EmbeddingBag"),
    *("Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"),
    *("LSTM", "GRU", "RNN", "MultiheadAttention", "Linear"),
)
_SIZES = (
    *("num_embeddings", "in_channels", "in_features", "input_size", "embed_dim"),
    *("kernel_size", "stride", "batch_first"),
)
_MOST_LAYERS = 64


def classes_of(module: ModuleType) -> list[dict[str, Any]]:
    """The classes that the module defines, in the order of its text."""
    own = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and (value.__module__, value.__name__) == (module.__name__, name)
    }
    return [
        {
            "name": name,
            "is_model": _is_model(one),
            "constructor": _parameters(one),
            "forward": _forward_parameters(one),
            "uses": sorted(_used_by(one, module) & own.keys() - {name}),
        }
        for name, one in own.items()
    ]


def layers_of(model: torch.nn.Module) -> list[dict[str, Any]]:
    """Those that tell what the model takes, in the order in which it was given them."""
    found = [_layer(one) for one in model.modules() if _kind(one) is not None][:_MOST_LAYERS]
    if not found:
        sized = [one for one in model.parameters() if not _is_lazy(one) and one.dim() > 0]
        widths = [one.shape[side] for one in sized for side in (0, -1)]
        found = [{"kind": "Parameter", "in_features": width} for width in widths[:4]]
    return found


def parameter_count(model: torch.nn.Module) -> int:
    return sum(one.numel() for one in model.parameters() if not _is_lazy(one))


def tensors_in(value: Any, access: str = "") -> Iterator[dict[str, Any]]:
    """Every tensor of what a model returned, with what to write after its name to get at it."""
    if isinstance(value, torch.Tensor):
        yield {
            "access": access,
            "shape": list(value.shape),
            "trains": value.requires_grad and value.is_floating_point(),
        }
    elif isinstance(value, Mapping):
        for key, one in value.items():
            if isinstance(key, str):
                yield from tensors_in(one, f'{access}["{key}"]')
    elif isinstance(value, (tuple, list)):
        for index, one in enumerate(value):
            yield from tensors_in(one, f"{access}[{index}]")


def _is_lazy(parameter: torch.Tensor) -> bool:
    return bool(torch.nn.parameter.is_lazy(parameter))


def _is_model(one: type) -> TypeGuard[type[torch.nn.Module]]:
    return issubclass(one, torch.nn.Module) and one.forward is not torch.nn.Module.forward


def _forward_parameters(one: type) -> list[dict[str, Any]]:
    return _parameters(one.forward)[1:] if _is_model(one) else []


def _parameters(function: Callable[..., Any]) -> list[dict[str, Any]]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        {
            "name": one.name,
            "annotation": _text_of(one.annotation),
            "required": one.default is inspect.Parameter.empty,
            "keyword_only": one.kind is inspect.Parameter.KEYWORD_ONLY,
        }
        for one in parameters
        if one.kind not in variable
    ]


def _text_of(annotation: Any) -> str:
    if annotation is inspect.Parameter.empty:
        return ""
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation.__name__
    return str(annotation)


def _used_by(one: type, module: ModuleType) -> set[str]:
    """The names that the code of a class mentions, and that of the functions it calls, and those of
    the classes it is made from."""
    names = {base.__name__ for base in one.__mro__[1:]}
    waiting = [value for value in vars(one).values() if _code_of(value) is not None]
    seen: set[str] = set()
    while waiting:
        mentioned = _mentioned(_code_of(waiting.pop()))
        names |= mentioned
        for name in sorted(mentioned - seen):
            value = getattr(module, name, None)
            if isinstance(value, FunctionType) and value.__module__ == module.__name__:
                waiting.append(value)
        seen |= mentioned
    return names


def _code_of(value: Any) -> CodeType | None:
    function = inspect.unwrap(getattr(value, "__func__", value))
    return getattr(function, "__code__", None)


def _mentioned(code: CodeType | None) -> set[str]:
    if code is None:
        return set()
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            names |= _mentioned(constant)
    return names


def _kind(layer: torch.nn.Module) -> str | None:
    return next((kind for kind in _LAYERS if isinstance(layer, getattr(torch.nn, kind))), None)


def _layer(layer: torch.nn.Module) -> dict[str, Any]:
    facts: dict[str, Any] = {"kind": _kind(layer)}
    for name in _SIZES:
        size = getattr(layer, name, None)
        if isinstance(size, tuple) and size:
            size = size[0]
        if isinstance(size, int):
            facts[name] = int(size)
    return facts
