"""Where a training is: batch, step and epoch, and the messages that they begin and end with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sightline.supervise._bus import MessageBus
from sightline.supervise._kinds import TRAINING


class Progress:
    """An epoch begins with its first batch, a step may have several batches."""

    def __init__(self, bus: MessageBus) -> None:
        self.step = 0  # of the training; the one that runs
        self.train_step = 0  # in the running epoch
        self.epoch = 0
        self._bus = bus
        self._epoch_open = False
        self._batch_open = False

    def publish(
        self, kind: str, make: Callable[[], Any] = lambda: None, tag: str = TRAINING
    ) -> None:
        self._bus.publish(kind, make, step=self.step, epoch=self.epoch, tag=tag)

    def begin_batch(self) -> None:
        self._end_batch()
        if not self._epoch_open:
            self._epoch_open = True
            self.publish("epoch_started")
        self._batch_open = True
        self.publish("batch_started")

    def end_step(self) -> None:
        self._end_batch()
        self.publish("step_finished")
        self._bus.end_step(self.step)
        self.step += 1
        self.train_step += 1

    def end_epoch(self) -> None:
        self.publish("epoch_finished")
        self.epoch += 1
        self.train_step = 0
        self._epoch_open = False
        self._bus.begin_epoch(self.epoch, self.step)

    def state_dict(self) -> dict[str, int]:
        return {"step": self.step, "train_step": self.train_step, "epoch": self.epoch}

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """ValueError if steps would come again that were told."""
        step, train_step, epoch = (int(state[name]) for name in ("step", "train_step", "epoch"))
        if min(step, train_step, epoch) < 0 or train_step > step:
            raise ValueError(
                f"counters are 0 or more, and no epoch has more steps than all: {state}"
            )
        if step < self.step:
            raise ValueError(
                f"this exporter has told step {self.step - 1}, so it cannot go back to step {step}:"
                " make a new one"
            )
        self.step, self.train_step, self.epoch = step, train_step, epoch
        self._epoch_open = train_step > 0
        self._bus.begin_epoch(epoch, step - train_step)

    def _end_batch(self) -> None:
        if self._batch_open:
            self._batch_open = False
            self.publish("batch_finished")
