"""The network that is trained: small, so that a step has many operators in little time."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn

# One step: about 1,700 operator calls in about 13 ms, with one thread.
BATCH_SIZE = 4
IMAGE_SIZE = 16
CLASSES = 10


class Block(nn.Module):
    def __init__(self, planes_in: int, planes: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(planes_in, planes, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(planes)
        self.conv2 = nn.Conv2d(planes, planes, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(planes)
        self.shortcut = nn.Sequential()
        if stride != 1 or planes_in != planes:
            self.shortcut = nn.Sequential(
                nn.Conv2d(planes_in, planes, 1, stride=stride, bias=False),
                nn.BatchNorm2d(planes),
            )

    def forward(self, x: Tensor) -> Tensor:
        out = F.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out = out + self.shortcut(x)
        return F.relu(out)


class TinyResNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 16, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(16)
        self.stage1 = self._stage(16, 16, 1, blocks=3)
        self.stage2 = self._stage(16, 32, 2, blocks=3)
        self.stage3 = self._stage(32, 64, 2, blocks=2)
        self.head = nn.Linear(64, CLASSES)

    @staticmethod
    def _stage(planes_in: int, planes: int, stride: int, blocks: int) -> nn.Sequential:
        rest = [Block(planes, planes, 1) for _ in range(blocks - 1)]
        return nn.Sequential(Block(planes_in, planes, stride), *rest)

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.bn1(self.conv1(x)))
        x = self.stage3(self.stage2(self.stage1(x)))
        x = torch.flatten(F.adaptive_avg_pool2d(x, 1), 1)
        logits: Tensor = self.head(x)
        return logits


class Training:
    """A model with its optimizer and one batch. Every step leaves the memory as it found it: what
    one step allocated is not freed in the next, which may be observed differently."""

    def __init__(self) -> None:
        torch.manual_seed(0)
        torch.set_num_threads(1)
        self.model = TinyResNet()
        self.optimizer = torch.optim.SGD(
            self.model.parameters(), lr=0.01, momentum=0.9, weight_decay=5e-4
        )
        self.images = torch.randn(BATCH_SIZE, 3, IMAGE_SIZE, IMAGE_SIZE)
        self.labels = torch.randint(0, CLASSES, (BATCH_SIZE,))

    def step(self) -> None:
        loss = F.cross_entropy(self.model(self.images), self.labels)
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.optimizer.zero_grad()

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.step()
