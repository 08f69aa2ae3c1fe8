"""Programs that use other machinery of torch: data loaders, its profiler, its compiler."""

from __future__ import annotations

import json

import pytest
from integration.conftest import Runner

LOADER = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Numbers(Dataset):
    def __len__(self):
        return 96

    def __getitem__(self, index):
        return torch.full((16,), float(index)).sqrt(), index % 4

def main():
    model = nn.Linear(16, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in DataLoader(Numbers(), batch_size=8, num_workers={workers}):
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()

if __name__ == "__main__":
    main()
"""


def test_the_workers_of_a_data_loader_do_not_record(record: Runner) -> None:
    run = record(LOADER.replace("{workers}", "2"))
    assert run.report["iteration"]["seen_steps"] == 12
    assert run.report["iteration"]["batch_size"] == 8
    assert run.report["phases"]["data_ms"] > 0
    assert run.line("for x, y in DataLoader(")["data_ms"] > 0
    assert not run.has_line("torch.full(")
    assert run.calls_per_step("aten::sqrt") == 0


def test_a_data_loader_without_workers_shows_the_lines_of_the_dataset(record: Runner) -> None:
    run = record(LOADER.replace("{workers}", "0"))
    line = run.line("torch.full(")
    assert line["calls"] == 8 * 2
    assert line["data_ms"] > 0
    assert line["forward_ms"] == 0
    assert run.report["phases"]["data_ms"] >= line["data_ms"]


PROFILED = """
import json
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2

model = nn.Linear(16, 16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def train(steps):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = Double.apply(model(torch.randn(4, 16))).sum()
        loss.backward()
        optimizer.step()

train(4)
with profile(activities=[ProfilerActivity.CPU], profile_memory=True, with_stack=True) as profiler:
    train(4)
train(4)
averages = {row.key: row for row in profiler.key_averages()}
print(json.dumps({
    "linear": averages["aten::linear"].count,
    "backward": averages["AddmmBackward0"].count,
    "bytes": averages["aten::addmm"].self_cpu_memory_usage,
}))
"""


def test_a_program_that_uses_the_profiler_of_torch_keeps_it(
    run_program: Runner, record: Runner
) -> None:
    alone = run_program(PROFILED)
    assert alone.exit_code == 0, alone.stderr
    run = record(PROFILED, quiet=False)  # torch's profiler writes to stderr
    assert json.loads(run.stdout) == json.loads(alone.stdout)
    assert json.loads(run.stdout)["linear"] == 4
    assert run.report["iteration"]["seen_steps"] == 12
    assert run.line("loss = Double.apply(")["calls"] == 4
    assert run.calls_per_step("AddmmBackward0", "loss = Double.apply(") == 1


def test_a_recording_inside_of_the_profiler_of_torch_works(run_program: Runner) -> None:
    run = run_program(
        """
        import sightline
        import torch
        from torch.profiler import profile

        weight = torch.randn(16, 16, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        with profile(profile_memory=True) as profiler, sightline.record("own.sightline"):
            for _ in range(6):
                loss = (weight @ weight).sum()
                loss.backward()
                optimizer.step()
        print({row.key: row.count for row in profiler.key_averages()}["MmBackward0"])
        """
    )
    assert run.exit_code == 0, run.stderr
    assert run.stdout == "6\n"
    assert run.line("loss = (weight")["calls"] == 2


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_a_compiled_region_appears_under_its_line(record: Runner, backend: str) -> None:
    run = record(
        """
        import os
        import torch
        from torch import nn

        os.environ["TORCHINDUCTOR_CACHE_DIR"] = os.path.abspath("compiled")

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = nn.Linear(32, 32)

            def forward(self, x):
                return torch.relu(self.linear(x)).square()

        model = Net()
        compiled = torch.compile(model, backend="{backend}")
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(10):
            optimizer.zero_grad()
            loss = compiled(torch.randn(8, 32)).mean()
            loss.backward()
            optimizer.step()
        """.replace("{backend}", backend)
    )
    call, body = run.line("loss = compiled("), run.line("def forward(self, x)")
    assert run.calls_per_step("Torch-Compiled Region: 0/0", "loss = compiled(") == 1
    # What the compiler made in place of forward's lines bears the number of its first.
    assert run.calls_per_step("CompiledFunction", "def forward(self, x)") == 1
    assert run.calls_per_step("CompiledFunctionBackward", "def forward(self, x)") == 1
    assert body["forward_ms"] > 0
    assert body["backward_ms"] > 0
    assert call["total_ns"] >= call["self_ns"] + body["total_ns"]
