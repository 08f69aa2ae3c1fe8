"""The rooms include each other only along the arrows of tools/layers.toml."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


def load_checker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_layers", ROOT / "tools/check_layers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_layers"] = module
    spec.loader.exec_module(module)
    return module


checker = load_checker()
layers = checker.read_layers(ROOT / "tools/layers.toml")


def test_every_include_follows_an_arrow_and_the_picture_is_current() -> None:
    result = subprocess.run(
        [sys.executable, "tools/check_layers.py"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("core/base/a.cpp", '#include "core/model/run.h"'),
        ("core/record/a.cpp", '#include "core/store/writer.h"'),
        ("core/store/a.h", '#include "core/record/recorder.h"'),
        ("core/profile/a.cpp", '#include "cli/table.h"'),
        ("core/profile/a.cpp", "#include <Python.h>"),
        ("core/supervise/a.cpp", '#include "core/profile/breakdown.h"'),
        ("core/supervise/a.cpp", '#include "core/measure/count.h"'),
        ("core/supervise/statistics/a.cpp", "#include <torch/torch.h>"),
        ("core/record/a.cpp", '#include "core/supervise/bus/bus.h"'),
        ("core/measure/a.cpp", '#include "core/supervise/rules/watcher.h"'),
        ("core/record/a.cpp", "#include <ATen/record_function.h>"),
        ("core/model/a.h", "#include <c10/core/Allocator.h>"),
        ("core/model/a.h", '#include "run.h"'),
        ("core/elsewhere/a.h", "#include <vector>"),
        ("collectors/torch/a.cpp", '#include "core/store/writer.h"'),
        ("collectors/torch/a.cpp", '#include "collectors/tensorflow/graph.h"'),
        ("collectors/python/a.cpp", '#include "collectors/torch/observer.h"'),
        ("server/a.cpp", '#include "cli/table.h"'),
        ("python/bindings/a.cpp", '#include "cli/table.h"'),
    ],
)
def test_an_include_against_the_arrows_is_found(tmp_path: Path, path: str, line: str) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(f"// A file.\n{line}\n")
    (problem,) = checker.check(tmp_path, layers)
    assert problem.startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("core/model/a.h", '#include "core/base/result.h"'),
        ("core/profile/a.cpp", '#include "core/store/reader.h"'),
        ("core/supervise/rules/a.h", '#include "core/model/series.h"'),
        ("core/supervise/a.cpp", '#include "core/store/series_coding.h"'),
        ("python/bindings/a.cpp", '#include "core/supervise/bus/bus.h"'),
        ("core/store/a_test.cpp", "#include <gtest/gtest.h>"),
        ("collectors/torch/a.cpp", '#include "collectors/python/frames.h"'),
        ("collectors/torch/a.cpp", "#include <ATen/record_function.h>"),
        ("cli/a.cpp", '#include "core/profile/report.h"'),
        ("python/bindings/a.cpp", "#include <nanobind/nanobind.h>"),
    ],
)
def test_an_include_along_the_arrows_passes(tmp_path: Path, path: str, line: str) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    file.write_text(f"{line}\n")
    assert checker.check(tmp_path, layers) == []
