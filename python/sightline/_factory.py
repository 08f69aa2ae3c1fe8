"""Finds the function or class that makes a model, and calls it. What is wrong with it becomes an
EntryError."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from types import ModuleType
from typing import Any

import torch

from sightline._user_file import EntryError, UserFile, module_name, search_folders

_NAMES_SHOWN = 12


class Factory(UserFile):
    """`NAME` of a module, or of a file of the project if there is one."""

    def __init__(self, *, file: str, module: str, name: str, root: str) -> None:
        super().__init__(file or root, root)
        sys.path[:0] = search_folders(file, root) if file else [root]
        sys.argv = [file or module]
        self._name = name
        if not file:
            self._check_there(module)
        self._module: ModuleType = self.call(
            importlib.import_module, module_name(file)[0] if file else module
        )
        self.path = getattr(self._module, "__file__", None) or self.path
        self._factory = self._find()

    def model(self) -> torch.nn.Module:
        if isinstance(self._factory, torch.nn.Module):
            return self._factory
        self._check_parameters()
        model = self.call(self._factory)
        if not isinstance(model, torch.nn.Module):
            raise self._wrong("factory_made_no_module", got=type(model).__name__)
        return model

    def _check_there(self, module: str) -> None:
        parts = module.split(".")
        for count in range(1, len(parts) + 1):
            if self.call(importlib.util.find_spec, ".".join(parts[:count])) is None:
                raise EntryError("module_missing", module=module, python=sys.executable)

    def _find(self) -> Any:
        found: Any = self._module
        for part in self._name.split("."):
            if not hasattr(found, part):
                raise self._wrong("factory_missing", others=_makers_in(self._module))
            found = getattr(found, part)
        if not callable(found):
            raise self._wrong("factory_is_not_callable", got=type(found).__name__)
        return found

    def _check_parameters(self) -> None:
        try:
            signature = inspect.signature(self._factory)
        except (TypeError, ValueError):
            return
        try:
            signature.bind()
        except TypeError as error:
            shown = f"{self._name}{signature}"
            raise self._wrong("factory_needs_arguments", signature=shown) from error

    def _wrong(self, kind: str, **facts: Any) -> EntryError:
        made = inspect.unwrap(getattr(self, "_factory", None) or (lambda: None))
        code = getattr(made, "__code__", None)
        line = code.co_firstlineno if code is not None and hasattr(self, "_factory") else 0
        return EntryError(kind, factory=self._name, file=self.shown(self.path), line=line, **facts)


def _makers_in(module: ModuleType) -> list[str]:
    """Functions and models that the module itself defines."""
    own = [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
        and (inspect.isfunction(value) or _is_model_class(value))
    ]
    return own[:_NAMES_SHOWN]


def _is_model_class(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, torch.nn.Module)
