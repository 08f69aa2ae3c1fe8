"""What is told of a training, when, and under which names."""

from __future__ import annotations

import copy
from typing import Any

import torch
from supervise.alexnet_mini import AlexNetMini, batches
from supervise.tape import ALL_KINDS, Tape, small_net, step_of, watch
from torch import Tensor, nn

from sightline.supervise import CallbackSubscriber, Exporter


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
            *["layer_gradients 3", "layer_gradients 2"],
            *["bias_gradients_unclipped 2", "weight_gradients_unclipped 2"],
            *["layer_gradients 1", "layer_gradients 0"],
            *["bias_gradients_unclipped 0", "weight_gradients_unclipped 0"],
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


def test_input_data_is_what_the_model_was_given(exporter: Exporter) -> None:
    class Takes(nn.Module):
        def forward(self, x: Tensor, *, scale: Tensor) -> Tensor:
            return x * scale

    model = Takes()
    tape = watch(exporter, model, ["input_data"])
    model(torch.ones(2), scale=torch.tensor(3.0))
    (message,) = tape.messages
    assert [float(part.sum()) for part in message.data] == [2, 3]


def test_the_state_of_the_optimizer_is_told(exporter: Exporter) -> None:
    model, loss = small_net(), nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters())
    tape = watch(exporter, model, ["optimizer_state"])
    step_of(model, optimizer, loss)
    told = {(m.module, m.tensor): m.data for m in tape.messages}
    state = optimizer.state[model[2].bias]
    assert torch.equal(told["2", "bias.exp_avg"], state["exp_avg"])
    assert torch.equal(told["2", "bias.exp_avg_sq"], state["exp_avg_sq"])


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
