"""What tests in all folders share."""

from __future__ import annotations

import pathlib
import shutil
import sys

import pytest


@pytest.fixture(scope="session")
def sightline_program() -> str:
    """The native program that was installed with the package."""
    beside = pathlib.Path(sys.executable).parent
    program = shutil.which("sightline", path=str(beside))
    assert program is not None, f"there is no sightline program in {beside}: install the package"
    return program
