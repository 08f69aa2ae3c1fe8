"""Prints the folder and the version of the environment's torch as a CMake list, or nothing.

Looks at files only: inside pip's build environment torch cannot be imported.
"""

import pathlib
import re
import sysconfig

for folder in dict.fromkeys((sysconfig.get_path("platlib"), sysconfig.get_path("purelib"))):
    torch = pathlib.Path(folder) / "torch"
    version_file = torch / "version.py"
    if not (torch / "include" / "ATen" / "ATen.h").is_file() or not version_file.is_file():
        continue
    version = re.search(r"__version__ = '([^']+)'", version_file.read_text())
    if version:
        print(f"{torch};{version.group(1)}")
        break
