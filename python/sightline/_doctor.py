"""What this Python has, for `sightline doctor`."""

from __future__ import annotations

import importlib.util
import platform
import shlex
import sys
import sysconfig
from typing import Any


def facts() -> dict[str, Any]:
    from sightline import _core, _torch_support

    found: dict[str, Any] = {
        "python": platform.python_version(),
        "executable": sys.executable,
        "implementation": platform.python_implementation(),
        "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
        "sightline": _core.version,
        "collector_built_for": _torch_support.built_for(),
        "rebuild_command": _torch_support.rebuild_command(),
        "torch": None,
        "collector": None,
        "problem": None,
    }
    if importlib.util.find_spec("torch") is None:
        python = shlex.quote(sys.executable)
        found["problem"] = f"torch is not installed: {python} -m pip install torch"
        return found
    import torch

    found["torch"] = str(torch.__version__)
    try:
        collector = _torch_support.load_collector()
        found["collector"] = {"frame_reader": collector.frame_reader}
    except _torch_support.CollectorError as error:
        found["problem"] = str(error)
    return found
