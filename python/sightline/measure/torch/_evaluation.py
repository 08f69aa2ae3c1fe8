"""How well a model of torch does: accuracy, errors, the best k, a loss."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch

from sightline.measure._device import Device
from sightline.measure._evaluation import EvaluationFunction
from sightline.measure.torch._inputs import as_call, moved, shapes_of
from sightline.measure.torch._loaders import (
    TorchForwardPass,
    calls_by_itself,
    wrapped_loader,
)
from sightline.measure.torch._place import device_for
from sightline.measure.torch._state import as_it_was

Transform = Callable[[Any, Any], tuple[Any, Any]]

IGNORED_TARGET = -100  # as torch's losses ignore it


@contextlib.contextmanager
def evaluating(model: Any, device: Device) -> Iterator[None]:
    """The model on that device, in eval mode, without gradients; then again as it was."""
    place = device_for(model, device)
    with as_it_was(model), torch.no_grad():
        model.to(place)
        model.eval()
        yield


def get_missclass(
    model: Any,
    data_loader: Any,
    device: Device = Device.CPU,
    transform: Transform | None = None,
) -> float:
    """How many of the predictions are wrong, in percent. `transform(x, y)` changes inputs and
    targets before the model is called."""
    wrong = judged = 0
    with evaluating(model, device):
        for outputs, targets in outputs_and_targets(model, data_loader, device, transform):
            predicted, expected = predictions(outputs, targets)
            counts = expected != IGNORED_TARGET
            wrong += int((predicted != expected)[counts].sum())
            judged += int(counts.sum())
    if judged == 0:
        raise ValueError("there is nothing to judge the model by: all targets are to be ignored")
    return 100.0 * wrong / judged


def get_accuracy(
    model: Any,
    data_loader: Any,
    device: Device = Device.CPU,
    transform: Transform | None = None,
) -> float:
    """How many of the predictions are right, in percent."""
    return 100.0 - get_missclass(model, data_loader, device, transform)


def get_topk(
    model: Any,
    data_loader: Any,
    device: Device = Device.CPU,
    topk: int | tuple[int, ...] = (1, 5),
    transform: Transform | None = None,
) -> dict[str, float]:
    """How often the target is among the k best, in percent: {"top-1": ..., "top-5": ...}."""
    wanted = (topk,) if isinstance(topk, int) else tuple(topk)
    hits = dict.fromkeys(wanted, 0)
    judged = 0
    with evaluating(model, device):
        for outputs, targets in outputs_and_targets(model, data_loader, device, transform):
            right = _hits_by_rank(tensor_of(outputs), targets, max(wanted))
            for k in wanted:
                hits[k] += int(right[:, :k].sum())
            judged += len(right)
    return {f"top-{k}": 100.0 * hits[k] / judged for k in wanted}


def _hits_by_rank(scores: torch.Tensor, targets: torch.Tensor, ranks: int) -> torch.Tensor:
    """For each sample, whether the target has the best score, the second best, ..."""
    if scores.dim() != 2 or scores.shape[1] < ranks:
        raise ValueError(
            f"there are no {ranks} best among outputs {shapes_of(scores)}: give a topk that fits"
        )
    best = scores.topk(ranks, dim=1).indices
    return best == _same_shape(targets, best[:, 0])[:, None]


class EvalLossFunction(EvaluationFunction):
    """The mean loss. A loss that is a module of torch, `CrossEntropyLoss()`, gets outputs and
    targets, and batches weigh as many samples as they have. Anything else is called with the model
    and a batch, may return a dictionary of losses to be summed, and batches weigh the same."""

    def __init__(self, loss_fn: Callable[..., Any]) -> None:
        self.loss_fn = loss_fn

    def __call__(
        self,
        model: Any,
        data_loader: Any,
        device: Device = Device.CPU,
        transform: Transform | None = None,
    ) -> float:
        over_samples = isinstance(self.loss_fn, torch.nn.Module)
        mean = self._mean_over_samples if over_samples else self._mean_over_batches
        with evaluating(model, device):
            return mean(model, data_loader, device, transform)

    def _mean_over_batches(
        self, model: Any, data_loader: Any, device: Device, transform: Transform | None
    ) -> float:
        losses = []
        for batch in data_loader:
            changed = batch if transform is None else transform(*batch)
            there = moved(changed, device_for(model, device))
            losses.append(_loss_number(self.loss_fn(model, there)))
        if not losses:
            raise ValueError("the loader gives no batch: it is empty")
        return sum(losses) / len(losses)

    def _mean_over_samples(
        self, model: Any, data_loader: Any, device: Device, transform: Transform | None
    ) -> float:
        total, samples = 0.0, 0
        for outputs, targets in outputs_and_targets(model, data_loader, device, transform):
            size = len(targets)
            total += _loss_number(self.loss_fn(tensor_of(outputs), targets)) * size
            samples += size
        return total / samples


def _loss_number(loss: Any) -> float:
    return float(sum(loss.values()) if isinstance(loss, Mapping) else loss)


def outputs_and_targets(
    model: Any, data_loader: Any, device: Device, transform: Transform | None
) -> Iterator[tuple[Any, Any]]:
    loader = wrapped_loader(data_loader)
    place = device_for(model, device)
    forward_pass = loader.forward_pass
    assert isinstance(forward_pass, TorchForwardPass)
    empty = True
    for batch in loader:
        empty = False
        inputs = forward_pass.extract_model_inputs(batch)
        targets = forward_pass.targets(batch)
        if transform is not None:
            (inputs, targets) = _transformed(transform, inputs, targets)
        outputs = called(forward_pass, model, moved(inputs, place), device)
        yield outputs, moved(targets, place)
    if empty:
        raise ValueError("the loader gives no batch: it is empty")


def _transformed(transform: Transform, inputs: Any, targets: Any) -> tuple[Any, Any]:
    single = isinstance(inputs, tuple) and len(inputs) == 1
    changed, targets = transform(inputs[0] if single else inputs, targets)
    return ((changed,) if single else changed), targets


def called(forward_pass: TorchForwardPass, model: Any, inputs: Any, device: Device) -> Any:
    try:
        if calls_by_itself(forward_pass):
            return forward_pass.model_call(model, inputs, device)
        arguments, named = as_call(model, inputs)
        return model(*arguments, **named)
    except Exception as error:
        raise RuntimeError(
            f"the model raised {type(error).__name__} for inputs {shapes_of(inputs)}: {error}"
        ) from error


def tensor_of(outputs: Any) -> torch.Tensor:
    """The scores among what a model returns: the tensor, `logits`, or the first of several."""
    found = outputs
    if isinstance(outputs, Mapping):
        found = outputs.get("logits", next(iter(outputs.values()), None))
    elif isinstance(outputs, list | tuple) and outputs:
        found = outputs[0]
    if not isinstance(found, torch.Tensor):
        raise TypeError(
            f"the model returned {type(outputs).__name__}, which has no tensor to judge"
        )
    return found


def predictions(outputs: Any, targets: Any) -> tuple[torch.Tensor, torch.Tensor]:
    """Predicted and expected classes in one shape. One column is a score for the second of two
    classes, which is meant above zero."""
    scores = tensor_of(outputs)
    if not isinstance(targets, torch.Tensor):
        targets = torch.as_tensor(targets, device=scores.device)
    if scores.dim() < 2 or scores.shape[1] == 1:
        return (scores.flatten() > 0).long(), _same_shape(targets > 0, scores.flatten()).long()
    if targets.shape == scores.shape:
        return scores.argmax(1), targets.argmax(1)
    classes = 1
    if scores.dim() > 2 and _without(scores, 1) != targets.shape == scores.shape[:-1]:
        classes = -1
    predicted = scores.argmax(classes)
    return predicted, _same_shape(targets, predicted)


def _without(scores: torch.Tensor, dimension: int) -> torch.Size:
    return torch.Size([n for at, n in enumerate(scores.shape) if at != dimension])


def _same_shape(targets: torch.Tensor, predicted: torch.Tensor) -> torch.Tensor:
    if targets.numel() != predicted.numel():
        raise ValueError(
            f"targets {shapes_of(targets)} do not fit predictions of {shapes_of(predicted)}"
        )
    return targets.reshape(predicted.shape)
