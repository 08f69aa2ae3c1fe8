"""One look at a file with models, in a process of its own: imports it, then makes models and calls
them as the native program asks. What to make and to call them with is decided there."""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType
from typing import Any

import torch

from sightline import _device, _model_facts
from sightline._channel import Channel
from sightline._stages import Stages
from sightline._user_file import EntryError, UserFile, search_folders


def serve(channel: Channel, request: dict[str, Any]) -> None:
    try:
        _Inspection(channel, request).serve()
    except EntryError as error:
        channel.send("failed", **error.facts)


class _Inspection:
    def __init__(self, channel: Channel, request: dict[str, Any]) -> None:
        self._channel = channel
        self._stages = Stages(channel, request)
        _device.stay_on_the_cpu()
        self._file = UserFile(request["file"], request["root"])
        self._stages.begin("file")
        self._module = self._load(request)
        self._model: Any = None
        self._answer("classes", classes=_model_facts.classes_of(self._module))

    def serve(self) -> None:
        while (request := self._channel.receive()) is not None:
            if request["do"] == "stop":
                self._answer("stopped")
                return
            self._stages.begin("models")
            if request["do"] == "make":
                self._make(request["expression"])
            elif request["do"] == "call":
                self._call(request)

    def _load(self, request: dict[str, Any]) -> ModuleType:
        self._check_text()
        sys.path[:0] = search_folders(request["entry"], self._file.root)
        if request["folder"]:
            sys.path.insert(0, request["folder"])
        sys.argv = [request["entry"]]
        module: ModuleType = self._file.call(importlib.import_module, request["module"])
        found = getattr(module, "__file__", None) or ""
        if os.path.realpath(found) != self._file.path:
            raise EntryError("another_module", name=request["module"], got=found, **self._place())
        return module

    def _check_text(self) -> None:
        with open(self._file.path, "rb") as file:
            text = file.read()
        if b"\0" in text:
            raise EntryError("not_python", **self._place())
        self._file.call(compile, text, self._file.path, "exec", dont_inherit=True)

    def _place(self) -> dict[str, Any]:
        return {"file": self._file.shown(self._file.path), "line": 0}

    def _make(self, expression: str) -> None:
        self._model = None  # first: two large models may be too much
        try:
            self._model = eval(expression, dict(vars(self._module)))
            count = _model_facts.parameter_count(self._model)
            layers = _model_facts.layers_of(self._model)
        except (Exception, SystemExit) as error:
            self._answer("made", problem=_short(error), parameters=0, layers=[])
            return
        self._answer("made", problem="", parameters=count, layers=layers)

    def _call(self, request: dict[str, Any]) -> None:
        names = {"torch": torch, "batch_size": request["batch_size"]}
        try:
            positional = [eval(one, names) for one in request["positional"]]
            named = {name: eval(one, names) for name, one in request["named"].items()}
            outputs = list(_model_facts.tensors_in(self._model(*positional, **named)))
        except (Exception, SystemExit) as error:
            self._answer("called", problem=_short(error), outputs=[])
            return
        self._answer("called", problem="", outputs=outputs)

    def _answer(self, event: str, **facts: Any) -> None:
        self._stages.rest()
        self._channel.send(event, **facts)


def _short(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
