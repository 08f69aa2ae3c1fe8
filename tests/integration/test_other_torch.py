"""A collector that was built for another torch is noticed before it touches anything."""

from __future__ import annotations

import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sysconfig
import venv

import pytest
import torch
from integration.command import SECONDS, Command

import sightline

BUILT_FOR = "1.2.3+elsewhere"
PACKAGES = pathlib.Path(sysconfig.get_path("platlib"))

RECORDING = """
import sys
import sightline

try:
    with sightline.record("own.sightline"):
        print("recording")
except ImportError as error:
    print(error)

import torch
print("sightline._torch" in sys.modules, torch.ones(2).sum().item())
"""


def make_environment(folder: pathlib.Path) -> pathlib.Path:
    """A Python with our torch, and with a sightline that was built for another one."""
    venv.create(folder, with_pip=False, symlinks=True)
    (own,) = folder.glob("lib/python*/site-packages")
    (own / "others.pth").write_text(f"{PACKAGES}\n")
    shutil.copytree(pathlib.Path(sightline.__file__).parent, own / "sightline")
    # An editable install keeps what was built apart from the sources.
    shutil.copytree(PACKAGES / "sightline", own / "sightline", dirs_exist_ok=True)
    file = own / "sightline" / "torch_build.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "torch": BUILT_FOR}))
    return folder / "bin" / "python"


@pytest.fixture
def python(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    return make_environment(tmp_path / "environment")


def assert_explains(text: str, python: pathlib.Path) -> None:
    message = (
        f"sightline's torch collector was built for torch {BUILT_FOR}, "
        f"but torch {torch.__version__} is running. "
        f"Rebuild it with: {python} -m pip install --force-reinstall --no-deps"
    )
    assert message in text
    assert "Traceback" not in text


def test_run_gives_both_versions_and_the_command_that_rebuilds(
    sightline_command: Command, python: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "program.py").write_text("import torch\nprint('trained')\n")
    result = sightline_command("run", "--python", python, "program.py")
    assert result.returncode == 2
    assert result.stdout == ""
    assert_explains(result.stderr, python)
    assert list(tmp_path.glob("*.sightline*")) == []


def test_record_raises_it_and_leaves_torch_alone(
    python: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "program.py").write_text(RECORDING)
    result = subprocess.run(
        [python, "program.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    message, rest = result.stdout.split("\n", maxsplit=1)
    assert_explains(message, python)
    assert rest == "False 2.0\n"
    assert list(tmp_path.glob("*.sightline*")) == []


def test_doctor_says_so(sightline_command: Command, python: pathlib.Path) -> None:
    result = sightline_command("doctor", "--python", python)
    assert result.returncode == 1
    assert_explains(result.stdout, python)
    (remedy,) = re.findall(r"do: (.*)", result.stdout)
    assert remedy.startswith(f"{python} -m pip install --force-reinstall --no-deps")


def test_the_command_can_be_pasted_where_a_path_has_a_space(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    python = make_environment(tmp_path / "my environment")
    result = sightline_command("doctor", "--python", python)
    (remedy,) = re.findall(r"do: (.*)", result.stdout)
    assert shlex.split(remedy)[:3] == [str(python), "-m", "pip"]
