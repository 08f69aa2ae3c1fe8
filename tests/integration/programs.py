"""Text that the programs of several tests begin with."""

from __future__ import annotations

TRAIN_FOR_SECONDS = """
import time
import torch

weight = torch.randn(32, 32, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=1e-6)

def train(seconds):
    until = time.time() + seconds
    while time.time() < until:
        loss = (weight @ weight).sum()
        loss.backward()
        optimizer.step()
"""
