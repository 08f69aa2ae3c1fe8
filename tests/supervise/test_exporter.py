"""The exporter on real trainings: what it publishes, in which step, and what it leaves alone."""

from __future__ import annotations

import copy
import itertools
import logging

import pytest
import torch
from torch import Tensor, nn

from sightline.supervise import Bundle, Exporter, RatioSubscriber, Subscriber


class Collect(Subscriber):
    """Keeps every bundle."""

    def __init__(self, kinds: list[str], **options: object) -> None:
        super().__init__(kinds, **options)  # type: ignore[arg-type]
        self.bundles: list[Bundle] = []

    def compute(self, bundle: Bundle) -> None:
        self.bundles.append(bundle)

    def of(self, module: str, tensor: str = "") -> list[Bundle]:
        return [b for b in self.bundles if (b.module, b.tensor) == (module, tensor)]


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
        self.head = nn.Linear(8, 2)

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.head(self.features(x))
        return result


def train(model: nn.Module, optimizer: torch.optim.Optimizer, steps: int, seed: int = 0) -> None:
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(5, 4, generator=generator)).square().mean().backward()
        optimizer.step()


def watched(exporter: Exporter) -> tuple[Net, torch.optim.Optimizer]:
    torch.manual_seed(1)
    model = Net()
    exporter.set_model(model)
    exporter.add_modules(model)
    return model, torch.optim.SGD(model.parameters(), lr=0.1)


def test_weights_gradients_and_updates_of_a_step_belong_together(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    together = Collect(["weights", "gradients", "updates"])
    exporter.subscribe(together)
    first = copy.deepcopy(model.head.weight.detach())
    train(model, optimizer, 3)
    head = together.of("head", "weight")
    assert [bundle.step for bundle in head] == [0, 1, 2]
    assert torch.equal(head[0].weights, first)
    for bundle in head:
        assert torch.allclose(bundle.updates, -0.1 * bundle.gradients, atol=1e-7)
    for before, after in itertools.pairwise(head):
        assert torch.allclose(before.weights + before.updates, after.weights, atol=1e-7)
    assert torch.allclose(head[-1].weights + head[-1].updates, model.head.weight, atol=1e-7)


def test_every_parameter_of_every_module_is_told(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    weights, biases = Collect(["weights"]), Collect(["biases"])
    exporter.subscribe(weights)
    exporter.subscribe(biases)
    train(model, optimizer, 1)
    told = {(bundle.module, bundle.tensor) for bundle in weights.bundles + biases.bundles}
    assert told == {
        ("features.0", "weight"),
        ("features.0", "bias"),
        ("head", "weight"),
        ("head", "bias"),
    }


def test_activations_are_the_outputs_of_the_modules() -> None:
    with Exporter(containers=True) as exporter:
        model, _ = watched(exporter)
        activations = Collect(["activations"])
        exporter.subscribe(activations)
        inputs = torch.randn(3, 4)
        output = model(inputs)
    assert [b.module for b in activations.bundles] == [
        "features.0",
        "features.1",
        "features",
        "head",
        "",
    ]
    assert torch.equal(activations.of("features.0")[0].activations, model.features[0](inputs))
    assert torch.equal(activations.of("")[0].activations, output)
    assert not activations.bundles[0].activations.requires_grad


def test_evaluation_has_a_tag_of_its_own_and_counts_no_step(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    training, everything = Collect(["activations"]), Collect(["activations"], tag=None)
    exporter.subscribe(training)
    exporter.subscribe(everything)
    model.eval()
    model(torch.randn(2, 4))
    assert training.bundles == []
    assert {bundle.tag for bundle in everything.bundles} == {"evaluation"}
    assert exporter.step == 0
    assert not model.training
    model.train()
    train(model, optimizer, 2)
    assert {bundle.step for bundle in training.bundles} == {0, 1}
    assert exporter.step == 2


def test_accumulated_batches_are_one_step_with_the_sum_of_their_gradients(
    exporter: Exporter,
) -> None:
    model, optimizer = watched(exporter)
    gradients = Collect(["bias_gradients"])
    exporter.subscribe(gradients)
    for _ in range(3):
        model(torch.ones(1, 4)).sum().backward()
    expected = model.head.bias.grad.clone()
    optimizer.step()
    (told,) = gradients.of("head", "bias")
    assert torch.equal(told.bias_gradients, expected)


def test_clipped_gradients_are_told_as_the_optimizer_gets_them(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    told = [Collect(["weight_gradients"]), Collect(["bias_gradients"])]
    for gradients in told:
        exporter.subscribe(gradients)
    model(torch.ones(5, 4)).square().sum().mul(1000).backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    squares = sum(
        next(iter(bundle.data.values())).square().sum() for one in told for bundle in one.bundles
    )
    assert float(squares) == pytest.approx(1.0, rel=1e-4)


def test_gradients_are_told_before_clipping_too_if_somebody_wants_them(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    train(model, optimizer, 1)
    assert not model.head.weight._post_accumulate_grad_hooks
    both = Collect(["weight_gradients_unclipped", "weight_gradients"])
    exporter.subscribe(both)
    optimizer.zero_grad()
    for _ in range(2):  # of two batches of a step the sum
        model(torch.ones(5, 4)).square().sum().mul(1000).backward()
    unclipped = model.head.weight.grad.clone()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    clipped = model.head.weight.grad.clone()
    optimizer.step()
    (told,) = both.of("head", "weight")
    assert torch.equal(told.weight_gradients_unclipped, unclipped)
    assert torch.equal(told.weight_gradients, clipped)
    assert unclipped.norm() > 10 * clipped.norm()
    exporter.unsubscribe(both)
    train(model, optimizer, 1)
    assert not model.head.weight._post_accumulate_grad_hooks


def test_a_frozen_layer_keeps_nobody_waiting(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    model.features.requires_grad_(False)
    ratio = RatioSubscriber(["gradients", "weights"])
    exporter.subscribe(ratio)
    train(model, optimizer, 2)
    assert {(step, module) for step, module, _, _ in ratio.values} == {(0, "head"), (1, "head")}


def test_the_ratio_is_that_of_the_norms(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    ratio, together = RatioSubscriber(["updates", "weights"]), Collect(["updates", "weights"])
    exporter.subscribe(ratio)
    exporter.subscribe(together)
    train(model, optimizer, 2)
    for (_, module, tensor, value), bundle in zip(ratio.values, together.bundles, strict=True):
        assert (module, tensor) == (bundle.module, bundle.tensor)
        assert value == pytest.approx(
            float(bundle.updates.norm() / bundle.weights.norm()), rel=1e-5
        )


def test_a_subsample_takes_every_so_many_steps(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    weights = Collect(["weights"], subsample=3)
    exporter.subscribe(weights)
    train(model, optimizer, 8)
    assert [bundle.step for bundle in weights.of("head", "weight")] == [0, 3, 6]


def test_the_loss_module_tells_output_labels_and_loss(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    criterion = nn.CrossEntropyLoss()
    exporter.set_loss(criterion)
    told = Collect(["loss", "network_output", "input_labels"])
    exporter.subscribe(told)
    labels = torch.tensor([0, 1])
    loss = criterion(model(torch.ones(2, 4)), labels)
    loss.backward()
    optimizer.step()
    (bundle,) = told.bundles
    assert float(bundle.loss) == loss.item()
    assert torch.equal(bundle.input_labels, labels)
    with torch.no_grad():
        criterion(model(torch.ones(2, 4)), labels)
    assert len(told.bundles) == 1


def test_epochs_are_counted_when_they_are_told(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    steps, epochs = Collect(["step_finished"]), Collect(["epoch_finished"])
    exporter.subscribe(steps)
    exporter.subscribe(epochs)
    for _ in range(2):
        train(model, optimizer, 2)
        exporter.epoch_finished()
        assert exporter.train_step == 0
    assert [(b.epoch, b.global_step) for b in steps.bundles] == [(0, 0), (0, 1), (1, 2), (1, 3)]
    assert [b.train_step for b in steps.bundles] == [0, 1, 0, 1]
    assert [b.epoch for b in epochs.bundles] == [0, 1]


def test_two_optimizers_make_one_step(exporter: Exporter) -> None:
    model, _ = watched(exporter)
    first = torch.optim.SGD(model.head.parameters(), lr=0.1)
    second = torch.optim.SGD(model.features.parameters(), lr=0.1)
    for _ in range(3):
        model(torch.ones(2, 4)).sum().backward()
        second.step()
        first.step()
    assert exporter.step == 3


def test_nothing_is_copied_that_nobody_wants(
    exporter: Exporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, optimizer = watched(exporter)
    clones = 0
    clone = Tensor.clone

    def counted(self: Tensor, *arguments: object, **keywords: object) -> Tensor:
        nonlocal clones
        clones += 1
        return clone(self, *arguments, **keywords)  # type: ignore[arg-type]

    monkeypatch.setattr(nn.Parameter, "clone", counted, raising=False)
    monkeypatch.setattr(Tensor, "clone", counted)
    exporter.subscribe(Collect(["gradients"]))
    train(model, optimizer, 2)
    assert clones == 0


def test_training_is_the_same_with_and_without(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    torch.manual_seed(1)
    bare = Net()
    exporter.subscribe(Collect(["weights", "gradients", "updates"]))
    exporter.subscribe(Collect(["activations"]))
    train(model, optimizer, 5)
    exporter.close()
    train(bare, torch.optim.SGD(bare.parameters(), lr=0.1), 5)
    for ours, truth in zip(model.parameters(), bare.parameters(), strict=True):
        assert torch.equal(ours, truth)


def test_a_subscriber_that_fails_is_logged_once_and_training_goes_on(
    exporter: Exporter, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Subscriber):
        def compute(self, bundle: Bundle) -> None:
            raise RuntimeError("out of paper")

    model, optimizer = watched(exporter)
    exporter.subscribe(Broken(["weights"]))
    with caplog.at_level(logging.WARNING, logger="sightline"):
        train(model, optimizer, 3)
    (record,) = caplog.records
    assert "'Broken' failed at step 0" in record.message
    assert "out of paper" in record.message
    assert exporter.step == 3


def test_closing_takes_all_hooks_out() -> None:
    exporter = Exporter()
    model, optimizer = watched(exporter)
    weights = Collect(["weights"])
    exporter.subscribe(weights)
    exporter.close()
    train(model, optimizer, 1)
    assert weights.bundles == []
    assert all(not module._forward_hooks for module in model.modules())


def test_modules_can_be_added_one_by_one_in_an_expression(exporter: Exporter) -> None:
    model = nn.Sequential(exporter(nn.Linear(4, 4)), nn.ReLU(), exporter(nn.Linear(4, 2)))
    exporter.set_model(model)
    exporter.add_modules(model[0])  # again: still once
    activations = Collect(["activations"])
    exporter.subscribe(activations)
    model(torch.ones(1, 4))
    assert [bundle.module for bundle in activations.bundles] == ["0", "2"]


def test_parameters_of_any_name_are_told(exporter: Exporter) -> None:
    attention = nn.MultiheadAttention(4, 2)
    exporter.add_modules(("attention", attention))
    gradients, others = Collect(["weight_gradients"]), Collect(["parameter_gradients"])
    exporter.subscribe(gradients)
    exporter.subscribe(others)
    optimizer = torch.optim.Adam(attention.parameters())
    inputs = torch.randn(3, 1, 4)
    attention(inputs, inputs, inputs)[0].sum().backward()
    optimizer.step()
    (told,) = others.of("attention", "in_proj_weight")
    assert told.key == (attention, "attention.in_proj_weight")
    assert gradients.of("attention.out_proj", "weight")


def test_wrong_use_is_told(exporter: Exporter) -> None:
    with pytest.raises(ValueError, match="'wieghts'"):
        exporter.subscribe(Collect(["wieghts"]))
    with pytest.raises(ValueError, match="list of topics"):
        Collect("weights")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="subsample"):
        Collect(["weights"], subsample=0)
    with pytest.raises(ValueError, match="two topics"):
        RatioSubscriber(["weights"])
    with pytest.raises(ValueError, match="module"):
        exporter.add_modules(5)  # type: ignore[arg-type]


def test_a_topic_can_be_derived_from_others(exporter: Exporter) -> None:
    model, optimizer = watched(exporter)
    exporter.bus.declare("weight_norm")
    exporter.bus.derive(
        "weight_norm", lambda *bundle: bundle[-1]["weights"].norm(), topics=["weights"]
    )
    norms = Collect(["weight_norm"])
    exporter.subscribe(norms)
    expected = model.head.weight.detach().norm().clone()
    train(model, optimizer, 1)
    (told,) = norms.of("head", "weight")
    assert torch.equal(told.weight_norm, expected)
