"""The sweep over parameters at an optimizer's step, against what torch has at that moment."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from sightline import _core
from sightline.supervise._parameters import Parameters

KINDS = [
    f"{name}{what}"
    for name, plain in (("weight", "weights"), ("bias", "biases"), ("parameter", "parameters"))
    for what in ("_gradients", "_updates")
] + ["weights", "biases", "parameters"]


class Listener:
    """Parameters of a model, and everything that is told of them."""

    def __init__(self, model: nn.Module, kinds: list[str]) -> None:
        self.model = model
        self.bus = _core.Bus()
        _core.declare_training_topics(self.bus)
        self.told: list[tuple[str, str, str, int, Tensor]] = []
        for kind in kinds:
            self.bus.subscribe(self._receive, kind, topics=[kind])
        self.parameters = Parameters(self.bus)
        self.rewatch()
        self.step = 0

    def rewatch(self) -> None:
        self.parameters.watch(
            (path, name, parameter)
            for path, module in self.model.named_modules()
            for name, parameter in module.named_parameters(recurse=False)
        )

    def _receive(self, module: str, tensor: str, step: int, *rest: object) -> None:
        ((kind, value),) = rest[-1].items()  # type: ignore[attr-defined]
        self.told.append((kind, module, tensor, step, value))

    def optimize(self, optimizer: torch.optim.Optimizer) -> int:
        unknown = self.parameters.before_step(optimizer, self.step, 0)
        optimizer.step()
        self.parameters.after_step(optimizer, self.step, 0)
        self.step += 1
        return unknown

    def of(self, kind: str, module: str = "", tensor: str = "") -> list[Tensor]:
        return [
            value
            for told_kind, told_module, told_tensor, _, value in self.told
            if told_kind == kind and (not tensor or (told_module, told_tensor) == (module, tensor))
        ]


def test_values_gradients_and_updates_are_those_of_the_step() -> None:
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    listener = Listener(model, KINDS)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.randn(5, 4)).square().mean().backward()
        before = {name: value.detach().clone() for name, value in model.named_parameters()}
        gradients = {name: value.grad.clone() for name, value in model.named_parameters()}
        listener.told.clear()
        listener.optimize(optimizer)
        for name, plural in (("weight", "weights"), ("bias", "biases")):
            (value,), (gradient,) = listener.of(plural), listener.of(f"{name}_gradients")
            (update,) = listener.of(f"{name}_updates")
            assert torch.equal(value, before[name])
            assert torch.equal(gradient, gradients[name])
            assert torch.equal(update, getattr(model, name).detach() - before[name])


def test_parameters_of_other_names_have_kinds_of_their_own() -> None:
    model = nn.LSTM(3, 4)
    listener = Listener(model, KINDS)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.randn(2, 1, 3))[0].sum().backward()
    listener.optimize(optimizer)
    assert {told[0] for told in listener.told} == {
        "parameters",
        "parameter_gradients",
        "parameter_updates",
    }
    assert {told[2] for told in listener.told} == dict(model.named_parameters()).keys()


def test_what_python_keeps_stays_as_it_was() -> None:
    model = nn.Linear(2, 1)
    listener = Listener(model, ["weights", "weight_updates"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    first = model.weight.detach().clone()
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.ones(1, 2)).sum().backward()
        listener.optimize(optimizer)
    assert torch.equal(listener.of("weights")[0], first)
    moved = sum(listener.of("weight_updates"), torch.zeros(1, 2))
    assert torch.allclose(first + moved, model.weight.detach(), atol=1e-6)


def test_frozen_parameters_have_no_gradients() -> None:
    model = nn.Linear(2, 2)
    listener = Listener(model, ["weights", "weight_gradients", "bias_gradients"])
    model(torch.ones(1, 2)).sum().backward()
    model.weight.requires_grad_(False)  # with a gradient left over
    listener.optimize(torch.optim.SGD(model.parameters(), lr=0.1))
    assert listener.of("weights")
    assert not listener.of("weight_gradients")
    assert listener.of("bias_gradients")


def test_a_parameter_that_was_replaced_is_another() -> None:
    model = nn.Linear(2, 2, bias=False)
    listener = Listener(model, ["weights"])
    model.weight = nn.Parameter(torch.ones(2, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.ones(1, 2)).sum().backward()
    assert listener.optimize(optimizer) == 1
    assert not listener.told
    listener.rewatch()
    assert listener.optimize(optimizer) == 0
    assert len(listener.told) == 1


def test_a_parameter_at_the_address_of_one_that_died_is_another() -> None:
    model = nn.Linear(2, 2, bias=False)
    listener = Listener(model, ["weights"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    assert listener.optimize(optimizer) == 0
    parameters = optimizer.param_groups[0]["params"]
    address, more = id(model.weight), [torch.ones(2, 2) for _ in range(20)]
    listener.told.clear()
    parameters.clear()
    del model.weight
    others = [nn.Parameter(values) for values in more]
    parameters.extend(other for other in others if id(other) == address)
    assert len(parameters) == 1  # the allocator gives out again what was given back last
    assert listener.optimize(optimizer) == 1
    assert not listener.told


@pytest.mark.parametrize("type_", [torch.float64, torch.bfloat16, torch.float16])
def test_a_model_may_change_its_type(type_: torch.dtype) -> None:
    model = nn.Linear(2, 2, bias=False)
    listener = Listener(model, KINDS)
    model.to(type_)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    model.weight.grad = torch.ones_like(model.weight)
    before = model.weight.detach().clone()
    listener.optimize(optimizer)
    assert torch.equal(listener.of("weights")[0], before)
    assert torch.equal(listener.of("weight_updates")[0], model.weight.detach() - before)


def test_sparse_gradients_are_told_as_they_are_and_read_as_dense() -> None:
    model = nn.Embedding(10, 3, sparse=True)
    listener = Listener(model, ["weight_gradients"])
    supervision = _core.Supervision()
    feed = _core.Feed(listener.bus, supervision, topics={"gradients"}, budget_share=float("inf"))
    model(torch.tensor([1, 1, 4])).sum().backward()
    listener.optimize(torch.optim.SGD(model.parameters(), lr=0.1))
    (gradient,) = listener.of("weight_gradients")
    assert gradient.is_sparse
    assert feed.looking


def test_tied_parameters_are_told_by_each_name() -> None:
    model = nn.ModuleDict({"first": nn.Linear(3, 3), "second": nn.Linear(3, 3)})
    model["second"].weight = model["first"].weight
    listener = Listener(model, ["weights"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model["first"](torch.ones(1, 3)).sum().backward()
    listener.optimize(optimizer)
    assert {told[1] for told in listener.told} == {"first", "second"}


def test_only_parameters_of_the_optimizer_are_told() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    listener = Listener(model, ["weights"])
    model(torch.ones(1, 2)).sum().backward()
    listener.optimize(torch.optim.SGD(model[1].parameters(), lr=0.1))
    assert {told[1] for told in listener.told} == {"1"}


def test_the_state_of_an_optimizer_is_told_if_somebody_wants_it() -> None:
    model = nn.Linear(2, 2)
    listener = Listener(model, ["optimizer_state"])
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    listener.optimize(optimizer)
    (moment,) = listener.of("optimizer_state", "", "weight.exp_avg")
    assert torch.equal(moment, optimizer.state[model.weight]["exp_avg"])


def test_gradients_of_a_scaled_loss_are_told_unscaled() -> None:
    model = nn.Linear(2, 2)
    listener = Listener(model, ["weight_gradients"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)

    def tell(*_: object) -> None:
        listener.parameters.before_step(optimizer, 0, 0)

    optimizer.register_step_pre_hook(tell)
    inputs = torch.randn(3, 2)
    scaler.scale(model(inputs).sum()).backward()
    scaler.step(optimizer)
    expected = torch.autograd.grad(model(inputs).sum(), model.weight)[0]
    (gradient,) = listener.of("weight_gradients")
    assert torch.allclose(gradient, expected)


def test_gradients_are_those_after_clipping() -> None:
    model = nn.Linear(2, 2)
    listener = Listener(model, ["weight_gradients", "bias_gradients"])
    model(torch.full((1, 2), 1e3)).sum().backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    listener.optimize(torch.optim.SGD(model.parameters(), lr=0.1))
    squares = sum(float(told[-1].square().sum()) for told in listener.told)
    assert squares == pytest.approx(1.0, rel=1e-4)


def test_past_its_memory_an_update_is_a_fixed_sample() -> None:
    model = nn.Linear(300, 200, bias=False)
    listener = Listener(model, ["weight_updates"])
    listener.parameters.limit_update_memory(model.weight.nbytes // 10)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    sizes = set()
    for _ in range(3):
        model.weight.grad = torch.ones_like(model.weight)
        listener.optimize(optimizer)
        sizes.add(len(listener.of("weight_updates")[-1]))
    (size,) = sizes
    assert size <= model.weight.numel() // 10
    assert 0 < listener.parameters.copied_bytes <= model.weight.nbytes // 10
    assert torch.allclose(listener.of("weight_updates")[0], torch.full((size,), -0.5))


def test_nothing_is_copied_that_nobody_wants() -> None:
    model = nn.Linear(100, 100)
    listener = Listener(model, ["weight_gradients"])
    model(torch.ones(1, 100)).sum().backward()
    listener.optimize(torch.optim.SGD(model.parameters(), lr=0.1))
    assert listener.parameters.copied_bytes == 0
