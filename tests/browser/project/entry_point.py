import torch
from model import Net
from torch import nn

print("the entry point was imported")


def sightline_model_provider():
    return Net()


def sightline_input_provider(batch_size=16):
    return torch.randn(batch_size, 3, 32, 32), torch.randint(0, 10, (batch_size,))


def sightline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loss_of = nn.CrossEntropyLoss()

    def iteration(images, labels):
        optimizer.zero_grad()
        loss = loss_of(model(images), labels)
        loss.backward()
        optimizer.step()

    return iteration
