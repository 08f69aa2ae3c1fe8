"""Every backward operator of a step goes to the line whose forward operator made it."""

from __future__ import annotations

import pytest
from integration.conftest import Runner


def test_every_backward_of_a_step_counts(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            optimizer.zero_grad()
            trunk = torch.ones(8, 32) @ weight
            first = trunk.tanh().sum()
            second = trunk.sigmoid().sum()
            first.backward(retain_graph=True)
            second.backward(retain_graph=True)
            second.backward()
            optimizer.step()
        """
    )
    assert run.calls_per_step("MmBackward0", "trunk = ") == 3
    assert run.calls_per_step("TanhBackward0", "first = trunk") == 1
    assert run.calls_per_step("SigmoidBackward0", "second = trunk") == 2
    for text in ("first.backward(", "second.backward(retain", "second.backward()"):
        assert run.calls_per_step("MmBackward0", text) == 0


@pytest.mark.alone
def test_the_line_of_backward_keeps_only_what_no_forward_claims(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(512, 512, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(20):
            product = torch.ones(256, 512) @ weight
            loss = product.sum()
            loss.backward()
            optimizer.step()
        """
    )
    engine = run.line("loss.backward()")
    assert 0 < engine["self_ms"] < 0.2 * run.line("product = ")["backward_ms"]


def test_autograd_grad_is_charged_like_backward(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            loss = (torch.ones(8, 32) @ weight).sum()
            (weight.grad,) = torch.autograd.grad(loss, [weight])
            optimizer.step()
        """
    )
    assert run.calls_per_step("MmBackward0", "loss = ") == 1
    assert run.line("loss = ")["backward_ms"] > 0


def test_second_derivatives_go_to_the_line_of_the_forward(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            optimizer.zero_grad()
            x = torch.ones(8, 32, requires_grad=True)
            y = torch.tanh(x @ weight).sum()
            (slope,) = torch.autograd.grad(y, x, create_graph=True)
            penalty = slope.square().sum()
            penalty.backward()
            optimizer.step()
        """
    )
    # The first pass runs tanh's node once. The second runs it again, and the nodes that the first
    # pass made, among them the derivative of the derivative of tanh.
    assert run.calls_per_step("TanhBackward0", "y = torch.tanh") == 2
    assert run.calls_per_step("TanhBackwardBackward0", "y = torch.tanh") == 1
    assert run.calls_per_step("TanhBackwardBackward0") == 1
    assert run.calls_per_step("PowBackward0", "penalty = ") == 1
    assert run.report["overhead"]["dropped"] == 0


def test_a_graph_made_in_one_step_and_used_in_the_next_keeps_its_lines(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        before = None
        for _ in range(10):
            loss = (torch.ones(8, 32) * weight[0]).sum()
            if before is not None:
                before.backward()
            before = loss
            optimizer.step()
        """
    )
    assert run.calls_per_step("MulBackward0", "loss = ") == 1


def test_a_custom_function_has_its_line_and_its_backward_the_lines_of_its_own(
    record: Runner,
) -> None:
    run = record(
        """
        import torch

        class Cube(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x * x

            @staticmethod
            def backward(ctx, gradient):
                (x,) = ctx.saved_tensors
                return 3 * gradient * x * x

        weight = torch.randn(64, 64, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            loss = Cube.apply(weight).sum()
            loss.backward()
            optimizer.step()
        """
    )
    apply, inside = run.line("Cube.apply"), run.line("return x * x * x")
    backward = run.line("return 3 * gradient")
    assert apply["calls"] == 2  # the function itself, and sum
    assert inside["calls"] == 2
    assert backward["calls"] == 3
    assert inside["forward_ms"] > 0
    assert backward["backward_ms"] > 0
    assert backward["forward_ms"] == 0
    assert run.calls_per_step("CubeBackward", "Cube.apply") == 1
    assert apply["total_ns"] >= apply["self_ns"] + inside["total_ns"] + backward["total_ns"]


def test_in_place_operators_on_views_find_their_way_back(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            optimizer.zero_grad()
            x = torch.ones(8, 32) @ weight
            x[:, :16].mul_(2)
            x.view(-1)[::2].tanh_()
            loss = x.sum()
            loss.backward()
            optimizer.step()
        """
    )
    assert run.calls_per_step("MmBackward0", "x = torch.ones") == 1
    assert run.calls_per_step("torch::autograd::CopySlices", "x[:, :16].mul_(2)") == 1
    assert run.calls_per_step("torch::autograd::CopySlices", ".tanh_()") == 1
    assert run.report["overhead"]["dropped"] == 0


def test_hooks_on_tensors_are_part_of_the_backward_of_their_line(record: Runner) -> None:
    run = record(
        """
        import torch

        def halve(gradient):
            return gradient * 0.5

        weight = torch.randn(64, 64, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=1e-6)
        for _ in range(10):
            middle = weight.tanh()
            middle.register_hook(halve)
            loss = middle.sum()
            loss.backward()
            optimizer.step()
        """
    )
    hook = run.line("return gradient * 0.5")
    assert hook["calls"] == 1
    assert hook["backward_ms"] > 0
    assert hook["forward_ms"] == 0
