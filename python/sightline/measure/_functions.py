"""Functions that compute status values, and how arguments reach them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sightline.measure._metrics import StatusKey

_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_BY_PLACE = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.POSITIONAL_ONLY)


class ProfilerFunction:
    """Computes one status key or several. A subclass tells which in `get_bounded_status_key` (or
    `get_bounded_status_keys`), and computes in `__call__(model, data_splits, ...)`: a value for the
    key, or a dictionary by names of keys.

    What follows the first two arguments of `__call__` is given by name, so it cannot have `*args`
    or `**kwargs`: nobody could tell which arguments are meant for it."""

    __call__: Callable[..., Any]

    def get_bounded_status_key(self) -> StatusKey | Iterable[StatusKey]:
        if type(self).get_bounded_status_keys is ProfilerFunction.get_bounded_status_keys:
            raise TypeError(f"{name_of(self)} does not define get_bounded_status_key")
        return self.get_bounded_status_keys()

    def get_bounded_status_keys(self) -> StatusKey | Iterable[StatusKey]:
        if type(self).get_bounded_status_key is ProfilerFunction.get_bounded_status_key:
            raise TypeError(f"{name_of(self)} does not define get_bounded_status_key")
        return self.get_bounded_status_key()

    def call_signature(self) -> inspect.Signature:
        if not callable(self):
            raise TypeError(f"{name_of(self)} does not define __call__(model, data_splits, ...)")
        return inspect.signature(self)

    def can_pipe(self) -> bool:
        """Whether each argument can be given by its name."""
        parameters = list(self.call_signature().parameters.values())
        return (
            len(parameters) >= 2
            and all(parameter.kind in _BY_PLACE for parameter in parameters[:2])
            and all(parameter.kind in _BY_NAME for parameter in parameters[2:])
        )

    def keywords(self) -> list[tuple[str, bool]]:
        """The names of what `__call__` takes besides model and data, and which it cannot miss."""
        parameters = list(self.call_signature().parameters.values())[2:]
        return [(one.name, one.default is inspect.Parameter.empty) for one in parameters]

    def pipe_kwargs_to_call(self, model: Any, data_splits: Any, kwargs: Mapping[str, Any]) -> Any:
        """Calls with those of the arguments that `__call__` takes."""
        names = [name for name, _ in self.keywords()]
        return self(model, data_splits, **{name: kwargs[name] for name in names if name in kwargs})


class ExternalProfilerFunction(ProfilerFunction):
    """A plain function `func(model, data_splits, ...)` as a profiler function. Which keys it
    computes is given here, or by a subclass."""

    def __init__(
        self,
        func: Callable[..., Any],
        keys: StatusKey | Iterable[StatusKey] | None = None,
    ) -> None:
        self._func = func
        self._keys = keys

    def get_bounded_status_keys(self) -> StatusKey | Iterable[StatusKey]:
        if self._keys is None:
            raise TypeError(f"{name_of(self)} has no status key: give it `keys`")
        return self._keys

    def call_signature(self) -> inspect.Signature:
        return inspect.signature(self._func)

    def __call__(self, model: Any, data_splits: Any, **kwargs: Any) -> Any:
        return self._func(model, data_splits, **kwargs)


def name_of(function: Any) -> str:
    """As messages call it."""
    if isinstance(function, ExternalProfilerFunction):
        function = function._func
    return str(getattr(function, "__name__", type(function).__name__))


def bounded_keys(function: ProfilerFunction) -> list[StatusKey]:
    """The status keys that the function computes, checked."""
    given = function.get_bounded_status_keys()
    listed = list(given) if isinstance(given, Iterable) else [given]
    keys = [key() if isinstance(key, type) else key for key in listed]
    for key in keys:
        if not isinstance(key, StatusKey):
            raise TypeError(f"{name_of(function)} names {key!r}, which is not a StatusKey")
        if not isinstance(getattr(key, "NAME", None), str) or not key.NAME:
            raise TypeError(f"{type(key).__name__}, a key of {name_of(function)}, has no NAME")
    names = [key.NAME for key in keys]
    if not keys or len(set(names)) < len(names):
        raise TypeError(f"{name_of(function)} names no status key, or one twice: {names}")
    return keys


def check_signature(function: ProfilerFunction) -> None:
    if not function.can_pipe():
        raise TypeError(
            f"{name_of(function)}{function.call_signature()} cannot be registered: it must take "
            "model and data splits first, and every other argument by name, without *args and "
            "**kwargs"
        )
