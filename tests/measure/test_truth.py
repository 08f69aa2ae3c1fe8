"""Multiply-accumulates to the unit, whatever the mode."""

from __future__ import annotations

import pytest
import torch
from measure.models import MODELS, SMALL, TRANSFORMERS, AttentionBlock, mobilenet_v2, tokens
from measure.more_models import MORE
from torch.nn.attention import SDPBackend, sdpa_kernel

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
    assert result.macs.forward == 41_943_040
    assert result.macs.backward == (2 * 41_943_040 if grad else 0)
    seen = 33_554_432 + (8256 * 512 if causal else 16_384 * 512)
    assert result.effective_macs.forward == seen
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
