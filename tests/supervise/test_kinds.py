"""What is told of a training, when, and under which names."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
import torch
from supervise.alexnet_mini import AlexNetMini, batches
from torch import Tensor, nn

from sightline.supervise import (
    CallbackSubscriber,
    Exporter,
    MessageBus,
    NormSubscriber,
    Subscriber,
    Subscription,
)

ALL_KINDS = MessageBus().kinds


class Tape(Subscriber):
    """Every message: kind, name, and counters; and its data if it is asked to."""

    def __init__(self, kinds: list[str], *, tag: str | None = None, keep: bool = False) -> None:
        super().__init__([Subscription(self, kinds, tag)])
        self.messages: list[Any] = []
        self.data: list[Any] = []
        self._keep = keep

    def compute(self, message: Any) -> None:
        self.messages.append(message)
        if self._keep:
            self.data.append(message.data.clone())

    def lines(self) -> list[str]:
        return [
            " ".join([m.kind, m.module, f"{m.global_step}/{m.train_step}/{m.epoch}"])
            for m in self.messages
        ]

    def of(self, kind: str, module: str = "") -> list[Any]:
        return [m for m in self.messages if (m.kind, m.module) == (kind, module)]


@pytest.fixture
def exporter() -> Iterator[Exporter]:
    with Exporter() as made:
        yield made


def small_net() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(inplace=True), nn.Linear(4, 2), nn.Tanh())


def watch(exporter: Exporter, model: nn.Module, kinds: list[str], **options: Any) -> Tape:
    exporter.set_model(model)
    exporter.add_modules(model)
    tape = Tape(kinds, **options)
    exporter.subscribe(tape)
    return tape


def step_of(model: nn.Module, optimizer: torch.optim.Optimizer, loss: nn.Module) -> None:
    optimizer.zero_grad()
    loss(model(torch.ones(5, 3)), torch.zeros(5, 2)).backward()
    optimizer.step()


def test_messages_of_two_epochs_of_two_batches_come_in_this_order(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    tape = watch(exporter, model, ALL_KINDS)
    exporter.set_loss(loss)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        for _ in range(2):
            step_of(model, optimizer, loss)
        exporter.epoch_finished()
    expected = []
    for step in range(4):
        epoch, train_step = divmod(step, 2)
        kinds = [
            *(["epoch_started "] if train_step == 0 else []),
            *["batch_started ", "input_data "],
            *(f"activations {i}" for i in range(4)),
            *["network_output ", "input_labels ", "loss "],
            *(f"layer_gradients {i}" for i in (3, 2, 1, 0)),
            *["weights 0", "weight_gradients 0", "biases 0", "bias_gradients 0"],
            *["weights 2", "weight_gradients 2", "biases 2", "bias_gradients 2"],
            *(f"{kind} {i}" for i in (0, 2) for kind in ("weight_updates", "bias_updates")),
            *["batch_finished ", "step_finished "],
        ]
        expected += [f"{kind} {step}/{train_step}/{epoch}" for kind in kinds]
        if train_step == 1:
            expected.append(f"epoch_finished  {step + 1}/2/{epoch}")
    assert tape.lines() == expected


def test_an_update_is_what_its_step_added(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    tape = watch(exporter, model, ["weight_updates"], keep=True)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    for step in range(3):
        before = model[0].weight.detach().clone()
        step_of(model, optimizer, loss)
        assert torch.equal(tape.data[2 * step], model[0].weight.detach() - before)
        assert tape.data[2 * step].any()


class Nested(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 2, 1)
        self.body = nn.Sequential(nn.Sequential(nn.Linear(2, 2), nn.ReLU()), nn.Dropout())
        self.attention = nn.MultiheadAttention(4, 2)

    def forward(self, x: Tensor) -> Tensor:
        return x


@pytest.mark.parametrize(
    ("depth", "names"),
    [
        (0, [""]),
        (1, ["stem", "body", "attention"]),
        (2, ["stem", "body.0", "body.1", "attention", "attention.out_proj"]),
        (-1, ["stem", "body.0.0", "body.0.1", "body.1", "attention", "attention.out_proj"]),
    ],
)
def test_depth_says_how_far_down_modules_are_watched(depth: int, names: list[str]) -> None:
    model = Nested()
    with Exporter(depth) as exporter:
        exporter.set_model(model)
        exporter.add_modules(model)
        assert [name for _, name in exporter.named_modules] == names
        assert exporter.modules == [model.get_submodule(name) for name in names]


def test_a_filter_takes_only_its_classes() -> None:
    with Exporter(module_filter=[nn.Linear]) as exporter:
        exporter.add_modules(("net", Nested()))
        assert [name for _, name in exporter.named_modules] == [
            "net.body.0.0",
            "net.attention.out_proj",
        ]


def test_names_are_given_found_or_made() -> None:
    with Exporter() as exporter:
        first, second, third = nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()
        assert exporter(first) is first
        exporter(second)
        exporter.add_modules(("gate", third), recursive=False)
        assert [name for _, name in exporter.named_modules] == ["Linear", "Linear_1", "gate"]
        exporter.set_model(nn.Sequential(first, third))
        assert [name for _, name in exporter.named_modules] == ["0", "Linear", "gate"]


def test_layer_gradients_are_those_of_the_outputs_despite_in_place_relus(
    exporter: Exporter,
) -> None:
    torch.manual_seed(0)
    model = AlexNetMini()
    model.eval()  # no dropout, so that both see the same
    reference = copy.deepcopy(model)
    inputs, _ = batches(1)[0]
    outputs: dict[str, Tensor] = {}
    for name, module in reference.named_modules():
        if isinstance(module, nn.ReLU):
            module.inplace = False

        def keep(_: nn.Module, __: Any, output: Tensor, name: str = name) -> None:
            output.retain_grad()
            outputs[name] = output

        module.register_forward_hook(keep)
    reference(inputs).square().sum().backward()

    tape = watch(exporter, model, ["layer_gradients"], keep=True)
    model(inputs).square().sum().backward()
    assert len(tape.messages) == 15
    for message, gradient in zip(tape.messages, tape.data, strict=True):
        assert torch.equal(gradient, outputs[message.module].grad), message.module


def test_a_module_that_is_called_twice_has_a_call_index(exporter: Exporter) -> None:
    class Twice(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x: Tensor) -> Any:
            return self.layer(self.layer(x))

    model = Twice()
    tape = watch(exporter, model, ["activations", "layer_gradients", "weight_gradients"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(2):
        model(torch.ones(1, 3)).sum().backward()
        optimizer.step()
    calls = [(m.kind, m.call, m.tensor) for m in tape.messages]
    assert calls == 2 * [
        ("activations", 0, ""),
        ("activations", 1, ""),
        ("layer_gradients", 1, ""),
        ("layer_gradients", 0, ""),
        ("weight_gradients", 0, "weight"),
    ]


def test_activations_and_their_gradients_come_together_by_call(exporter: Exporter) -> None:
    model = small_net()
    exporter.set_model(model)
    exporter.add_modules(model)
    seen: dict[str, tuple[Tensor, Tensor]] = {}

    def note(output: Tensor, gradient: Tensor, *position: Any) -> None:
        seen[position[-1][1]] = (output, gradient)

    exporter.subscribe(CallbackSubscriber(["activations", "layer_gradients"], note))
    model(torch.ones(1, 3)).sum().backward()
    assert set(seen) == {"0", "1", "2", "3"}
    # The ReLU behind it works in place, and yet this is what the layer gave out.
    assert torch.equal(seen["0"][0], model[0](torch.ones(1, 3)))


def test_every_output_of_a_module_is_told(exporter: Exporter) -> None:
    lstm = nn.LSTM(2, 3, num_layers=2)
    exporter.add_modules(("lstm", lstm))
    tape = Tape(["activations", "layer_gradients", "parameters", "parameter_gradients", "weights"])
    exporter.subscribe(tape)
    optimizer = torch.optim.SGD(lstm.parameters(), lr=0.1)
    output, (hidden, cell) = lstm(torch.randn(4, 1, 2))
    (output.sum() + hidden.sum() + cell.sum()).backward()
    optimizer.step()
    assert [(m.tensor, m.data.shape) for m in tape.of("activations", "lstm")] == [
        ("0", output.shape),
        ("1", hidden.shape),
        ("2", cell.shape),
    ]
    assert {m.tensor for m in tape.of("layer_gradients", "lstm")} == {"0", "1", "2"}
    names = [name for name, _ in lstm.named_parameters()]
    assert [m.tensor for m in tape.of("parameters", "lstm")] == names
    assert tape.of("parameters", "lstm")[0].key == (lstm, f"lstm.{names[0]}")
    assert tape.of("weights", "lstm") == []


def test_a_normalisation_without_weights_is_no_trouble(exporter: Exporter) -> None:
    model = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3, affine=False))
    tape = watch(exporter, model, ["weights", "activations"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(torch.randn(4, 3)).sum().backward()
    optimizer.step()
    assert [m.module for m in tape.of("weights", "0")] == ["0"]
    assert len(tape.of("activations", "1")) == 1


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


def test_input_data_is_what_the_model_was_given(exporter: Exporter) -> None:
    class Takes(nn.Module):
        def forward(self, x: Tensor, *, scale: Tensor) -> Tensor:
            return x * scale

    model = Takes()
    tape = watch(exporter, model, ["input_data"])
    model(torch.ones(2), scale=torch.tensor(3.0))
    (message,) = tape.messages
    assert [float(part.sum()) for part in message.data] == [2, 3]


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


def test_the_state_of_the_optimizer_is_told(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters())
    tape = watch(exporter, model, ["optimizer_state"])
    step_of(model, optimizer, loss)
    told = {(m.module, m.tensor): m.data for m in tape.messages}
    state = optimizer.state[model[2].bias]
    assert torch.equal(told["2", "bias.exp_avg"], state["exp_avg"])
    assert torch.equal(told["2", "bias.exp_avg_sq"], state["exp_avg_sq"])


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


def test_a_recomputed_forward_is_told_once(exporter: Exporter) -> None:
    from torch.utils.checkpoint import checkpoint

    class Checkpointed(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(3, 3)

        def forward(self, x: Tensor) -> Any:
            return checkpoint(self.layer, x, use_reentrant=False)

    model = Checkpointed()
    tape = watch(exporter, model, ["activations", "layer_gradients"])
    model(torch.ones(1, 3)).sum().backward()
    assert [(m.kind, m.call) for m in tape.messages] == [("activations", 0), ("layer_gradients", 0)]


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
