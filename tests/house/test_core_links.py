"""The engine stands alone: its shared library and the program know neither Python nor torch."""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

FOREIGN_SYMBOL = re.compile(r"^(_?Py[A-Z_]|c10::|at::|torch::|caffe2::|tensorflow::)")
FOREIGN_LIBRARY = re.compile(r"lib(python|torch|c10|caffe2|tensorflow)")


def engine() -> Path:
    package = Path(sysconfig.get_path("platlib")) / "sightline"
    found = sorted(package.rglob("libsightline.so*"))
    assert found, f"no libsightline.so under {package}: run `make build`"
    return found[0]


def program() -> Path:
    path = Path(sys.executable).parent / "sightline"
    assert path.is_file(), f"{path} is not there: run `make build`"
    return path


def output(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("find", [engine, program])
def test_it_asks_for_no_symbol_of_python_or_torch(find) -> None:
    symbols = output("nm", "-D", "--undefined-only", "--demangle", find()).splitlines()
    names = [line.split(maxsplit=1)[1] for line in symbols]
    assert names, "nm lists no symbol at all"
    assert [name for name in names if FOREIGN_SYMBOL.match(name)] == []


@pytest.mark.parametrize("find", [engine, program])
def test_it_links_no_library_of_python_or_torch(find) -> None:
    libraries = output("ldd", find()).splitlines()
    assert any("libc.so" in line for line in libraries)
    assert [line.strip() for line in libraries if FOREIGN_LIBRARY.search(line.split()[0])] == []


def test_the_program_does_not_need_the_shared_library() -> None:
    assert "libsightline" not in output("ldd", program())
