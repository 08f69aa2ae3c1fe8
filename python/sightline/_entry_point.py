"""Loads an entry point and calls its providers. What is wrong with it becomes an EntryError."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

import torch

from sightline import _device
from sightline._user_file import EntryError, UserFile, module_name, search_folders

PREFIXES = ("sightline_", "skyline_", "deepview_")
ROLES = ("model_provider", "input_provider", "iteration_provider")


class EntryPoint(UserFile):
    """The three providers of an entry point, checked."""

    def __init__(self, path: str, root: str, *, device: torch.device | None) -> None:
        super().__init__(path, root)
        self._device = device
        self._module = self._load()
        prefix = self._prefix()
        self.model_provider = self._provider(prefix, "model_provider")
        self.input_provider = self._provider(prefix, "input_provider")
        self.iteration_provider = self._provider(prefix, "iteration_provider")
        self._check_no_parameters(self.model_provider)
        self.default_batch_size = self._default_batch_size()
        self._check_one_parameter(self.iteration_provider)

    def model(self) -> Any:
        model = self.call(self.model_provider)
        if not isinstance(model, torch.nn.Module):
            raise self._wrong(self.model_provider, "model_is_no_module", got=_type_name(model))
        return self._placed(model)

    def inputs(self, batch_size: int) -> Inputs:
        given = self.call(self.input_provider, batch_size=batch_size)
        if isinstance(given, torch.Tensor):
            raise self._wrong(self.input_provider, "inputs_are_a_tensor")
        if isinstance(given, Mapping):
            return Inputs((), self._placed(dict(given)))
        if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
            raise self._wrong(self.input_provider, "inputs_are_no_iterable", got=_type_name(given))
        return Inputs(self._placed(self.call(tuple, given)), {})

    def iteration(self, model: Any, inputs: Inputs) -> Callable[[], Any]:
        """One training step with these inputs, to be called again and again."""
        function = self.call(self.iteration_provider, model)
        if not callable(function):
            raise self._wrong(
                self.iteration_provider, "iteration_is_not_callable", got=_type_name(function)
            )
        self._check_inputs_fit(function, inputs)
        return lambda: function(*inputs.positional, **inputs.named)

    def _placed(self, values: Any) -> Any:
        return values if self._device is None else self.call(_device.moved, values, self._device)

    def _load(self) -> ModuleType:
        name, _ = module_name(self.path)
        sys.path[:0] = search_folders(self.path, self.root)
        sys.argv = [self.path]
        spec = importlib.util.spec_from_file_location(name, self.path)
        if spec is None or spec.loader is None:
            raise EntryError("not_python", file=self.shown(self.path), line=0)
        try:
            if "." in name:
                importlib.import_module(name.rpartition(".")[0])
            module = importlib.util.module_from_spec(spec)
            sys.modules[name] = module
            spec.loader.exec_module(module)
        except BaseException as error:
            raise self.problem_of(error) from error
        return module

    def _prefix(self) -> str:
        def found(prefix: str) -> int:
            return sum(hasattr(self._module, prefix + role) for role in ROLES)

        prefix = max(PREFIXES, key=found)
        missing = [prefix + role for role in ROLES if not hasattr(self._module, prefix + role)]
        if missing:
            raise EntryError(
                "providers_missing",
                missing=missing,
                found=len(ROLES) - len(missing),
                file=self.shown(self.path),
                line=0,
            )
        return prefix

    def _provider(self, prefix: str, role: str) -> Callable[..., Any]:
        provider = getattr(self._module, prefix + role)
        if not callable(provider):
            raise EntryError(
                "provider_is_not_callable",
                provider=prefix + role,
                got=_type_name(provider),
                file=self.shown(self.path),
                line=self._line_of_name(prefix + role),
            )
        return provider  # type: ignore[no-any-return]

    def _check_no_parameters(self, provider: Callable[..., Any]) -> None:
        if any(_is_required(one) for one in _parameters(provider)):
            raise self._wrong(provider, "wrong_parameters", signature=_signature(provider))

    def _check_one_parameter(self, provider: Callable[..., Any]) -> None:
        parameters = _parameters(provider)
        takes_one = bool(parameters) and parameters[0].kind is not inspect.Parameter.KEYWORD_ONLY
        if not takes_one or any(_is_required(one) for one in parameters[1:]):
            raise self._wrong(provider, "wrong_parameters", signature=_signature(provider))

    def _default_batch_size(self) -> int:
        provider = self.input_provider
        parameters = _parameters(provider)
        named = [one for one in parameters if one.name == "batch_size"]
        others = [one for one in parameters if one.name != "batch_size"]
        if not named or any(_is_required(one) for one in others):
            raise self._wrong(provider, "wrong_parameters", signature=_signature(provider))
        default = named[0].default
        if type(default) is not int or default < 1:
            raise self._wrong(provider, "no_default_batch_size", signature=_signature(provider))
        return default

    def _check_inputs_fit(self, function: Callable[..., Any], inputs: Inputs) -> None:
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            return
        try:
            signature.bind(*inputs.positional, **inputs.named)
        except TypeError as error:
            raise self._wrong(
                function,
                "inputs_do_not_fit",
                text=str(error),
                given=inputs.description(),
                signature=f"{getattr(function, '__name__', 'iteration')}{signature}",
            ) from error

    def _wrong(self, function: Callable[..., Any], kind: str, **facts: Any) -> EntryError:
        code = getattr(inspect.unwrap(function), "__code__", None)
        file, line = self.shown(self.path), 0
        if code is not None:
            file, line = self.shown(code.co_filename), code.co_firstlineno
        return EntryError(
            kind, provider=getattr(function, "__name__", ""), file=file, line=line, **facts
        )

    def _line_of_name(self, name: str) -> int:
        """Where the module binds it last, as far as the text tells."""
        found = 0
        with open(self.path, encoding="utf-8", errors="replace") as file:
            for number, text in enumerate(file, start=1):
                if text.startswith((f"{name} ", f"{name}=", f"{name}:")):
                    found = number
        return found


class Inputs:
    """What an iteration is called with."""

    def __init__(self, positional: tuple[Any, ...], named: dict[str, Any]) -> None:
        self.positional = positional
        self.named = named

    def description(self) -> str:
        if self.named:
            return "the keywords " + ", ".join(map(str, self.named))
        count = len(self.positional)
        return f"{count} value" if count == 1 else f"{count} values"


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def _is_required(parameter: inspect.Parameter) -> bool:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.default is inspect.Parameter.empty and parameter.kind not in kinds


def _signature(function: Callable[..., Any]) -> str:
    return f"{getattr(function, '__name__', '')}{inspect.signature(function)}"


def _type_name(value: Any) -> str:
    return "None" if value is None else type(value).__name__
