"""What lies between a loader's batch and a call of the model."""

from __future__ import annotations

import abc
import time
from collections.abc import Iterator, Mapping
from typing import Any

from sightline.measure._device import Device


class ModelInputPattern(tuple[Any, ...]):
    """Which parts of a batch are arguments of the model: for each part its place among the
    arguments, or '_' for what the model does not get. `(0, '_')` is the usual pair of input and
    target. A pattern of one part means the batch as a whole."""

    def __new__(cls, parts: Any) -> ModelInputPattern:
        parts = tuple(parts)
        places = [part for part in parts if part != "_"]
        wrong = [p for p in places if isinstance(p, bool) or not isinstance(p, int) or p < 0]
        if wrong:
            raise TypeError(f"a pattern has places from 0 on and '_', not {wrong[0]!r}")
        if len(set(places)) < len(places):
            raise TypeError(f"the pattern {parts!r} has a place twice")
        return super().__new__(cls, parts)

    def rearrange_from_pattern(self, batch: Any) -> tuple[Any, ...]:
        """The arguments of the model."""
        places = sorted(part for part in self if part != "_")
        if not places:
            return ()
        if len(self) == 1:
            return (batch,)
        if len(batch) != len(self):
            raise ValueError(
                f"the batch has {len(batch)} parts, the pattern {tuple(self)!r} has {len(self)}"
            )
        return tuple(batch[self.index(place)] for place in places)

    def targets(self, batch: Any) -> Any:
        """The part that the model does not get, if there is exactly one."""
        left = [part for part, place in zip(batch, self, strict=True) if place == "_"]
        if len(left) != 1:
            raise ValueError(f"which part of a batch is the target is not clear from {tuple(self)}")
        return left[0]


class ForwardPass(abc.ABC):
    """How a model is called with a batch. The arguments come from a pattern, or from a subclass
    that overrides `extract_model_inputs`. With `expecting_common_inputs` they are tensors, possibly
    in tuples, lists and dictionaries, and can be made for another batch size; otherwise a subclass
    overrides `create_random_model_inputs`."""

    def __init__(
        self, model_input_pattern: Any = None, expecting_common_inputs: bool = True
    ) -> None:
        if model_input_pattern is None and not self._overrides("extract_model_inputs"):
            raise TypeError(
                f"{type(self).__name__} needs a model_input_pattern or an extract_model_inputs "
                "of its own"
            )
        if not expecting_common_inputs and not self._overrides("create_random_model_inputs"):
            raise TypeError(
                f"{type(self).__name__} does not expect common inputs, so it needs a "
                "create_random_model_inputs of its own"
            )
        if model_input_pattern is not None:
            model_input_pattern = ModelInputPattern(model_input_pattern)
        self.model_input_pattern: ModelInputPattern | None = model_input_pattern
        self.expecting_common_inputs = expecting_common_inputs
        self._sample: Any = None

    @abc.abstractmethod
    def model_call(self, model: Any, x: Any, device: Device) -> Any:
        """Calls the model with what `extract_model_inputs` returned."""

    @abc.abstractmethod
    def resized(self, x: Any, batch_size: int) -> Any:
        """Model inputs with so many samples, made of those that are there."""

    def extract_model_inputs(self, batch: Any) -> Any:
        """A batch that is a dictionary has no order, and goes to the model as it is."""
        assert self.model_input_pattern is not None
        if isinstance(batch, Mapping):
            return (batch,)
        return self.model_input_pattern.rearrange_from_pattern(batch)

    def create_random_model_inputs(self, batch_size: int) -> Any:
        """Inputs with so many samples. They are the first of the data, again and again if there are
        too few: noise would be no tokens, and no masks."""
        if self._sample is None:
            raise TypeError("no batch has been seen yet: call infer_sampler(batch) first")
        return self.resized(self._sample, batch_size)

    def infer_sampler(self, batch: Any) -> None:
        """Remembers a batch to make inputs from."""
        if self.expecting_common_inputs:
            self._sample = self.extract_model_inputs(batch)

    def needs_sample(self) -> bool:
        return self._sample is None and not self._overrides("create_random_model_inputs")

    def perform(self, model: Any, batch: Any, device: Device) -> Any:
        return self.model_call(model, self.extract_model_inputs(batch), device)

    def random_perform(self, model: Any, batch_size: int, device: Device) -> Any:
        return self.model_call(model, self.create_random_model_inputs(batch_size), device)

    def _overrides(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(ForwardPass, method)


class DataLoader(abc.ABC):
    """A loader together with the way its batches go to the model."""

    def __init__(self, dl: Any, fp: ForwardPass | None = None) -> None:
        self.native_dl = dl
        self.forward_pass = fp

    def __iter__(self) -> Iterator[Any]:
        return iter(self.native_dl)

    def __len__(self) -> int:
        return len(self.native_dl)

    @property
    @abc.abstractmethod
    def batch_size(self) -> int: ...

    @property
    @abc.abstractmethod
    def dataset_size(self) -> int: ...

    @abc.abstractmethod
    def first_batch(self) -> Any: ...

    def sample_forward(self, model: Any, device: Device = Device.CPU) -> Any:
        """Calls the model with the first batch."""
        return self._needed_pass().perform(model, self.first_batch(), device)

    def sample_random_forward(
        self, model: Any, batch_size: int | None = None, device: Device = Device.CPU
    ) -> Any:
        """Calls the model with inputs of that batch size."""
        forward_pass = self._needed_pass()
        if forward_pass.needs_sample():
            forward_pass.infer_sampler(self.first_batch())
        size = self.batch_size if batch_size is None else batch_size
        return forward_pass.random_perform(model, size, device)

    def timed_forward(self, model: Any, device: Device = Device.CPU) -> float:
        """In seconds."""
        start = time.perf_counter()
        self.sample_forward(model, device)
        return time.perf_counter() - start

    def timed_random_forward(
        self, model: Any, batch_size: int | None = None, device: Device = Device.CPU
    ) -> float:
        """In seconds."""
        start = time.perf_counter()
        self.sample_random_forward(model, batch_size, device)
        return time.perf_counter() - start

    def _needed_pass(self) -> ForwardPass:
        if self.forward_pass is None:
            raise TypeError("this loader has no forward pass: give it one, `fp=...`")
        return self.forward_pass
