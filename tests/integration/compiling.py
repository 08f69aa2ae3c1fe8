"""Compiles what users compile themselves, from an installed header alone."""

from __future__ import annotations

import pathlib
import subprocess


def compiled(source: pathlib.Path, folder: pathlib.Path, include: str) -> pathlib.Path:
    library = folder / f"{source.stem}.so"
    command = ["g++", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-I", include]
    subprocess.run([*command, str(source), "-o", str(library)], check=True)
    return library
