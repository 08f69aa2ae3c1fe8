"""Messages, bundles, the bus, and what wrong use of them gets."""

from __future__ import annotations

import logging
from typing import Any

import pytest
import torch
from torch import nn

from sightline.supervise import (
    CallbackSubscriber,
    MessageBundle,
    MessageBus,
    MessageMeanSubscriber,
    MetaMessage,
    NormSubscriber,
    Subscriber,
    Subscription,
    SynchronizedSubscription,
    TrainingMessage,
    get_default_bus,
)

LAYER = nn.Linear(2, 2)
KEY = (LAYER, "layer")


def training_message(kind: str, step: int = 0, **changed: Any) -> TrainingMessage:
    fields: dict[str, Any] = {
        "tag": "training",
        "global_step": step,
        "train_step": step,
        "epoch": 0,
        "kind": kind,
        "key": KEY,
        "data": torch.ones(2),
    }
    return TrainingMessage(**{**fields, **changed})


def told(bus: MessageBus, kinds: list[str], **options: Any) -> list[tuple[Any, ...]]:
    """What a callback of these kinds is called with."""
    calls: list[tuple[Any, ...]] = []
    bus.register_subscriber(CallbackSubscriber(kinds, lambda *a: calls.append(a), **options))
    return calls


def test_a_message_has_the_words_of_both_guides() -> None:
    message = training_message("weights", 7, train_step=3, epoch=1)
    assert (message.seq, message.step) == (message.global_step, message.train_step) == (7, 3)
    assert message.key == KEY
    assert MetaMessage("training", 0, 0, 0, "batch_started", "META", None).data is None


@pytest.mark.parametrize("field", ["global_step", "train_step", "epoch"])
def test_a_negative_counter_is_refused(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        training_message("weights", **{field: -1})


def test_a_message_about_a_module_needs_data() -> None:
    with pytest.raises(ValueError, match="needs data"):
        training_message("weights", data=None)


def test_a_bundle_is_complete_when_every_kind_is_there() -> None:
    bundle = MessageBundle(["weights_", "gradients"])
    bundle.add(training_message("weights", 4))
    assert not bundle.complete
    assert bundle.complete() is False
    bundle.add(training_message("weight_gradients", 4))
    assert bundle.complete
    assert bundle.complete() is True
    assert bundle.data["gradients"] is bundle.weight_gradients is bundle.gradients
    assert (bundle.global_step, bundle.key) == (4, KEY)
    with pytest.raises(AttributeError, match="biases"):
        bundle.biases
    with pytest.raises(KeyError):
        bundle.data["biases"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"global_step": 1}, "global_step"),
        ({"train_step": 1}, "train_step"),
        ({"epoch": 1}, "epoch"),
        ({"key": (LAYER, "other")}, "about"),
    ],
)
def test_what_does_not_belong_into_a_bundle_is_refused(change: Any, reason: str) -> None:
    bundle = MessageBundle(["weights", "biases"])
    bundle.add(training_message("weights"))
    with pytest.raises(ValueError, match=reason):
        bundle.add(training_message("biases", **change))
    with pytest.raises(ValueError, match="already"):
        bundle.add(training_message("weights"))
    with pytest.raises(ValueError, match="not of"):
        bundle.add(training_message("activations"))


def test_wrong_messages_are_refused_by_the_bus() -> None:
    bus = MessageBus()
    with pytest.raises(ValueError, match="nobody has registered"):
        bus.publish_module_message(0, 0, 0, "wieghts", KEY, torch.ones(1))
    with pytest.raises(ValueError, match="nobody has registered"):
        bus.publish_network_message(0, 0, 0, "epoch_fnished")
    with pytest.raises(ValueError, match="about modules"):
        bus.publish_network_message(0, 0, 0, "weights", torch.ones(1))
    with pytest.raises(ValueError, match="about the whole model"):
        bus.publish_module_message(0, 0, 0, "loss", KEY, torch.ones(1))
    with pytest.raises(ValueError, match="needs data"):
        bus.publish_module_message(0, 0, 0, "weights", KEY, None)
    for position in [(-1, 0, 0), (0, -1, 0), (0, 0, -1)]:
        with pytest.raises(ValueError, match="0 or more"):
            bus.publish_network_message(*position, "batch_started")


def test_wrong_subscriptions_are_refused() -> None:
    bus = MessageBus()
    with pytest.raises(ValueError, match="wieghts"):
        told(bus, ["wieghts"])
    with pytest.raises(ValueError, match="list of topics"):
        Subscription(None, "weights")
    with pytest.raises(ValueError, match="list of topics"):
        Subscription(None, [])
    with pytest.raises(ValueError, match="subsample"):
        Subscription(None, ["weights"], subsample=0)
    with pytest.raises(ValueError, match="policy"):
        SynchronizedSubscription(None, ["weights", "biases"], policy="raise")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="compute"):

        class Nothing(Subscriber):
            pass

        Nothing(["weights"])


def test_kinds_belong_to_one_bus() -> None:
    ours, other = MessageBus(), MessageBus()
    ours.register_data_topic("sharpness")
    assert "sharpness" in ours.kinds
    told(ours, ["sharpness"])
    with pytest.raises(ValueError, match="sharpness"):
        told(other, ["sharpness"])
    assert get_default_bus() is get_default_bus()


def test_a_callback_gets_data_position_and_key() -> None:
    bus = MessageBus()
    calls = told(bus, ["weights", "biases"])
    bus.publish_module_message(7, 2, 1, "weights", KEY, torch.ones(2))
    assert calls == []
    bus.publish_module_message(7, 2, 1, "biases", KEY, torch.zeros(2))
    ((weights, biases, *position),) = calls
    assert torch.equal(weights, torch.ones(2))
    assert torch.equal(biases, torch.zeros(2))
    assert position == [7, 2, 1, KEY]


def test_a_bundle_is_delivered_at_completion_and_thinned_as_a_whole() -> None:
    bus = MessageBus()
    calls = told(bus, ["weights", "weight_gradients"], subsample=2)
    for step in range(5):
        bus.publish_module_message(step, step, 0, "weights", KEY, torch.ones(1))
        assert len(calls) == (step + 1) // 2
        bus.publish_module_message(step, step, 0, "weight_gradients", KEY, torch.ones(1))
        bus.publish_module_message(step, step, 0, "weight_gradients", KEY, torch.ones(1))
    assert [call[2] for call in calls] == [0, 2, 4]


def test_thinning_counts_each_module_and_each_kind_alone() -> None:
    bus = MessageBus()

    class Collect(Subscriber):
        got: list[tuple[str, str, int]] = []  # noqa: RUF012

        def compute(self, message: Any) -> None:
            self.got.append((message.kind, message.module, message.global_step))

    bus.register_subscriber(
        Collect([Subscription(None, ["weights", "biases", "epoch_finished"], subsample=2)])
    )
    bus.publish_module_message(0, 0, 0, "weights", (None, "a"), torch.ones(1))
    for step in (1, 2, 3):
        bus.publish_module_message(step, step, 0, "weights", (None, "a"), torch.ones(1))
        bus.publish_module_message(step, step, 0, "weights", (None, "b"), torch.ones(1))
        bus.publish_module_message(step, step, 0, "biases", (None, "a"), torch.ones(1))
        bus.publish_network_message(step, step, 0, "epoch_finished")
    assert sorted(Collect.got) == sorted(
        [
            *(("weights", "a", step) for step in (0, 2)),
            *(("weights", "b", step) for step in (1, 3)),
            *(("biases", "a", step) for step in (1, 3)),
            *(("epoch_finished", "", step) for step in (1, 3)),
        ]
    )


@pytest.mark.parametrize("policy", ["drop", "partial", "warn"])
def test_a_kind_that_does_not_come_follows_the_policy(
    policy: Any, caplog: pytest.LogCaptureFixture
) -> None:
    bus = MessageBus()
    calls = told(bus, ["weights", "weight_gradients"], missing=policy)
    with caplog.at_level(logging.WARNING, logger="sightline"):
        for step in range(3):
            bus.publish_module_message(step, step, 0, "weights", KEY, torch.ones(1))
            bus.end_step(step)
            bus.tell_problems()
    assert [call[2] for call in calls] == ([0, 1, 2] if policy == "partial" else [])
    assert all(call[1] is None for call in calls)
    assert len(caplog.records) == (policy == "warn")


def test_kinds_of_model_and_modules_come_together() -> None:
    bus = MessageBus()
    calls = told(bus, ["weights", "loss"])
    bus.publish_module_message(0, 0, 0, "weights", (None, "a"), torch.ones(1))
    bus.publish_module_message(0, 0, 0, "weights", (None, "b"), torch.ones(1))
    bus.publish_network_message(0, 0, 0, "loss", torch.tensor(2.0))
    assert [(float(loss), key[1]) for _, loss, _, _, _, key in calls] == [(2, "a"), (2, "b")]


def test_a_metric_feeds_another() -> None:
    bus = MessageBus()
    norm = NormSubscriber("weights", bus, backend=None)
    mean = MessageMeanSubscriber("weights_norm2", bus, backend=None)
    bus.register_subscriber(norm)  # again: still once
    seen = told(bus, ["weights_norm2_message_mean"])
    for step in range(2):
        bus.publish_module_message(step, step, 0, "weights", (None, "a"), torch.tensor([2.0]))
        bus.publish_module_message(step, step, 0, "weights", (None, "b"), torch.tensor([0, -4.0]))
        bus.publish_network_message(step, step, 0, "batch_finished")
    bus.publish_network_message(2, 2, 0, "batch_finished")  # nothing came in this one
    assert [value for *_, value in norm.values] == [2, 4, 2, 4]
    assert [(step, value) for step, _, _, value in mean.values] == [(0, 3), (1, 3)]
    assert [call[0] for call in seen] == [3, 3]


def test_metrics_that_feed_each_other_in_a_circle_are_refused() -> None:
    class Passes(Subscriber):
        def __init__(self, kind: str, topic: str) -> None:
            super().__init__([kind])
            self._add_publication(topic)

        def compute(self, bundle: MessageBundle) -> None:
            raise AssertionError

    bus = MessageBus()
    for kind in ("a", "b", "c"):
        bus.register_data_topic(kind)
    bus.register_subscriber(Passes("a", "b"))
    bus.register_subscriber(Passes("b", "c"))
    last = Passes("c", "a")
    with pytest.raises(ValueError, match="circle"):
        bus.register_subscriber(last)
    with pytest.raises(ValueError, match="circle"):
        bus.register_subscriber(Passes("a", "a"))
    assert last.message_bus is None


def test_a_subscriber_belongs_to_one_bus() -> None:
    norm = NormSubscriber("weights", MessageBus(), backend=None)
    with pytest.raises(ValueError, match="another bus"):
        MessageBus().register_subscriber(norm)


def test_a_subscriber_that_fails_is_told_once_and_gets_nothing_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Fails(Subscriber):
        calls = 0

        def __init__(self) -> None:
            super().__init__([Subscription(self, ["weights"]), Subscription(self, ["loss"])])

        def compute(self, message: Any) -> None:
            Fails.calls += 1
            raise RuntimeError("out of paper")

    bus = MessageBus()
    bus.register_subscriber(Fails())
    others = told(bus, ["weights"])
    with caplog.at_level(logging.WARNING, logger="sightline"):
        for step in range(3):
            bus.publish_module_message(step, step, 0, "weights", KEY, torch.ones(1))
            bus.publish_network_message(step, step, 0, "loss", torch.ones(1))
            bus.tell_problems()
    assert Fails.calls == 1
    assert len(others) == 3
    (record,) = caplog.records
    assert "out of paper" in record.getMessage()
