"""How much layers still change: each against itself some steps before (SVCCA)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from sightline import _core
from sightline.supervise._kinds import TRAINING
from sightline.supervise._messages import Message, TrainingMessage
from sightline.supervise._model_metrics import model_of
from sightline.supervise._statistics import floats
from sightline.supervise._subscriber import PlotSubscriber
from sightline.supervise._subscription import Subscription

if TYPE_CHECKING:
    from sightline.supervise._bus import MessageBus

_TAG = "svcca"


class BatchedSVCCASubscriber(PlotSubscriber):
    """Every `subsample` batches the model is run over `n` samples, in batches of `batch_size`, and
    what every watched module gives out is held against what it gave out the last time. 1 is no
    change. It publishes self_similarity.

    `data` is a Dataset, of which n samples are chosen once, or a tensor of inputs. Outputs of
    images count every position as a sample, up to `most_samples` of them. `variance_kept` is the
    share of the variance that the directions compared must hold. A module whose similarity is over
    `freeze_at` is trained no further, and not looked at again, unless it is the last."""

    def __init__(
        self,
        data: torch.utils.data.Dataset[Any] | Tensor,
        n: int,
        model: nn.Module | Callable[..., Any],
        freeze_at: float | None = None,
        batch_size: int = 256,
        message_bus: MessageBus | None = None,
        *,
        subsample: int = 1,
        variance_kept: float = 0.99,
        most_samples: int = 10_000,
        **plot: Any,
    ) -> None:
        if not 0 < variance_kept <= 1:
            raise ValueError(f"variance_kept is over 0 and at most 1, not {variance_kept}")
        self._model = model_of(model)
        self._inputs = inputs_of(data, n)
        self._batch_size = batch_size
        self._freeze_at = freeze_at
        self._variance_kept = variance_kept
        self._most_samples = most_samples
        self._frozen: set[tuple[str, str]] = set()
        self._before: dict[tuple[str, str], Tensor] = {}
        self._now: dict[tuple[str, str], list[Tensor]] = {}
        self._about: dict[tuple[str, str], TrainingMessage] = {}
        subscriptions = [
            Subscription(self, ["batch_finished"], TRAINING, subsample),
            Subscription(self, ["activations"], _TAG),
        ]
        config = {"title": "Self-similarity", "ylabel": "Mean correlation"}
        super().__init__(subscriptions, config, message_bus, **plot)
        self._add_publication("self_similarity")

    def compute(self, message: Message) -> None:
        if isinstance(message, TrainingMessage):
            self._take(message)
            return
        self._run_model()
        for key, parts in self._now.items():
            now = torch.cat(parts)
            before = self._before.get(key)
            self._before[key] = now
            if before is not None and before.shape == now.shape:
                self._compare(key, before, now, message)
        self._now.clear()

    def _take(self, message: TrainingMessage) -> None:
        key = (message.module, message.tensor)
        if key in self._frozen or message.call or message.data.dim() < 2:
            return
        if not message.data.is_floating_point():
            return
        self._about[key] = message
        self._now.setdefault(key, []).append(samples_by_units(message.data))

    def _run_model(self) -> None:
        assert self.message_bus is not None
        device = next((p.device for p in self._model.parameters()), None)
        with self.message_bus.private_pass(self._model, _TAG):
            for inputs in torch.split(self._inputs, self._batch_size):
                self._model(inputs.to(device))

    def _compare(self, key: tuple[str, str], before: Tensor, now: Tensor, message: Message) -> None:
        every = -(-len(now) // self._most_samples)
        found = _core.canonical_correlations(
            before[::every].contiguous(), now[::every].contiguous(), self._variance_kept
        )
        mean = math.fsum(found) / len(found) if found else math.nan
        about = self._about[key]
        told = TrainingMessage(
            TRAINING,
            message.global_step,
            message.train_step,
            message.epoch,
            about.kind,
            about.key,
            mean,
            about.module,
            about.tensor,
        )
        self.tell(told, mean, "self_similarity")
        if self._freeze_at is not None and mean > self._freeze_at:
            self._freeze(key, about.key[0])

    def _freeze(self, key: tuple[str, str], module: Any) -> None:
        """Not the last that is trained: the user's backward pass would fail."""
        from sightline.supervise._exporter import freeze

        trained = {parameter for parameter in self._model.parameters() if parameter.requires_grad}
        if module is None or not trained - set(module.parameters()):
            return
        self._frozen.add(key)
        self._before.pop(key)
        freeze(module)


class SVCCASubscriber(BatchedSVCCASubscriber):
    """The same with all n samples in one batch."""

    def __init__(
        self,
        data: torch.utils.data.Dataset[Any] | Tensor,
        n: int,
        model: nn.Module | Callable[..., Any],
        freeze_at: float | None = None,
        message_bus: MessageBus | None = None,
        **options: Any,
    ) -> None:
        super().__init__(data, n, model, freeze_at, n, message_bus, **options)


def samples_by_units(output: Tensor) -> Tensor:
    """A matrix of float32 in which every position of an image, or of a sequence, is a sample. Units
    are in the second dimension of images, and in the last of all else."""
    if output.dim() >= 4:
        output = output.movedim(1, -1)
    values: Tensor = floats(output.reshape(-1, output.shape[-1]))
    return values.clone() if values.data_ptr() == output.data_ptr() else values


def inputs_of(data: Any, n: int) -> Tensor:
    """n inputs, the same in every run."""
    if isinstance(data, Tensor):
        return data[:n]
    generator = torch.Generator().manual_seed(0)
    count = len(data)
    chosen: Iterable[int] = torch.randperm(count, generator=generator)[:n].tolist()
    return torch.stack([torch.as_tensor(data[index][0]) for index in chosen])
