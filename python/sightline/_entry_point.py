"""Loads an entry point and calls its providers. What is wrong with it becomes an EntryError: facts,
of which the native program makes the message."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import pathlib
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType, TracebackType
from typing import Any

PREFIXES = ("sightline_", "skyline_", "deepview_")
ROLES = ("model_provider", "input_provider", "iteration_provider")


class EntryError(Exception):
    """Something is wrong with the user's code. `facts` are plain data: `kind` and what belongs to
    it, `file` (relative to the root) and `line` where they are known."""

    def __init__(self, kind: str, **facts: Any) -> None:
        super().__init__(kind)
        self.facts = {"kind": kind, **facts}


class EntryPoint:
    """The three providers of an entry point, checked."""

    def __init__(self, path: str, root: str) -> None:
        self.path = path
        self.root = root
        self._module = self._load()
        prefix = self._prefix()
        self.model_provider = self._provider(prefix, "model_provider")
        self.input_provider = self._provider(prefix, "input_provider")
        self.iteration_provider = self._provider(prefix, "iteration_provider")
        self._check_no_parameters(self.model_provider)
        self.default_batch_size = self._default_batch_size()
        self._check_one_parameter(self.iteration_provider)

    def model(self) -> Any:
        import torch

        model = self.call(self.model_provider)
        if not isinstance(model, torch.nn.Module):
            raise self._wrong(self.model_provider, "model_is_no_module", got=_type_name(model))
        return model

    def inputs(self, batch_size: int) -> Inputs:
        import torch

        given = self.call(self.input_provider, batch_size=batch_size)
        if isinstance(given, torch.Tensor):
            raise self._wrong(self.input_provider, "inputs_are_a_tensor")
        if isinstance(given, Mapping):
            return Inputs((), dict(given))
        if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
            raise self._wrong(self.input_provider, "inputs_are_no_iterable", got=_type_name(given))
        return Inputs(self.call(tuple, given), {})

    def iteration(self, model: Any, inputs: Inputs) -> Callable[[], Any]:
        """One training step with these inputs, to be called again and again."""
        function = self.call(self.iteration_provider, model)
        if not callable(function):
            raise self._wrong(
                self.iteration_provider, "iteration_is_not_callable", got=_type_name(function)
            )
        self._check_inputs_fit(function, inputs)
        return lambda: function(*inputs.positional, **inputs.named)

    def call(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Calls user code; whatever it raises becomes an EntryError."""
        try:
            return function(*arguments, **named)
        except BaseException as error:
            raise self.problem_of(error) from error

    def problem_of(self, error: BaseException) -> EntryError:
        if isinstance(error, EntryError):
            return error
        file, line = self._place_of(error)
        facts: dict[str, Any] = {
            "type": type(error).__name__,
            "text": str(error),
            "file": file,
            "line": line,
            "traceback": self._traceback_of(error),
        }
        if isinstance(error, SyntaxError) and error.filename:
            facts.update(file=self._shown(error.filename), line=error.lineno or 0)
            facts.update(text=error.msg, source=(error.text or "").rstrip("\n"))
            return EntryError("syntax_error", **facts)
        if isinstance(error, SystemExit):
            return EntryError("exited", code=str(error.code), **facts)
        if isinstance(error, ImportError):
            return EntryError("import_failed", name=error.name or "", **facts)
        return EntryError(_kind_of(error), **facts)

    def _load(self) -> ModuleType:
        name, importable_from = module_name(self.path)
        wanted = [os.path.dirname(self.path), self.root]
        if os.path.exists(os.path.join(self.root, "__init__.py")):
            wanted.append(os.path.dirname(self.root))
        wanted.append(importable_from)
        sys.path[:0] = [folder for i, folder in enumerate(wanted) if folder not in wanted[:i]]
        sys.argv = [self.path]
        spec = importlib.util.spec_from_file_location(name, self.path)
        if spec is None or spec.loader is None:
            raise EntryError("not_python", file=self._shown(self.path), line=0)
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
                file=self._shown(self.path),
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
                file=self._shown(self.path),
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
        file, line = self._shown(self.path), 0
        if code is not None:
            file, line = self._shown(code.co_filename), code.co_firstlineno
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

    def _is_own(self, path: str) -> bool:
        """Whether the file is the user's: under the root, and in no environment beneath it."""
        parts = pathlib.PurePath(os.path.relpath(os.path.realpath(path), self.root)).parts
        return ".." not in parts and "site-packages" not in parts and os.path.exists(path)

    def _shown(self, path: str) -> str:
        return os.path.relpath(os.path.realpath(path), self.root) if self._is_own(path) else path

    def _place_of(self, error: BaseException) -> tuple[str, int]:
        """The innermost line of the user's own that it passed through."""
        own = [entry for entry in _frames(error.__traceback__) if self._is_own(entry[0])]
        return (self._shown(own[-1][0]), own[-1][1]) if own else (self._shown(self.path), 0)

    def _traceback_of(self, error: BaseException) -> str:
        """As Python prints it, without our own frames."""
        ours = os.path.dirname(os.path.realpath(__file__))
        trace = error.__traceback__
        while trace is not None:
            path = os.path.realpath(trace.tb_frame.f_code.co_filename)
            if not path.startswith(ours) and "<frozen" not in path:
                break
            trace = trace.tb_next
        return "".join(traceback.format_exception(type(error), error, trace, chain=False))


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


def module_name(path: str) -> tuple[str, str]:
    """The dotted name of a file and the folder that it can be imported from."""
    folder, stem = os.path.dirname(path), os.path.splitext(os.path.basename(path))[0]
    name = stem
    while os.path.exists(os.path.join(folder, "__init__.py")):
        name = f"{os.path.basename(folder)}.{name}"
        folder = os.path.dirname(folder)
    return name, folder


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return list(inspect.signature(function).parameters.values())


def _is_required(parameter: inspect.Parameter) -> bool:
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return parameter.default is inspect.Parameter.empty and parameter.kind not in kinds


def _signature(function: Callable[..., Any]) -> str:
    return f"{getattr(function, '__name__', '')}{inspect.signature(function)}"


def _type_name(value: Any) -> str:
    return "None" if value is None else type(value).__name__


def _frames(trace: TracebackType | None) -> list[tuple[str, int]]:
    found = []
    while trace is not None:
        found.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    return found


_NO_CUDA = (
    "Torch not compiled with CUDA enabled",
    "Found no NVIDIA driver",
    "No CUDA GPUs are available",
    "Cannot access accelerator device",
    "CUDA driver version is insufficient",
)
_NO_MEMORY = ("can't allocate memory", "out of memory", "not enough memory")


def _kind_of(error: BaseException) -> str:
    text = str(error)
    if isinstance(error, (AssertionError, RuntimeError)) and any(one in text for one in _NO_CUDA):
        return "no_cuda"
    if isinstance(error, MemoryError) or any(one in text for one in _NO_MEMORY):
        return "out_of_memory"
    if "does not require grad" in text and isinstance(error, RuntimeError):
        return "loss_without_gradient"
    if isinstance(error, TypeError) and ".forward() " in text:
        return "forward_does_not_fit"
    return "raised"
