"""Costs and calls of module instances, by their paths."""

from __future__ import annotations

from integration.conftest import Runner


def test_two_blocks_of_one_class_in_a_sequential_are_two_modules(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        class Block(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.first = nn.Linear(32, width)
                self.second = nn.Linear(width, 32)

            def forward(self, x):
                return self.second(torch.tanh(self.first(x)))

        model = nn.Sequential(Block(64), Block(8))
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            optimizer.zero_grad()
            loss = model(torch.randn(4, 32)).square().mean()
            loss.backward()
            optimizer.step()
        """
    )
    line = run.line("self.second(torch.tanh(")
    assert (line["calls"], line["module_calls"]) == (6, 4)
    assert run.line("loss = model(")["module_calls"] == 1
    sizes = {"0": 4 * (32 * 64 + 64 + 64 * 32 + 32), "1": 4 * (32 * 8 + 8 + 8 * 32 + 32)}
    for path, parameter_bytes in sizes.items():
        block = run.module(path)
        assert block["type"] == "Block"
        assert block["calls"] == 1
        assert block["parameter_bytes"] == parameter_bytes
        assert block["forward_ms"] > 0
        assert block["backward_ms"] > 0
        for child in ("first", "second"):
            assert run.module(f"{path}.{child}")["calls"] == 1
    assert run.module("")["parameter_bytes"] == sum(sizes.values())


def test_a_module_held_twice_is_one_module_with_the_calls_of_both(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        shared = nn.Linear(8, 8)
        model = nn.Sequential(shared, nn.ReLU(), shared)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            model(torch.randn(4, 8)).sum().backward()
            optimizer.step()
        """
    )
    assert run.module("0")["calls"] == 2
    assert "2" not in [module["path"] for module in run.report["modules"]]
    assert run.module("")["parameter_bytes"] == 4 * (8 * 8 + 8)


def test_a_second_root_module_goes_by_its_class(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        class Critic(nn.Module):
            def __init__(self):
                super().__init__()
                self.score = nn.Linear(8, 1)

            def forward(self, x):
                return self.score(x)

        model, critic = nn.Sequential(nn.Linear(8, 8)), Critic()
        parameters = [*model.parameters(), *critic.parameters()]
        optimizer = torch.optim.SGD(parameters, lr=0.1)
        for _ in range(10):
            critic(model(torch.randn(4, 8))).sum().backward()
            optimizer.step()
        """
    )
    assert {"", "0", "Critic", "Critic.score"} == {
        module["path"] for module in run.report["modules"]
    }
