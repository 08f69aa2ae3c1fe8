"""Supervises the training of a script that knows nothing of it.

The models are the modules that hold the parameters of an optimizer and that no other module holds;
they are looked for when an optimizer is made, and again when it steps with parameters that nobody
knows. The loss is what `backward` is called on. What is told of a step goes to the rules and into
the run, all in C++; a rule that was asked for ends the training as Ctrl-C does, by an exception
that is a KeyboardInterrupt.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import math
import os
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from sightline import _core, _torch_support
from sightline._evaluation_losses import EvaluationLosses
from sightline._module_hooks import ModuleHooks
from sightline._provenance import operator_that_made
from sightline.supervise._parameters import Parameters

# A step's tensors arise in this order: outputs, the loss, gradients from the last to the first.
_AFTER_OUTPUTS = 1 << 20

BUDGET_PERCENT = 5.0
UPDATE_MEMORY_BYTES = 1 << 30
_HISTOGRAM_EVERY = 50  # steps that are looked at


class TrainingStopped(KeyboardInterrupt):
    """A rule that `--stop-on` names has spoken."""


class Supervising:
    def __init__(
        self,
        recording: _core.Recording,
        *,
        full: bool,
        stop_on: Sequence[str],
        root: str,
        libraries: Sequence[str],
        budget_percent: float = BUDGET_PERCENT,
        update_memory_bytes: int = UPDATE_MEMORY_BYTES,
        thresholds: Mapping[str, float] | None = None,
    ) -> None:
        self._recording = recording
        self._supervision = _core.Supervision(recording, thresholds=dict(thresholds or {}))
        self._stop_on = frozenset(stop_on)
        self._root = root
        self._libraries = tuple(folder + os.sep for folder in libraries)
        self._owner = os.getpid()
        self._models: list[nn.Module] = []
        self._paths: dict[int, str] = {}  # where the names of a model begin, by its place
        self._pace: weakref.ref[torch.optim.Optimizer] | None = None
        self._step = 0
        self._losses: list[Tensor] = []
        self._copies: tuple[int, int] = (0, 0)
        self._source_told = False  # where the loss became what is no number
        self._looked_through: dict[int, list[int]] = {}  # parameters of optimizers, by identity
        self._step_began = time.perf_counter_ns()
        self._bus = _core.Bus()
        # `light` has no updates, because they need a copy of the weights.
        topics = {"weights", "gradients", "activations"} | ({"updates"} if full else set())
        self._feed = _core.Feed(
            self._bus,
            self._supervision,
            topics=topics,
            budget_share=budget_percent / 100,
            histogram_every=_HISTOGRAM_EVERY if full else 0,
        )
        self._collector: Any = _torch_support.load_collector()
        self._parameters = Parameters(self._bus)
        self._parameters.limit_update_memory(update_memory_bytes)
        self._taps = self._collector.ModuleTaps(self._bus)
        self._taps.on_first_call(self._note_origin)
        self._feed.find_source_by(self._find_source)
        self._hooks = ModuleHooks(self._taps, self._feed)
        self._collector.watch_results(True)
        self._evaluation = EvaluationLosses(self._in_evaluation)
        self._handles: list[Any] = [
            register_optimizer_step_pre_hook(self._before_optimizer),
            register_optimizer_step_post_hook(self._after_optimizer),
        ]
        self._backward = torch.autograd.backward
        torch.autograd.backward = self._noting_losses(self._backward)
        self._make_optimizer = torch.optim.Optimizer.__init__
        torch.optim.Optimizer.__init__ = self._noting_optimizers(  # type: ignore[method-assign]
            self._make_optimizer
        )

    def close(self) -> None:
        """Tells what was not told yet, and takes everything out of torch again."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self._hooks.remove()
        self._collector.watch_results(False)
        self._evaluation.remove()
        if getattr(torch.autograd.backward, "__wrapped__", None) is self._backward:
            torch.autograd.backward = self._backward
        made_by: Any = torch.optim.Optimizer.__init__
        if getattr(made_by, "__wrapped__", None) is self._make_optimizer:
            torch.optim.Optimizer.__init__ = self._make_optimizer  # type: ignore[method-assign]
        if os.getpid() == self._owner:
            self._tell_evaluation()
            self._announce(self._supervision.end())

    def _noting_optimizers(self, make: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(make)
        def noting(optimizer: torch.optim.Optimizer, *arguments: Any, **options: Any) -> None:
            make(optimizer, *arguments, **options)
            if os.getpid() == self._owner:
                with self._harmless():
                    self._find_models(optimizer)

        return noting

    def _find_models(self, optimizer: torch.optim.Optimizer) -> None:
        for model in models_of(optimizer):
            if any(model is known for known in self._models):
                continue
            # Paths of the first begin at it; others are called by their class.
            base = type(model).__name__ if self._models else ""
            self._paths[len(self._models)] = base
            self._models.append(model)
            self._hooks.add(model, base)
        self._parameters.watch(self._entries())

    def _entries(self) -> Iterator[tuple[str, str, nn.Parameter]]:
        seen: set[nn.Module] = set()
        for place, model in enumerate(self._models):
            for path, module in model.named_modules():
                if module in seen:
                    continue
                seen.add(module)
                whole = ".".join(part for part in (self._paths[place], path) if part)
                for name, parameter in module.named_parameters(recurse=False):
                    yield whole, name, parameter

    @contextlib.contextmanager
    def _harmless(self) -> Iterator[None]:
        """What goes wrong here is told once, and ends the supervising, not the training."""
        try:
            yield
        except Exception as error:
            print(f"sightline: supervising has ended: {error!r}", file=sys.stderr)
            self.close()

    def _before_optimizer(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        if os.getpid() != self._owner:
            return
        with self._harmless():
            # A module whose parameter was replaced has another one now.
            if self._parameters.before_step(optimizer, self._step, 0) and self._is_new(optimizer):
                self._find_models(optimizer)
                self._parameters.before_step(optimizer, self._step, 0)
            if self._pace is None or self._pace() is None:
                self._pace = weakref.ref(optimizer)

    def _is_new(self, optimizer: torch.optim.Optimizer) -> bool:
        """Whether its parameters are not those of the last time: to look for modules takes long."""
        groups = optimizer.param_groups
        parameters = [id(parameter) for group in groups for parameter in group["params"]]
        is_new = self._looked_through.get(id(optimizer)) != parameters
        self._looked_through[id(optimizer)] = parameters
        return is_new

    def _in_evaluation(self) -> bool:
        return bool(self._models) and not self._models[0].training

    def _note_origin(self, path: str) -> None:
        """A module is called for the first time."""
        if (place := self._place_of_caller()) is not None:
            self._feed.set_origin(path, *place)

    def _place_of_caller(self) -> tuple[str, int] | None:
        frame: Any = sys._getframe()
        while frame is not None:
            if (file := self._project_file(frame.f_code.co_filename)) is not None:
                return file, frame.f_lineno
            frame = frame.f_back
        return None

    def _project_file(self, name: str) -> str | None:
        file = os.path.realpath(name)
        if file.startswith(self._root + os.sep) and not file.startswith(self._libraries):
            return os.path.relpath(file, self._root)
        return None

    def _find_source(
        self, topic: str, module: str, tensor: str
    ) -> tuple[str, str, str, int] | None:
        """Module, operator and line that made values which are not finite, for the output or the
        gradient being told."""
        if topic.endswith("gradients"):
            return self._source_of_gradient()
        output = self._taps.output()
        found = None if output is None else self._source_of(output)
        return None if found is None else (module, *found)

    def _source_of(self, output: Tensor) -> tuple[str, str, int] | None:
        if (seen := self._collector.bad_result()) is not None:
            operator, places = seen
        elif (made := operator_that_made(output, self._taps.earlier_nodes())) is not None:
            operator, places = made[0], self._collector.places_of_node(made[1])
        else:
            return None
        return operator, *self._first_project_line(places)

    def _source_of_gradient(self) -> tuple[str, str, str, int] | None:
        if (seen := self._collector.bad_gradient()) is None:
            return None
        operator, sequence = seen
        path = self._hooks.path_at(self._collector.module_of_node(sequence))
        file, line = self._first_project_line(self._collector.places_of_node(sequence))
        # In a step that is not recorded the node is known to nobody.
        return (path or "", operator, file, line) if path is not None or file else None

    def _first_project_line(self, places: Iterable[tuple[str, int]]) -> tuple[str, int]:
        for name, line in places:
            if (file := self._project_file(name)) is not None:
                return file, line
        return "", 0

    def _noting_losses(self, backward: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(backward)
        def noting(tensors: Any, *arguments: Any, **options: Any) -> Any:
            if os.getpid() == self._owner:
                with self._harmless():
                    self._note_losses([tensors] if isinstance(tensors, Tensor) else tensors)
            return backward(tensors, *arguments, **options)

        return noting

    def _note_losses(self, tensors: Iterable[Any]) -> None:
        for tensor in tensors:
            if not isinstance(tensor, Tensor) or tensor.numel() != 1:
                continue
            self._losses.append(tensor.detach())
            # On another device the number is not there yet, and nothing waits for it.
            if self._source_told or tensor.device.type != "cpu":
                continue
            if not math.isfinite(tensor.item()):
                self._source_told = True
                self._note_source_of_loss(tensor)

    def _note_source_of_loss(self, loss: Tensor) -> None:
        operator, file, line = self._source_of(loss) or ("", "", 0)
        self._supervision.publish_value(
            "loss",
            "non_finite_source",
            "",
            "",
            self._step,
            0,
            loss.item(),
            order=_AFTER_OUTPUTS,
            operator=operator,
            file=file,
            line=line,
        )

    def _after_optimizer(self, optimizer: torch.optim.Optimizer, *_: Any) -> None:
        if os.getpid() != self._owner or not self._handles:
            return
        verdicts: list[_core.Verdict] = []
        with self._harmless():
            self._parameters.after_step(optimizer, self._step, 0)
            if self._pace is not None and self._pace() is optimizer:
                verdicts = self._end_step()
        for verdict in verdicts:
            if verdict.rule in self._stop_on:
                raise TrainingStopped(f"--stop-on {verdict.rule}: {place_of(verdict)}")

    def _end_step(self) -> list[_core.Verdict]:
        step = self._step
        step_ns = time.perf_counter_ns() - self._step_began
        if step > 0:  # the first has all that the script does before it
            self._tell("step_time_ms", step_ns / 1e6)
        self._tell("memory_bytes", self._recording.step_peak_bytes())
        if self._losses:
            losses = [float(loss) for loss in self._losses]
            self._tell("loss", math.fsum(losses) / len(losses), order=_AFTER_OUTPUTS)
        self._tell_copies()
        self._tell_evaluation()
        self._losses.clear()
        publishers = (self._parameters.take_spent_ns, self._taps.take_spent_ns)
        spent_ns = sum(take() for take in (*publishers, self._collector.take_results_spent_ns))
        verdicts = self._feed.end_step(step, 0, step_ns, spent_ns)
        self._collector.watch_results(self._feed.looking)
        self._announce(verdicts)
        self._step += 1
        self._taps.begin_step(self._step, 0)
        self._step_began = time.perf_counter_ns()
        return verdicts

    def _tell_copies(self) -> None:
        """What updates are made from, when that has changed."""
        copies = (self._parameters.copied_bytes, self._parameters.sampled_one_of)
        if copies[0] > 0 and copies != self._copies:
            self._copies = copies
            self._tell("update_copy_bytes", copies[0])
            self._tell("update_sampled_one_of", copies[1])

    def _tell_evaluation(self) -> None:
        if (loss := self._evaluation.take_mean()) is not None:
            self._tell("validation_loss", loss)

    def _tell(self, topic: str, value: float, order: int = 0) -> None:
        self._supervision.publish_value(topic, "", "", "", self._step, 0, value, order=order)

    @staticmethod
    def _announce(verdicts: Iterable[_core.Verdict]) -> None:
        for verdict in verdicts:
            if verdict.severity != "info":
                print(f"sightline: {verdict.rule}, {place_of(verdict)}", file=sys.stderr)


def place_of(verdict: _core.Verdict) -> str:
    """In few words: what it is about, and when it was first true."""
    names = [verdict.module, verdict.tensor, f"({verdict.topic})" if verdict.topic else ""]
    about = " ".join(name for name in names if name)
    line = f", {verdict.file}:{verdict.line}" if verdict.file else ""
    return f"step {verdict.step}: {about}{line}"


def models_of(optimizer: torch.optim.Optimizer) -> list[nn.Module]:
    """The modules that hold parameters of the optimizer and that no other holds, the largest
    first. Wrappers that only pass calls on are looked through, so that paths are the model's."""
    wanted = {id(parameter) for group in optimizer.param_groups for parameter in group["params"]}
    # One that is just being made has no table of its parts yet.
    found = [thing for thing in gc.get_objects() if _is_module(thing) and "_modules" in vars(thing)]
    held = {id(child) for module in found if not _is_wrapper(module) for child in module.children()}
    roots = [
        module
        for module in found
        if id(module) not in held
        and not _is_wrapper(module)
        and any(id(parameter) in wanted for parameter in module.parameters())
    ]
    return sorted(roots, key=lambda module: -sum(1 for _ in module.parameters()))


def _is_module(thing: Any) -> bool:
    """By its type: to ask `isinstance` would let proxies of foreign libraries run their code."""
    return issubclass(type(thing), nn.Module)


def _is_wrapper(module: nn.Module) -> bool:
    """Of data parallelism, or of the compiler."""
    names = {kind.__name__ for kind in type(module).__mro__}
    return not names.isdisjoint({"DistributedDataParallel", "DataParallel", "OptimizedModule"})
