"""What the tests of commands share: the program, run as a user does."""

from __future__ import annotations

import pathlib

import pytest
from integration.command import Command


@pytest.fixture
def command(sightline_program: str, tmp_path: pathlib.Path) -> Command:
    return Command(sightline_program, tmp_path)
