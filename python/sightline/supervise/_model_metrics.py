"""Metrics of the whole model: loss, accuracy, and means over modules."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from sightline.supervise._kinds import TRAINING, kind_called
from sightline.supervise._messages import Message, MessageBundle
from sightline.supervise._metric import MetricSubscriber
from sightline.supervise._statistics import statistics
from sightline.supervise._subscriber import PlotSubscriber
from sightline.supervise._subscription import Subscription, SynchronizedSubscription

if TYPE_CHECKING:
    import torch
    from torch import Tensor, nn

    from sightline.supervise._bus import MessageBus


class LossSubscriber(MetricSubscriber):
    """The loss as the loss module gave it; the mean, if it has several elements."""

    name, title = "value", "Value"

    def __init__(self, message_bus: MessageBus | None = None, **options: Any) -> None:
        super().__init__("loss", message_bus, **options)

    def value_of(self, message: Message) -> float:
        return float(message.data) if message.data.numel() == 1 else statistics(message.data).mean


class MessageMeanSubscriber(PlotSubscriber):
    """The mean of the numbers that came of one kind in a batch, over all modules; nothing for a
    batch in which none came. It publishes KIND_message_mean."""

    def __init__(
        self,
        kind: str,
        message_bus: MessageBus | None = None,
        *,
        tag: str | None = TRAINING,
        subsample: int = 1,
        **plot: Any,
    ) -> None:
        if not isinstance(kind, str):
            raise ValueError(f"the mean is of one kind, not of {kind!r}")
        self._kind = kind_called(kind)
        self._topic = f"{self._kind}_message_mean"
        self._sum, self._count = 0.0, 0
        subscriptions = [
            Subscription(self, [self._kind], tag, subsample),
            Subscription(self, ["batch_finished"], tag),
        ]
        config = {"title": f"Mean of {self._kind} over modules", "ylabel": "Mean"}
        super().__init__(subscriptions, config, message_bus, **plot)
        self._add_publication(self._topic, "META")

    def compute(self, message: Message) -> None:
        if message.kind == self._kind:
            self._sum += float(message.data)
            self._count += 1
        elif self._count:
            mean, self._sum, self._count = self._sum / self._count, 0.0, 0
            self.tell(message, mean, self._topic)


class TrainAccuracySubscriber(PlotSubscriber):
    """The share of the labels of a batch that the output, by its largest element, has right. It
    publishes train_accuracy."""

    def __init__(
        self,
        message_bus: MessageBus | None = None,
        *,
        tag: str | None = TRAINING,
        subsample: int = 1,
        **plot: Any,
    ) -> None:
        kinds = ["network_output", "input_labels"]
        subscription = SynchronizedSubscription(self, kinds, tag, subsample, policy="drop")
        config = {"title": "Train batch accuracy", "ylabel": "Accuracy"}
        super().__init__(subscription, config, message_bus, **plot)
        self._add_publication("train_accuracy", "META")

    def compute(self, bundle: MessageBundle) -> None:
        right, all_ = hits(bundle.network_output, bundle.input_labels)
        if all_:
            self.tell(bundle, right / all_, "train_accuracy")


class TestAccuracySubscriber(PlotSubscriber):
    """The share of a test set's samples that the model has right, every `frequency` batches.

    `data` is a Dataset, which is gone through in batches of `batch_size`, or an iterable of batches
    of inputs and labels. `model` is the model, or its `forward`. Every sample counts the same,
    whatever the size of its batch. It publishes test_accuracy."""

    __test__ = False  # pytest takes names like this one for its own

    def __init__(
        self,
        data: torch.utils.data.Dataset[Any] | Iterable[Any],
        model: nn.Module | Callable[..., Any],
        batch_size: int = 256,
        frequency: int = 100,
        message_bus: MessageBus | None = None,
        **plot: Any,
    ) -> None:
        self._model = model_of(model)
        self._batches = batches_of(data, batch_size)
        subscription = Subscription(self, ["batch_finished"], TRAINING, frequency)
        config = {"title": "Test accuracy", "ylabel": "Accuracy"}
        super().__init__(subscription, config, message_bus, **plot)
        self._add_publication("test_accuracy", "META")

    def compute(self, message: Message) -> None:
        assert self.message_bus is not None
        right = all_ = 0
        device = next((p.device for p in self._model.parameters()), None)
        with self.message_bus.private_pass(self._model, "testing"):
            for inputs, labels in self._batches():
                found = hits(self._model(inputs.to(device)), labels.to(device))
                right, all_ = right + found[0], all_ + found[1]
        if all_:
            self.tell(message, right / all_, "test_accuracy")


def hits(output: Tensor, labels: Tensor) -> tuple[int, int]:
    """How many labels the largest elements of dimension 1 are, and how many labels there are."""
    return int((output.argmax(1) == labels).sum()), labels.numel()


def model_of(model: nn.Module | Callable[..., Any]) -> nn.Module:
    from torch import nn

    owner = getattr(model, "__self__", model)
    if not isinstance(owner, nn.Module):
        raise ValueError(f"this takes a model or its forward method, not {model!r}")
    return owner


def batches_of(data: Any, batch_size: int) -> Callable[[], Iterable[Any]]:
    """A fresh pass over the data, each time it is called."""
    if hasattr(data, "__getitem__") and not isinstance(data, (list, tuple)):
        from torch.utils.data import DataLoader

        return lambda: DataLoader(data, batch_size=batch_size)
    if inspect.isgenerator(data):
        data = list(data)
    return lambda: data
