"""The layers of a measurement: which there are, who called them, what they hold."""

from __future__ import annotations

import inspect
import json

import pytest
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from sightline import measure


class Twice(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.linear(x)
        x = self.linear(x)
        return self.body(x)


def line_of(text: str, of: type = Twice, nth: int = 0) -> int:
    lines, first = inspect.getsourcelines(of)
    return [first + index for index, line in enumerate(lines) if text in line][nth]


def measured(model: nn.Module, *inputs: torch.Tensor, **options) -> measure.Measurement:
    return measure.measure(model, *inputs, repetitions=2, **options)


def test_a_module_called_twice_has_two_layers() -> None:
    layers = measured(Twice(), torch.randn(3, 4)).layers
    assert [(layer.path, layer.type, layer.parent) for layer in layers] == [
        ("", "Twice", 0),
        ("linear", "Linear", 1),
        ("linear", "Linear", 1),
        ("body", "Sequential", 1),
        ("body.0", "Linear", 4),
        ("body.1", "ReLU", 4),
    ]


def test_lines_are_those_of_the_user() -> None:
    layers = measured(Twice(), torch.randn(3, 4)).layers
    assert {layer.file for layer in layers} == {__file__}
    first = line_of("x = self.linear(x)")
    body = line_of("return self.body(x)")
    assert [layer.line for layer in layers[1:]] == [first, first + 1, body, body, body]


def test_shapes_activations_and_parameters() -> None:
    layers = measured(Twice(), torch.randn(3, 4)).layers
    body = layers[4]
    assert (body.inputs, body.outputs) == ("3x4", "3x8")
    assert body.activation_bytes == 3 * 8 * 4
    assert (body.parameters.total, body.parameter_bytes) == (40, 160)
    assert layers[0].parameters.total == 20 + 40
    assert [layer.macs.forward for layer in layers] == [48 + 48 + 96, 48, 48, 96, 96, 0]
    # The input wants no gradient; each other factor does.
    assert [layer.macs.backward for layer in layers] == [48 + 96 + 192, 48, 96, 192, 192, 0]


def test_runs_do_not_add_to_the_gradient_of_an_input() -> None:
    x = torch.randn(3, 4, requires_grad=True)
    result = measured(nn.ReLU(), x)
    assert result.flops.backward == 2 * 12  # and no sum with a gradient from a run before
    assert x.grad is None


def test_layers_have_times_and_peaks() -> None:
    result = measured(Twice(), torch.randn(3, 4))
    assert len(result.times_ms) == 2
    for layer in result.layers:
        assert len(layer.times_ms) == 2
        assert all(time > 0 for time in layer.times_ms)
        assert layer.peak_bytes is not None
    whole, *_, body, first, relu = result.layers
    assert whole.peak_bytes == result.footprint.inference_peak
    assert body.peak_bytes >= first.peak_bytes
    assert body.peak_bytes >= relu.peak_bytes


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(10, 4)
        self.head = nn.Linear(4, 10, bias=False)
        self.head.weight = self.embedding.weight
        self.frozen = nn.Linear(4, 4).requires_grad_(False)
        self.register_buffer("kept", torch.zeros(3))
        self.register_buffer("passing", torch.zeros(5), persistent=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(self.frozen(self.embedding(tokens)))


def test_a_tied_weight_counts_once() -> None:
    result = measured(Tied(), torch.zeros(2, 3, dtype=torch.long))
    assert result.parameters == measure.Parameters(total=60, trainable=40, frozen=20, buffers=8)
    assert result.size_bytes == (60 + 3) * 4
    assert result.footprint.weights == (60 + 8) * 4
    assert [layer.parameters.total for layer in result.layers] == [60, 40, 20, 40]


def test_bytes_follow_the_element_type() -> None:
    model = nn.Linear(8, 16).to(torch.bfloat16)
    result = measured(model, torch.randn(2, 8, dtype=torch.bfloat16))
    assert result.size_bytes == 144 * 2
    assert result.layers[0].activation_bytes == 32 * 2


def test_sparse_parameters_hold_what_they_store() -> None:
    class Sparse(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.eye(6).to_sparse(), requires_grad=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.sparse.mm(self.weight, x)

    result = measured(Sparse(), torch.randn(6, 2), backward=False)
    assert result.parameters.total == 6
    assert result.size_bytes == 6 * 4 + 2 * 6 * 8  # values; a row and a column for each


def test_quantised_layers_have_one_byte_a_weight() -> None:
    quantization = pytest.importorskip("torch.ao.quantization")
    model = nn.Sequential(nn.Linear(8, 16), nn.ReLU()).eval()
    model = quantization.quantize_dynamic(model, {nn.Linear}, dtype=torch.qint8)
    result = measured(model, torch.randn(2, 8), backward=False)
    assert result.parameters.total == 8 * 16 + 16
    assert result.size_bytes == 8 * 16 + 16 * 4


class Checkpointed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4)) for _ in range(2)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return x


def test_what_is_repeated_for_the_backward_pass_is_no_new_layer() -> None:
    result = measured(Checkpointed(), torch.randn(3, 4))
    assert [layer.path for layer in result.layers] == [
        "",
        *(
            path
            for block in "01"
            for path in [f"blocks.{block}"] + [f"blocks.{block}.{i}" for i in range(3)]
        ),
    ]
    by_path = {layer.path: layer for layer in result.layers}
    # Each linear layer has 48 products; its two gradients and, in the first block's first layer,
    # one; and all but the last of each block are computed again, for the gradients before them.
    assert by_path["blocks.1"].macs.forward == 96
    assert by_path["blocks.1.0"].macs.backward == 96 + 48
    assert result.macs.backward == sum(by_path[f"blocks.{block}"].macs.backward for block in (0, 1))


class Careful(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.unfit = nn.Linear(5, 5)
        self.fit = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        try:
            return self.unfit(x)
        except RuntimeError:
            return self.fit(x)


def test_a_layer_that_raised_does_not_hold_those_after_it() -> None:
    layers = measured(Careful(), torch.randn(3, 4)).layers
    assert [(layer.path, layer.parent) for layer in layers] == [("", 0), ("unfit", 1), ("fit", 1)]


def test_keyword_arguments_and_nested_results_have_shapes() -> None:
    class Nested(nn.Module):
        def forward(self, x: torch.Tensor, *, mask: torch.Tensor) -> dict[str, object]:
            return {"all": [x * mask, (mask,)], "count": 3}

    result = measure.measure(Nested(), torch.randn(2, 5), mask=torch.ones(5), repetitions=0)
    assert result.inputs == "2x5, 5"
    assert result.layers[0].inputs == "2x5, 5"
    assert result.layers[0].outputs == "2x5, 5"
    assert result.batch_size == 2
    assert result.execution_time is None


def test_the_optimizer_has_a_pass_of_its_own() -> None:
    model = nn.Linear(8, 16)
    result = measured(model, torch.randn(2, 8), optimizer=lambda p: torch.optim.SGD(p, lr=0.1))
    assert result.flops.optimizer == 2 * 144  # a product and a sum for each parameter
    assert result.layers[0].flops.optimizer == result.flops.optimizer
    assert result.macs.optimizer == 0


def test_it_prints_as_a_table_and_comes_back_from_its_text() -> None:
    result = measured(Twice(), torch.randn(3, 4), name="twice.py")
    assert "twice.py" in str(result)
    assert "body.0" in result.table(flat=True, sort="macs")
    assert "body" not in result.table(depth=0).splitlines()[2]
    with pytest.raises(ValueError, match="cannot sort"):
        result.table(sort="colour")
    assert measure.Measurement.from_json(result.json()) == result
    assert json.loads(result.json())["kind"] == "measurement"
