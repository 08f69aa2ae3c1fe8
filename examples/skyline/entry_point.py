"""A Skyline entry point: three providers, under the names that Skyline gave them."""

import torch
from model import Model
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"


class ModelWithLoss(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = Model()
        self.loss_fn = nn.CrossEntropyLoss()

    def forward(self, input, target):
        output = self.model(input)
        return self.loss_fn(output, target)


def skyline_model_provider():
    # An instance of the model, which returns a loss
    return ModelWithLoss().to(device)


def skyline_input_provider(batch_size=32):
    # What the model's forward is called with
    return (
        torch.randn((batch_size, 3, 256, 256)).to(device),
        torch.randint(low=0, high=9, size=(batch_size,)).to(device),
    )


def skyline_iteration_provider(model):
    # A function that runs one training iteration
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

    def iteration(*inputs):
        optimizer.zero_grad()
        out = model(*inputs)
        out.backward()
        optimizer.step()

    return iteration
