"""Curvature of the loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from sightline import _core
from sightline.supervise._kinds import TRAINING
from sightline.supervise._messages import Message
from sightline.supervise._model_metrics import batches_of, model_of
from sightline.supervise._subscriber import PlotSubscriber
from sightline.supervise._subscription import Subscription

if TYPE_CHECKING:
    from sightline.supervise._bus import MessageBus

Vector = list[Tensor]


class HessianEigenSubscriber(PlotSubscriber):
    """The eigenvalues of largest magnitude of the Hessian of the loss over `data`, every
    `frequency` batches, by `power_steps` steps of Lanczos with Hessian-vector products.

    `data` is a Dataset or an iterable of batches of inputs and labels; `loss` takes the output and
    the labels, and gives the mean over samples. The model is in eval mode for it. `values` has the
    eigenvalues with the tensor names eigenvalue0, eigenvalue1, ...; it publishes
    hessian_eigenvalue of the first. A product takes about three backward passes over the data."""

    def __init__(
        self,
        model: nn.Module | Callable[..., Any],
        loss: Callable[[Any, Any], Tensor],
        data: torch.utils.data.Dataset[Any] | Iterable[Any],
        batch_size: int = 256,
        frequency: int = 1,
        num_eig: int = 1,
        power_steps: int = 20,
        message_bus: MessageBus | None = None,
        **plot: Any,
    ) -> None:
        if num_eig < 1 or power_steps < num_eig:
            raise ValueError("num_eig is 1 or more, and power_steps is no less")
        self._model = model_of(model)
        self._loss = loss
        self._batches = batches_of(data, batch_size)
        self._eigenvalues = num_eig
        self._steps = power_steps
        subscription = Subscription(self, ["batch_finished"], TRAINING, frequency)
        config = {"title": "Hessian eigenvalues", "ylabel": "Eigenvalue"}
        super().__init__(subscription, config, message_bus, **plot)
        self._add_publication("hessian_eigenvalue", "META")

    def compute(self, message: Message) -> None:
        assert self.message_bus is not None
        with self.message_bus.private_pass(self._model, "hessian", gradients=True):
            found = self.eigenvalues()
        for index, value in enumerate(found):
            name = f"eigenvalue{index}"
            self.values.append((message.global_step, "", name, value))
            self._backend.add_data("", value, message.global_step, tensor=name, epoch=message.epoch)
        if found:
            self.publish("hessian_eigenvalue", message, found[0])

    def eigenvalues(self) -> list[float]:
        parameters: Vector = [p for p in self._model.parameters() if p.requires_grad]
        if not parameters:
            return []
        diagonal, beside = lanczos(
            lambda vector: self._product(parameters, vector), parameters, self._steps
        )
        found = _core.tridiagonal_eigenvalues(diagonal, beside)
        return sorted(found, key=abs, reverse=True)[: self._eigenvalues]

    def _product(self, parameters: Vector, vector: Vector) -> Vector:
        """The Hessian of the mean loss over all samples, times the vector."""
        total = [torch.zeros_like(parameter) for parameter in parameters]
        samples = 0
        for inputs, labels in self._batches():
            device = parameters[0].device
            loss = self._loss(self._model(inputs.to(device)), labels.to(device))
            first = torch.autograd.grad(loss, parameters, create_graph=True, allow_unused=True)
            along = sum(
                (gradient * part).sum()
                for gradient, part in zip(first, vector, strict=True)
                if gradient is not None and gradient.requires_grad
            )
            samples += len(labels)
            if not isinstance(along, Tensor):
                continue  # the loss is linear
            second = torch.autograd.grad(along, parameters, allow_unused=True)
            for sum_, part in zip(total, second, strict=True):
                if part is not None:
                    sum_ += part * len(labels)
        return [part / samples for part in total] if samples else total


def lanczos(
    product: Callable[[Vector], Vector], like: Vector, steps: int
) -> tuple[list[float], list[float]]:
    """A tridiagonal matrix whose eigenvalues at both ends are about those of the operator. All
    directions are kept and made orthogonal anew, since rounding would bring eigenvalues twice. The
    first direction is the same each time."""
    generator = torch.Generator().manual_seed(0)
    vector = _normalised(
        [torch.randn(p.shape, generator=generator).to(p.device, p.dtype) for p in like]
    )
    size = sum(p.numel() for p in like)
    directions: list[Vector] = []
    diagonal: list[float] = []
    beside: list[float] = []
    while True:
        directions.append(vector)
        image = product(vector)
        diagonal.append(_dot(vector, image))
        if len(diagonal) == min(steps, size):
            return diagonal, beside
        for _ in range(2):  # the second time takes away what rounding has left
            for direction in directions:
                part = _dot(direction, image)
                image = [a - part * b for a, b in zip(image, direction, strict=True)]
        length = _dot(image, image) ** 0.5
        if length <= 1e-7 * max(map(abs, diagonal)):
            return diagonal, beside  # the directions hold all there is
        beside.append(length)
        vector = [part / length for part in image]


def _dot(a: Vector, b: Vector) -> float:
    return float(sum((x.double() * y.double()).sum() for x, y in zip(a, b, strict=True)))


def _normalised(vector: Vector) -> Vector:
    length = _dot(vector, vector) ** 0.5
    return [part / length for part in vector]
