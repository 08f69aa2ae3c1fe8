"""Forward hooks that hand the outputs of modules to C++. Where modules lie that may call functions
is told there too."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from sightline import _core
from sightline._module_units import UNITS
from sightline._replacement import Replacement

_Hook = Callable[[nn.Module, Any, Any], None]


class ModuleHooks:
    """The hooks of one training: `taps` gets what modules give out, `functions` what functions do.
    While torch scripts a module they are out: it would take them for a part of the module, and
    refuse them."""

    def __init__(self, taps: Any, functions: Any, feed: _core.Feed) -> None:
        self._taps = taps
        self._functions = functions
        self._feed = feed
        self._handles: list[Any] = []
        self._hooks: weakref.WeakKeyDictionary[nn.Module, _Hook] = weakref.WeakKeyDictionary()
        self._paths: weakref.WeakKeyDictionary[nn.Module, str] = weakref.WeakKeyDictionary()
        self._script = Replacement(torch.jit, "script", self._without_hooks)

    def add(self, model: nn.Module, base: str) -> None:
        """Every module that the model has, once, by its path below `base`. They are not kept
        alive."""
        self._handles = [handle for handle in self._handles if handle.hooks_dict_ref() is not None]
        for name, module in model.named_modules():
            if module in self._hooks or isinstance(module, torch.jit.ScriptModule):
                continue  # torch takes no hooks for scripted ones
            path = ".".join(part for part in (base, name) if part)
            self._paths[module] = path
            if (units := UNITS.get(type(module))) is not None:
                self._feed.watch_units(path, units)
            else:
                self._functions.add(id(module), path)
                weakref.finalize(module, self._functions.forget, id(module)).atexit = False
            self._hooks[module] = self._hook(self._taps.add(path))
            self._handles.append(module.register_forward_hook(self._hooks[module]))

    def remove(self) -> None:
        self._script.remove()
        self._take_out()
        self._hooks.clear()
        self._paths.clear()

    def _take_out(self) -> None:
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def path_at(self, address: int) -> str | None:
        """Of the module that lies there in memory."""
        paths = (path for module, path in self._paths.items() if id(module) == address)
        return next(paths, None)

    def _without_hooks(self, script: Callable[..., Any]) -> Callable[..., Any]:
        def scripting(*arguments: Any, **options: Any) -> Any:
            self._take_out()
            try:
                return script(*arguments, **options)
            finally:
                for module, hook in self._hooks.items():
                    self._handles.append(module.register_forward_hook(hook))

        return scripting

    def _hook(self, index: int) -> _Hook:
        tell = self._taps.tell
        is_compiling = torch.compiler.is_compiling

        def hook(module: nn.Module, arguments: Any, output: Any) -> None:
            # What is compiled has no place for it; the compiler leaves all below out.
            if not is_compiling():
                tell(index, module, output)

        return hook
