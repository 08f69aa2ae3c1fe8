"""The example that Skyline's documentation prints, to the letter."""

from __future__ import annotations

import pathlib
import shutil

import pytest
from integration.command import Command
from integration.entry_points import QUICK
from integration.golden import assert_golden, plain
from integration.identities import assert_identities
from integration.recorded_run import RecordedRun

EXAMPLE = pathlib.Path(__file__).parent.parent / "golden" / "skyline_example"
# As the documentation prints them where it explains each provider.
SIGNATURES = {
    "skyline_model_provider()": "skyline_model_provider() -> torch.nn.Module",
    "skyline_input_provider(batch_size=32)": (
        "skyline_input_provider(batch_size: int = 32) -> Tuple"
    ),
    "skyline_iteration_provider(model)": (
        "skyline_iteration_provider(model: torch.nn.Module) -> Callable"
    ),
}


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    return pathlib.Path(shutil.copytree(EXAMPLE / "my_project", tmp_path / "my_project"))


@pytest.fixture
def in_project(sightline_program: str, project: pathlib.Path) -> Command:
    return Command(sightline_program, project)


def profiled_on_the_cpu(command: Command, entry: str, *options: str) -> RecordedRun:
    result = command("profile", entry, "--device", "cpu", "-o", "run.sightline", QUICK, *options)
    assert result.returncode == 0, result.stderr
    text = (command.folder / entry).read_text()
    run = RecordedRun(command.folder / "run.sightline", text, 0, result.stdout, result.stderr)
    assert_identities(run)
    return run


def lines_with_time(run: RecordedRun) -> set[tuple[str, str]]:
    return {
        (line["file"], line["source"])
        for line in run.report["lines"]
        if line["forward_ms"] > 0 and line["backward_ms"] > 0
    }


def test_it_runs_as_it_stands(in_project: Command) -> None:
    run = profiled_on_the_cpu(in_project, "entry_point.py")
    assert run.report["iteration"]["batch_size"] == 32
    assert lines_with_time(run) >= {
        ("model.py", "out = self.conv(input)"),
        ("model.py", "return self.linear(out.view(-1, 387096))"),
        ("entry_point.py", "return self.loss_fn(output, target)"),
    }


def test_without_a_gpu_it_says_what_to_do(
    in_project: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    result = in_project("profile", "entry_point.py", "-o", "run.sightline")
    assert result.returncode == 1
    assert_golden(EXAMPLE / "without_a_gpu.txt", plain(result.stderr, in_project.folder))


def test_its_providers_may_stand_in_the_file_of_the_model(in_project: Command) -> None:
    model = in_project.folder / "model.py"
    entry_point = in_project.folder / "entry_point.py"
    providers = entry_point.read_text().replace("from my_project.model import Model\n", "")
    for plain_signature, annotated in SIGNATURES.items():
        assert plain_signature in providers
        providers = providers.replace(plain_signature, annotated)
    model.write_text("from typing import Callable, Tuple\n" + model.read_text() + providers)
    entry_point.unlink()
    run = profiled_on_the_cpu(in_project, "model.py", "--batch-size", "4")
    assert run.report["iteration"]["batch_size"] == 4
    assert ("model.py", "out = self.conv(input)") in lines_with_time(run)
