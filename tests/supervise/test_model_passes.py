"""Metrics that run the model themselves: accuracy, curvature, similarity."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
import torch
from supervise.alexnet_mini import AlexNetMini, batches
from torch import Tensor, nn
from torch.utils.data import TensorDataset

from sightline import _core, supervise
from sightline.supervise import Exporter


def classifier() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Dropout(), nn.Linear(6, 3))


def dataset(count: int) -> TensorDataset:
    generator = torch.Generator().manual_seed(1)
    return TensorDataset(
        torch.randn(count, 4, generator=generator),
        torch.randint(3, (count,), generator=generator),
    )


def train(model: nn.Module, exporter: Exporter, steps: int, lr: float = 0.1) -> None:
    loss = nn.CrossEntropyLoss()
    exporter.set_loss(loss)
    optimizer = torch.optim.SGD(model.parameters(), lr=lr)
    inputs, labels = dataset(8).tensors
    for _ in range(steps):
        optimizer.zero_grad()
        loss(model(inputs), labels).backward()
        optimizer.step()


def watched(exporter: Exporter, model: nn.Module) -> None:
    exporter.set_model(model)
    exporter.add_modules(model)


def test_train_accuracy_is_that_of_the_batch() -> None:
    accuracy = supervise.TrainAccuracySubscriber(backend=None)
    loss_values = supervise.LossSubscriber(backend=None)
    expected: list[tuple[float, float]] = []
    model, loss = classifier(), nn.CrossEntropyLoss()
    with Exporter() as exporter:
        watched(exporter, model)
        exporter.set_loss(loss)
        exporter.subscribe(accuracy)
        exporter.subscribe(loss_values)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        inputs, labels = dataset(9).tensors
        for _ in range(3):
            optimizer.zero_grad()
            output = model(inputs)
            value = loss(output, labels)
            expected.append((np.mean((output.argmax(1) == labels).numpy()), value.item()))
            value.backward()
            optimizer.step()
    assert [value for *_, value in accuracy.values] == [right for right, _ in expected]
    assert [value for *_, value in loss_values.values] == [value for _, value in expected]


def test_test_accuracy_counts_every_sample_once_and_disturbs_nothing() -> None:
    data = dataset(10)  # in batches of 4, 4 and 2
    model = classifier()
    reference = copy.deepcopy(model)
    accuracy = supervise.TestAccuracySubscriber(
        data, model.forward, batch_size=4, frequency=2, backend=None
    )
    with Exporter() as exporter:
        watched(exporter, model)
        exporter.subscribe(accuracy)
        seen = supervise.CallbackSubscriber(["activations"], lambda *_: None, tag="testing")
        exporter.subscribe(seen)
        torch.manual_seed(7)
        train(model, exporter, 5)
        assert exporter.step == 5
    assert model.training
    assert [step for step, *_ in accuracy.values] == [0, 2, 4]
    with Exporter() as exporter:
        torch.manual_seed(7)
        train(reference, exporter, 5)
    for ours, truth in zip(model.parameters(), reference.parameters(), strict=True):
        assert torch.equal(ours, truth)
    inputs, labels = data.tensors
    right = float((model.eval()(inputs).argmax(1) == labels).double().mean())
    assert accuracy.values[-1][3] == right


def test_a_model_is_asked_for_where_one_is_needed() -> None:
    with pytest.raises(ValueError, match="model"):
        supervise.TestAccuracySubscriber(dataset(2), lambda x: x)


def dense_hessian(model: nn.Module, inputs: Tensor, labels: Tensor) -> np.ndarray[Any, Any]:
    names = [name for name, _ in model.named_parameters()]
    shapes = [p.shape for _, p in model.named_parameters()]
    flat = torch.cat([p.detach().reshape(-1) for _, p in model.named_parameters()])

    def loss_of(vector: Tensor) -> Tensor:
        parts = vector.split([shape.numel() for shape in shapes])
        state = {n: p.view(s) for n, p, s in zip(names, parts, shapes, strict=True)}
        output = torch.func.functional_call(model, state, (inputs,))
        return nn.functional.cross_entropy(output, labels)

    hessian: Tensor = torch.autograd.functional.hessian(loss_of, flat)  # type: ignore[no-untyped-call]
    return hessian.detach().numpy()


def test_hessian_eigenvalues_are_those_of_the_dense_hessian() -> None:
    model = classifier().double()
    data = dataset(10)
    doubles = TensorDataset(data.tensors[0].double(), data.tensors[1])
    curvature = supervise.HessianEigenSubscriber(
        model,
        nn.functional.cross_entropy,
        doubles,
        batch_size=4,
        num_eig=4,
        power_steps=45,
        backend=None,
    )
    model.eval()
    truth = np.linalg.eigvalsh(dense_hessian(model, *doubles.tensors))
    by_magnitude = truth[np.argsort(-np.abs(truth))]
    assert curvature.eigenvalues() == pytest.approx(by_magnitude[:4], rel=1e-6)
    few = supervise.HessianEigenSubscriber(
        model, nn.functional.cross_entropy, doubles, power_steps=12, backend=None
    )
    assert few.eigenvalues() == pytest.approx(by_magnitude[:1], rel=1e-2)


def test_curvature_is_looked_at_beside_the_training() -> None:
    model, reference = classifier(), classifier()
    curvature = supervise.HessianEigenSubscriber(
        model, nn.functional.cross_entropy, dataset(6), frequency=2, num_eig=2, backend=None
    )
    largest: list[float] = []
    with Exporter() as exporter:
        watched(exporter, model)
        exporter.subscribe(curvature)
        exporter.subscribe(
            supervise.CallbackSubscriber(["hessian_eigenvalue"], lambda v, *_: largest.append(v))
        )
        torch.manual_seed(1)
        train(model, exporter, 4)
    with Exporter() as exporter:
        torch.manual_seed(1)
        train(reference, exporter, 4)
    assert [(step, tensor) for step, _, tensor, _ in curvature.values] == [
        (step, f"eigenvalue{index}") for step in (0, 2) for index in (0, 1)
    ]
    assert largest == [value for _, _, tensor, value in curvature.values if tensor[-1] == "0"]
    for ours, truth in zip(model.parameters(), reference.parameters(), strict=True):
        assert torch.equal(ours, truth)
    with pytest.raises(ValueError, match="power_steps"):
        supervise.HessianEigenSubscriber(model, nn.functional.cross_entropy, [], num_eig=30)


def dense_svcca(
    a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], kept: float
) -> np.ndarray[Any, Any]:
    bases = []
    for layer in (a, b):
        centred = layer.astype(np.float64) - layer.mean(0, dtype=np.float64)
        left, singular, _ = np.linalg.svd(centred, full_matrices=False)
        shares = np.cumsum(singular**2) / np.sum(singular**2)
        bases.append(left[:, : np.searchsorted(shares, kept - 1e-12) + 1])
    return np.linalg.svd(bases[0].T @ bases[1], compute_uv=False)


@pytest.mark.parametrize(("samples", "units", "others"), [(60, 5, 5), (40, 7, 3), (6, 20, 9)])
@pytest.mark.parametrize("kept", [0.8, 0.99])
def test_similarity_is_that_of_a_dense_reference(
    samples: int, units: int, others: int, kept: float
) -> None:
    generator = torch.Generator().manual_seed(units)
    a = torch.randn(samples, units, generator=generator)
    mixed = a @ torch.randn(units, others, generator=generator)
    b = mixed + torch.randn(samples, others, generator=generator)
    ours = _core.canonical_correlations(a, b, kept)
    truth = dense_svcca(a.numpy(), b.numpy(), kept)
    assert ours == pytest.approx(truth.tolist(), abs=1e-6)


@pytest.mark.parametrize("kind", [supervise.SVCCASubscriber, supervise.BatchedSVCCASubscriber])
def test_layers_are_held_against_themselves(kind: Any) -> None:
    torch.manual_seed(0)
    model = AlexNetMini()
    inputs = torch.randn(12, 3, 32, 32)
    outputs: list[dict[str, Tensor]] = []
    options = {"batch_size": 5} if kind is supervise.BatchedSVCCASubscriber else {}
    similarity = kind(inputs, 12, model, backend=None, **options)

    def keep(*_: Any) -> None:
        seen: dict[str, Tensor] = {}
        handles = [
            module.register_forward_hook(lambda _, __, out, name=name: seen.update({name: out + 0}))
            for name, module in model.named_modules()
        ]
        model.eval()
        with torch.no_grad():
            model(inputs)
        model.train()
        for handle in handles:
            handle.remove()
        outputs.append(seen)

    with Exporter(module_filter=[nn.Conv2d, nn.Linear]) as exporter:
        watched(exporter, model)
        exporter.subscribe(similarity)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
        for x, y in batches(3):
            optimizer.zero_grad()
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            keep()
        assert exporter.step == 3
        assert model.training
    told = {(step, module): value for step, module, _, value in similarity.values}
    assert {step for step, _ in told} == {1, 2}
    assert len(told) == 2 * 6
    for (step, module), value in told.items():
        before, now = (outputs[i][module] for i in (step - 1, step))
        a, b = (
            (t.movedim(1, -1).reshape(-1, t.shape[1]) if t.dim() == 4 else t).numpy()
            for t in (before, now)
        )
        assert value == pytest.approx(dense_svcca(a, b, 0.99).mean(), abs=1e-3), module
        assert 0 < value <= 1


def test_a_layer_that_does_not_change_any_more_is_frozen() -> None:
    model = classifier()
    similarity = supervise.SVCCASubscriber(dataset(30), 30, model, freeze_at=0.5, backend=None)
    with Exporter(module_filter=[nn.Linear]) as exporter:
        watched(exporter, model)
        exporter.subscribe(similarity)
        train(model, exporter, 5, lr=1e-3)
    assert not any(parameter.requires_grad for parameter in model[0].parameters())
    assert [step for step, module, *_ in similarity.values if module == "0"] == [1]
    # A training in which nothing can be trained would fail.
    assert all(parameter.requires_grad for parameter in model[3].parameters())
    with pytest.raises(ValueError, match="variance_kept"):
        supervise.SVCCASubscriber(dataset(3), 3, model, variance_kept=0)
