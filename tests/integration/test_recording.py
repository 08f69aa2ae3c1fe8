"""`sightline.record` and `sightline.open`, as a user of Python meets them."""

from __future__ import annotations

import pathlib
import textwrap

import pytest
from integration.conftest import Runner, WarmPython
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
    assert "force=True" in run.stdout
    assert run.report["iteration"]["seen_steps"] == 6


def test_force_replaces_a_run_and_nothing_else(run_program: Runner) -> None:
    run = run_program(
        TRAIN
        + """
        for steps in (9, 6):  # as a notebook's cell that is run again
            with sightline.record("own.sightline", force=True):
                train(steps)
        with open("thesis.txt", "w") as file:
            file.write("years of work")
        try:
            with sightline.record("thesis.txt", force=True):
                raise AssertionError("it recorded")
        except ValueError as error:
            print(error)
        """
    )
    assert run.exit_code == 0, run.stderr
    assert_identities(run)
    assert run.report["iteration"]["seen_steps"] == 6
    assert "thesis.txt is not a run" in run.stdout
    assert run.path.with_name("thesis.txt").read_text() == "years of work"


def test_the_run_of_a_killed_process_can_be_recorded_anew(
    warm_python: WarmPython, run_program: Runner, tmp_path: pathlib.Path
) -> None:
    endless = textwrap.dedent(TRAIN) + "while True:\n    train()\n"
    killed = warm_python.record_and_kill(tmp_path, endless)
    assert killed.with_name("own.sightline-wal").exists()
    run = run_program(
        TRAIN
        + """
        with sightline.record("own.sightline", force=True):
            train()
        """
    )
    assert run.exit_code == 0, run.stderr
    assert run.path == killed
    assert_identities(run)
    assert run.report["iteration"]["seen_steps"] == 6
    assert [path.name for path in run.path.parent.glob("own*")] == ["own.sightline"]


@pytest.mark.parametrize(
    ("rank", "world_size", "expected"),
    [("1", "4", (1, 4)), ("", "", (0, 1)), ("main", "many", (0, 1)), ("-1", "9" * 30, (0, 1))],
)
def test_a_rank_that_is_no_number_does_no_harm(
    run_program: Runner, rank: str, world_size: str, expected: tuple[int, int]
) -> None:
    run = run_program(
        TRAIN
        + f"""
        import os

        os.environ.update(RANK="{rank}", WORLD_SIZE="{world_size}")
        with sightline.record("own.sightline"):
            train()
        """
    )
    assert run.exit_code == 0, run.stderr
    assert (run.report["run"]["rank"], run.report["run"]["world_size"]) == expected


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
