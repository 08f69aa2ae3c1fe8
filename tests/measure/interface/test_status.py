"""Values: computed once, with which arguments, as a dictionary and back."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from measure.interface.examples import Constant, PlainProfiler, TwoConstants

from sightline.measure import (
    Comparative,
    ComputeEvalMetric,
    EvaluationFunction,
    ExternalProfilerFunction,
    Flops,
    TotalParams,
)


def profiler(*functions: Any) -> PlainProfiler:
    made = PlainProfiler(object(), {"train": [1], "test": [2]})
    for function in functions:
        made.register_profiler_function(function)
    return made


def test_an_unknown_status_is_an_error_that_names_the_known() -> None:
    made = profiler(TwoConstants())
    with pytest.raises(ValueError, match="'coverage', only 'flops', 'total_params'"):
        made.compute_status("coverage")
    assert not made.status_contains("coverage")


def test_a_value_is_computed_once_until_it_is_to_be_recomputed() -> None:
    function = Constant(5)
    made = profiler(function)
    assert made.status_get("flops") is None
    assert [made.compute_status("flops") for _ in range(3)] == [5, 5, 5]
    assert function.calls == 1
    function.value = 6
    assert made.compute_network_status() == {"flops": 5}
    assert made.compute_network_status(recompute=True) == {"flops": 6}
    function.value = 7
    assert made.compute_status("flops", recompute=True) == 7
    assert function.calls == 3


def test_other_arguments_are_another_question() -> None:
    function = Constant(5)
    made = profiler(function)
    assert made.compute_status("flops", factor=2) == 10
    assert made.compute_status("flops") == 10, "nothing else was asked for"
    assert made.compute_status("flops", factor=3) == 15
    assert made.compute_status("flops", factor=3) == 15
    assert made.compute_network_status(factor=1) == {"flops": 5}
    assert function.calls == 3


def test_a_value_that_is_none_is_a_value() -> None:
    calls = []
    function = ExternalProfilerFunction(lambda model, splits: calls.append(1), Flops())
    made = profiler(function)
    made.compute_network_status()
    made.compute_network_status()
    assert calls == [1]


def test_a_function_of_several_keys_is_called_once() -> None:
    function = TwoConstants(3)
    made = profiler(function)
    assert made.compute_status("total_params") == 3
    assert made.compute_network_status(recompute=False) == {"flops": 3, "total_params": 3}
    assert function.calls == 1
    made.compute_network_status(recompute=True)
    assert function.calls == 2


def test_one_value_of_a_function_of_two_keys_is_for_the_key_that_was_asked() -> None:
    given = iter([1, 2])
    keys = (Flops(), TotalParams())
    made = profiler(ExternalProfilerFunction(lambda model, splits: next(given), keys))
    assert made.compute_network_status() == {"flops": 1, "total_params": 2}


def test_a_dictionary_without_the_key_is_an_error() -> None:
    made = profiler(ExternalProfilerFunction(lambda model, splits: {"other": 1}, Flops()))
    with pytest.raises(TypeError, match=r"returned \['other'\], but no 'flops'"):
        made.compute_status("flops")


def test_arguments_reach_the_functions_that_take_them() -> None:
    seen = {}

    def first(model: Any, splits: Any, batch_size: int = 1, *, device: Any = None) -> int:
        seen["first"] = (batch_size, device)
        return 1

    def second(m: Any, d: Any, colour: str) -> int:
        seen["second"] = colour
        return 2

    made = profiler(
        ExternalProfilerFunction(first, Flops()), ExternalProfilerFunction(second, TotalParams())
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made.compute_network_status(
            batch_size=8, device="here", include_weights=True, split="test", colour="red"
        )
    assert seen == {"first": (8, "here"), "second": "red"}
    with pytest.raises(TypeError, match="second needs the argument 'colour'"):
        made.compute_status("total_params", recompute=True)


def test_an_argument_that_nobody_takes_is_named_with_what_may_be_meant() -> None:
    made = profiler(Constant())
    with pytest.warns(UserWarning, match="'bach_size'; did you mean 'batch_size'"):
        made.compute_network_status(bach_size=2)
    with pytest.warns(UserWarning, match="'facter'; did you mean 'factor'"):
        made.compute_status("flops", facter=2)
    with pytest.warns(UserWarning, match="takes the argument 'unheard_of'$"):
        made.compute_status("flops", unheard_of=2)


def test_a_function_that_raises_leaves_the_values_that_are_there() -> None:
    def fail(model: Any, splits: Any, really: bool = False) -> int:
        if really:
            raise RuntimeError("no")
        return 1

    made = profiler(Constant(4), ExternalProfilerFunction(fail, TotalParams()))
    made.compute_network_status()
    with pytest.raises(RuntimeError, match="no"):
        made.compute_network_status(recompute=True, really=True)
    assert made.status_to_dict() == {"flops": 4, "total_params": 1}


def test_the_status_is_a_dictionary_and_comes_back_from_one() -> None:
    made = profiler(TwoConstants(3))
    made.compute_network_status()
    for to_value in (True, False):
        saved = made.status_to_dict(to_value)
        other = made.clone(model=object())
        assert other.status_to_dict() == {"flops": None, "total_params": None}
        other.load_from_dict({**saved, "unheard_of": Flops()}, to_value)
        assert other.status_to_dict() == {"flops": 3, "total_params": 3}
        assert other.compute_status("flops") == 3
    assert list(made.status_keys()) == ["flops", "total_params"]
    assert list(made.status_values()) == [3, 3]
    assert dict(made.status_items()) == {"flops": 3, "total_params": 3}
    assert [type(key) for key in made.status_values(to_value=False)] == [Flops, TotalParams]


def test_what_is_given_out_is_a_copy() -> None:
    made = profiler(Constant(3))
    made.compute_network_status()
    made.status_to_dict(to_value=False)["flops"].value = 9
    made.status_to_dict()["flops"] = 9
    assert made.status_get("flops") == 3
    made.reset_status()
    assert made.status_get("flops") is None


def test_a_clone_has_functions_and_name_and_own_values() -> None:
    function = Constant(3)
    made = profiler(function)
    made.name = "first"
    made.compute_network_status()
    same_model = made.clone()
    assert same_model.status_get("flops") == 3
    other = made.clone(model=object())
    assert other.name == "first"
    assert other.status_get("flops") is None
    assert made.clone(model=object(), retain_status=True).status_get("flops") == 3
    other.register_profiler_function(Constant(8), override=True)
    assert other.compute_status("flops") == 8
    assert made.status_get("flops") == same_model.status_get("flops") == 3


class Empty:
    """False, as an empty Sequential is."""

    def __len__(self) -> int:
        return 0


def test_a_clone_takes_a_model_that_is_empty() -> None:
    empty = Empty()
    made = profiler(Constant()).clone(model=empty, data_splits={})
    assert made.model is empty
    assert made.data_splits == {}


# Evaluations


def test_an_evaluation_gives_its_metric_and_its_time() -> None:
    made = profiler(ComputeEvalMetric(lambda model, loader: loader[0] * 10, "accuracy", "train"))
    status = made.compute_network_status()
    assert status["eval_metric"] == 10
    assert status["inference_time"] >= 0
    assert made.compute_network_status(split="test")["eval_metric"] == 20


def test_secondary_metrics_come_from_the_same_dictionary() -> None:
    calls = []

    def evaluate(model: Any, loader: Any) -> dict[str, int]:
        calls.append(1)
        return {"a": 10, "b": 20, "c": 30, "d": 40}

    function = ComputeEvalMetric(evaluate, key="a", unit_name="%")
    function.add_secondary_metric("b")
    function.add_secondary_metric("c", "ms", "how long", Comparative.DIV)
    made = profiler(function)
    status = made.compute_network_status()
    assert (status["eval_metric"], status["b"], status["c"]) == (10, 20, 30)
    assert "d" not in status
    assert calls == [1]
    keys = made.status_to_dict(to_value=False)
    assert (keys["b"].get_units(), keys["c"].get_units()) == ("%", "ms")
    assert keys["c"].get_comparative() is Comparative.DIV
    assert keys["c"].description() == "how long"
    assert keys["b"].friendly_name() == "Eval: b"
    clone = made.clone()
    clone.add_secondary_eval_metric("d")
    assert clone.compute_network_status()["d"] == 40
    assert not made.status_contains("d")


def test_secondary_metrics_override_with_the_evaluation() -> None:
    made = profiler(ComputeEvalMetric(lambda model, loader: 1))
    function = ComputeEvalMetric(lambda model, loader: {"acc": 1, "b": 2}, "acc")
    function.add_secondary_metric("b")
    made.register_profiler_function(function, override=True)
    made.compute_status("eval_metric")
    assert (made.status_get("eval_metric"), made.status_get("b")) == (1, 2)


def test_an_evaluation_of_several_results_needs_a_key() -> None:
    def evaluate(model: Any, loader: Any) -> dict[str, int]:
        return {"a": 1, "b": 2}

    with pytest.raises(ValueError, match="returned 'a', 'b': say which is the metric"):
        profiler(ComputeEvalMetric(evaluate)).compute_status("eval_metric")
    with pytest.raises(ValueError, match="returned 'a', 'b', but no 'c'"):
        profiler(ComputeEvalMetric(evaluate, "c")).compute_status("eval_metric")
    assert (
        profiler(ComputeEvalMetric(lambda m, d: {"x": 5}, "y")).compute_status("eval_metric") == 5
    )
    function = ComputeEvalMetric(lambda model, loader: 5)
    function.add_secondary_metric("b")
    with pytest.raises(ValueError, match="one value, so there is no 'b'"):
        profiler(function).compute_status("b")


def test_what_has_no_evaluation_has_no_secondary_metric() -> None:
    with pytest.raises(ValueError, match="no ComputeEvalMetric is registered"):
        profiler(Constant()).add_secondary_eval_metric("b")


def test_a_split_that_is_not_there_is_named() -> None:
    made = profiler(ComputeEvalMetric(lambda model, loader: 1))
    with pytest.raises(ValueError, match="no data split 'valid', only 'train', 'test'"):
        made.compute_status("eval_metric", split="valid")
    made.data_splits = {}
    with pytest.raises(ValueError, match="there are no data splits"):
        made.compute_status("eval_metric")


def test_an_evaluation_that_takes_anything_is_refused() -> None:
    def evaluate(model: Any, loader: Any, **kwargs: Any) -> int:
        return 1

    with pytest.raises(TypeError, match="evaluate"):
        profiler(ComputeEvalMetric(evaluate))


def test_results_of_evaluations_are_brought_into_form() -> None:
    form = EvaluationFunction.filter_call_rval
    two = {"a": 1, "b": 2}
    assert form(two) is two
    assert form(3, return_dict=False) == 3
    assert form({"a": 1}, return_dict=False) == 1
    assert form(two, return_dict=False, return_keys="b") == 2
    assert form(3, return_dict=True, key_for_non_dict="c") == {"c": 3}
    assert form(two, return_dict=True) == form(two, True, "__all__") == two
    assert form(two, return_dict=True, return_keys=["b"]) == {"b": 2}
    for wrong in (
        lambda: form(two, return_dict=False),
        lambda: form(two, return_dict=False, return_keys=["a", "b"]),
        lambda: form(3, return_dict=True),
    ):
        with pytest.raises(ValueError):
            wrong()
    with pytest.raises(KeyError):
        form(two, return_dict=True, return_keys="c")
