"""What `sightline profile` says of an entry point that is wrong: each in tests/golden/entry_points
has its message beside it. UPDATE_GOLDEN=1 writes the messages anew."""

from __future__ import annotations

import os
import pathlib
import re
import shutil

import pytest
from integration.command import Command

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


def plain(message: str, folder: pathlib.Path) -> str:
    """Without what differs from machine to machine."""
    message = message.replace(str(folder.resolve()), "PROJECT")
    message = re.sub(r'File "/.*/site-packages/', 'File "SITE-PACKAGES/', message)
    message = re.sub(r'File "/.*/lib/python[0-9.]+/', 'File "STDLIB/', message)
    message = re.sub(r"hread 0x[0-9a-f]+", "hread 0x0", message)
    return re.sub(r'((?:SITE-PACKAGES|STDLIB)/[^"]*", line )\d+', r"\1N", message)


def assert_golden(path: pathlib.Path, text: str) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text)
    assert text == path.read_text()
