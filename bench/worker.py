"""Calls a function in a process of its own, so that no measurement inherits anything from another:
loaded libraries, allocator state, a profiler that was used before.

    python worker.py MODULE FUNCTION JSON-OF-ARGUMENTS

The result is the last line of the output, as JSON.
"""

from __future__ import annotations

import importlib
import json
import pathlib
import subprocess
import sys
from typing import Any


class WorkerError(Exception):
    """The function failed; the message has what it wrote to stderr."""


def call(module: str, function: str, under: tuple[str, ...] = (), **arguments: Any) -> Any:
    """The result of `module.function(**arguments)`, which must be plain data. `under` is a command
    that runs the process: valgrind, for example."""
    file = str(pathlib.Path(__file__).resolve())
    command = [*under, sys.executable, file, module, function, json.dumps(arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise WorkerError(f"{module}.{function} ended with {done.returncode}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    module, function, arguments = sys.argv[1:]
    result = getattr(importlib.import_module(module), function)(**json.loads(arguments))
    print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
