"""Counts and costs land on the lines that a reader of the program would name."""

from __future__ import annotations

from integration.conftest import Runner


def test_a_loop_of_7_over_one_block_makes_7_module_calls(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(16, 16)

            def forward(self, x):
                return torch.relu(self.linear(x))

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.block = Block()

            def forward(self, x):
                for _ in range(7):
                    x = self.block(x)
                return x

        model = Net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            optimizer.zero_grad()
            loss = model(torch.randn(4, 16)).square().mean()
            loss.backward()
            optimizer.step()
        """
    )
    assert run.report["iteration"]["seen_steps"] == 10
    assert run.report["iteration"]["steps"] == 7
    loop = run.line("x = self.block(x)")
    assert (loop["calls"], loop["module_calls"]) == (0, 7)
    inside = run.line("torch.relu(self.linear(x))")
    assert (inside["calls"], inside["module_calls"]) == (14, 7)
    assert inside["forward_ms"] > 0
    assert inside["backward_ms"] > 0
    outside = run.line("loss = model(")
    assert (outside["calls"], outside["module_calls"]) == (3, 1)
    assert run.module("block")["calls"] == 7
    assert run.module("block.linear")["calls"] == 7
    assert run.module("")["calls"] == 1
    assert run.calls_per_step("AddmmBackward0", "torch.relu(self.linear(x))") == 7


def test_a_helper_called_from_two_lines_is_in_the_total_of_each(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(256, 256, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)

        def helper(x):
            y = x @ weight
            return y.tanh()

        for _ in range(10):
            once = helper(torch.ones(8, 256))
            twice = helper(helper(torch.ones(128, 256)))
            loss = once.sum() + twice.sum()
            loss.backward()
            optimizer.step()
        """
    )
    once, twice = run.line("once = helper("), run.line("twice = helper(")
    product, tanh = run.line("y = x @ weight"), run.line("return y.tanh()")
    assert (once["calls"], twice["calls"]) == (1, 1)  # torch.ones
    assert (product["calls"], tanh["calls"]) == (3, 3)
    below_once = once["total_ns"] - once["self_ns"]
    below_twice = twice["total_ns"] - twice["self_ns"]
    assert below_once + below_twice == product["total_ns"] + tanh["total_ns"]
    assert below_once > 0
    assert below_twice > 0
    assert product["backward_ms"] > 0


def test_a_line_met_twice_on_a_path_counts_once(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(64, 64, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)

        def descend(x, depth):
            if depth == 0:
                return x.sum()
            return descend(torch.tanh(x @ weight), depth - 1)

        for _ in range(10):
            loss = descend(torch.ones(16, 64), 5)
            loss.backward()
            optimizer.step()
        """
    )
    recursive = run.line("return descend(")
    assert recursive["calls"] == 10
    assert run.line("return x.sum()")["calls"] == 1
    outside = run.line("loss = descend(")
    below = outside["total_ns"] - outside["self_ns"]
    assert recursive["self_ns"] < recursive["total_ns"] <= below
    assert recursive["total_ns"] + run.line("loss.backward()")["total_ns"] < sum(
        line["self_ns"] for line in run.report["lines"]
    )


def test_no_source_line_of_a_chain_is_lost(record: Runner) -> None:
    run = record(
        """
        import torch

        first = torch.randn(64, 64, requires_grad=True)
        second = torch.randn(64, 64, requires_grad=True)
        optimizer = torch.optim.SGD([first, second], lr=1e-6)
        for _ in range(10):
            loss = (
                torch.ones(16, 64)
                .matmul(first)
                .tanh()
                .matmul(second)
                .square()
                .mean()
            )
            loss.backward()
            optimizer.step()
        """
    )
    for text in (".matmul(first)", ".tanh()", ".matmul(second)", ".square()", ".mean()"):
        line = run.line(text)
        assert line["calls"] == 1, text
        assert line["forward_ms"] > 0, text
        assert line["backward_ms"] > 0, text
    assert run.line("torch.ones(16, 64)")["calls"] == 1


def test_lines_have_their_file_function_and_source(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(64, 64, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)

        class Trainer:
            def loss(self):
                return (weight @ weight).sum()

        for _ in range(5):
            Trainer().loss().backward()
            optimizer.step()
        """
    )
    number = run.number_of("(weight @ weight)")
    (row,) = [row for row in run.report["lines"] if row["line"] == number]
    assert row["file"] == "program.py"
    assert row["function"] == "Trainer.loss"
    assert row["source"].strip() == "return (weight @ weight).sum()"
