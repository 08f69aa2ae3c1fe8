"""Lines whose work differs by a known factor show that factor."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

pytestmark = pytest.mark.alone

FACTOR = 8
TOLERANCE = 0.15
ATTEMPTS = 4  # other work on the machine may disturb one; it rarely disturbs all

# Large enough that both products run at the same speed, and long against the time slices in which
# other work takes the core.
PROGRAM = """
import torch

torch.set_num_threads(1)
small_weight = torch.randn(384, 384, requires_grad=True)
large_weight = torch.randn(384, 384, requires_grad=True)
optimizer = torch.optim.SGD([small_weight, large_weight], lr=1e-9)
small = torch.randn(768, 384, requires_grad=True)
large = torch.randn(8 * 768, 384, requires_grad=True)
for _ in range(25):
    optimizer.zero_grad()
    first = small @ small_weight
    second = large @ large_weight
    loss = first.sum() + second.sum()
    loss.backward()
    small.grad = large.grad = None
    optimizer.step()
"""

# The callers of one helper: the second makes it work 32 times as much, twice.
HELPER = """
import torch

torch.set_num_threads(1)
weight = torch.randn(256, 256, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=1e-9)

def helper(x):
    return torch.tanh(x @ weight)

for _ in range(25):
    once = helper(torch.ones(64, 256))
    twice = helper(helper(torch.ones(2048, 256)))
    loss = once.sum() + twice.sum()
    loss.backward()
    optimizer.step()
"""


def test_the_time_of_a_helper_goes_to_the_line_that_made_it_work(record: Runner) -> None:
    below: list[tuple[int, int]] = []
    for _ in range(ATTEMPTS):
        run = record(HELPER)
        lines = run.line("once = helper("), run.line("twice = helper(")
        once, twice = (line["total_ns"] - line["self_ns"] for line in lines)
        below.append((once, twice))
        if twice > 3 * once > 0:
            return
    pytest.fail(f"below the two callers there are {below} ns")


def test_products_with_8_times_the_work_show_8_times_the_time(record: Runner) -> None:
    ratios: list[tuple[float, float]] = []
    for _ in range(ATTEMPTS):
        run = record(PROGRAM)
        first, second = run.line("first = "), run.line("second = ")
        forward = second["forward_ms"] / first["forward_ms"]
        backward = second["backward_ms"] / first["backward_ms"]
        ratios.append((forward, backward))
        if forward == pytest.approx(FACTOR, rel=TOLERANCE) and backward == pytest.approx(
            FACTOR, rel=TOLERANCE
        ):
            return
    pytest.fail(f"forward and backward differ by {ratios}, not by {FACTOR}")
