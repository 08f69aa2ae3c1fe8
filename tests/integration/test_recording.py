"""`sightline.record` and `sightline.open`, as a user of Python meets them."""

from __future__ import annotations

import pathlib

import pytest
from integration.conftest import Runner
from integration.identities import assert_identities

import sightline

TRAIN = """
        import sightline
        import torch

        weight = torch.randn(8, 8, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)

        def train(steps=6):
            for _ in range(steps):
                loss = weight.square().sum()
                loss.backward()
                optimizer.step()
"""


def test_a_second_recording_inside_of_the_first_is_refused(run_program: Runner) -> None:
    run = run_program(
        TRAIN
        + """
        with sightline.record("own.sightline"):
            train()
            try:
                with sightline.record("second.sightline"):
                    raise AssertionError("it recorded")
            except ValueError as error:
                print(error)
            train()
        """
    )
    assert run.exit_code == 0, run.stderr
    assert "already runs" in run.stdout
    assert "own.sightline" in run.stdout
    assert not run.path.with_name("second.sightline").exists()
    assert_identities(run)
    assert run.report["iteration"]["seen_steps"] == 12


def test_a_path_that_is_taken_is_refused(run_program: Runner) -> None:
    run = run_program(
        TRAIN
        + """
        with sightline.record("own.sightline"):
            train()
        try:
            with sightline.record("own.sightline"):
                raise AssertionError("it recorded")
        except (OSError, ValueError) as error:
            print(error)
        """
    )
    assert run.exit_code == 0, run.stderr
    assert "own.sightline" in run.stdout
    assert run.report["iteration"]["seen_steps"] == 6


def test_one_recording_after_the_other_starts_from_nothing(run_program: Runner) -> None:
    run = run_program(
        TRAIN
        + """
        for name in ("first", "own"):
            with sightline.record(f"{name}.sightline"):
                train()
            train(3)
        """
    )
    assert run.exit_code == 0, run.stderr
    assert_identities(run)
    assert run.report["iteration"]["seen_steps"] == 6
    assert run.line("loss = weight")["calls"] == 2
    assert run.report["memory"]["at_peak"]["parameters"] == 8 * 8 * 4


def test_a_recording_may_be_started_and_stopped_in_different_places(run_program: Runner) -> None:
    run = run_program(
        TRAIN
        + """
        recording = sightline.Recording("own.sightline")
        train()
        recording.stop()
        recording.stop()
        train()
        """
    )
    assert run.exit_code == 0, run.stderr
    assert run.report["iteration"]["seen_steps"] == 6


def test_a_recording_never_stopped_ends_with_the_program(run_program: Runner) -> None:
    run = run_program(
        TRAIN
        + """
        recording = sightline.Recording("own.sightline")
        train()
        """
    )
    assert run.exit_code == 0, run.stderr
    assert run.report["run"]["finished"] is True
    assert run.report["iteration"]["seen_steps"] == 6
    assert [path.name for path in run.path.parent.glob("own*")] == ["own.sightline"]


def test_marking_a_step_without_a_recording_does_nothing() -> None:
    sightline.step()


def test_open_gives_rows_and_data_frames(record: Runner) -> None:
    run = record(TRAIN + "        train()\n")
    opened = sightline.open(run.path)
    assert opened.lines == run.report["lines"]
    assert opened.modules == run.report["modules"]
    assert opened.phases == run.report["phases"]
    assert opened.memory["peak_bytes"] == run.report["memory"]["peak_bytes"]
    assert [step["step"] for step in opened.steps] == list(range(6))
    pandas = pytest.importorskip("pandas")
    frame = opened.lines.frame()
    assert isinstance(frame, pandas.DataFrame)
    assert len(frame) == len(opened.lines)
    assert "6 steps" not in repr(opened)  # three of them were for warming up
    assert "loss = weight.square().sum()" in str(opened)
    assert opened._repr_html_().startswith("<pre>")


def test_open_says_what_is_wrong_with_a_file(tmp_path: pathlib.Path) -> None:
    foreign = tmp_path / "notes.sightline"
    foreign.write_text("no run at all")
    for path in (tmp_path / "missing.sightline", foreign):
        with pytest.raises((OSError, ValueError), match=path.name):
            sightline.open(path)


def test_the_text_of_project_files_is_kept_unless_told_otherwise(record: Runner) -> None:
    kept = record(TRAIN + "        train()\n")
    assert kept.value("SELECT text FROM sources") == kept.program
    left_out = record(TRAIN + "        train()\n", keep_source=False)
    assert left_out.rows("SELECT * FROM sources") == []
    assert {line["source"] for line in left_out.report["lines"]} == {None}
