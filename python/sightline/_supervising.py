"""Supervises the training of a script that knows nothing of it.

The models are the modules that hold the parameters of an optimizer and that no other module holds;
they are looked for when an optimizer is made, and again when it steps with parameters that nobody
knows. The loss is what `backward` is called on. What is told of a step goes to the rules and into
the run, all in C++; a rule that was asked for ends the training as Ctrl-C does, by an exception
that is a KeyboardInterrupt.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.optim.optimizer import (
    register_optimizer_step_post_hook,
    register_optimizer_step_pre_hook,
)

from sightline import _core, _torch_support
from sightline._criteria import Criteria
from sightline._epochs import Epochs
from sightline._evaluation_time import EvaluationTime
from sightline._known_models import KnownModels, models_of
from sightline._module_hooks import ModuleHooks
from sightline._provenance import operator_that_made
from sightline._replacement import Replacement
from sightline._scaled_losses import ScaledLosses
from sightline.supervise._parameters import Parameters, is_skipped

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
        self._models = KnownModels()
        self._pace: weakref.ref[torch.optim.Optimizer] | None = None
        self._step = 0
        self._losses: list[Tensor] = []
        self._copies: tuple[int, int] = (0, 0)
        self._source_told = False  # where the loss became what is no number
        # Parameters of optimizers, by identity.
        self._looked_through: weakref.WeakKeyDictionary[torch.optim.Optimizer, list[int]] = (
            weakref.WeakKeyDictionary()
        )
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
        self._functions = self._collector.FunctionTaps(self._bus, self._note_function)
        self._hooks = ModuleHooks(self._taps, self._functions, self._feed)
        self._criteria = Criteria(self._models.first)
        self._scaled = ScaledLosses()
        self._evaluation = EvaluationTime(self._models.first)
        self._epochs = Epochs(self._in_evaluation, self._begin_epoch)
        self._watch_operators(True)
        self._step_peak_bytes = 0
        self._handles: list[Any] = [
            register_optimizer_step_pre_hook(self._before_optimizer),
            register_optimizer_step_post_hook(self._after_optimizer),
            Replacement(torch.autograd, "backward", self._noting_losses),
            Replacement(torch.optim.Optimizer, "__init__", self._noting_optimizers),
            self._hooks,
            self._criteria,
            self._scaled,
            self._evaluation,
            self._epochs,
            self._noting_peaks(),
        ]

    def close(self) -> None:
        """Tells what was not told yet, and takes everything out of torch again."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self._watch_operators(False)
        self._functions.end()
        if os.getpid() == self._owner:
            self._tell_evaluation()
            self._announce(self._feed.end())

    def _noting_peaks(self) -> Any:
        """For the recorder the step is over when it hears that the optimizer has stepped."""

        def note(*_: Any) -> None:
            self._step_peak_bytes = self._recording.step_peak_bytes()

        handle = register_optimizer_step_post_hook(note)
        hooks: Any = handle.hooks_dict_ref()
        hooks.move_to_end(handle.id, last=False)
        return handle

    def _noting_optimizers(self, make: Callable[..., None]) -> Callable[..., None]:
        def noting(optimizer: torch.optim.Optimizer, *arguments: Any, **options: Any) -> None:
            make(optimizer, *arguments, **options)
            if os.getpid() == self._owner and self._handles:
                with self._harmless():
                    self._find_models(optimizer)

        return noting

    def _find_models(self, optimizer: torch.optim.Optimizer) -> None:
        for model in models_of(optimizer):
            if model not in self._models:
                self._hooks.add(model, self._models.add(model))
        self._parameters.watch(self._models.parameters())

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
            if is_skipped(optimizer):
                return
            position = (self._step, self._epochs.epoch)
            # A module whose parameter was replaced has another one now.
            if self._parameters.before_step(optimizer, *position) and self._is_new(optimizer):
                self._find_models(optimizer)
                self._parameters.before_step(optimizer, *position)
            if self._pace is None or self._pace() is None:
                self._pace = weakref.ref(optimizer)

    def _is_new(self, optimizer: torch.optim.Optimizer) -> bool:
        """Whether its parameters are not those of the last time: to look for modules takes long."""
        groups = optimizer.param_groups
        parameters = [id(parameter) for group in groups for parameter in group["params"]]
        is_new = self._looked_through.get(optimizer) != parameters
        self._looked_through[optimizer] = parameters
        return is_new

    def _in_evaluation(self) -> bool:
        model = self._models.first()
        return model is not None and not model.training

    def _begin_epoch(self, epoch: int) -> None:
        for taps in (self._taps, self._functions):
            taps.begin_step(self._step, epoch)

    def _watch_operators(self, watching: bool) -> None:
        self._collector.watch_results(watching)
        self._functions.watch(watching)

    def _note_origin(self, path: str) -> None:
        """A module is called for the first time."""
        if (place := self._place_of_caller()) is not None:
            self._feed.set_origin(path, *place)

    def _note_function(self, path: str, tensor: str, units: str) -> None:
        """A module calls an activation function for the first time."""
        file, line = self._place_of_caller() or ("", 0)
        self._feed.watch_function(path, tensor, units, file, line)

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
        found = self._source_of(self._taps.output())
        return None if found is None else (module, *found)

    def _source_of(self, output: Tensor | None) -> tuple[str, str, int] | None:
        if (seen := self._collector.bad_result()) is not None:
            operator, places = seen
        elif output is None:  # of a function, not of a module
            return None
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
        def noting(tensors: Any, *arguments: Any, **options: Any) -> Any:
            if os.getpid() == self._owner and self._handles:
                self._evaluation.cancel()
                with self._harmless():
                    self._note_losses([tensors] if isinstance(tensors, Tensor) else tensors)
            return backward(tensors, *arguments, **options)

        return noting

    def _note_losses(self, tensors: Iterable[Any]) -> None:
        for tensor in tensors:
            if not isinstance(tensor, Tensor) or tensor.numel() != 1:
                continue
            loss = self._scaled.unscaled(tensor)
            self._losses.append(loss.detach())
            # On another device the number is not there yet, and nothing waits for it.
            if self._source_told or loss.device.type != "cpu":
                continue
            if not math.isfinite(loss.item()):
                self._source_told = True
                self._note_source_of_loss(loss)

    def _note_source_of_loss(self, loss: Tensor) -> None:
        operator, file, line = self._source_of(loss) or ("", "", 0)
        self._supervision.publish_value(
            "loss",
            "non_finite_source",
            "",
            "",
            self._step,
            self._epochs.epoch,
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
            if is_skipped(optimizer):
                return
            self._parameters.after_step(optimizer, self._step, self._epochs.epoch)
            if self._pace is not None and self._pace() is optimizer:
                verdicts = self._end_step()
        for verdict in verdicts:
            if verdict.rule in self._stop_on:
                raise TrainingStopped(f"--stop-on {verdict.rule}: {place_of(verdict)}")

    def _end_step(self) -> list[_core.Verdict]:
        step = self._step
        step_ns = time.perf_counter_ns() - self._step_began - self._evaluation.take_ns()
        if step > 0:  # the first has all that the script does before it
            self._tell("step_time_ms", step_ns / 1e6)
        self._tell("memory_bytes", self._step_peak_bytes)
        if self._losses:
            losses = [float(loss) for loss in self._losses]
            self._tell("loss", math.fsum(losses) / len(losses), order=_AFTER_OUTPUTS)
        self._tell_copies()
        self._tell_evaluation()
        self._losses.clear()
        publishers = (self._parameters, self._taps, self._functions)
        spent_ns = sum(publisher.take_spent_ns() for publisher in publishers)
        spent_ns += self._collector.take_results_spent_ns()
        verdicts = self._feed.end_step(step, self._epochs.epoch, step_ns, spent_ns)
        self._watch_operators(self._feed.looking)
        self._announce(verdicts)
        self._step += 1
        self._epochs.end_step()
        self._begin_epoch(self._epochs.epoch)
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
        for function, (training, validation) in self._criteria.take_means().items():
            self._tell("training_loss", training, tensor=function)
            self._tell("validation_loss", validation, tensor=function)

    def _tell(self, topic: str, value: float, *, tensor: str = "", order: int = 0) -> None:
        self._supervision.publish_value(
            topic, "", "", tensor, self._step, self._epochs.epoch, value, order=order
        )

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
