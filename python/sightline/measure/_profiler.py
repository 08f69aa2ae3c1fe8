"""The profiler: functions are registered, values computed, shown and compared."""

from __future__ import annotations

import abc
import contextlib
import copy
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

from sightline._core import StatusRegistry
from sightline.measure._display import Display, checked_print_mode
from sightline.measure._evaluation import ComputeEvalMetric
from sightline.measure._functions import ProfilerFunction, bounded_keys, check_signature, name_of
from sightline.measure._metrics import Comparative, EvalMetric, StatusKey


class Profiler(abc.ABC):
    """What a model costs, by functions that are registered with it. `data_splits` are loaders by
    name. A subclass knows a framework."""

    backend = "<None>"

    def __init__(
        self,
        model: Any,
        data_splits: Any,
        name: str = "<UnNamedModel>",
        display: Display | None = None,
    ) -> None:
        self.model = model
        self.data_splits = data_splits
        self.name = name
        self.display = display or Display()
        self._registry = StatusRegistry()
        self._functions: list[ProfilerFunction] = []
        self._status: dict[str, StatusKey] = {}
        self._arguments: dict[str, dict[str, Any]] = {}  # that a value was computed with

    @classmethod
    @abc.abstractmethod
    def dl_cls(cls) -> Any:
        """The class of loaders that the framework has here."""

    @classmethod
    @abc.abstractmethod
    def fp_cls(cls) -> Any:
        """The class of forward passes that the framework has here."""

    @classmethod
    def enable_forward_pass_data_splits(
        cls, data_splits: Mapping[str, Any], forward_pass: Any = None
    ) -> dict[str, Any]:
        """The loaders, with the way their batches go to the model: for the split 'train', or for
        each split if `forward_pass` is a dictionary. Without one, batches are pairs of input and
        target."""
        if forward_pass is None:
            forward_pass = cls.fp_cls()(model_input_pattern=(0, "_"))
        if not isinstance(forward_pass, Mapping):
            forward_pass = {"train": forward_pass}
        return {
            split: cls.dl_cls()(loader, forward_pass.get(split))
            for split, loader in data_splits.items()
        }

    # Functions

    def register_profiler_function(
        self, profiler_func: ProfilerFunction, override: bool = False
    ) -> ProfilerFunction:
        """From now on the function computes its keys. One that was registered with `override`
        keeps them against all others; two of that kind for one key are a RuntimeError."""
        if not isinstance(profiler_func, ProfilerFunction):
            raise TypeError(
                f"{profiler_func!r} is not a ProfilerFunction (of a plain function one can be "
                "made: ExternalProfilerFunction)"
            )
        check_signature(profiler_func)
        keys = bounded_keys(profiler_func)
        function, replaced = self._registry.add(
            name_of(profiler_func),
            [key.NAME for key in keys],
            profiler_func.keywords(),
            bool(override),
        )
        self._functions.append(profiler_func)
        self._take(function, keys, replaced)
        return profiler_func

    def add_secondary_eval_metric(
        self,
        key: str,
        unit_name: str | None = None,
        description: str | None = None,
        comparative: Comparative | None = None,
    ) -> None:
        """One more entry of what the registered evaluation returns, as a metric."""
        function = self._registry.function_of(EvalMetric.NAME)
        evaluation = None if function is None else self._functions[function]
        if function is None or not isinstance(evaluation, ComputeEvalMetric):
            raise ValueError("no ComputeEvalMetric is registered that could have further metrics")
        evaluation = copy.copy(evaluation)  # the same one may serve another profiler
        metric = evaluation.add_secondary_metric(key, unit_name, description, comparative)
        _, replaced = self._registry.extend(function, key)
        self._functions[function] = evaluation
        self._take(function, [metric], replaced)

    def _take(self, function: int, keys: list[StatusKey], replaced: list[tuple[str, str]]) -> None:
        for key in keys:
            if self._registry.function_of(key.NAME) == function:
                self._status[key.NAME] = key
        for name, before in replaced:
            now = name_of(self._functions[function])
            warnings.warn(
                f"'{name}' was computed by {before} and is now computed by {now}: "
                "override=True says that this is meant",
                stacklevel=3,
            )

    # Values

    def compute_status(self, status: str, recompute: bool = False, **kwargs: Any) -> Any:
        """The value of one key. It is computed if it was not yet, or with other arguments."""
        if not self.status_contains(status):
            there = ", ".join(repr(key) for key in self._registry.names())
            raise ValueError(f"no function computes {status!r}, only {there or 'nothing'}")
        self._complain(kwargs)
        if recompute or not self._is_current(status, kwargs):
            self._compute(status, kwargs)
        return self._status[status].value

    def compute_network_status(
        self,
        print_mode: str | None = None,
        recompute: bool = False,
        short_print: bool = True,
        **kwargs: Any,
    ) -> dict[str, Any]:
        """All values by key. With a print mode the table is shown; `short_print=False` adds the
        layers and what the metrics mean. Other arguments go to the functions that take them."""
        print_mode = checked_print_mode(print_mode)
        self._complain(kwargs)
        computed: set[str] = set()
        for key in self._registry.names():
            if key not in computed and (recompute or not self._is_current(key, kwargs)):
                computed.update(self._compute(key, kwargs))
        if print_mode is not None:
            self.display_status(print_mode=print_mode, short_print=short_print)
        return self.status_to_dict()

    def _complain(self, kwargs: Mapping[str, Any]) -> None:
        for complaint in self._registry.complaints(list(kwargs)):
            warnings.warn(complaint, stacklevel=3)

    def _is_current(self, key: str, kwargs: Mapping[str, Any]) -> bool:
        if not self._registry.is_computed(key):
            return False
        function = self._registry.function_of(key)
        assert function is not None
        used = self._arguments.get(key)
        if used is None:  # the value was loaded
            return True
        taken = self._registry.accepted(function, list(kwargs))
        return all(name in used and _same(used[name], kwargs[name]) for name in taken)

    def _compute(self, key: str, kwargs: Mapping[str, Any]) -> list[str]:
        """Calls the key's function, and returns the keys that have values now."""
        number = self._registry.function_of(key)
        assert number is not None
        function = self._functions[number]
        missing = self._registry.missing(number, list(kwargs))
        if missing:
            raise TypeError(f"{name_of(function)} needs the argument {missing[0]!r}: pass it on")
        arguments = {name: kwargs[name] for name in self._registry.accepted(number, list(kwargs))}
        with self._guarding_model():
            result = function.pipe_kwargs_to_call(self.model, self.data_splits, arguments)
        values = result if isinstance(result, Mapping) else {key: result}
        if key not in values:
            raise TypeError(f"{name_of(function)} returned {list(values)}, but no {key!r}")
        kept = self._registry.keep(number, [name for name in values if isinstance(name, str)])
        for name in kept:
            self._status[name].value = values[name]
            self._arguments[name] = {**_defaults(function), **arguments}
        return kept

    @contextlib.contextmanager
    def _guarding_model(self) -> Iterator[None]:
        """Around every call of a function: a framework puts back here what the function changed."""
        yield

    # Tables

    def display_status(
        self,
        other: Profiler | None = None,
        print_mode: str | None = "debug",
        short_print: bool = True,
    ) -> None:
        """Shows the table of this model, or of this and another, as far as it is computed."""
        print_mode = checked_print_mode(print_mode)
        if print_mode is not None:
            self.display.show(self.display.text(self, other, short_print=short_print), print_mode)

    def compare(
        self,
        other: Profiler,
        print_mode: str | None = "info",
        recompute: bool = False,
        short_print: bool = True,
        **kwargs: Any,
    ) -> None:
        """Computes the status of both, with the same arguments, and shows it side by side."""
        if not isinstance(other, Profiler):
            raise ValueError(f"a profiler is compared with a profiler, not with {other!r}")
        only_here = set(self.status_keys()) ^ set(other.status_keys())
        if only_here:
            raise ValueError(
                f"only one of the profilers computes {', '.join(sorted(map(repr, only_here)))}"
            )
        print_mode = checked_print_mode(print_mode)
        self.compute_network_status(recompute=recompute, **kwargs)
        other.compute_network_status(recompute=recompute, **kwargs)
        self.display_status(other, print_mode=print_mode, short_print=short_print)

    def clone(self, model: Any = None, data_splits: Any = None, retain_status: bool = False) -> Any:
        """A profiler with the same functions, for another model or other data. It keeps the values
        if the model is the same, or if `retain_status` is true."""
        new = copy.copy(self)
        new.model = self.model if model is None else model
        new.data_splits = self.data_splits if data_splits is None else data_splits
        new._registry = StatusRegistry(self._registry)
        new._functions = list(self._functions)
        new._status = {name: copy.copy(key) for name, key in self._status.items()}
        new._arguments = dict(self._arguments)
        if new.model is not self.model and not retain_status:
            new.reset_status()
        return new

    # The status as a dictionary

    def status_contains(self, key: str) -> bool:
        return self._registry.function_of(key) is not None

    def status_get(self, key: str) -> Any:
        """The value, or None if it is not computed."""
        return self._status[key].value

    def status_keys(self) -> Iterator[str]:
        return iter(self._registry.names())

    def status_values(self, to_value: bool = True) -> Iterator[Any]:
        return iter(self.status_to_dict(to_value).values())

    def status_items(self, to_value: bool = True) -> Iterator[tuple[str, Any]]:
        return iter(self.status_to_dict(to_value).items())

    def status_to_dict(self, to_value: bool = True) -> dict[str, Any]:
        """Values by key, or copies of the status keys themselves."""
        keys = {name: self._status[name] for name in self._registry.names()}
        return {name: key.value if to_value else copy.copy(key) for name, key in keys.items()}

    def load_from_dict(self, status_dict: Mapping[str, Any], to_value: bool = True) -> None:
        """Takes what `status_to_dict` gave; keys that no function computes are passed over."""
        self.reset_status()
        for name, given in status_dict.items():
            value = given if to_value else given.value
            if self.status_contains(name) and value is not None:
                self._status[name].value = value
                self._registry.set_computed(name)

    def reset_status(self) -> None:
        for key in self._status.values():
            key.value = None
        self._arguments.clear()
        self._registry.forget_computed()


def _defaults(function: ProfilerFunction) -> dict[str, Any]:
    parameters = list(function.call_signature().parameters.values())[2:]
    return {one.name: one.default for one in parameters if one.default is not one.empty}


def _same(first: Any, second: Any) -> bool:
    """Whether two arguments are the same. Those that are no plain values, and may not know when
    they are equal, are the same only if they are one."""
    plain = (bool, int, float, str, tuple, type(None))
    both_plain = isinstance(first, plain) and isinstance(second, plain)
    return first is second or (both_plain and bool(first == second))
