"""An exporter changes nothing but what it is asked to, and leaves no trace."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from supervise.alexnet_mini import AlexNetMini, batches
from supervise.tape import ALL_KINDS, Tape, small_net, step_of, watch
from torch import Tensor, nn

from sightline.supervise import CallbackSubscriber, Exporter, MessageBus, NormSubscriber


def test_detaching_leaves_no_trace_of_an_exporter() -> None:
    from torch.optim import optimizer as hooks

    model, loss = small_net(), nn.MSELoss()
    before = [
        dict(table)
        for table in (hooks._global_optimizer_pre_hooks, hooks._global_optimizer_post_hooks)
    ]
    own = model[0].register_forward_hook(lambda *_: None)
    exporter = Exporter()
    exporter.set_loss(loss)
    tape = watch(exporter, model, ALL_KINDS)
    output = model(torch.ones(1, 3))
    exporter.detach()
    exporter.close()  # again
    told = len(tape.messages)
    output.sum().backward()  # of a graph with our hooks in it
    step_of(model, torch.optim.SGD(model.parameters(), lr=0.1), loss)
    exporter.epoch_finished()
    assert len(tape.messages) == told
    assert list(model[0]._forward_hooks) == [own.id]
    for module in [*list(model.modules())[2:], model, loss]:
        assert not module._forward_hooks
        assert not module._forward_pre_hooks
        assert "forward" not in vars(module)
    assert before == [
        dict(table)
        for table in (hooks._global_optimizer_pre_hooks, hooks._global_optimizer_post_hooks)
    ]
    with pytest.raises(RuntimeError, match="make a new one"):
        exporter.add_modules(model)


def test_a_subscriber_may_detach_the_exporter(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    exporter.set_model(model)
    exporter.add_modules(model)
    calls: list[int] = []

    def stop(_: Any, step: int, *__: Any) -> None:
        calls.append(step)
        if step == 1:
            exporter.detach()

    exporter.subscribe(CallbackSubscriber(["batch_finished"], stop))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(4):
        step_of(model, optimizer, loss)
    assert calls == [0, 1]


def test_subscribing_twice_delivers_once(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    exporter.set_model(model)
    exporter.add_modules(model)
    exporter.add_modules(model)
    norm = NormSubscriber("weights", backend=None)
    exporter.subscribe(norm)
    exporter.subscribe(norm)
    step_of(model, torch.optim.SGD(model.parameters(), lr=0.1), loss)
    assert [module for _, module, _, _ in norm.values] == ["0", "2"]


def test_two_exporters_may_share_a_bus() -> None:
    bus = MessageBus()
    with Exporter(bus=bus) as one, Exporter(bus=bus) as other:
        tape = Tape(["activations"])
        bus.register_subscriber(tape)
        models = [small_net(), small_net()]
        one.add_modules(("one", models[0]))
        other.add_modules(("other", models[1]))
        for model in models:
            model(torch.ones(1, 3))
    assert [m.module for m in tape.messages] == [
        f"{n}.{i}" for n in ("one", "other") for i in range(4)
    ]


def test_training_is_bit_identical_with_everything_subscribed() -> None:
    def trained(watched: bool) -> dict[str, Tensor]:
        torch.manual_seed(3)
        with Exporter(containers=True) as exporter:
            model = AlexNetMini()
            loss = nn.CrossEntropyLoss()
            if watched:
                watch(exporter, model, ALL_KINDS)
                exporter.set_loss(loss)
                exporter.subscribe(
                    CallbackSubscriber(["activations", "layer_gradients"], print_nothing)
                )
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
            for inputs, labels in batches(4):
                optimizer.zero_grad()
                loss(model(inputs), labels).backward()
                optimizer.step()
            return model.state_dict()

    bare, seen = trained(False), trained(True)
    assert all(torch.equal(bare[name], seen[name]) for name in bare)


def print_nothing(*_: Any) -> None:
    pass


def test_a_frozen_module_does_not_move_whatever_the_optimizer_remembers(
    exporter: Exporter,
) -> None:
    model, loss = small_net(), nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.1)
    tape = watch(exporter, model, ["weight_gradients"])
    step_of(model, optimizer, loss)
    exporter.freeze_module(model[0])
    frozen = copy.deepcopy(model[0].state_dict())
    moving = model[2].weight.detach().clone()
    for _ in range(2):
        step_of(model, optimizer, loss)
    assert all(torch.equal(model[0].state_dict()[name], frozen[name]) for name in frozen)
    assert not torch.equal(model[2].weight, moving)
    assert [m.module for m in tape.messages] == ["0", "2", "2", "2"]
