"""What a step is, and what leaves it alone."""

from __future__ import annotations

import pytest
import torch
from supervise.tape import ALL_KINDS, Tape, small_net, step_of, watch
from torch import Tensor, nn

from sightline.supervise import CallbackSubscriber, Exporter


def test_an_evaluation_changes_nothing_of_the_training(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    exporter.set_loss(loss)
    tape = watch(exporter, model, ALL_KINDS, tag="training")
    others = Tape(ALL_KINDS, tag="evaluation")
    exporter.subscribe(others)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    step_of(model, optimizer, loss)
    before = len(tape.messages)
    model.eval()
    with torch.no_grad():
        loss(model(torch.ones(5, 3)), torch.zeros(5, 2))
    loss(model(torch.ones(5, 3)), torch.zeros(5, 2))  # with gradients, and yet no training
    assert not model.training
    assert len(tape.messages) == before
    assert exporter.state_dict() == {"step": 1, "train_step": 1, "epoch": 0}
    assert {m.kind for m in others.messages} == {
        "activations",
        "network_output",
        "input_labels",
        "loss",
    }
    model.train()
    weights = model[0].weight.detach().clone()
    seen: list[Tensor] = []
    exporter.subscribe(CallbackSubscriber(["weight_updates"], lambda u, *_: seen.append(u.clone())))
    step_of(model, optimizer, loss)
    assert torch.equal(seen[0], model[0].weight.detach() - weights)


def test_an_exception_in_the_model_leaves_everything_as_it_was(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    tape = watch(exporter, model, ["activations", "batch_started"])
    with pytest.raises(RuntimeError):
        model(torch.ones(5, 7))
    model.eval()
    model(torch.ones(5, 3))
    assert not model.training
    assert {m.tag for m in tape.messages if m.kind == "activations"} == {"evaluation"}
    model.train()
    step_of(model, torch.optim.SGD(model.parameters(), lr=0.1), loss)
    assert exporter.step == 1


def test_several_batches_of_a_step_are_told_as_batches(exporter: Exporter) -> None:
    model = small_net()
    tape = watch(exporter, model, ["batch_started", "batch_finished", "step_finished"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        for _ in range(2):
            model(torch.ones(1, 3)).sum().backward()
        optimizer.step()
    one = ["batch_started", "batch_finished"] * 2
    assert [m.kind for m in tape.messages] == 2 * [*one, "step_finished"]


def test_counters_go_on_where_they_were_saved() -> None:
    model, loss = small_net(), nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    with Exporter() as exporter:
        watch(exporter, model, ["step_finished"])
        for _ in range(3):
            step_of(model, optimizer, loss)
            exporter.epoch_finished()
        step_of(model, optimizer, loss)
        saved = exporter.state_dict()
        with pytest.raises(ValueError, match="make a new one"):
            exporter.load_state_dict({"step": 1, "train_step": 0, "epoch": 0})
    with Exporter() as exporter:
        exporter.load_state_dict(saved)
        tape = watch(exporter, model, ["step_finished", "epoch_started"])
        step_of(model, optimizer, loss)
        assert tape.lines() == ["step_finished  4/1/3"]
        with pytest.raises(ValueError, match="counters"):
            exporter.load_state_dict({"step": 1, "train_step": 2, "epoch": 0})


def test_without_an_optimizer_a_step_reaches_to_the_next_batch(exporter: Exporter) -> None:
    model = small_net()
    kinds = ["weights", "weight_gradients", "weight_updates", "batch_finished", "step_finished"]
    tape = watch(exporter, model, kinds)
    for _ in range(3):
        model.zero_grad()
        model(torch.ones(2, 3)).sum().backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= 0.5 * parameter.grad
    exporter.epoch_finished()
    assert exporter.state_dict() == {"step": 3, "train_step": 0, "epoch": 1}
    first = [m for m in tape.messages if m.global_step == 0 and m.module in ("", "0")]
    assert [m.kind for m in first] == kinds
    _, gradient, update, *_ = (m.data for m in first)
    assert torch.allclose(update, -0.5 * gradient, atol=1e-7)


def test_an_optimizer_that_waits_is_waited_for(exporter: Exporter) -> None:
    model = small_net()
    watch(exporter, model, ["weight_gradients"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.ones(2, 3)).sum().backward()
    assert exporter.step == 0
    optimizer.step()
    assert exporter.step == 1


def test_the_next_optimizer_sets_the_pace_when_the_first_is_gone(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    watch(exporter, model, ["weights"])
    for _ in range(2):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        step_of(model, optimizer, loss)
        del optimizer
    assert exporter.step == 2


@pytest.mark.parametrize("kind", [torch.optim.SGD, torch.optim.Adam])
@pytest.mark.parametrize("fused", [False, True])
def test_a_step_that_a_gradient_scaler_skips_is_none(
    exporter: Exporter, kind: type[torch.optim.Optimizer], fused: bool
) -> None:
    model, loss = small_net(), nn.MSELoss()
    gradients = watch(exporter, model, ["weight_gradients"], keep=True)
    losses = Tape(["loss"], keep=True)
    exporter.set_loss(loss)
    exporter.subscribe(losses)
    optimizer = kind(model.parameters(), lr=0.01, fused=fused)  # type: ignore[call-arg]
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**127)
    taken = 0
    for factor in (1e3, 1e-3, 1e3, 1e-3):  # gradients overflow, or do not
        optimizer.zero_grad()
        scaler.scale(loss(factor * model(torch.ones(5, 3)), torch.zeros(5, 2))).backward()
        before = scaler.get_scale()
        scaler.step(optimizer)
        scaler.update(before)
        taken += factor < 1
        assert exporter.step == taken
    assert [m.global_step for m in gradients.of("weight_gradients", "0")] == [0, 1]
    assert all(bool(told.isfinite().all()) for told in gradients.data + losses.data)
