"""There is one version, in the VERSION file; everything that shows a version shows that one."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VERSION = (ROOT / "VERSION").read_text().strip()


def test_the_version_is_semantic() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?", VERSION)


def test_the_program_says_it() -> None:
    program = Path(sys.executable).parent / "sightline"
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.split()[-1] == VERSION


def test_the_package_has_it() -> None:
    assert importlib.metadata.version("sightline") == VERSION
