"""Messages that are kept as files. UPDATE_GOLDEN=1 writes them anew."""

from __future__ import annotations

import os
import pathlib
import re
import sys


def plain(message: str, folder: pathlib.Path) -> str:
    """Without what differs from machine to machine."""
    message = message.replace(str(folder.resolve()), "PROJECT")
    message = message.replace(sys.executable, "PYTHON")
    message = re.sub(r'File "/.*/site-packages/', 'File "SITE-PACKAGES/', message)
    message = re.sub(r'File "/.*/python/sightline/', 'File "SIGHTLINE/', message)
    message = re.sub(r'File "/.*/lib/python[0-9.]+/', 'File "STDLIB/', message)
    message = re.sub(r"hread 0x[0-9a-f]+", "hread 0x0", message)
    return re.sub(r'((?:SITE-PACKAGES|STDLIB|SIGHTLINE)/[^"]*", line )\d+', r"\1N", message)


def assert_golden(path: pathlib.Path, text: str) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text)
    assert text == path.read_text()
