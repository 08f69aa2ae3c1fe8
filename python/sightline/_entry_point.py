"""Loads an entry point and calls its providers. What is wrong with it becomes an EntryError."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import torch

from sightline import _device
from sightline._user_file import EntryError, UserFile, module_name, search_folders

PREFIXES = ("sightline_", "skyline_", "deepview_")
ROLES = ("model_provider", "input_provider", "iteration_provider")


@dataclass(frozen=True)
class Provider:
    """A function of the entry point, under the name that it has there: its own may be another."""

    name: str
    function: Callable[..., Any]

    @property
    def signature(self) -> str:
        return f"{self.name}{inspect.signature(self.function)}"

    @property
    def parameters(self) -> list[inspect.Parameter]:
        """Raises TypeError or ValueError if it is not written in Python."""
        return list(inspect.signature(self.function).parameters.values())


class EntryPoint(UserFile):
    """The three providers of an entry point, checked."""

    def __init__(self, path: str, root: str, *, device: torch.device | None) -> None:
        super().__init__(path, root)
        self._device = device
        self._module = self._load()
        prefix = self._prefix()
        self._model_provider = self._provider(prefix + "model_provider")
        self._input_provider = self._provider(prefix + "input_provider")
        self._iteration_provider = self._provider(prefix + "iteration_provider")
        self._check_no_parameters(self._model_provider)
        self.default_batch_size = self._default_batch_size(self._input_provider)
        self._check_one_parameter(self._iteration_provider)
        self.place_of_model = self._place_of_provider(self._model_provider)
        self.place_of_inputs = self._place_of_provider(self._input_provider)
        self.place_of_iteration = self._place_of_provider(self._iteration_provider)
        self.place_of_step = self.place_of_iteration

    def model(self) -> Any:
        provider = self._model_provider
        model = self.call(provider.function)
        if not isinstance(model, torch.nn.Module):
            raise self._wrong(provider, "model_is_no_module", got=_type_name(model))
        return self._placed(model)

    def inputs(self, batch_size: int) -> Inputs:
        provider = self._input_provider
        given = self.call(provider.function, batch_size=batch_size)
        if isinstance(given, torch.Tensor):
            raise self._wrong(provider, "inputs_are_a_tensor")
        if isinstance(given, Mapping):
            return Inputs((), self._placed(dict(given)))
        if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
            raise self._wrong(provider, "inputs_are_no_iterable", got=_type_name(given))
        return Inputs(self._placed(self.call(tuple, given)), {})

    def iteration(self, model: Any, inputs: Inputs) -> Callable[[], Any]:
        """One training step with these inputs, to be called again and again."""
        provider = self._iteration_provider
        function = self.call(provider.function, model)
        if not callable(function):
            raise self._wrong(provider, "iteration_is_not_callable", got=_type_name(function))
        self._check_inputs_fit(function, inputs)
        self.place_of_step = self._place_of_function(function) or self.place_of_iteration
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
                line=len(self._lines()),
            )
        return prefix

    def _provider(self, name: str) -> Provider:
        provider = Provider(name, getattr(self._module, name))
        got = _type_name(provider.function)
        if not callable(provider.function):
            raise self._wrong(provider, "provider_is_not_callable", got=got)
        try:
            _ = provider.parameters
        except (TypeError, ValueError) as error:
            raise self._wrong(provider, "parameters_unknown", got=got) from error
        return provider

    def _check_no_parameters(self, provider: Provider) -> None:
        if any(_is_required(one) for one in provider.parameters):
            raise self._wrong(provider, "wrong_parameters", signature=provider.signature)

    def _check_one_parameter(self, provider: Provider) -> None:
        parameters = provider.parameters
        takes_one = bool(parameters) and parameters[0].kind is not inspect.Parameter.KEYWORD_ONLY
        if not takes_one or any(_is_required(one) for one in parameters[1:]):
            raise self._wrong(provider, "wrong_parameters", signature=provider.signature)

    def _default_batch_size(self, provider: Provider) -> int:
        named = [one for one in provider.parameters if one.name == "batch_size"]
        others = [one for one in provider.parameters if one.name != "batch_size"]
        if not named or any(_is_required(one) for one in others):
            raise self._wrong(provider, "wrong_parameters", signature=provider.signature)
        default = named[0].default
        if type(default) is not int or default < 1:
            raise self._wrong(provider, "no_default_batch_size", signature=provider.signature)
        return default

    def _check_inputs_fit(self, function: Callable[..., Any], inputs: Inputs) -> None:
        try:
            signature = inspect.signature(function)
        except (TypeError, ValueError):
            return
        try:
            signature.bind(*inputs.positional, **inputs.named)
        except TypeError as error:
            file, line = self._place_of_function(function) or (self.shown(self.path), 0)
            raise EntryError(
                "inputs_do_not_fit",
                text=str(error),
                given=inputs.description(),
                signature=f"{getattr(function, '__name__', 'iteration')}{signature}",
                file=file,
                line=line,
            ) from error

    def _wrong(self, provider: Provider, kind: str, **facts: Any) -> EntryError:
        file, line = self._place_of_provider(provider)
        return EntryError(kind, provider=provider.name, file=file, line=line, **facts)

    def _place_of_provider(self, provider: Provider) -> tuple[str, int]:
        bound = (self.shown(self.path), self._line_of_name(provider.name))
        return self._place_of_function(provider.function) or bound

    def _place_of_function(self, function: Any) -> tuple[str, int] | None:
        code = getattr(inspect.unwrap(function), "__code__", None)
        return None if code is None else (self.shown(code.co_filename), code.co_firstlineno)

    def _line_of_name(self, name: str) -> int:
        """Where the module binds it last, as far as the text tells."""
        found = 0
        for number, text in enumerate(self._lines(), start=1):
            if text.startswith((f"{name} ", f"{name}=", f"{name}:")):
                found = number
        return found

    def _lines(self) -> list[str]:
        with open(self.path, encoding="utf-8", errors="replace") as file:
            return file.readlines()


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


def _is_required(parameter: inspect.Parameter) -> bool:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.default is inspect.Parameter.empty and parameter.kind not in kinds


def _type_name(value: Any) -> str:
    return "None" if value is None else type(value).__name__
