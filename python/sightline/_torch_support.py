"""Loads the torch collector and tells it what only Python can know: which code object is a module's
call, when an optimizer stepped, when a module changes between training and evaluation."""

from __future__ import annotations

import functools
import importlib
import json
import pathlib
import shlex
import sys
import sysconfig
import urllib.parse
from types import ModuleType
from typing import Any

_PACKAGE = pathlib.Path(__file__).parent


class CollectorError(ImportError):
    """The torch collector cannot be used; the message says what to do about it."""


def rebuild_command() -> str:
    """The one command that builds the collector anew against the torch that is there now."""
    python = shlex.quote(sys.executable)
    return f"{python} -m pip install --force-reinstall --no-deps {_requirement()}"


def _requirement() -> str:
    from importlib import metadata

    try:
        direct = metadata.distribution("sightline").read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        direct = None
    if direct is None:
        # pip would take the wheel that it built for the torch before.
        return "--no-cache-dir --no-binary sightline sightline"
    origin = json.loads(direct)
    url = shlex.quote(urllib.parse.unquote(str(origin["url"]).removeprefix("file://")))
    editable = bool(origin.get("dir_info", {}).get("editable"))
    return f"--no-build-isolation -e {url}" if editable else url


def built_for() -> dict[str, str] | None:
    """The versions that the collector was built against; None if it was not built."""
    file = _installed_file("torch_build.json")
    return json.loads(file.read_text()) if file else None


def _installed_file(name: str) -> pathlib.Path | None:
    # An editable install keeps what was built beside the other installed packages.
    for folder in (_PACKAGE, pathlib.Path(sysconfig.get_path("platlib")) / "sightline"):
        if (folder / name).is_file():
            return folder / name
    return None


def check_fit(torch_version: str) -> None:
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise CollectorError(
            "sightline does not support free-threaded Python: use an interpreter with the "
            "global lock"
        )
    built = built_for()
    if built is None:
        raise CollectorError(
            "sightline was installed without its torch collector, because torch was not there. "
            f"Build it with: {rebuild_command()}"
        )
    if built["torch"] != torch_version:
        raise CollectorError(
            f"sightline's torch collector was built for torch {built['torch']}, but torch "
            f"{torch_version} is running. Rebuild it with: {rebuild_command()}"
        )


@functools.cache
def load_collector() -> ModuleType:
    """Imports the collector into a process that has imported torch. Raises CollectorError, and
    looks again the next time."""
    import torch

    check_fit(str(torch.__version__))
    try:
        collector = importlib.import_module("sightline._torch")
    except ImportError as error:
        raise CollectorError(
            f"sightline's torch collector does not load ({error}). "
            f"Rebuild it with: {rebuild_command()}"
        ) from error
    collector.load(torch.nn.Module._wrapped_call_impl.__code__)
    return collector


class Hooks:
    """What is put into torch while a recording runs, and taken out again after it."""

    def __init__(self, collector: ModuleType) -> None:
        import torch
        from torch.optim.optimizer import register_optimizer_step_post_hook

        self._module_class = torch.nn.Module
        self._train = torch.nn.Module.train
        self._optimizer_hook = register_optimizer_step_post_hook(collector.optimizer_stepped)
        original = self._train

        def train(module: Any, mode: bool = True) -> Any:
            result = original(module, mode)
            collector.module_mode_changed(module, bool(mode))
            return result

        train.__doc__ = original.__doc__
        train.__wrapped__ = original  # type: ignore[attr-defined]
        torch.nn.Module.train = train  # type: ignore[method-assign, assignment]
        self._replacement = train

    def remove(self) -> None:
        self._optimizer_hook.remove()
        if self._module_class.train is self._replacement:
            self._module_class.train = self._train  # type: ignore[method-assign]


def describe_torch() -> dict[str, Any]:
    import torch

    accelerator = (
        torch.accelerator.current_accelerator() if torch.accelerator.is_available() else None
    )
    return {
        "framework": "torch",
        "framework_version": str(torch.__version__),
        "device": str(accelerator) if accelerator else "cpu",
        "threads": torch.get_num_threads(),
    }
