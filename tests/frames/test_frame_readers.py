"""The frame readers on every interpreter that can be had on this machine."""

import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent
VERSIONS = ("3.10", "3.11", "3.12", "3.13")


def interpreter(version):
    """A Python of that version with its headers: on the PATH, or beside the one that runs this."""
    candidates = [shutil.which(f"python{version}")]
    for folder in pathlib.Path(sys.base_prefix).parent.glob(f"{version}*"):
        candidates.append(str(folder / "bin" / f"python{version}"))
    for candidate in candidates:
        if candidate is None or not pathlib.Path(candidate).exists():
            continue
        found = subprocess.run(
            [candidate, "-c", "import sysconfig; print(sysconfig.get_path('include'))"],
            capture_output=True,
            text=True,
        )
        include = pathlib.Path(found.stdout.strip())
        if found.returncode == 0 and (include / "Python.h").is_file():
            return candidate, include
    return None


@pytest.mark.parametrize("reader", ["native", "public"])
@pytest.mark.parametrize("version", VERSIONS)
def test_stacks_are_those_that_the_interpreter_reports(version, reader, tmp_path):
    found = interpreter(version)
    if found is None:
        pytest.skip(f"no Python {version} with headers on this machine")
    python, include = found
    sources = [HERE / "probe.cpp", *sorted((ROOT / "collectors" / "python").glob("*.cpp"))]
    define = ["-DSIGHTLINE_PUBLIC_FRAMES"] if reader == "public" else []
    subprocess.run(
        [
            *("g++", "-std=c++20", "-O1", "-shared", "-fPIC", "-Wall", "-Wextra", *define),
            *(f"-I{ROOT}", f"-isystem{include}", *map(str, sources)),
            *("-o", str(tmp_path / "frames_probe.so")),
        ],
        check=True,
    )
    result = subprocess.run(
        [python, str(HERE / "check_frames.py"), str(tmp_path)], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert reader in result.stdout
