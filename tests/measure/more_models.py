"""More architectures whose multiply-accumulates are known: derived by hand, layer by layer."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F
from torch import nn


class ConvNextBlock(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, 7, padding=3, groups=width)
        self.norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, 4 * width)
        self.narrow = nn.Linear(4 * width, width)
        self.scale = nn.Parameter(torch.full((width,), 1e-6))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inside = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        inside = self.scale * self.narrow(F.gelu(self.widen(inside)))
        return x + inside.permute(0, 3, 1, 2)


class DenseLayer(nn.Module):
    def __init__(self, inputs: int, growth: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.BatchNorm2d(inputs),
            nn.ReLU(),
            nn.Conv2d(inputs, 4 * growth, 1, bias=False),
            nn.BatchNorm2d(4 * growth),
            nn.ReLU(),
            nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, self.body(x)], 1)


def dense_net() -> nn.Module:
    first = [DenseLayer(16 + 12 * index, 12) for index in range(4)]
    second = [DenseLayer(32 + 12 * index, 12) for index in range(4)]
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1, bias=False),
        *first,
        nn.Conv2d(64, 32, 1, bias=False),
        nn.AvgPool2d(2),
        *second,
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(80, 10),
    )


def twice(inputs: int, outputs: int) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
        nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class UNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.down1, self.down2, self.bottom = twice(3, 8), twice(8, 16), twice(16, 32)
        self.up2, self.up1 = nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)
        self.join2, self.join1 = twice(32, 16), twice(16, 8)
        self.head = nn.Conv2d(8, 2, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        high = self.down1(x)
        middle = self.down2(F.max_pool2d(high, 2))
        low = self.bottom(F.max_pool2d(middle, 2))
        middle = self.join2(torch.cat([middle, self.up2(low)], 1))
        return self.head(self.join1(torch.cat([high, self.up1(middle)], 1)))


class Einsums(nn.Module):
    """Matrices 3 x 4, 4 x 5 and 5 x 6; batches of two."""

    def forward(self, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        ab = torch.einsum("ij,jk->ik", a, b)  # 3 x 4 x 5
        abc = torch.einsum("ij,jk,kl->il", a, b, c)  # 3 x 4 x 5 + 3 x 5 x 6
        two = torch.stack([a, a])
        scores = torch.einsum("bqd,bkd->bqk", two, two)  # 2 x 3 x 3 x 4
        rows = torch.einsum("ij,ij->i", a, a)  # 3 x 4
        outer = torch.einsum("i,j->ij", a[:, 0], b[0])  # nothing is summed
        return ab.sum() + abc.sum() + scores.sum() + rows.sum() + outer.sum()


class GatedMixture(nn.Module):
    """Each of eight tokens goes to two of four experts, whichever they are."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Linear(6, 4)
        self.experts = nn.ModuleList(nn.Linear(6, 10) for _ in range(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weights, chosen = self.gate(x).softmax(-1).topk(2)
        out = x.new_zeros(x.size(0), 10)
        for index, expert in enumerate(self.experts):
            token, place = torch.where(chosen == index)
            out.index_add_(0, token, weights[token, place, None] * expert(x[token]))
        return out


class PackedGru(nn.Module):
    """Three sequences of 4, 2 and 1 tokens, in two layers and both directions."""

    def __init__(self) -> None:
        super().__init__()
        self.gru = nn.GRU(8, 16, 2, bidirectional=True)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        packed = nn.utils.rnn.pack_padded_sequence(x, [4, 2, 1])
        return self.gru(packed)[0].data


class CrossAttention(nn.Module):
    """Five queries of another width look at seven keys."""

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(16, 2, kdim=12, vdim=20, batch_first=True)

    def forward(self, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        return self.attention(query, key, value)[0]


# Name: (model, inputs, forward multiply-accumulates)
MORE: dict[str, tuple[Any, Any, int]] = {
    # 14 x 14 places; 7 x 7 weights for each of 96; 96 x 384, twice
    "convnext_block": (
        lambda: ConvNextBlock(96),
        lambda: [torch.randn(1, 96, 14, 14)],
        196 * (96 * 49 + 2 * 96 * 384),
    ),
    # 32 x 32 places: 3 x 16 x 9; layers of 16, 28, 40, 52 inputs, 136 in all, to 48, and each
    # 48 x 12 x 9; 64 x 32. Then 16 x 16 places: 32, 44, 56, 68 inputs, 200 in all. Head: 80 x 10.
    "densenet": (
        dense_net,
        lambda: [torch.randn(1, 3, 32, 32)],
        1024 * (432 + 48 * 136 + 4 * 5184 + 64 * 32) + 256 * (48 * 200 + 4 * 5184) + 800,
    ),
    "unet": (
        UNet,
        lambda: [torch.randn(1, 3, 32, 32)],
        1024 * 9 * (3 * 8 + 8 * 8)
        + 256 * 9 * (8 * 16 + 16 * 16)
        + 64 * 9 * (16 * 32 + 32 * 32)
        + 64 * 32 * 16 * 4
        + 256 * 9 * (32 * 16 + 16 * 16)
        + 256 * 16 * 8 * 4
        + 1024 * 9 * (16 * 8 + 8 * 8)
        + 1024 * 8 * 2,
    ),
    "einsums": (
        Einsums,
        lambda: [torch.randn(3, 4), torch.randn(4, 5), torch.randn(5, 6)],
        60 + 60 + 90 + 72 + 12,
    ),
    "gated_mixture": (GatedMixture, lambda: [torch.randn(8, 6)], 8 * 6 * 4 + 8 * 2 * 60),
    # 7 tokens; 3 gates of 16; 8 + 16 inputs, then 32 + 16; both directions
    "packed_gru": (PackedGru, lambda: [torch.randn(4, 3, 8)], 7 * 2 * 48 * (24 + 48)),
    "grouped_transposed_2d": (
        lambda: nn.ConvTranspose2d(8, 12, 3, stride=2, padding=1, output_padding=1, groups=4),
        lambda: [torch.randn(2, 8, 5, 5)],
        2 * 25 * 8 * 3 * 9,
    ),
    # 5 x 16 x 16, 7 x 12 x 16, 7 x 20 x 16, 5 x 16 x 16; two products of 5 x 7 x 16
    "cross_attention": (
        CrossAttention,
        lambda: [torch.randn(1, 5, 16), torch.randn(1, 7, 12), torch.randn(1, 7, 20)],
        16 * (5 * 16 + 7 * 12 + 7 * 20 + 5 * 16) + 2 * 5 * 7 * 16,
    ),
}
