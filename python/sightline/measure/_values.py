"""Nested values: what models take and give."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any


def tensors(value: Any) -> Iterator[Any]:
    """In order, as often as they occur."""
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from tensors(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from tensors(item)
    elif _is_record(value):
        for field in dataclasses.fields(value):
            yield from tensors(getattr(value, field.name, None))


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same dictionaries, lists, tuples and data classes with what is in them changed. One in
    which nothing changes stays the object that it is."""
    if isinstance(value, Mapping):
        return _mapped_parts(value, dict(value), change, _with_items)
    if isinstance(value, list | tuple):
        return _mapped_parts(value, dict(enumerate(value)), change, _with_sequence)
    if _is_record(value):
        names = [field.name for field in dataclasses.fields(value) if hasattr(value, field.name)]
        parts = {name: getattr(value, name) for name in names}
        return _mapped_parts(value, parts, change, _with_members)
    return change(value)


def _is_record(value: Any) -> bool:
    return dataclasses.is_dataclass(value) and not isinstance(value, type)


def _mapped_parts(
    value: Any,
    parts: dict[Any, Any],
    change: Callable[[Any], Any],
    made_of: Callable[[Any, dict[Any, Any]], Any],
) -> Any:
    changed = {key: mapped(part, change) for key, part in parts.items()}
    same = all(changed[key] is part for key, part in parts.items())
    return value if same else made_of(value, changed)


def _with_items(value: Any, parts: dict[Any, Any]) -> Any:
    made = copy.copy(value)
    for key, part in parts.items():
        made[key] = part
    return made


def _with_sequence(value: Any, parts: dict[Any, Any]) -> Any:
    make = getattr(value, "_make", type(value))  # a named tuple takes its parts one by one
    return make(parts.values())


def _with_members(value: Any, parts: dict[Any, Any]) -> Any:
    made = copy.copy(value)
    for name, part in parts.items():
        object.__setattr__(made, name, part)  # a frozen one too
    return made
