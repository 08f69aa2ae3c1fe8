"""Which function computes which key: the table of rules, and what is refused."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from measure.interface.examples import Constant, PlainProfiler, TwoConstants

from sightline.measure import (
    ExternalProfilerFunction,
    Flops,
    ProfilerFunction,
    StatusKey,
    TotalParams,
)


def profiler() -> PlainProfiler:
    return PlainProfiler(None, {"train": []})


def test_a_registered_function_is_given_back() -> None:
    function = Constant()
    assert profiler().register_profiler_function(function) is function


def test_of_two_plain_functions_the_later_wins_with_a_warning() -> None:
    made = profiler()
    made.register_profiler_function(Constant(1))
    with pytest.warns(UserWarning, match="'flops' was computed by Constant and is now computed"):
        made.register_profiler_function(TwoConstants(2))
    assert made.compute_network_status() == {"flops": 2, "total_params": 2}


@pytest.mark.parametrize("first", [True, False])
def test_an_override_wins_in_silence_whether_first_or_last(first: bool) -> None:
    made = profiler()
    functions = [(Constant(1), False), (Constant(2), True)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for function, override in reversed(functions) if first else functions:
            made.register_profiler_function(function, override=override)
    assert made.compute_status("flops") == 2
    assert functions[0][0].calls == 0


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("asked", ["flops", "total_params", None])
def test_an_override_holds_against_a_function_of_several_keys(first: bool, asked: Any) -> None:
    made = profiler()
    functions = [(TwoConstants(1), False), (Constant(2), True)]
    for function, override in reversed(functions) if first else functions:
        made.register_profiler_function(function, override=override)
    if asked is not None:
        made.compute_status(asked)
    assert made.compute_network_status() == {"flops": 2, "total_params": 1}
    assert made.compute_network_status(recompute=True) == {"flops": 2, "total_params": 1}


def test_two_overrides_clash_and_leave_everything_as_it_was() -> None:
    made = profiler()
    mine = Constant(1)
    made.register_profiler_function(mine, override=True)
    with pytest.raises(RuntimeError, match="'Constant' and 'TwoConstants' are both registered"):
        made.register_profiler_function(TwoConstants(2), override=True)
    with pytest.raises(RuntimeError):
        made.register_profiler_function(mine, override=True)
    assert made.compute_network_status() == {"flops": 1}


class Plural(ProfilerFunction):
    def get_bounded_status_keys(self) -> Any:
        return Flops()

    def __call__(self, model: Any, data_splits: Any) -> int:
        return 7


class Singular(ProfilerFunction):
    def get_bounded_status_key(self) -> Any:
        return [Flops(), TotalParams]

    def __call__(self, model: Any, data_splits: Any) -> int:
        return 7


def test_both_spellings_name_one_key_or_several() -> None:
    made = profiler()
    made.register_profiler_function(Plural())
    assert Plural().get_bounded_status_key().NAME == "flops"
    assert made.compute_network_status() == {"flops": 7}
    made = profiler()
    made.register_profiler_function(Singular())
    assert made.compute_network_status() == {"flops": 7, "total_params": 7}


class Everything(ProfilerFunction):
    """A level between, which may take anything."""

    def get_bounded_status_key(self) -> Any:
        return Flops()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return 1


class Concrete(Everything):
    def __call__(self, model: Any, data_splits: Any, *, factor: int = 3) -> Any:
        return factor * super().__call__(model, data_splits, factor)


def test_anything_goes_is_refused_on_an_instance_and_allowed_on_a_level_between() -> None:
    made = profiler()
    with pytest.raises(TypeError, match=r"Everything\(\*args.*cannot be registered"):
        made.register_profiler_function(Everything())
    assert not made.status_contains("flops")
    made.register_profiler_function(Concrete())
    assert made.compute_status("flops") == 3


def test_a_plain_function_can_be_registered() -> None:
    def weigh(model: Any, splits: Any, scale: int = 2) -> int:
        return 21 * scale

    made = profiler()
    made.register_profiler_function(ExternalProfilerFunction(weigh, Flops()))
    assert made.compute_status("flops") == 42

    def open_ended(model: Any, splits: Any, **kwargs: Any) -> int:
        return 1

    with pytest.raises(TypeError, match="open_ended"):
        made.register_profiler_function(ExternalProfilerFunction(open_ended, Flops()))


class Nameless(StatusKey):
    pass


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ([], "names no status key"),
        ([Flops(), Flops()], "one twice"),
        (["flops"], "not a StatusKey"),
        (Nameless(), "has no NAME"),
    ],
)
def test_keys_that_are_none_are_refused(keys: Any, message: str) -> None:
    function = ExternalProfilerFunction(lambda model, splits: 1, keys)
    with pytest.raises(TypeError, match=message):
        profiler().register_profiler_function(function)


def test_what_is_no_function_is_refused() -> None:
    class Keyless(ProfilerFunction):
        def __call__(self, model: Any, data_splits: Any) -> int:
            return 1

    class Mute(ProfilerFunction):
        def get_bounded_status_key(self) -> Any:
            return Flops()

    with pytest.raises(TypeError, match="is not a ProfilerFunction"):
        profiler().register_profiler_function(len)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Keyless does not define get_bounded_status_key"):
        profiler().register_profiler_function(Keyless())
    with pytest.raises(TypeError, match="Mute does not define __call__"):
        profiler().register_profiler_function(Mute())
    with pytest.raises(TypeError, match="must take model and data splits first"):
        profiler().register_profiler_function(ExternalProfilerFunction(lambda model: 1, Flops()))
