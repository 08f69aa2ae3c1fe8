"""Every example runs alone, as its README says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = sorted((ROOT / "examples").glob("*/train.py"))


def test_there_are_examples() -> None:
    assert len(SCRIPTS) >= 4


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.parent.name)
def test_the_example_runs_alone(script: Path) -> None:
    result = subprocess.run(
        [sys.executable, script, "--steps", "2"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert result.returncode == 0, result.stderr
    assert "step   0" in result.stdout
    assert (script.parent / "README.md").is_file()
