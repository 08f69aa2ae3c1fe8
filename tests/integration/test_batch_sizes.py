"""What `sightline profile` learns from other batch sizes."""

from __future__ import annotations

import pathlib

import pytest
from integration.command import Command
from integration.entry_points import HEAD, QUICK, entry_point, profiled
from integration.recorded_run import RecordedRun

import sightline

pytestmark = pytest.mark.alone

# Until neither of two runs was disturbed by what else the machine does.
ROUNDS = 6
# A step of this does little but call operators: a larger batch costs hardly more.
SMALL = """
def {}model_provider():
    return nn.Sequential(*(nn.Linear(4, 4) for _ in range(30)))
"""
# Every sample goes through it alone, so twice the samples take twice the time.
ONE_BY_ONE = """
class OneByOne(nn.Sequential):
    def forward(self, samples):
        return torch.stack([super(OneByOne, self).forward(sample).sum() for sample in samples])


def {}model_provider():
    return OneByOne(*(nn.Linear(4, 4) for _ in range(30)))
"""
LIMITED = """
def {{}}input_provider(batch_size=8):
    if batch_size > 8:
        {}
    return (torch.randn(batch_size, 4),)
"""


def sizes_of(run: RecordedRun) -> list[int]:
    return [sample["batch_size"] for sample in run.report["throughput"]["samples"]]


def findings_of(run: RecordedRun) -> dict[str, dict[str, float]]:
    return {finding["rule"]: finding["evidence"] for finding in run.report["findings"]}


@pytest.fixture(scope="module")
def small(sightline_program: str, tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    folder = tmp_path_factory.mktemp("small")
    return profiled(Command(sightline_program, folder), folder, entry_point(model=SMALL))


def test_four_sizes_are_measured_and_one_more_to_check(small: RecordedRun) -> None:
    samples = small.report["throughput"]["samples"]
    assert [sample["batch_size"] for sample in samples if not sample["held_out"]] == [4, 8, 16, 32]
    assert [sample["batch_size"] for sample in samples if sample["held_out"]] == [24]
    for sample in samples:
        assert sample["iteration_ms"] > 0
        assert sample["resident_bytes"] > sample["peak_bytes"] > 0


def test_memory_is_predicted_where_it_was_not_measured(
    small: RecordedRun, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    models = sightline.open(small.path).batch_models
    assert models is not None
    assert small.report["throughput"]["memory_model"]["held_out_error_percent"] < 3
    for size in (12, 64):
        text = entry_point(model=SMALL)
        (tmp_path / "run.sightline").unlink(missing_ok=True)
        alone = profiled(sightline_command, tmp_path, text, QUICK, "--batch-size", str(size))
        assert models.peak_bytes(size) == pytest.approx(
            alone.report["memory"]["peak_bytes"], rel=0.03
        )


def test_questions_are_answered_both_ways(small: RecordedRun) -> None:
    models = sightline.open(small.path).batch_models
    assert models is not None
    assert models.batch_size_for_memory(int(models.peak_bytes(100)) + 1) == 100
    assert models.batch_size_for_memory(1) == 0
    size = models.batch_size_for_throughput(models.samples_per_second(20) * 0.99)
    assert size is not None and size <= 20
    limit = models.limit_samples_per_second()
    assert limit is None or limit >= models.samples_per_second(32)


def test_the_report_lists_the_sizes(small: RecordedRun, sightline_command: Command) -> None:
    text = sightline_command("report", small.path).stdout
    assert "Other batch sizes" in text
    assert "left out to check" in text
    assert "this run's" in text


def test_a_larger_batch_is_proposed_where_it_gains(
    small: RecordedRun, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    promised = findings_of(small)["larger-batch"]
    assert promised["batch_size"] == 32
    text = entry_point(model=SMALL)
    fastest = {8: 0.0, 32: 0.0}
    for _ in range(ROUNDS):
        for size, before in fastest.items():
            (tmp_path / "run.sightline").unlink(missing_ok=True)
            run = profiled(sightline_command, tmp_path, text, QUICK, "--batch-size", str(size))
            fastest[size] = max(before, size / run.report["iteration"]["median_ms"])
        gained = 100 * (fastest[32] / fastest[8] - 1)
        if gained == pytest.approx(promised["throughput_gain_percent"], rel=0.35):
            return
    pytest.fail(f"{promised['throughput_gain_percent']:.0f} % were promised, {gained:.0f} % came")


def test_a_larger_batch_is_not_proposed_where_every_sample_costs_the_same(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    text = entry_point(model=ONE_BY_ONE)
    for _ in range(ROUNDS):
        (tmp_path / "run.sightline").unlink(missing_ok=True)
        run = profiled(sightline_command, tmp_path, text)
        assert max(sizes_of(run)) > 8
        found = findings_of(run).get("larger-batch")
        if found is None:
            return
    pytest.fail(f"a gain of {found['throughput_gain_percent']:.0f} % was promised each time")


@pytest.mark.parametrize(
    "end",
    ["raise MemoryError('too large')", "import os; os.kill(os.getpid(), 9)"],
    ids=["raises", "is killed"],
)
def test_a_batch_that_does_not_fit_narrows_the_range(
    end: str, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    run = profiled(sightline_command, tmp_path, entry_point(inputs=LIMITED.format(end)))
    assert max(sizes_of(run)) == 8
    assert len(sizes_of(run)) >= 4
    assert run.report["throughput"]["run_time_model"]["slope_ms"] is not None


LIMITED_ITERATION = """
def sightline_iteration_provider(model):
    def iteration(inputs):
        if len(inputs) > 8:
            raise ValueError("8 samples\\nat most")
        model(inputs).sum().backward()

    return iteration
"""


def test_smaller_batches_are_measured_where_larger_ones_fail(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    run = profiled(sightline_command, tmp_path, entry_point() + LIMITED_ITERATION)
    assert sizes_of(run) == [1, 2, 4, 6, 8]
    what = "ValueError in a training step: 8 samples"
    assert run.report["throughput"]["failures"] == [{"batch_size": 16, "what": what}]
    said = f"No step could be measured at 16: {what}"
    assert said in run.stderr
    assert said in sightline_command("report", "run.sightline").stdout
    assert run.report["throughput"]["run_time_model"]["slope_ms"] is not None


def test_a_batch_that_hangs_is_ended_and_smaller_ones_are_measured(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    inputs = LIMITED.format("import time; time.sleep(100)")
    text = entry_point(inputs=inputs)
    run = profiled(sightline_command, tmp_path, text, "--timeout", "10")
    assert max(sizes_of(run)) == 8
    assert len(sizes_of(run)) >= 4
    (failure,) = run.report["throughput"]["failures"]
    assert failure["what"] == "nothing came back within 10 seconds while the inputs were made"


def test_code_made_for_one_size_is_profiled_at_that_size(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    inputs = LIMITED.format("raise ValueError('8 it is')").replace("> 8", "!= 8")
    run = profiled(sightline_command, tmp_path, entry_point(inputs=inputs))
    assert run.report["iteration"]["batch_size"] == 8
    assert sizes_of(run) == [8]
    assert run.report["throughput"]["run_time_model"]["slope_ms"] is None
    shown = sightline_command("report", "run.sightline").stdout
    what = "ValueError while the inputs were made: 8 it is"
    assert f"No step could be measured at 1, 2, 4, 16: {what}." in shown
    assert "Too few sizes could be measured to say more." in shown


def test_without_throughput_no_other_size_is_run(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    text = HEAD + entry_point().removeprefix(HEAD)
    run = profiled(sightline_command, tmp_path, text, QUICK)
    assert sizes_of(run) == []
