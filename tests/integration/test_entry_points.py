"""What `sightline profile` says of an entry point that is wrong: each in tests/golden/entry_points
has its message beside it."""

from __future__ import annotations

import pathlib
import shutil

import pytest
from integration.command import Command
from integration.golden import assert_golden, plain

pytestmark = pytest.mark.alone

CASES = pathlib.Path(__file__).parent.parent / "golden" / "entry_points"
TIMEOUT = {"hang": ("--timeout", "4")}


@pytest.mark.parametrize("case", sorted(path.stem for path in CASES.glob("*.py")))
def test_a_wrong_entry_point_gets_its_own_message(
    case: str, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    shutil.copy(CASES / f"{case}.py", tmp_path / "entry_point.py")
    result = sightline_command(
        "profile", "entry_point.py", "-o", "run.sightline", *TIMEOUT.get(case, ())
    )
    assert result.returncode == 1, result.stderr
    assert result.stdout == ""
    assert_golden(CASES / f"{case}.txt", plain(result.stderr, tmp_path))
    left = sorted(path.name for path in tmp_path.iterdir() if path.name != "__pycache__")
    assert left == ["entry_point.py"]
