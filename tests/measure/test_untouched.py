"""Measuring leaves the model, its optimizer, its inputs and all random numbers as they were."""

from __future__ import annotations

import collections
import dataclasses
import random
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest
import torch
from torch import nn

from sightline import measure
from sightline.measure._values import tensors


class Restless(nn.Module):
    """Changes itself wherever a model can."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Dropout())
        self.head = nn.Linear(4, 5)
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))
        self.register_buffer("replaced", torch.zeros(2))
        self.last: torch.Tensor | None = None
        self.plain = torch.ones(3)
        self.scaled = nn.Parameter(torch.ones(3))
        self.clamped = nn.Parameter(torch.ones(4, 2).t())
        self.history: list[Any] = [{"seen": {1}, "means": (torch.zeros(2),)}]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        self.plain += 1
        with torch.no_grad():
            self.scaled.mul_(0.5)
        self.clamped.data.clamp_(max=0.5 * self.clamped.data.max())
        self.history[0]["seen"].add(len(self.history))
        self.history[0]["means"][0].add_(1)
        self.history.append(x.mean().item())
        self.replaced = torch.ones(2)
        x.mul_(2)
        y = self.body(x)
        self.last = y.detach()
        self.extra = random.random() + np.random.rand()
        return self.head(y.mean((2, 3))) + self.scaled.sum() * self.clamped.sum()


class State:
    """Everything, bit by bit, and by identity where objects must stay the same."""

    def __init__(self, model: nn.Module, x: torch.Tensor, optimizer: torch.optim.Optimizer) -> None:
        self.bits = {
            **{name: _bits(value) for name, value in model.state_dict().items()},
            **{f"{name}.grad": _bits(p.grad) for name, p in model.named_parameters()},
            "plain": _bits(model.plain),
            "history": repr(model.history),
            "versions": [t._version for t in (model.plain, *model.parameters())],
            "input": _bits(x),
            "input.grad": _bits(x.grad),
            "optimizer": [
                {key: _bits(value) for key, value in kept.items()}
                for kept in optimizer.state.values()
            ],
            "groups": [
                {k: v for k, v in g.items() if k != "params"} for g in optimizer.param_groups
            ],
            "random": (torch.get_rng_state().tolist(), random.getstate()),
            "numpy": np.random.get_state()[1].tolist(),
        }
        modules = list(model.modules())
        self.facts = [
            (module.training, sorted(module.__dict__), len(module._forward_hooks),
             len(module._forward_pre_hooks), len(module._backward_hooks))
            for module in modules
        ]  # fmt: skip
        self.objects = [
            id(value)
            for module in modules
            for members in (module._parameters, module._buffers, module._modules)
            for value in members.values()
        ]
        self.objects += [id(p.grad) for p in model.parameters()]
        self.devices = {p.device for p in model.parameters()}
        from torch.nn.modules import module as hooks

        self.global_hooks = len(hooks._global_forward_hooks) + len(hooks._global_forward_pre_hooks)


def _bits(value: Any) -> Any:
    if not isinstance(value, torch.Tensor):
        return value
    return value.detach().reshape(-1).view(torch.uint8).tolist()


def prepared(training: bool) -> tuple[Restless, torch.Tensor, torch.optim.Optimizer]:
    torch.manual_seed(1)
    model = Restless()
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.randn(2, 3, 8, 8)).sum().backward()
    optimizer.step()
    return model.train(training), torch.randn(2, 3, 8, 8), optimizer


CALLS: dict[str, Callable[..., Any]] = {
    "count": lambda model, x, optimizer: measure.count(model, x, backward=True),
    "measure": lambda model, x, optimizer: measure.measure(model, x, repetitions=2),
    "optimizer": lambda model, x, optimizer: measure.measure(
        model, x, repetitions=0, optimizer=optimizer
    ),
    "new_optimizer": lambda model, x, optimizer: measure.measure(
        model, x, repetitions=0, optimizer=lambda p: torch.optim.SGD(p, lr=1.0, momentum=0.9)
    ),
    "sweep": lambda model, x, optimizer: measure.sweep(model, lambda size: x, [2], repetitions=2),
}


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_changed(name: str, training: bool) -> None:
    model, x, optimizer = prepared(training)
    before = State(model, x, optimizer)
    CALLS[name](model, x, optimizer)
    assert vars(State(model, x, optimizer)) == vars(before)


class Failing(Restless):
    fail_in_backward = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = super().forward(x)
        if self.fail_in_backward:
            if y.requires_grad:
                y.register_hook(self._fail)
            return y
        raise RuntimeError("no luck")

    @staticmethod
    def _fail(gradient: torch.Tensor) -> None:
        raise RuntimeError("no luck")


@pytest.mark.parametrize("in_backward", [False, True])
@pytest.mark.parametrize("name", ["count", "measure", "optimizer"])
def test_a_model_that_raises_is_left_as_it_was(name: str, in_backward: bool) -> None:
    model, x, optimizer = prepared(True)
    model.__class__ = Failing
    model.fail_in_backward = in_backward
    before = State(model, x, optimizer)
    with pytest.raises(RuntimeError, match="no luck"):
        CALLS[name](model, x, optimizer)
    assert vars(State(model, x, optimizer)) == vars(before)
    measure.count(nn.Linear(2, 2), torch.zeros(1, 2))  # and another can be measured


class Writing(nn.Module):
    """Writes to its weights as `write` says; the operators have been called on others before."""

    def __init__(self, write: Callable[[nn.Module], Any]) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))
        self.bias = nn.Parameter(torch.ones(3))
        self._write = write

    @torch.no_grad()
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        torch._foreach_mul_([x.clone().mul_(2)], 2)
        torch.add(x, 1, out=torch.empty(3))
        self._write(self)
        return x * self.weight + self.bias


WRITES: dict[str, Callable[[Any], Any]] = {
    "in place": lambda model: model.weight.mul_(2),
    "twice": lambda model: model.weight.mul_(2).mul_(3),
    "a view": lambda model: model.bias[1:].mul_(2),
    "list": lambda model: torch._foreach_mul_([torch.ones(3), model.weight, model.bias], 2),
    "out": lambda model: torch.add(model.bias, 1, out=model.weight.data),
}


@pytest.mark.parametrize("way", WRITES)
def test_weights_are_put_back_however_they_are_written_to(way: str) -> None:
    model = Writing(WRITES[way])
    measure.count(model, torch.ones(3))
    assert torch.equal(model.weight, torch.ones(3))
    assert torch.equal(model.bias, torch.ones(3))


def test_a_buffer_that_is_sparse_is_put_back() -> None:
    class Sparse(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("table", torch.eye(2).to_sparse())

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.table.mul_(2)
            return x

    model = Sparse()
    measure.count(model, torch.ones(2))
    assert torch.equal(model.table.to_dense(), torch.eye(2))


def test_a_graph_from_before_can_still_run_backward() -> None:
    model, x = nn.Linear(2, 3), torch.randn(4, 2, requires_grad=True)
    loss = model(x).sum()
    measure.measure(model, x, repetitions=1, optimizer=lambda p: torch.optim.SGD(p, lr=1.0))
    assert x.grad is None
    loss.backward()
    assert torch.equal(x.grad, model.weight.sum(0).expand(4, 2))


class Inside:
    """Ways in which a computed input comes to a model."""

    @dataclasses.dataclass(frozen=True)
    class Record:
        x: torch.Tensor
        label: str = ""

    Pair = collections.namedtuple("Pair", "x label")

    WAYS: ClassVar[dict[str, Callable[[torch.Tensor], Any]]] = {
        "itself": lambda x: x,
        "list": lambda x: [1, [x]],
        "tuple": lambda x: (x, "label"),
        "dictionary": lambda x: {"x": x, "label": None},
        "named tuple": lambda x: Inside.Pair(x, "label"),
        "data class": lambda x: Inside.Record(x),
    }


class Unpacking(nn.Module):
    """Writes to its input, as a model may to what was computed."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(3, 4)

    def forward(self, packed: Any, *, twice: torch.Tensor) -> torch.Tensor:
        (x,) = tensors(packed)
        assert x is twice
        assert x.requires_grad
        x += 1
        return self.linear(x)


ON_COMPUTED: dict[str, Callable[..., Any]] = {
    "count": lambda model, x, **more: measure.count(model, x, backward=True, **more),
    "measure": lambda model, x, **more: measure.measure(model, x, repetitions=2, **more),
    "sweep": lambda model, x, **more: measure.sweep(
        model, lambda size: {"packed": x, **more}, [2], repetitions=2
    ),
}


@pytest.mark.parametrize("way", Inside.WAYS)
@pytest.mark.parametrize("name", ON_COMPUTED)
def test_the_graph_of_a_computed_input_stays_the_users(name: str, way: str) -> None:
    encoder, z = nn.Linear(2, 3), torch.randn(2, 2)
    x = encoder(z).tanh()
    contents = x.detach().clone()
    ON_COMPUTED[name](Unpacking(), Inside.WAYS[way](x), twice=x)
    assert encoder.weight.grad is None
    assert x.grad_fn is not None and x.grad_fn.name() == "TanhBackward0"
    assert torch.equal(x, contents)
    x.sum().backward()
    assert torch.allclose(encoder.bias.grad, (1 - contents**2).sum(0))


@pytest.mark.parametrize("optimizer", [None, torch.optim.SGD])
def test_a_computed_input_costs_what_a_given_one_costs(optimizer: Any) -> None:
    given = torch.randn(2, 2, requires_grad=True)

    def cost(x: torch.Tensor) -> Any:
        result = measure.measure(nn.Linear(2, 3), x, repetitions=0, optimizer=optimizer)
        return result.macs, result.flops, result.footprint, result.uncounted

    assert cost(given.tanh()) == cost(given)


def test_wrong_shapes_are_told_by_the_model() -> None:
    model, _, _ = prepared(True)
    with pytest.raises(RuntimeError, match="channels"):
        measure.measure(model, torch.randn(2, 5, 8, 8))


def test_inputs_on_another_device_are_refused() -> None:
    with pytest.raises(
        ValueError, match=r'input 0 is on meta, but the model is on cpu: .*to\("cpu"'
    ):
        measure.measure(nn.Linear(2, 2), torch.zeros(1, 2, device="meta"))


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(TypeError, match="wrap a function in a module"):
        measure.measure(torch.relu, torch.zeros(2))


def test_parameters_without_a_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="call the model once"):
        measure.measure(nn.LazyLinear(3), torch.zeros(1, 2))


def test_an_optimizer_that_calls_the_model_itself_is_refused() -> None:
    model = nn.Linear(2, 2)
    with pytest.raises(ValueError, match="LBFGS calls the model itself"):
        measure.measure(model, torch.zeros(1, 2), optimizer=torch.optim.LBFGS, repetitions=0)
    with pytest.raises(TypeError, match="function that makes one"):
        measure.measure(model, torch.zeros(1, 2), optimizer="sgd", repetitions=0)


class Words(nn.Module):
    def forward(self, x: torch.Tensor) -> str:
        return "done" if x.sum() > 0 else "not yet"


def test_results_that_are_no_tensors_have_no_backward_pass() -> None:
    result = measure.measure(Words(), torch.ones(2))
    assert result.layers[0].outputs == ""
    assert result.macs.backward == 0
    assert result.footprint.training_peak is None


def test_outputs_without_gradients() -> None:
    model = nn.Linear(2, 2).requires_grad_(False)
    with pytest.raises(ValueError, match="requires a gradient"):
        measure.count(model, torch.zeros(2, 2), backward=True)
    assert measure.measure(model, torch.zeros(2, 2)).footprint.training_peak is None


def test_measurements_cannot_be_nested() -> None:
    class Nested(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            measure.count(nn.Linear(2, 2), x)
            return x

    with pytest.raises(RuntimeError, match="another model is being measured"):
        measure.count(Nested(), torch.zeros(1, 2))
