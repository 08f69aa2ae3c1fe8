"""What tests in all folders share."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

BFLOAT16_PRODUCT = """
import torch
torch.ones(16, 64, dtype=torch.bfloat16) @ torch.ones(64, 64, dtype=torch.bfloat16)
torch.nn.Linear(64, 64).to(torch.bfloat16)(torch.ones(16, 64, dtype=torch.bfloat16))
"""


def pytest_configure() -> None:
    """Some virtual machines name instructions for matrices (AMX) among their processor's and do not
    let them run: there torch alone dies of a product in bfloat16. It is then told to do without."""
    limit = "ONEDNN_MAX_CPU_ISA"
    if limit in os.environ or "amx_bf16" not in pathlib.Path("/proc/cpuinfo").read_text():
        return
    if subprocess.run([sys.executable, "-c", BFLOAT16_PRODUCT], check=False).returncode != 0:
        os.environ[limit] = "AVX512_CORE_BF16"


@pytest.fixture(scope="session")
def sightline_program() -> str:
    """The native program that was installed with the package."""
    beside = pathlib.Path(sys.executable).parent
    program = shutil.which("sightline", path=str(beside))
    assert program is not None, f"there is no sightline program in {beside}: install the package"
    return program
