"""`sightline profile`: entry points that are right, and what surrounds the user's code."""

from __future__ import annotations

import os
import pathlib

import pytest
from integration.command import Command
from integration.entry_points import QUICK, entry_point, profiled
from integration.identities import assert_identities

import sightline


@pytest.mark.parametrize("prefix", ["sightline_", "skyline_", "deepview_"])
def test_an_entry_point_of_each_prefix_is_profiled(
    prefix: str, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    run = profiled(sightline_command, tmp_path, entry_point(prefix), QUICK)
    assert_identities(run)
    iteration = run.report["iteration"]
    assert iteration["batch_size"] == 8
    assert iteration["steps"] >= 10
    assert run.report["run"]["command"] == f"sightline profile entry.py -o run.sightline {QUICK}"
    sources = [line["source"] for line in run.report["lines"] if line["file"] == "entry.py"]
    assert "model(*inputs, **named).sum().backward()" in sources
    assert "sightline report run.sightline" in run.stderr.splitlines()[-1]
    assert set(os.listdir(tmp_path)) - {"__pycache__"} == {"entry.py", "run.sightline"}


@pytest.mark.parametrize(
    "inputs",
    [
        "def {}input_provider(batch_size=8):\n    yield torch.randn(batch_size, 4)\n",
        "def {}input_provider(batch_size=8):\n    return [torch.randn(batch_size, 4)]\n",
        "def {}input_provider(batch_size=8):\n    return {{'input': torch.randn(batch_size, 4)}}\n",
        "def {}input_provider(*, batch_size: int = 8) -> tuple:\n"
        "    return (torch.randn(batch_size, 4),)\n",
        "def {}input_provider(\n    batch_size: int = 1 << 3,  # samples\n    width=4,\n):\n"
        "    return (torch.randn(batch_size, width),)\n",
    ],
    ids=["generator", "list", "dict", "keyword only", "several lines"],
)
def test_inputs_may_come_in_any_shape(
    inputs: str, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    run = profiled(
        sightline_command, tmp_path, entry_point(inputs=inputs), QUICK, "--batch-size", "6"
    )
    assert run.report["iteration"]["batch_size"] == 6


def test_imports_work_as_skylines_example_has_them(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    project = tmp_path / "my_project"
    (project / "inner").mkdir(parents=True)
    (project / "__init__.py").write_text("")
    (project / "inner" / "__init__.py").write_text("")
    (project / "model.py").write_text("import torch\n\nModel = torch.nn.Linear\n")
    model = (
        "from my_project.model import Model\nfrom ..model import Model as Same\n"
        "from model import Model as AlsoSame\n\n\n"
        "def {}model_provider():\n    assert Model is Same\n    return Model(4, 2)\n"
    )
    command = Command(sightline_command.program, project)
    run = profiled(command, project, entry_point(model=model), QUICK, entry="inner/entry.py")
    assert run.report["run"]["root"] == str(project)


def test_code_for_cuda_runs_on_the_cpu_when_told_so(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    model = (
        "def {}model_provider():\n"
        "    model = nn.Linear(4, 2, device='cuda').cuda().to('cuda:0')\n"
        "    return model.to(torch.device('cuda'))\n"
    )
    inputs = (
        "def {}input_provider(batch_size=8):\n"
        "    x = torch.zeros(batch_size, 4, device='cuda') + torch.randn(4).cuda()\n"
        "    torch.cuda.synchronize()\n"
        "    return (x.to('cuda', non_blocking=True),)\n"
    )
    text = entry_point(model=model, inputs=inputs)
    run = profiled(sightline_command, tmp_path, text, QUICK, "--device", "cpu")
    assert_identities(run)


def test_model_and_inputs_are_put_on_the_device(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    # "meta" is the one device beside the CPU that every machine has.
    inputs = (
        "def {}input_provider(batch_size=8):\n"
        "    return {{'input': [torch.randn(batch_size, 4), ('nested', torch.zeros(4))]}}\n"
    )
    model = (
        "class Net(nn.Linear):\n"
        "    def forward(self, input):\n"
        "        x, (name, shift) = input\n"
        "        assert name == 'nested' and x.is_meta and shift.is_meta\n"
        "        return super().forward(x + shift)\n\n\n"
        "def {}model_provider():\n"
        "    return Net(4, 2)\n"
    )
    text = entry_point(model=model, inputs=inputs)
    run = profiled(sightline_command, tmp_path, text, QUICK, "--device", "meta")
    assert run.report["iteration"]["batch_size"] == 8


def test_an_older_run_stays_when_the_new_one_fails(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    profiled(sightline_command, tmp_path, entry_point(), QUICK)
    before = (tmp_path / "run.sightline").read_bytes()
    (tmp_path / "entry.py").write_text("1 / 0\n")
    refused = sightline_command("profile", "entry.py", "-o", "run.sightline")
    assert refused.returncode == 2
    assert "--force" in refused.stderr
    failed = sightline_command("profile", "entry.py", "-o", "run.sightline", "--force")
    assert failed.returncode == 1
    assert (tmp_path / "run.sightline").read_bytes() == before
    (tmp_path / "entry.py").write_text(entry_point())
    replaced = sightline_command("profile", "entry.py", "-o", "run.sightline", "--force", QUICK)
    assert replaced.returncode == 0
    assert sightline.open(tmp_path / "run.sightline").report["run"]["finished"] is True
    assert (tmp_path / "run.sightline").read_bytes() != before
