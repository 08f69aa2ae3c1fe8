"""ResNet-18 as it is used for images of 32 by 32: eleven million parameters."""

from __future__ import annotations

import torch.nn.functional as F
from torch import Tensor, nn


class Block(nn.Module):
    def __init__(self, planes_in: int, planes: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(planes_in, planes, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.shortcut = nn.Sequential()
        if stride != 1 or planes_in != planes:
            self.shortcut = nn.Sequential(
                nn.Conv2d(planes_in, planes, 1, stride, bias=False), nn.BatchNorm2d(planes)
            )

    def forward(self, x: Tensor) -> Tensor:
        out = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(out)) + self.shortcut(x))


class ResNet18(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        planes = 64
        layers = []
        for wider, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
            layers += [Block(planes, wider, stride), Block(wider, wider, 1)]
            planes = wider
        self.layers = nn.Sequential(*layers)
        self.linear = nn.Linear(512, 10)

    def forward(self, x: Tensor) -> Tensor:
        out = self.layers(F.relu(self.bn1(self.conv1(x))))
        logits: Tensor = self.linear(F.avg_pool2d(out, 4).flatten(1))
        return logits
