"""Multiply-accumulates to the unit, whatever the mode."""

from __future__ import annotations

import pytest
import torch
from measure.models import MODELS, SMALL, TRANSFORMERS, AttentionBlock, mobilenet_v2, tokens
from measure.more_models import MORE
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.checkpoint import checkpoint

from sightline import measure

MODES = [(training, grad) for training in (False, True) for grad in (False, True)]
MODE_NAMES = [
    f"{'train' if training else 'eval'}-{'grad' if grad else 'no_grad'}" for training, grad in MODES
]
LARGE = {"vgg16"}  # on tensors without data
SINGLE = SMALL | MORE


def counted(entry, training: bool, grad: bool, device: str = "cpu") -> measure.Count:
    make, make_inputs, _ = entry
    with torch.device(device):
        model = make().train(training)
        inputs = make_inputs()
    positional, keywords = (inputs, {}) if isinstance(inputs, list) else ([], inputs)
    with torch.set_grad_enabled(grad):
        return measure.count(model, *positional, **keywords)


@pytest.mark.parametrize(("training", "grad"), MODES, ids=MODE_NAMES)
@pytest.mark.parametrize("name", MODELS)
def test_the_count_is_what_was_derived_by_hand(name: str, training: bool, grad: bool) -> None:
    entry = MODELS[name]
    result = counted(entry, training, grad, "meta" if name in LARGE else "cpu")
    assert result.macs.forward == entry[2]
    assert result.macs.backward == 0
    assert result.uncounted == []


@pytest.mark.parametrize(("training", "grad"), MODES, ids=MODE_NAMES)
@pytest.mark.parametrize("name", SINGLE)
def test_smaller_architectures(name: str, training: bool, grad: bool) -> None:
    result = counted(SINGLE[name], training, grad)
    assert result.macs.forward == SINGLE[name][2]
    assert result.uncounted == []


@pytest.mark.slow
@pytest.mark.parametrize(("training", "grad"), MODES, ids=MODE_NAMES)
@pytest.mark.parametrize("name", TRANSFORMERS)
def test_transformers(name: str, training: bool, grad: bool) -> None:
    pytest.importorskip("transformers")
    result = counted(TRANSFORMERS[name], training, grad)
    assert result.macs.forward == TRANSFORMERS[name][2]
    assert result.uncounted == []


@pytest.mark.parametrize("name", ["resnet18_cifar", "functional", "attention_block", "lstm"])
def test_without_data_the_count_is_the_same(name: str) -> None:
    assert counted(MODELS[name], False, False, "meta").macs.forward == MODELS[name][2]


def test_a_causal_mask_halves_what_is_effective() -> None:
    result = measure.count(AttentionBlock(causal=True), torch.zeros(1, 128, 256))
    assert result.macs.forward == 41_943_040
    # Of 128 x 128 pairs, 128 x 129 / 2 are seen; a pair has 2 x 256 products.
    assert result.effective_macs.forward == 33_554_432 + 8256 * 512


def test_backward_of_depthwise_convolutions() -> None:
    """Each product of the forward has two in the backward, but for the gradient of the image, which
    nobody wants: the first layer has one."""
    model = mobilenet_v2().eval()
    result = measure.count(model, torch.zeros(1, 3, 224, 224), backward=True)
    first_layer = 112 * 112 * 32 * 27
    assert result.macs.forward == 300_774_272
    assert result.macs.backward == 2 * 300_774_272 - first_layer
    assert result.uncounted == []

    assert (result.macs.forward + result.macs.backward) / result.macs.forward == pytest.approx(
        2.964, rel=1e-3
    )


# In these every product has two factors that want a gradient, and each gradient is one product of
# the same size.
WITH_TWO_GRADIENTS = {
    "linear": (lambda: torch.nn.Linear(6, 10), lambda: [torch.randn(8, 6)], 480),
    "depthwise": (
        lambda: torch.nn.Conv2d(32, 32, 3, padding=1, groups=32),
        lambda: [torch.randn(2, 32, 9, 9)],
        2 * 81 * 32 * 9,
    ),
    **{name: SMALL[name] for name in ("convolution_1d", "convolution_3d", "grouped_transposed_3d")},
    **{
        name: MORE[name] for name in ("convnext_block", "densenet", "unet", "grouped_transposed_2d")
    },
    "attention_block": MODELS["attention_block"],
}


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize("name", WITH_TWO_GRADIENTS)
def test_backward_has_two_products_for_each_of_the_forward(name: str, training: bool) -> None:
    make, make_inputs, truth = WITH_TWO_GRADIENTS[name]
    inputs = [value.requires_grad_() for value in make_inputs()]
    result = measure.count(make().train(training), *inputs, backward=True)
    assert result.macs.forward == truth
    assert result.macs.backward == 2 * truth
    assert result.uncounted == []


KERNELS = [SDPBackend.MATH, SDPBackend.FLASH_ATTENTION]


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("grad", [False, True])
@pytest.mark.parametrize("causal", [False, True])
def test_every_attention_kernel_costs_the_same(kernel, grad: bool, causal: bool) -> None:
    model = AttentionBlock(causal)
    x = torch.zeros(1, 128, 256, requires_grad=grad)
    with sdpa_kernel(kernel), torch.set_grad_enabled(grad):
        result = measure.count(model, x, backward=grad)
    passes = 2 if grad else 0
    seen = 33_554_432 + (8256 * 512 if causal else 16_384 * 512)
    assert result.macs.forward == 41_943_040
    assert result.macs.backward == passes * 41_943_040
    assert result.effective_macs.forward == seen
    assert result.effective_macs.backward == passes * seen
    # Of each score: scale and softmax, and their derivatives. The input is used three times, so
    # that its gradients are summed twice.
    scores = 8 * 128 * 128
    assert result.flops.forward == 2 * 41_943_040 + 6 * scores
    assert result.flops.backward == passes * (2 * 41_943_040) + (
        5 * scores + 2 * 128 * 256 if grad else 0
    )
    assert result.uncounted == []


@pytest.mark.parametrize("kernel", KERNELS)
def test_attention_has_no_product_for_a_gradient_that_nobody_wants(kernel) -> None:
    class Attention(torch.nn.Module):
        def forward(self, query, key, value):
            return torch.nn.functional.scaled_dot_product_attention(query, key, value)

    heads = [torch.randn(1, 8, 16, 32, requires_grad=wanted) for wanted in (True, False, False)]
    with sdpa_kernel(kernel):
        result = measure.count(Attention(), *heads, backward=True)
    assert result.macs.backward == 2 * 8 * 16 * 16 * 32  # of the scores, then of the query


class CheckpointedAttention(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.block = AttentionBlock()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return checkpoint(self.block, x, use_reentrant=False)


@pytest.mark.parametrize("kernel", KERNELS)
def test_what_is_repeated_inside_a_derivative_is_counted(kernel) -> None:
    x = torch.zeros(1, 128, 256, requires_grad=True)
    with sdpa_kernel(kernel):
        result = measure.count(CheckpointedAttention(), x, backward=True)
    assert result.macs.forward == 41_943_040
    last_projection = 128 * 256 * 256  # of which only the input is needed again
    assert result.macs.backward == 3 * 41_943_040 - last_projection


# Seven steps of two sequences, three wide, five units: 14 tokens. In each layer and direction the
# weights of the inputs and of the state have their gradients; the states have theirs, but for the
# first one, which nobody wants; and so have the inputs, but for those of the first layer.
RECURRENT = {
    "rnn": (torch.nn.RNN, 1),
    "gru": (torch.nn.GRU, 3),
    "lstm": (torch.nn.LSTM, 4),
}


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("wanted", [False, True])
@pytest.mark.parametrize("both_ways", [False, True])
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("name", RECURRENT)
def test_backward_of_recurrent_networks(
    name: str, layers: int, both_ways: bool, wanted: bool, fused: bool
) -> None:
    make, gates = RECURRENT[name]
    model = make(3, 5, layers, bidirectional=both_ways)
    with torch.backends.mkldnn.flags(enabled=fused):
        x = torch.randn(7, 2, 3, requires_grad=wanted)
        result = measure.count(model, x, backward=True)
    directions = 2 if both_ways else 1
    inputs = [3] + [5 * directions] * (layers - 1)
    of_states = layers * (14 + 12) * 5 * 5
    of_inputs = sum(14 * 5 * width * 2 for width in inputs) - (0 if wanted else 14 * 5 * 3)
    assert result.macs.backward == directions * gates * (of_states + of_inputs)
    assert result.uncounted == []


def test_backward_of_attention() -> None:
    result = measure.count(AttentionBlock(), torch.zeros(1, 128, 256), backward=True)
    # The input wants no gradient, so the three projections that see it have one product less.
    assert result.macs.backward == 2 * 41_943_040 - 3 * 128 * 256 * 256


def test_modules_hold_what_is_called_in_them() -> None:
    model = MODELS["lstm"][0]()
    result = measure.count(model, tokens(1, 64), backward=True)
    rows = {row["path"]: row for row in result.modules}
    assert rows[""]["macs"]["forward"] == 267_649_024
    assert rows["head"]["macs"] == {"forward": 32_768_000, "backward": 65_536_000}
    assert rows["lstm"]["macs"]["forward"] == 234_881_024
    assert rows["embedding"]["macs"]["forward"] == 0
    assert rows["lstm"]["type"] == "LSTM"


def test_lines_are_those_of_the_model() -> None:
    result = measure.count(AttentionBlock(), torch.zeros(1, 128, 256))
    lines = [row for row in result.lines if row["macs"]["forward"]]
    assert {row["function"] for row in lines} >= {"AttentionBlock.forward"}
    assert all(row["file"].endswith("measure/models.py") for row in lines)


def test_what_has_no_formula_is_named() -> None:
    class Strange(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.linalg.eigvalsh(x @ x)

    result = measure.count(Strange(), torch.eye(4))
    assert result.macs.forward == 64
    assert [row["name"] for row in result.uncounted] == ["aten::_linalg_eigh"]
