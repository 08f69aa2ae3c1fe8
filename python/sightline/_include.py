"""The headers of C that were installed along."""

from __future__ import annotations

import pathlib
import sysconfig


def include_folder(header: str) -> str:
    """The folder to be given to a compiler, in which the header is found."""
    package = pathlib.Path(__file__).parent
    # An editable install keeps what was built beside the other installed packages.
    for folder in (package, pathlib.Path(sysconfig.get_path("platlib")) / "sightline"):
        if (folder / "include" / header).is_file():
            return str(folder / "include")
    raise FileNotFoundError(f"{header} was not installed: install sightline again")
