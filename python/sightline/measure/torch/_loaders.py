"""Loaders of torch, and how their batches go to a model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from sightline.measure._device import Device
from sightline.measure._evaluation import split_named
from sightline.measure._loaders import DataLoader, ForwardPass
from sightline.measure._values import tensors
from sightline.measure.torch._inputs import (
    TARGETS,
    Call,
    as_call,
    is_array,
    moved,
    with_samples,
    with_tensors,
)
from sightline.measure.torch._place import device_for
from sightline.measure.torch._state import as_it_was, random_kept


class TorchForwardPass(ForwardPass):
    def model_call(self, model: Any, x: Any, device: Device) -> Any:
        """Calls the model on that device, and leaves it where and as it was."""
        place = device_for(model, device)
        with as_it_was(model):
            model.to(place)
            arguments, named = as_call(model, moved(x, place))
            return model(*arguments, **named)

    def resized(self, x: Any, batch_size: int) -> Any:
        return with_samples(x, batch_size)

    def get_model_input_shapes(self) -> tuple[tuple[int, ...], ...]:
        """Of one sample of each input."""
        return tuple(tuple(tensor.shape[1:]) for tensor in tensors(with_tensors(self._sample)))

    def targets(self, batch: Any) -> Any:
        """What the outputs for the batch are held against."""
        if isinstance(batch, Mapping):
            found = [batch[name] for name in TARGETS if name in batch]
            if not found:
                raise ValueError(f"the batch has {', '.join(map(str, batch))}, but no 'labels'")
            return found[0]
        if self.model_input_pattern is not None:
            return self.model_input_pattern.targets(batch)
        if isinstance(batch, list | tuple) and len(batch) == 2:
            return batch[1]
        raise ValueError("the batch has no targets: it is neither a pair nor a dictionary")


class UsualForwardPass(TorchForwardPass):
    """For loaders that nothing is said about: an input, an input and a target, or a dictionary."""

    def extract_model_inputs(self, batch: Any) -> Any:
        if isinstance(batch, Mapping) or is_array(batch):
            return (batch,)
        if isinstance(batch, list | tuple) and len(batch) in (1, 2):
            return (batch[0],)
        size = f" of {len(batch)} parts" if isinstance(batch, list | tuple) else ""
        raise ValueError(
            f"a batch is a {type(batch).__name__}{size}, so what the model gets is not clear: give "
            "a pattern, TorchProfiler.enable_forward_pass_data_splits(data_splits, "
            "TorchForwardPass(model_input_pattern=(0, 1, '_')))"
        )


class TorchDataLoader(DataLoader):
    @property
    def batch_size(self) -> int:
        size = getattr(self.native_dl, "batch_size", None)
        if size is not None:
            return int(size)
        first = next(tensors(with_tensors(self.first_batch())))
        return int(first.shape[0])

    @property
    def dataset_size(self) -> int:
        dataset: Any = getattr(self.native_dl, "dataset", None)
        return len(dataset) if hasattr(dataset, "__len__") else len(self) * self.batch_size

    def first_batch(self) -> Any:
        with random_kept():
            for batch in self:
                return batch
        raise ValueError("the loader gives no batch: it is empty")


def wrapped_loader(loader: Any) -> TorchDataLoader:
    """The loader with a forward pass, whatever it came with."""
    if not hasattr(loader, "__iter__"):
        raise TypeError(f"{loader!r} is no loader: it cannot be iterated over")
    native = loader.native_dl if isinstance(loader, TorchDataLoader) else loader
    given = loader.forward_pass if isinstance(loader, TorchDataLoader) else None
    return TorchDataLoader(native, given or UsualForwardPass())


def loader_for_inputs(data_splits: Any, split: str | None) -> TorchDataLoader:
    """Of the named split; else of 'train', else of the first there is."""
    if split is None:
        names = list(data_splits) if isinstance(data_splits, Mapping) else []
        split = names[0] if names and "train" not in names else "train"
    return wrapped_loader(split_named(data_splits, split))


def call_for(model: Any, loader: TorchDataLoader, batch_size: int, device: Device) -> Call:
    """The arguments of one call of the model with so many samples."""
    forward_pass = loader.forward_pass
    assert isinstance(forward_pass, ForwardPass)
    if forward_pass.needs_sample():
        forward_pass.infer_sampler(loader.first_batch())
    inputs = forward_pass.create_random_model_inputs(batch_size)
    if calls_by_itself(forward_pass):
        return _Listener(model).heard(forward_pass, inputs, device)
    return as_call(model, inputs)


def calls_by_itself(forward_pass: ForwardPass) -> bool:
    """Whether a user has said how the model is called."""
    return type(forward_pass).model_call is not TorchForwardPass.model_call


class _Heard(BaseException):
    """No error: it passes what catches errors."""

    def __init__(self, call: Call) -> None:
        super().__init__()
        self.call = call


class _Listener:
    """Stands in for a model, to learn what a forward pass of the user's calls it with."""

    def __init__(self, model: Any) -> None:
        self._model = model

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._model, name)
        return self._staying(member) if inspect.ismethod(member) else member

    def _staying(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """`model.eval()` gives the model, so here it gives the one that listens."""

        def call(*arguments: Any, **named: Any) -> Any:
            result = method(*arguments, **named)
            return self if result is self._model else result

        return call

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        raise _Heard((arguments, named))

    def heard(self, forward_pass: ForwardPass, inputs: Any, device: Device) -> Call:
        try:
            forward_pass.model_call(self, inputs, device)
        except _Heard as heard:
            return heard.call
        raise TypeError(f"{type(forward_pass).__name__}.model_call does not call the model")
