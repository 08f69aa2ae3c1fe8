"""Training comes out the same, to the bit, with a recording and without."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

PROGRAM = """
import hashlib
import random
import numpy
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(7)
before = random.getstate(), numpy.random.get_state()[1].tobytes()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.drop = nn.Dropout(0.3)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv(x)))
        x = self.drop(x.flatten(2).transpose(1, 2))
        x = checkpoint(self.layer, x, use_reentrant=False)
        return self.head(x.mean(dim=1))

model = Net()
optimizer = torch.optim.{optimizer}
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 5)
for step in range(20):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(torch.randn(4, 3, 6, 6)), torch.randint(4, (4,)))
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    scheduler.step()
    if step % 5 == 4:
        model.eval()
        with torch.no_grad():
            model(torch.randn(4, 3, 6, 6))
        model.train()

def digest(tensors):
    total = hashlib.sha256()
    for tensor in tensors:
        total.update(tensor.detach().contiguous().numpy().tobytes())
    return total.hexdigest()

def tensors_of(state):
    for value in state.values():
        if isinstance(value, dict):
            yield from tensors_of(value)
        elif isinstance(value, torch.Tensor):
            yield value

print("loss", loss.item().hex())
print("parameters", digest(model.parameters()))
print("gradients", digest(parameter.grad for parameter in model.parameters()))
print("buffers", digest(model.buffers()))
print("optimizer", digest(tensors_of(optimizer.state_dict()["state"])))
print("torch's random state", digest([torch.get_rng_state()]))
print("other random states", (random.getstate(), numpy.random.get_state()[1].tobytes()) == before)
"""

OPTIMIZERS = ["SGD(model.parameters(), lr=0.1, momentum=0.9)", "AdamW(model.parameters())"]


@pytest.mark.parametrize("optimizer", OPTIMIZERS, ids=["SGD", "AdamW"])
def test_training_is_bit_identical_with_and_without_a_recording(
    run_program: Runner, record: Runner, optimizer: str
) -> None:
    program = PROGRAM.replace("{optimizer}", optimizer)
    alone = run_program(program)
    assert alone.exit_code == 0, alone.stderr
    recorded = record(program)
    assert recorded.stdout == alone.stdout
    assert "other random states True" in recorded.stdout
    assert recorded.report["iteration"]["seen_steps"] == 20


def test_nothing_is_left_in_torch_after_a_recording(run_program: Runner) -> None:
    run = run_program(
        """
        import sightline
        import torch
        from torch import nn
        from torch.optim.optimizer import _global_optimizer_post_hooks

        train = nn.Module.train
        model = nn.Linear(4, 4)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

        def step():
            model(torch.randn(2, 4)).sum().backward()
            optimizer.step()

        for number in range(3):
            with sightline.record(f"{number}.sightline"):
                step()
            assert nn.Module.train is train
            assert not _global_optimizer_post_hooks
            assert not torch._C._autograd._profiler_enabled()
            step()
            kept = torch.randn(1 << 16)
        sightline.step()
        """
    )
    assert run.exit_code == 0, run.stderr
    assert run.stderr == ""
