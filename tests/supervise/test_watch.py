"""Trainings with one fault each, and what the rules say of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from sightline.supervise import Exporter, Watch

STEPS = 30


def network() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 1))


def watched(exporter: Exporter, model: nn.Module, **options: Any) -> Watch:
    exporter.set_model(model)
    exporter.add_modules(model)
    return Watch(exporter, **options)


def train(
    model: nn.Module,
    lr: float = 0.05,
    steps: int = STEPS,
    change: Callable[[int, Tensor], Tensor] = lambda step, loss: loss,
) -> None:
    generator = torch.Generator().manual_seed(1)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    for step in range(steps):
        inputs = torch.randn(32, 8, generator=generator)
        optimizer.zero_grad()
        loss = (model(inputs) - inputs.sum(1, keepdim=True)).square().mean()
        change(step, loss).backward()
        optimizer.step()


def rules(watch: Watch, severity: str = "warning") -> set[str]:
    return {verdict["rule"] for verdict in watch.verdicts if verdict["severity"] == severity}


def test_a_training_that_learns_has_no_warning(exporter: Exporter) -> None:
    model = network()
    watch = watched(exporter, model)
    train(model)
    assert rules(watch) == set()


def test_thresholds_say_when_rules_speak(exporter: Exporter) -> None:
    model = network()
    watch = watched(exporter, model, thresholds={"vanishing_abs_mean": 1000})
    train(model)
    assert rules(watch) == {"vanishing-gradient"}
    with pytest.raises(ValueError, match=r"no threshold 'vanishing'.*dead_share"):
        Watch(exporter, thresholds={"vanishing": 1})


def test_the_first_layer_that_is_not_finite_is_named(exporter: Exporter) -> None:
    class Logarithm(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            return torch.log(x)  # of zero, where the ReLU gives none

    model = network()
    model.insert(2, Logarithm())
    watch = watched(exporter, model)
    train(model, steps=3)
    (verdict,) = (verdict for verdict in watch.verdicts if verdict["rule"] == "non-finite")
    assert (verdict["step"], verdict["module"], verdict["topic"]) == (0, "2", "activations")
    assert verdict["evidence"]["non_finite_values"] > 0
    assert verdict["cause"]
    assert verdict["advice"]


def test_dead_units_are_found(exporter: Exporter) -> None:
    model = network()
    with torch.no_grad():
        model[0].bias.fill_(-100)
    watch = watched(exporter, model)
    train(model)
    found = [verdict for verdict in watch.verdicts if verdict["rule"] == "dead-units"]
    assert [verdict["module"] for verdict in found] == ["1"]
    assert found[0]["evidence"]["dead_share"] == 1
    vanished = {v["module"] for v in watch.verdicts if v["rule"] == "vanishing-gradient"}
    assert "0" in vanished


def test_a_step_without_effect_is_found(exporter: Exporter) -> None:
    model = network()
    watch = watched(exporter, model)
    train(model, lr=1e-12)
    assert "update-ratio" in rules(watch)


def test_a_gradient_that_explodes_is_found_in_its_step(exporter: Exporter) -> None:
    model = network()
    watch = watched(exporter, model)
    train(model, lr=1e-4, change=lambda step, loss: loss * (1e4 if step == 20 else 1))
    steps = {v["step"] for v in watch.verdicts if v["rule"] == "exploding-gradient"}
    assert steps == {20}


def test_a_loss_that_does_not_fall_is_found(exporter: Exporter) -> None:
    model = network()
    watch = watched(exporter, model)

    def note(step: int, loss: Tensor) -> Tensor:
        watch.note("loss", 2.0)
        return loss

    train(model, change=note)
    (verdict,) = (v for v in watch.verdicts if v["rule"] == "loss-not-decreasing")
    assert verdict["step"] == 19  # two windows of ten steps
    assert verdict["evidence"]["mean_loss"] == 2


def test_the_loss_module_is_watched_too(exporter: Exporter) -> None:
    model = network()
    criterion = nn.MSELoss()
    exporter.set_loss(criterion)
    watch = watched(exporter, model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0)
    for _ in range(STEPS):
        criterion(model(torch.ones(4, 8)), torch.ones(4, 1)).backward()
        optimizer.step()
    assert {"loss-not-decreasing", "update-ratio"} <= rules(watch)


def test_overfitting_is_found_from_what_the_loop_tells(exporter: Exporter) -> None:
    model = network()
    told: list[str] = []
    exporter.set_model(model)
    exporter.add_modules(model)
    watch = Watch(exporter, on_verdict=lambda verdict: told.append(verdict["rule"]))

    def note(step: int, loss: Tensor) -> Tensor:
        watch.note("loss", 1.0 / (step + 1))
        watch.note("validation_loss", 2.0 / (step + 1))
        return loss

    train(model, change=note)
    assert told.count("overfit") == 1
    assert "overfit" in rules(watch)
