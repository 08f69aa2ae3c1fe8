"""A free-threaded interpreter has no lock that the frame reader could rely on: it is refused."""

from __future__ import annotations

import pathlib
import subprocess
import sysconfig

ROOT = pathlib.Path(__file__).parents[2]


def compile_reader(*options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [
            *("g++", "-std=c++20", "-fsyntax-only", *options, f"-I{ROOT}"),
            *(f"-isystem{sysconfig.get_path('include')}", "-x", "c++", "-"),
        ],
        input='#include "collectors/python/frames.h"\n',
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_free_threaded_build_is_refused_with_the_reason() -> None:
    result = compile_reader("-DPy_GIL_DISABLED")
    assert result.returncode != 0
    assert (
        "Sightline needs an interpreter with a global lock: "
        "free-threaded builds are not supported." in result.stderr
    )


def test_an_ordinary_build_is_not_refused() -> None:
    result = compile_reader()
    assert result.returncode == 0, result.stderr
