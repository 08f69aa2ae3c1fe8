"""What a step is, for every common shape of a training loop."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

import sightline

pytestmark = pytest.mark.alone


def test_the_two_optimizers_of_a_gan_make_one_step(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        class Generator(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Linear(16, 64)

            def forward(self, noise):
                return torch.tanh(self.body(noise))

        class Critic(nn.Module):
            def __init__(self):
                super().__init__()
                self.body = nn.Linear(64, 1)

            def forward(self, image):
                return torch.sigmoid(self.body(image))

        generator, critic = Generator(), Critic()
        generator_optimizer = torch.optim.Adam(generator.parameters())
        critic_optimizer = torch.optim.Adam(critic.parameters())
        for _ in range(10):
            fake = generator(torch.randn(8, 16))
            critic_loss = critic(fake.detach()).mean() - critic(torch.randn(8, 64)).mean()
            critic_optimizer.zero_grad()
            critic_loss.backward()
            critic_optimizer.step()
            generator_loss = -critic(fake).mean()
            generator_optimizer.zero_grad()
            generator_loss.backward()
            generator_optimizer.step()
        """
    )
    assert run.report["iteration"]["seen_steps"] == 10
    assert run.line("fake = generator(")["module_calls"] == 1
    assert run.line("critic_loss = critic(")["module_calls"] == 2
    assert run.line("generator_loss = -critic(")["module_calls"] == 1
    # The generator's only backward; the critic's two in its own turn, one in the generator's.
    assert run.calls_per_step("TanhBackward0", "return torch.tanh(") == 1
    assert run.calls_per_step("SigmoidBackward0", "return torch.sigmoid(") == 3
    for text in ("critic_optimizer.step()", "generator_optimizer.step()"):
        assert run.line(text)["optimizer_ms"] > 0
    assert run.report["phases"]["optimizer_ms"] >= sum(
        run.line(text)["optimizer_ms"]
        for text in ("critic_optimizer.step()", "generator_optimizer.step()")
    )


def test_accumulation_of_4_makes_one_step_with_4_passes(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        model = nn.Linear(16, 16)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for batch in range(40):
            loss = model(torch.randn(4, 16)).square().mean()
            loss.backward()
            if batch % 4 == 3:
                optimizer.step()
                optimizer.zero_grad()
        """
    )
    assert run.report["iteration"]["seen_steps"] == 10
    line = run.line("loss = model(")
    assert (line["calls"], line["module_calls"]) == (4 * 4, 4)  # randn, linear, square, mean
    assert run.calls_per_step("AddmmBackward0", "loss = model(") == 4


def test_lbfgs_has_its_forward_and_backward_inside_of_its_step(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        model = nn.Linear(16, 1)
        optimizer = torch.optim.LBFGS(model.parameters(), max_iter=4)
        x = torch.randn(64, 16)
        y = x.sum(dim=1, keepdim=True)

        def closure():
            optimizer.zero_grad()
            loss = (model(x) - y).square().mean()
            loss.backward()
            return loss

        for _ in range(8):
            optimizer.step(closure)
        """
    )
    assert run.report["iteration"]["seen_steps"] == 8
    line = run.line("loss = (model(x) - y)")
    assert line["forward_ms"] > 0
    assert line["backward_ms"] > 0
    assert run.line("optimizer.step(closure)")["optimizer_ms"] > 0
    assert line["calls"] == 4 * line["module_calls"]
    assert run.calls_per_step("AddmmBackward0", "loss = (model(x) - y)") == pytest.approx(
        line["module_calls"]
    )


def test_a_program_may_mark_its_steps_itself(record: Runner) -> None:
    run = record(
        """
        import sightline
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        for _ in range(9):
            loss = (weight @ weight).square().mean()
            loss.backward()
            with torch.no_grad():
                weight -= 0.01 * weight.grad
                weight.grad = None
            sightline.step()
        """
    )
    assert run.report["iteration"]["seen_steps"] == 9
    assert run.report["iteration"]["steps"] == 6
    assert run.line("loss = (weight")["calls"] == 3
    assert run.line("weight -= ")["calls"] == 2


def test_marked_steps_override_those_of_optimizers(record: Runner) -> None:
    run = record(
        """
        import sightline
        import torch

        weight = torch.randn(8, 8, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        for _ in range(6):
            for _ in range(5):
                weight.sum().backward()
                optimizer.step()
            sightline.step()
        """
    )
    # The first mark comes after five steps of the optimizer.
    assert run.report["iteration"]["seen_steps"] == 5 + 6
    assert run.value("SELECT max(operators) FROM steps WHERE role = 'counted' AND step > 5") > (
        4 * run.value("SELECT operators FROM steps WHERE step = 3")
    )


def test_a_run_without_any_step_is_given_as_one(record: Runner) -> None:
    run = record(
        """
        import torch

        x = torch.randn(128, 128)
        for _ in range(5):
            x = torch.tanh(x @ x)
        """
    )
    assert run.value("SELECT whole_recording FROM totals") == 1
    assert run.report["iteration"]["steps"] == 1
    assert run.line("x = torch.tanh(x @ x)")["calls"] == 10
    assert "Call sightline.step() at the end of each iteration" in str(sightline.open(run.path))


@pytest.mark.parametrize("steps", [1, 2, 3, 4])
def test_a_run_of_few_steps_has_figures_too(record: Runner, steps: int) -> None:
    run = record(
        f"""
        import torch

        weight = torch.randn(32, 32, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        for _ in range({steps}):
            loss = (weight @ weight).sum()
            loss.backward()
            optimizer.step()
        """
    )
    assert run.report["iteration"]["seen_steps"] == steps
    assert run.report["iteration"]["steps"] == max(1, steps - 3 if steps > 3 else steps)
    assert run.line("loss = (weight")["calls"] == 2


def test_a_step_reaches_from_the_end_of_one_to_the_end_of_the_next(record: Runner) -> None:
    run = record(
        """
        import time
        import torch

        weight = torch.randn(8, 8, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        for _ in range(13):
            weight.sum().backward()
            optimizer.step()
            ended = time.perf_counter()
            time.sleep(0.02)
            print(time.perf_counter() - ended)
        """
    )
    slept = [float(line) * 1e9 for line in run.stdout.split()]
    steps = run.rows("SELECT * FROM steps ORDER BY step")
    for before, step, pause in zip(steps, steps[1:], slept, strict=False):
        assert step["start_ns"] == before["start_ns"] + before["wall_ns"]
        assert step["python_ns"] >= 0.99 * pause
    assert run.report["other_parts"]["python_ms"] >= 20
    median_ms = sorted(step["wall_ns"] for step in steps[3:])[5 - 1] / 1e6
    assert run.report["iteration"]["median_ms"] == pytest.approx(median_ms, rel=0.2)
