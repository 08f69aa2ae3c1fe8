"""What `sightline interactive` and `sightline profile` run: one training step of the ResNet."""

import torch
import torch.nn.functional as F
from model import ResNet

device = "cuda" if torch.cuda.is_available() else "cpu"


def sightline_model_provider():
    return ResNet().to(device)


def sightline_input_provider(batch_size=16):
    images = torch.randn(batch_size, 3, 32, 32, device=device)
    labels = torch.randint(0, 10, (batch_size,), device=device)
    return images, labels


def sightline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=5e-4)

    def iteration(images, labels):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(images), labels)
        loss.backward()
        optimizer.step()

    return iteration
