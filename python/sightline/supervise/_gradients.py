"""Metrics of gradients over the steps, and of what an optimizer makes of them."""

from __future__ import annotations

import math
import weakref
from typing import TYPE_CHECKING, Any

from sightline import _core
from sightline.supervise._kinds import GRADIENTS
from sightline.supervise._messages import Message
from sightline.supervise._metric import MetricSubscriber
from sightline.supervise._outputs import tensors_in
from sightline.supervise._statistics import floats, statistics
from sightline.supervise._subscriber import PlotSubscriber
from sightline.supervise._subscription import Subscription

if TYPE_CHECKING:
    import torch

    from sightline.supervise._bus import MessageBus


class GradientCosineSubscriber(MetricSubscriber):
    """The cosine of the angle between a gradient and that of the message before: near 1 where steps
    agree, negative where they go back and forth. It keeps a copy of every gradient."""

    name, title = "cosine", "Cosine of successive"

    def __init__(
        self, kind: str = "weight_gradients", message_bus: MessageBus | None = None, **options: Any
    ) -> None:
        self._last: dict[tuple[str, str, str], _core.Successive] = {}
        super().__init__(kind, message_bus, **options)

    def value_of(self, message: Message) -> float | None:
        key = (message.kind, message.module, message.tensor)
        change = self._last.setdefault(key, _core.Successive()).next(floats(message.data))
        return None if change is None or math.isnan(change[0]) else change[0]


class GradientNoiseSubscriber(PlotSubscriber):
    """The gradient noise scale of McCandlish et al. (2018), in samples: about how large a batch
    still helps. It takes the mean of the gradients of two successive steps for the gradient of a
    batch of twice the size, so it is an estimate for weights that change little from one step to
    the next. It keeps a copy of every gradient, and publishes gradient_noise_scale.

    `batch_size` is how many samples a step has; by default the first dimension of what the model
    is called with, summed over the batches of a step."""

    def __init__(
        self,
        message_bus: MessageBus | None = None,
        *,
        batch_size: int | None = None,
        memory: float = 0.95,
        **plot: Any,
    ) -> None:
        self._batch_size = batch_size
        self._samples = 0  # of the running step
        self._noise = _core.GradientNoise(memory)
        self._last: dict[tuple[str, str], _core.Successive] = {}
        self._squares: dict[tuple[str, str], float] = {}  # of the gradients of the last step
        self._sums = [0.0, 0.0]  # of the running step: squared norms of one and of two batches
        kinds = [*GRADIENTS, "input_data", "step_finished"]
        config = {"title": "Gradient noise scale", "ylabel": "Samples"}
        super().__init__(Subscription(self, kinds), config, message_bus, **plot)
        self._add_publication("gradient_noise_scale", "META")

    def compute(self, message: Message) -> None:
        if message.kind == "input_data":
            self._samples += next((len(t) for t in tensors_in(message.data) if t.dim()), 0)
        elif message.kind == "step_finished":
            self._end_step(message)
        else:
            self._add(message)

    def _add(self, message: Message) -> None:
        key = (message.module, message.tensor)
        square = statistics(message.data).l2 ** 2
        before = self._squares.get(key)
        self._squares[key] = square
        change = self._last.setdefault(key, _core.Successive()).next(floats(message.data))
        if change is None or before is None:
            return
        distance = change[1]
        self._sums[0] += (before + square) / 2
        self._sums[1] += (2 * before + 2 * square - distance**2) / 4  # of the mean of both

    def _end_step(self, message: Message) -> None:
        samples = self._batch_size or self._samples
        one, two = self._sums
        self._samples, self._sums = 0, [0.0, 0.0]
        if not samples or not one:
            return
        self._noise.add(samples, one, 2 * samples, two)
        scale = self._noise.scale()
        if scale is not None:
            self.tell(message, scale, "gradient_noise_scale")


class AdamLearningRateSubscriber(PlotSubscriber):
    """By what Adam multiplies the mean gradient of an element, in the middle of a tensor's
    elements: lr / (sqrt(v) + eps), where v is the mean squared gradient, corrected for its start.
    At most 1/128 off. It publishes effective_learning_rate.

    `optimizer` is an Adam, AdamW, or one that keeps `exp_avg_sq` and `step` alike."""

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        message_bus: MessageBus | None = None,
        *,
        subsample: int = 1,
        **plot: Any,
    ) -> None:
        self._optimizer = weakref.ref(optimizer)
        subscription = Subscription(self, ["optimizer_state"], subsample=subsample)
        config = {"title": "Effective learning rate", "ylabel": "Median"}
        super().__init__(subscription, config, message_bus, **plot)
        self._add_publication("effective_learning_rate")

    def compute(self, message: Message) -> None:
        optimizer = self._optimizer()
        name, _, state = message.tensor.rpartition(".")
        if optimizer is None or state != "exp_avg_sq":
            return
        parameter: Any = getattr(message.key[0], name, None)
        for group in optimizer.param_groups:
            if any(parameter is one for one in group["params"]):
                self._tell_rate(message, name, group, optimizer.state[parameter])

    def _tell_rate(
        self, message: Message, name: str, group: dict[str, Any], state: dict[str, Any]
    ) -> None:
        squares = state["max_exp_avg_sq"] if group.get("amsgrad") else message.data
        sketch = _core.Sketch()
        statistics(squares, sketch)
        middle = sketch.quantile(0.5)
        if middle is None:
            return
        corrected = middle / (1 - group["betas"][1] ** float(state["step"]))
        rate = float(group["lr"]) / (math.sqrt(corrected) + group["eps"])
        self.tell(message, rate, "effective_learning_rate")
