"""Architectures whose multiply-accumulates are known: derived by hand, layer by layer."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn


def convolution(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    )


class Residual(nn.Module):
    """Convolutions of the given (outputs, kernel, stride), and a way around them."""

    def __init__(self, inputs: int, *layers: tuple[int, int, int]) -> None:
        super().__init__()
        parts: list[nn.Module] = []
        at, stride = inputs, 1
        for outputs, kernel, step in layers:
            parts += [convolution(at, outputs, kernel, step), nn.ReLU(inplace=True)]
            at, stride = outputs, stride * step
        self.body = nn.Sequential(*parts[:-1])
        same = stride == 1 and at == inputs
        self.around = nn.Identity() if same else convolution(inputs, at, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(self.body(x) + self.around(x))


def residual_stages(basic: bool, counts: list[int]) -> tuple[list[nn.Module], int]:
    blocks: list[nn.Module] = []
    at = 64
    for stage, count in enumerate(counts):
        width = 64 << stage
        for index in range(count):
            stride = 2 if stage > 0 and index == 0 else 1
            if basic:
                blocks.append(Residual(at, (width, 3, stride), (width, 3, 1)))
                at = width
            else:
                blocks.append(Residual(at, (width, 1, 1), (width, 3, stride), (width * 4, 1, 1)))
                at = width * 4
    return blocks, at


def resnet18_cifar() -> nn.Module:
    blocks, width = residual_stages(True, [2, 2, 2, 2])
    tail = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 100)]
    return nn.Sequential(convolution(3, 64, 3), nn.ReLU(), *blocks, *tail)


def resnet50() -> nn.Module:
    blocks, width = residual_stages(False, [3, 4, 6, 3])
    head = [convolution(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
    return nn.Sequential(
        *head, *blocks, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 1000)
    )


def vgg16() -> nn.Module:
    layers: list[nn.Module] = []
    at = 3
    for width, count in ((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)):
        for _ in range(count):
            layers += [nn.Conv2d(at, width, 3, padding=1), nn.ReLU(inplace=True)]
            at = width
        layers.append(nn.MaxPool2d(2))
    for inputs, outputs in ((512 * 49, 4096), (4096, 4096)):
        layers += [nn.Linear(inputs, outputs), nn.ReLU(), nn.Dropout()]
    flatten = len(layers) - 6
    layers.insert(flatten, nn.Flatten())
    return nn.Sequential(*layers, nn.Linear(4096, 1000))


class InvertedResidual(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int, expand: int) -> None:
        super().__init__()
        hidden = inputs * expand
        parts: list[nn.Module] = []
        if expand > 1:
            parts += [convolution(inputs, hidden, 1), nn.ReLU6(inplace=True)]
        parts += [convolution(hidden, hidden, 3, stride, groups=hidden), nn.ReLU6(inplace=True)]
        parts.append(convolution(hidden, outputs, 1))
        self.body = nn.Sequential(*parts)
        self.adds = stride == 1 and inputs == outputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.body(x) if self.adds else self.body(x)


def mobilenet_v2() -> nn.Module:
    layers: list[nn.Module] = [convolution(3, 32, 3, 2), nn.ReLU6()]
    at = 32
    for expand, width, count, stride in (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    ):
        for index in range(count):
            layers.append(InvertedResidual(at, width, stride if index == 0 else 1, expand))
            at = width
    layers += [convolution(at, 1280, 1), nn.ReLU6(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return nn.Sequential(*layers, nn.Dropout(0.2), nn.Linear(1280, 1000))


class LanguageLstm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(1000, 256)
        self.lstm = nn.LSTM(256, 512, 2, batch_first=True)
        self.head = nn.Linear(512, 1000)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.head(self.lstm(self.embedding(tokens))[0])


class AttentionBlock(nn.Module):
    def __init__(self, causal: bool = False) -> None:
        super().__init__()
        self.projections = nn.ModuleList(nn.Linear(256, 256, bias=False) for _ in range(4))
        self.causal = causal

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        query, key, value = (
            project(x).unflatten(-1, (8, 32)).transpose(1, 2) for project in self.projections[:3]
        )
        mixed = F.scaled_dot_product_attention(query, key, value, is_causal=self.causal)
        return self.projections[3](mixed.transpose(1, 2).flatten(2))


class SelfAttention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(256, 8, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.attention(x, x, x, need_weights=False)[0]


def encoder() -> nn.Module:
    layer = nn.TransformerEncoderLayer(256, 8, 1024, batch_first=True)
    return nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)


class Functional(nn.Module):
    """Raw parameters and functions; no module that a hook could know."""

    def __init__(self, with_products: bool = True) -> None:
        super().__init__()
        self.with_products = with_products
        self.kernel = nn.Parameter(torch.randn(16, 3, 3, 3))
        self.weight = nn.Parameter(torch.randn(32, 16))
        self.mixer = nn.Parameter(torch.randn(4, 8, 8))
        self.square = nn.Parameter(torch.randn(32, 32))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.conv2d(x, self.kernel, padding=1)  # 16 x 16 x 16 results of 27
        x = F.linear(x.flatten(2).transpose(1, 2), self.weight)  # 256 x 32 results of 16
        x = torch.einsum("bthi,hij->bthj", x.unflatten(-1, (4, 8)), self.mixer)  # 256 x 32 of 8
        x = x.flatten(2) @ self.square  # 256 x 32 of 32
        if not self.with_products:
            return x
        x = torch.bmm(x, x.transpose(1, 2))  # 256 x 256 of 32
        return torch.mm(x[0], x[0])  # 256 x 256 of 256


class UpAndDown(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.same = nn.Conv2d(3, 16, 5, padding="same")
        self.even = nn.Conv2d(16, 16, 4, padding="same", groups=2)
        self.up = nn.ConvTranspose2d(16, 8, 4, 2, 1)
        self.grouped = nn.ConvTranspose2d(8, 8, 3, 2, groups=4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.grouped(self.up(self.even(self.same(x))))


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(1000, 128)
        self.linear = nn.Linear(128, 128)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embedding(tokens)
        for _ in range(3):
            x = self.linear(x)
        return F.linear(x, self.embedding.weight)


def tokens(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, dtype=torch.long)


def from_transformers(model: str, config: str, **options: Any) -> nn.Module:
    import transformers

    return getattr(transformers, model)(getattr(transformers, config)(**options))


def image(size: int) -> torch.Tensor:
    return torch.zeros(1, 3, size, size)


# Name: (model, inputs, forward multiply-accumulates)
MODELS: dict[str, tuple[Any, Any, int]] = {
    "resnet18_cifar": (resnet18_cifar, lambda: [image(32)], 555_468_800),
    "resnet50": (resnet50, lambda: [image(224)], 4_089_184_256),
    "vgg16": (vgg16, lambda: [image(224)], 15_470_264_320),
    "mobilenet_v2": (mobilenet_v2, lambda: [image(224)], 300_774_272),
    # 64 x (2048 x (256 + 512 + 512 + 512) + 512 x 1000)
    "lstm": (LanguageLstm, lambda: [tokens(1, 64)], 267_649_024),
    # 256 x 2 x 2048 x (256 + 512 + 1024 + 512)
    "bidirectional_lstm": (
        lambda: nn.LSTM(256, 512, 2, bidirectional=True),
        lambda: [torch.zeros(64, 4, 256)],
        2_415_919_104,
    ),
    # 128 x 4 x 256 x 256 + 2 x 128 x 128 x 256
    "attention_block": (AttentionBlock, lambda: [torch.zeros(1, 128, 256)], 41_943_040),
    "multi_head_attention": (SelfAttention, lambda: [torch.zeros(1, 128, 256)], 41_943_040),
    # two layers of that and 128 x 2 x 256 x 1024
    "transformer_encoder": (encoder, lambda: [torch.zeros(1, 128, 256)], 218_103_808),
    "functional": (
        lambda: Functional(with_products=False),
        lambda: [image(16)],
        4096 * 27 + 8192 * (16 + 8 + 32),
    ),
    "functional_products": (
        Functional,
        lambda: [image(16)],
        4096 * 27 + 8192 * (16 + 8 + 32) + 65_536 * (32 + 256),
    ),
    # 24 x 24 x 16 x 75, x 16 x 128; then 24 x 24 x 16 inputs x 128, 48 x 48 x 8 inputs x 18
    "up_and_down": (UpAndDown, lambda: [image(24)], 9216 * (75 + 128 + 128) + 18_432 * 18),
    "tied": (Tied, lambda: [tokens(1, 32)], 5_668_864),
}

TRANSFORMERS: dict[str, tuple[Any, Any, int]] = {
    "bert_base": (
        lambda: from_transformers("BertModel", "BertConfig"),
        lambda: {"input_ids": tokens(1, 128)},
        11_174_215_680,
    ),
    "bert_base_eager": (
        lambda: from_transformers("BertModel", "BertConfig", attn_implementation="eager"),
        lambda: {"input_ids": tokens(1, 128)},
        11_174_215_680,
    ),
    "gpt2": (
        lambda: from_transformers("GPT2LMHeadModel", "GPT2Config"),
        lambda: {"input_ids": tokens(1, 128)},
        16_114_089_984,
    ),
    "t5_small": (
        lambda: from_transformers("T5ForConditionalGeneration", "T5Config"),
        lambda: {"input_ids": tokens(1, 128), "decoder_input_ids": tokens(1, 64)},
        5_456_789_504,
    ),
    "vit_base": (
        lambda: from_transformers("ViTForImageClassification", "ViTConfig", num_labels=1000),
        lambda: {"pixel_values": image(224)},
        17_563_828_224,
    ),
    "swin_tiny": (
        lambda: from_transformers("SwinForImageClassification", "SwinConfig", num_labels=1000),
        lambda: {"pixel_values": image(224)},
        4_490_566_656,
    ),
}


class Packed(nn.Module):
    """Three sequences of 4, 2 and 1 tokens, without padding between them."""

    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(8, 16, batch_first=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        packed = nn.utils.rnn.pack_padded_sequence(x, [4, 2, 1], batch_first=True)
        return self.lstm(packed)[0].data


class Vectors(nn.Module):
    def forward(self, matrix: torch.Tensor, vector: torch.Tensor) -> torch.Tensor:
        product = torch.mv(matrix, vector)
        product = torch.addmv(product, matrix, vector)
        return torch.dot(product, product) + torch.tensordot(matrix, matrix, dims=2)


class Mixture(nn.Module):
    """Each token goes to one of two experts: five here, three there."""

    def __init__(self) -> None:
        super().__init__()
        self.experts = nn.ModuleList(nn.Linear(6, 10) for _ in range(2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        chosen = torch.arange(8, device=x.device) < 5
        out = x.new_zeros(8, 10)
        out[chosen] = self.experts[0](x[chosen])
        out[~chosen] = self.experts[1](x[~chosen])
        return out


SMALL: dict[str, tuple[Any, Any, int]] = {
    # 20 tokens; 3 x 32 x (16 + 32) and 3 x 32 x (64 + 32), in both directions
    "gru": (
        lambda: nn.GRU(16, 32, 2, bidirectional=True, batch_first=True),
        lambda: [torch.zeros(4, 5, 16)],
        20 * 2 * 96 * (48 + 96),
    ),
    "rnn": (lambda: nn.RNN(16, 32), lambda: [torch.zeros(5, 4, 16)], 20 * 32 * 48),
    # the state is 4 wide; 4 x 16 projections
    "projected_lstm": (
        lambda: nn.LSTM(8, 16, proj_size=4),
        lambda: [torch.zeros(5, 4, 8)],
        20 * (64 * (8 + 4) + 4 * 16),
    ),
    "packed_lstm": (Packed, lambda: [torch.zeros(3, 4, 8)], 7 * 64 * (8 + 16)),
    "lstm_cell": (lambda: nn.LSTMCell(8, 16), lambda: [torch.zeros(3, 8)], 3 * 64 * (8 + 16)),
    "convolution_3d": (
        lambda: nn.Conv3d(4, 6, 3, dilation=2, groups=2),
        lambda: [torch.zeros(1, 4, 9, 9, 9)],
        750 * 54,
    ),
    "grouped_transposed_3d": (
        lambda: nn.ConvTranspose3d(4, 6, 2, stride=2, groups=2),
        lambda: [torch.zeros(1, 4, 3, 3, 3)],
        108 * 24,
    ),
    "convolution_1d": (lambda: nn.Conv1d(4, 6, 3), lambda: [torch.zeros(2, 4, 10)], 96 * 12),
    # x W, then with y: 3 x 7 x 6 sums of 5, and of 1 more
    "bilinear": (
        lambda: nn.Bilinear(5, 6, 7),
        lambda: [torch.zeros(3, 5), torch.zeros(3, 6)],
        3 * 7 * 6 * (5 + 1),
    ),
    "vectors": (Vectors, lambda: [torch.zeros(6, 4), torch.zeros(4)], 24 + 24 + 6 + 24),
    "mixture": (Mixture, lambda: [torch.zeros(8, 6)], 8 * 60),
}
