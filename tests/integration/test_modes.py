"""Modes of torch, and of failure, that ordinary programs use."""

from __future__ import annotations

from integration.conftest import Runner


def test_autocast_charges_its_casts_to_the_line_that_needs_them(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            optimizer.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                logits = model(torch.randn(16, 64))
                loss = logits.float().square().mean()
            loss.backward()
            optimizer.step()
        """
    )
    line = run.line("logits = model(")
    assert line["module_calls"] == 1
    assert line["forward_ms"] > 0
    assert line["backward_ms"] > 0
    assert run.calls_per_step("AddmmBackward0", "logits = model(") == 2
    # The input of the first layer and four parameters are cast; so are the parameters' gradients.
    assert run.calls_per_step("aten::_to_copy", "logits = model(", kind="forward") == 5
    assert run.calls_per_step("ToCopyBackward0", "logits = model(", kind="backward") == 4


def test_code_without_gradients_is_forward_without_backward(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(64, 64, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            with torch.no_grad():
                target = torch.tanh(weight @ weight)
            with torch.inference_mode():
                guess = torch.sigmoid(weight @ weight)
            loss = (weight - target).square().sum()
            loss.backward()
            optimizer.step()
        """
    )
    for text in ("target = torch.tanh(", "guess = torch.sigmoid("):
        line = run.line(text)
        assert line["calls"] == 2
        assert line["forward_ms"] > 0
        assert line["backward_ms"] == 0
    assert run.line("loss = (weight - target)")["backward_ms"] > 0


def test_an_exception_thrown_in_forward_and_caught_disturbs_nothing(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        class Picky(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(8, 8)

            def forward(self, x):
                hidden = self.linear(x)
                if x.shape[0] == 3:
                    raise ValueError("three")
                return hidden.tanh()

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.picky = Picky()

            def forward(self, x):
                try:
                    self.picky(x[:3])
                    raise AssertionError("it takes three")
                except ValueError:
                    pass
                try:
                    self.picky(torch.ones(4, 5))
                except RuntimeError:
                    pass
                return self.picky(x)

        model = Net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            loss = model(torch.randn(4, 8)).sum()
            loss.backward()
            optimizer.step()
        """
    )
    assert run.line("hidden = self.linear(x)")["calls"] == 3
    assert run.line("return hidden.tanh()")["calls"] == 1
    assert run.module("picky")["calls"] == 3
    assert run.line("self.picky(torch.ones(4, 5))")["module_calls"] == 1
    assert run.calls_per_step("AddmmBackward0", "hidden = self.linear(x)") == 1
    assert run.line("loss = model(")["module_calls"] == 1


def test_ranges_that_the_user_names_are_listed_and_add_nothing(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch.profiler import record_function

        weight = torch.randn(64, 64, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            with record_function("attention"):
                for _ in range(2):
                    with record_function("head"):
                        product = weight @ weight
            loss = product.sum()
            loss.backward()
            optimizer.step()
        """
    )
    ranges = {row["name"]: row for row in run.report["ranges"]}
    assert ranges["attention"]["calls"] == 1
    assert ranges["head"]["calls"] == 2
    assert ranges["attention"]["total_ms"] >= ranges["head"]["total_ms"] > 0
    assert run.line("product = weight @ weight")["calls"] == 2


def test_copies_of_a_batch_are_named_apart(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        model = nn.Linear(64, 8)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        raw = torch.ones(4096, 64, dtype=torch.float64)
        for _ in range(10):
            batch = raw.to(torch.float32)
            loss = model(batch).sum()
            loss.backward()
            optimizer.step()
        """
    )
    assert run.report["other_parts"]["copy_ms"] > 0
    copied = run.line("batch = raw.to(")
    assert copied["calls"] == 1
    assert run.calls_per_step("aten::to", "batch = raw.to(", kind="copy") == 1


def test_torchscript_appears_under_the_line_that_calls_it(record: Runner) -> None:
    run = record(
        """
        import warnings
        import torch

        warnings.simplefilter("ignore")

        def bend(x, weight):
            return torch.tanh(x @ weight)

        weight = torch.randn(32, 32, requires_grad=True)
        scripted = torch.jit.trace(bend, (torch.ones(8, 32), weight.detach()))
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            loss = scripted(torch.ones(8, 32), weight).sum()
            loss.backward()
            optimizer.step()
        """
    )
    assert run.line("loss = scripted(")["forward_ms"] > 0
    assert run.line("loss = scripted(")["backward_ms"] > 0
