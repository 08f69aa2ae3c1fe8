"""What is printed, to the letter, and where."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from measure.interface.examples import PlainProfiler

from sightline.measure import (
    Comparative,
    ComputeEvalMetric,
    Display,
    ExternalProfilerFunction,
    Flops,
    LayerwiseSummary,
    Metric,
    getLogger,
    setLogger,
)


@pytest.fixture(autouse=True)
def standard_output() -> Iterator[None]:
    yield
    setLogger(None)


def profiler(flops: Any = 0.5567, accuracy: float = 76.8295, **options: Any) -> PlainProfiler:
    made = PlainProfiler(object(), {"test": []}, **{"name": "Original Model", **options})
    made.register_profiler_function(ExternalProfilerFunction(lambda m, d: flops, Flops()))
    evaluation = ComputeEvalMetric(lambda m, d: accuracy, "accuracy", unit_name="%")
    made.register_profiler_function(evaluation)
    made.display = Display(exclude="inference_time")
    return made


ONE = """
+---------------------------------------------------------------+
|                   Sightline Model Profiler                    |
+-----------------------------------------+---------------------+
|             Param Name (Original Model) |                Value|
|                         Backend: <None> |                     |
+-----------------------------------------+---------------------+
|                   Evaluation Metric (%) |              76.8295|
|     Computational Complexity (GigaMACs) |               0.5567|
+-----------------------------------------+---------------------+
"""

NOTES = """Note:
* Evaluation Metric: Computed performance of the model on the given data
* Computational Complexity: Multiply-accumulates (MACs) of the forward pass for one sample
+---------------------------------------------------------------+
"""

TWO = """
+----------------------------------------------------------------------------------------------------------------------------+
|                                                  Sightline Model Profiler                                                  |
+-----------------------------------------+---------------------------+---------------------------+--------------------------+
|                              Param Name |               Enhancement |             Value (Small) |    Value (Original Model)|
|                                         |                           |           Backend: <None> |           Backend: <None>|
+-----------------------------------------+---------------------------+---------------------------+--------------------------+
|                   Evaluation Metric (%) |                     -6.83 |                   70.0000 |                   76.8295|
|     Computational Complexity (MegaMACs) |                  9278.33x |                    0.0600 |                  556.7000|
+-----------------------------------------+---------------------------+---------------------------+--------------------------+
"""  # noqa: E501


@pytest.mark.parametrize("mode", ["debug", "info", "warning", "error", "critical", "DEBUG"])
def test_a_table_is_on_standard_output_at_every_print_mode(mode: str, capsys: Any) -> None:
    profiler().compute_network_status(print_mode=mode)
    assert capsys.readouterr().out == ONE


def test_without_a_print_mode_nothing_is_printed(capsys: Any) -> None:
    profiler().compute_network_status()
    profiler().compare(profiler(), print_mode=None)
    assert capsys.readouterr().out == ""


def test_the_long_form_has_layers_and_notes(capsys: Any) -> None:
    made = profiler()
    layers = ExternalProfilerFunction(lambda m, d: "conv 1\nconv 2\n", LayerwiseSummary())
    made.register_profiler_function(layers)
    made.compute_network_status(print_mode="info", short_print=False)
    expected = "\nLayers of Original Model\nconv 1\nconv 2\n" + ONE + NOTES
    assert capsys.readouterr().out == expected


def test_a_small_and_a_large_model_are_compared_in_one_unit(capsys: Any) -> None:
    profiler(0.00006, 70, name="Small").compare(profiler())
    assert capsys.readouterr().out == TWO


def test_what_is_not_computed_is_said(capsys: Any) -> None:
    profiler().display_status()
    out = capsys.readouterr().out
    assert "|                   Evaluation Metric (%) |        <NotComputed>|" in out
    profiler().display_status(profiler(), print_mode="info")
    assert "---" in capsys.readouterr().out


def test_long_names_keep_the_frame(capsys: Any) -> None:
    made = profiler(name="a name that is far longer than a column of the table is wide \N{CAT}\x1b")
    made.compute_network_status(print_mode="info")
    made.compare(profiler(name="x" * 70))
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    assert len({len(line) for line in lines[:9]}) <= 2  # the cat is two columns wide
    assert len({len(line) for line in lines[9:]}) <= 2
    assert "\x1b" not in "".join(lines)


class WithoutComparison(Flops):
    NAME = "plain"

    def get_comparative(self) -> Comparative:
        return Comparative.NONE


class Odd(Flops):
    NAME = "odd"

    def get_comparative(self) -> Any:
        return "coverage"


def test_comparisons_that_are_not_wanted_or_not_known(capsys: Any) -> None:
    made = PlainProfiler(object(), {})
    made.register_profiler_function(ExternalProfilerFunction(lambda m, d: 1, WithoutComparison()))
    made.register_profiler_function(ExternalProfilerFunction(lambda m, d: 2, Odd()))
    made.compare(made.clone())
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("|")[2].strip() for line in lines[7:9]] == ["---", "<Error Comparing>"]


def test_a_division_by_zero_is_infinite(capsys: Any) -> None:
    profiler(0).compare(profiler(0.5))
    assert " INF |" in capsys.readouterr().out


def test_only_profilers_of_the_same_keys_are_compared() -> None:
    with pytest.raises(ValueError, match="with a profiler, not with 3"):
        profiler().compare(3)  # type: ignore[arg-type]
    other = PlainProfiler(object(), {})
    with pytest.raises(ValueError, match="only one of the profilers computes 'eval_metric'"):
        profiler().compare(other)


def test_print_modes_that_do_not_exist_are_refused_before_anything_is_computed() -> None:
    made = profiler()
    for call in (
        lambda: made.compute_network_status(print_mode="loud"),
        lambda: made.display_status(print_mode="loud"),
        lambda: made.compare(profiler(), print_mode="loud"),
    ):
        with pytest.raises(ValueError, match="it can be None or debug, info"):
            call()
    assert made.status_get("flops") is None


def test_a_logger_gets_the_table_at_its_level(capsys: Any, caplog: Any) -> None:
    logger = logging.getLogger("a program's own")
    setLogger(logger)
    assert getLogger() is logger
    with caplog.at_level(logging.DEBUG, logger=logger.name):
        profiler().compute_network_status(print_mode="warning")
    assert [(record.levelname, record.message + "\n") for record in caplog.records] == [
        ("WARNING", ONE)
    ]
    assert capsys.readouterr().out == ""
    setLogger(None)
    profiler().compute_network_status(print_mode="info")
    assert capsys.readouterr().out == ONE
    with pytest.raises(TypeError, match="is no logger"):
        setLogger("a name")


class Coverage(Metric):
    NAME = "coverage"

    @staticmethod
    def description() -> str:
        return "how much is covered"

    @staticmethod
    def friendly_name() -> str:
        return "Coverage"

    def get_units(self) -> str:
        return ""

    def get_comparative(self) -> Comparative:
        return Comparative.DIV


def test_the_display_chooses_and_orders(capsys: Any) -> None:
    made = profiler()
    made.register_profiler_function(ExternalProfilerFunction(lambda m, d: "all", Coverage()))
    made.add_secondary_eval_metric("recall")
    made.load_from_dict({"coverage": "all", "recall": 3.0})

    def shown() -> list[str]:
        made.display_status()
        rows = capsys.readouterr().out.splitlines()[7:-1]
        return [row.split("|")[1].split(" (")[0].strip() for row in rows]

    accuracy, recall, flops = "Evaluation Metric", "Eval: recall", "Computational Complexity"
    assert shown() == [accuracy, recall, flops, "Coverage"]
    made.display = Display(order=["coverage", "flops"])
    assert shown() == ["Coverage", flops, accuracy, "Inference Time", recall]
    made.display = Display(order=["coverage", "flops"], include_leftovers=False)
    assert shown() == ["Coverage", flops]
    made.display = Display(exclude=["flops", "inference_time"])
    assert shown() == [accuracy, recall, "Coverage"]


def test_a_metric_must_say_all_that_a_table_needs() -> None:
    class Incomplete(Metric):
        NAME = "incomplete"

    with pytest.raises(TypeError, match="abstract"):
        Incomplete()


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [(2.5, "GigaMACs", 2.5), (0.0005, "MegaMACs", 0.5), (4e-7, "KiloMACs", 0.4)],
)
def test_a_thousand_is_a_thousand(value: float, unit: str, shown: float) -> None:
    flops = Flops()
    flops.value = value
    assert flops.get_units() == unit
    assert flops.get_value() == pytest.approx(shown)
