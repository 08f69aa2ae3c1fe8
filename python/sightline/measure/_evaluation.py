"""How well a model does: an evaluation of the user's, as a profiler function."""

from __future__ import annotations

import abc
import inspect
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sightline.measure._functions import ExternalProfilerFunction, name_of
from sightline.measure._metrics import (
    Comparative,
    DynamicEvalMetric,
    EvalMetric,
    InferenceTime,
    StatusKey,
)


class EvaluationFunction(abc.ABC):
    """Called with a model and a loader; returns a number, or several in a dictionary."""

    __call__: Callable[..., Any]

    @staticmethod
    def filter_call_rval(
        rval: Any,
        return_dict: bool | None = None,
        return_keys: Any = None,
        key_for_non_dict: str | None = None,
    ) -> Any:
        """What an evaluation returned, in the form that is wanted: as it is (`return_dict` is
        None), one value (False) or a dictionary (True) with `return_keys`, or all of it."""
        if return_dict is None:
            return rval
        if not return_dict:
            return _single(rval, return_keys)
        if not isinstance(rval, Mapping):
            if key_for_non_dict is None:
                raise ValueError("the evaluation returned one value: give key_for_non_dict")
            return {key_for_non_dict: rval}
        if return_keys is None or return_keys == "__all__":
            return rval
        return {key: rval[key] for key in _as_tuple(return_keys)}


def _single(rval: Any, keys: Any) -> Any:
    if not isinstance(rval, Mapping):
        return rval
    if len(rval) == 1:
        return next(iter(rval.values()))
    keys = _as_tuple(keys)
    if len(keys) != 1:
        raise ValueError(f"the evaluation returned {_names(rval)}: give the one key that is wanted")
    return rval[keys[0]]


def _as_tuple(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list | tuple | set) else (value,)


def _names(rval: Mapping[str, Any]) -> str:
    return ", ".join(repr(key) for key in rval) or "an empty dictionary"


class ComputeEvalMetric(ExternalProfilerFunction):
    """Calls `func(model, loader, ...)` on a split: `eval_metric`, and how long that took as
    `inference_time`. Of a dictionary with several entries `key` is taken."""

    def __init__(
        self,
        func: Callable[..., Any],
        key: str | None = None,
        default_split: str = "test",
        unit_name: str = "",
        comparative: Comparative = Comparative.DIFF,
    ) -> None:
        super().__init__(func)
        self.key = key
        self.default_split = default_split
        self.unit_name = unit_name
        self.comparative = comparative
        self.secondary: list[DynamicEvalMetric] = []

    def add_secondary_metric(
        self,
        key: str,
        unit_name: str | None = None,
        description: str | None = None,
        comparative: Comparative | None = None,
    ) -> DynamicEvalMetric:
        """One more entry of the dictionary that the evaluation returns. What is not given is as
        for the main metric."""
        metric = DynamicEvalMetric(
            key,
            self.unit_name if unit_name is None else unit_name,
            description,
            self.comparative if comparative is None else comparative,
        )
        self.secondary = [one for one in self.secondary if key != one.NAME] + [metric]
        return metric

    def get_bounded_status_keys(self) -> Iterable[StatusKey]:
        secondary = [
            DynamicEvalMetric(one.NAME, one.unit_name, one.description(), one.comparative)
            for one in self.secondary
        ]
        return (EvalMetric(self.unit_name, self.comparative), InferenceTime(), *secondary)

    def call_signature(self) -> inspect.Signature:
        signature = inspect.signature(self._func)
        if "split" in signature.parameters:
            return signature
        split = inspect.Parameter("split", inspect.Parameter.KEYWORD_ONLY, default=None)
        parameters = [*signature.parameters.values()]
        if parameters and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
            return signature  # refused anyway, and the message shows it as it is
        return signature.replace(parameters=[*parameters, split])

    def __call__(self, model: Any, data_splits: Any, **kwargs: Any) -> dict[str, Any]:
        split = kwargs.pop("split", None) or self.default_split
        loader = split_named(data_splits, split)
        start = time.perf_counter()
        returned = self._func(model, loader, **kwargs)
        seconds = time.perf_counter() - start
        values = {EvalMetric.NAME: self._main(returned), InferenceTime.NAME: seconds}
        for metric in self.secondary:
            values[metric.NAME] = self._entry(returned, metric.NAME)
        return values

    def _main(self, returned: Any) -> Any:
        if not isinstance(returned, Mapping):
            return returned
        if len(returned) == 1:
            return next(iter(returned.values()))
        if self.key is None:
            raise ValueError(
                f"{name_of(self)} returned {_names(returned)}: say which is the metric, "
                "ComputeEvalMetric(..., key=...)"
            )
        return self._entry(returned, self.key)

    def _entry(self, returned: Any, key: str) -> Any:
        if not isinstance(returned, Mapping):
            raise ValueError(f"{name_of(self)} returned one value, so there is no {key!r} in it")
        if key not in returned:
            raise ValueError(f"{name_of(self)} returned {_names(returned)}, but no {key!r}")
        return returned[key]


def split_named(data_splits: Any, name: str) -> Any:
    """The loader of a split."""
    if not isinstance(data_splits, Mapping) or not data_splits:
        raise ValueError("there are no data splits: give the profiler {'train': a loader, ...}")
    if name not in data_splits:
        there = ", ".join(repr(split) for split in data_splits)
        raise ValueError(f"there is no data split {name!r}, only {there}: say split=...")
    return data_splits[name]
