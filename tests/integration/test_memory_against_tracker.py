"""The peak at operator boundaries against a tracker of its own kind: a dispatch mode that notes
every storage an operator returns, and every storage that dies."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

TRACKER = """
import weakref
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

class StorageTracker(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.live_bytes = 0
        self.peak_bytes = 0
        self.known = {}

    def forget(self, key):
        self.live_bytes -= self.known.pop(key)

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        for value in tree_leaves(result):
            if isinstance(value, torch.Tensor):
                storage = value.untyped_storage()
                key = storage._cdata
                if key not in self.known and storage.nbytes() > 0:
                    self.known[key] = storage.nbytes()
                    self.live_bytes += storage.nbytes()
                    weakref.finalize(storage, self.forget, key)
        self.peak_bytes = max(self.peak_bytes, self.live_bytes)
        return result
"""

TRAINING = """
import torch
from torch import nn
import torch.nn.functional as F

{model}

def train():
    torch.manual_seed(0)
    model = Net()
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(5):
        x, y = batch()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
"""

CNN = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.head = nn.Linear(16, 10)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.norm(self.conv1(x))), 2)
        x = torch.relu(self.conv2(x))
        return self.head(x.mean(dim=(2, 3)))

def batch():
    return torch.randn(4, 3, 16, 16), torch.randint(10, (4,))
"""

TRANSFORMER = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True)
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        return self.head(self.layer(x).mean(dim=1))

def batch():
    return torch.randn(8, 12, 32), torch.randint(10, (8,))
"""

LSTM = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(16, 32, batch_first=True)
        self.head = nn.Linear(32, 10)

    def forward(self, x):
        states, _ = self.lstm(x)
        return self.head(states[:, -1])

def batch():
    return torch.randn(8, 12, 16), torch.randint(10, (8,))
"""


@pytest.mark.parametrize("model", [CNN, TRANSFORMER, LSTM], ids=["CNN", "transformer", "LSTM"])
def test_the_peak_at_operator_boundaries_is_that_of_the_tracker(
    run_program: Runner, record: Runner, model: str
) -> None:
    training = TRAINING.replace("{model}", model)
    tracked = run_program(
        TRACKER + training + "\nwith StorageTracker() as tracker:\n    train()\n"
        "print(tracker.peak_bytes)\n"
    )
    assert tracked.exit_code == 0, tracked.stderr
    run = record(training + "\ntrain()\n")
    memory = run.report["memory"]
    # The tracker does not see Python numbers that an operator takes as tensors of 8 bytes.
    assert memory["boundary_peak_bytes"] - int(tracked.stdout) in (0, 8)
    assert memory["peak_bytes"] >= memory["boundary_peak_bytes"]
