"""`sightline doctor` tells what is there, what fits, and what to do about what does not."""

from __future__ import annotations

import json
import pathlib
import platform
import sys
import venv
from typing import Any

import pytest
import torch
from integration.command import Command

import sightline

FRAME_READER = "native" if sys.version_info < (3, 14) else "public"


@pytest.fixture(autouse=True)
def no_active_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH"):
        monkeypatch.delenv(name, raising=False)


def checks_of(stdout: str) -> dict[str, Any]:
    return {check["name"]: check for check in json.loads(stdout)["checks"]}


def test_a_whole_installation_is_in_order(sightline_command: Command) -> None:
    result = sightline_command("doctor")
    assert result.returncode == 0, result.stdout
    assert result.stderr == ""
    assert "problem" not in result.stdout
    for found in (
        f"sightline {sightline.__version__}",
        f"CPython {platform.python_version()} at {sys.executable}",
        f"torch {torch.__version__}",
        f"fits, built for torch {torch.__version__}",
    ):
        assert found in result.stdout


def test_it_names_the_frame_reader(sightline_command: Command) -> None:
    checks = checks_of(sightline_command("doctor", "--json").stdout)
    assert FRAME_READER in checks["collector"]["found"]


def test_machines_read_the_same(sightline_command: Command) -> None:
    result = sightline_command("doctor", "--json")
    assert result.returncode == 0, result.stdout
    assert json.loads(result.stdout)["ok"] is True
    lines = sightline_command("doctor").stdout.splitlines()
    shown = {words[1]: words[0] == "ok" for words in map(str.split, lines)}
    assert shown == {name: check["ok"] for name, check in checks_of(result.stdout).items()}


def test_a_python_without_sightline_gets_the_commands_that_install_it(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    venv.create(tmp_path / "bare", with_pip=False, symlinks=True)
    python = tmp_path / "bare" / "bin" / "python"
    result = sightline_command("doctor", "--python", python, "--json")
    assert result.returncode == 1
    checks = checks_of(result.stdout)
    assert checks["python"]["ok"] is True
    for name, package in (("package", "sightline"), ("torch", "torch")):
        assert checks[name]["found"] == "not installed"
        assert checks[name]["remedy"] == f"{python} -m pip install {package}"
    text = sightline_command("doctor", "--python", python).stdout
    assert f"do: {python} -m pip install sightline\n" in text


def test_a_python_that_is_none_is_a_problem_and_no_crash(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    result = sightline_command("doctor", "--python", tmp_path / "nothing")
    assert result.returncode == 1
    assert f"--python {tmp_path / 'nothing'} is no program that can be run" in result.stdout
    silent = sightline_command("doctor", "--python", "/bin/true")
    assert silent.returncode == 1
    assert "the Python gave no answer" in silent.stdout
