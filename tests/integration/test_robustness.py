"""Programs that strain the recorder: budgets, many steps, code and modules made anew."""

from __future__ import annotations

from integration.conftest import Runner

DEEP = """
import torch

weight = torch.randn(4, 4, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=1e-9)

def dig(x, depth, way):
    if depth == 0:
        return x * weight
    if (way >> depth) % 2:
        return dig(x + 1, depth - 1, way)
    return dig(x - 1, depth - 1, way)

for step in range(10):
    loss = sum(dig(weight, 8, way).sum() for way in range(0, 512, 2))
    loss.backward()
    optimizer.step()
"""


def test_a_memory_budget_that_is_reached_makes_the_run_coarser(record: Runner) -> None:
    ample = record(DEEP)
    assert ample.report["overhead"]["dropped"] == 0
    tight = record(DEEP, memory_budget_bytes=320 << 10)
    overhead = tight.report["overhead"]
    assert overhead["dropped"] == sum(overhead["drops"].values()) > 0
    assert tight.report["iteration"]["seen_steps"] == 10
    count = "SELECT count(*) FROM nodes"
    assert tight.value(count) < ample.value(count)
    # What has no room keeps its time and its calls, on a line further out or on none.
    calls = "SELECT sum(python_calls) FROM costs"
    assert tight.value(calls) == ample.value(calls)


def test_a_budget_too_small_for_anything_harms_nobody(run_program: Runner) -> None:
    run = run_program(DEEP, recorded=True, memory_budget_bytes=1)
    assert run.exit_code == 0, run.stderr
    assert run.report["overhead"]["dropped"] > 0
    assert run.report["problems"] == []


def test_a_disk_budget_that_is_reached_leaves_out_events_and_counts_them(record: Runner) -> None:
    run = record(DEEP, disk_budget_bytes=100 << 10)
    assert run.report["overhead"]["drops"]["events"] > 0
    assert run.report["iteration"]["seen_steps"] == 10
    assert run.line("return x * weight")["backward_ms"] > 0


def test_3000_very_small_steps_cost_little(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.zeros(4, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        for _ in range(3000):
            weight.sum().backward()
            optimizer.step()
        """
    )
    assert run.report["iteration"]["seen_steps"] == 3000
    unobserved = len([step for step in range(3, 3000) if step % 16 == 15])
    assert run.report["iteration"]["steps"] == 3000 - 3 - unobserved
    assert run.report["overhead"]["step_percent"] is not None
    assert run.line("weight.sum().backward()")["calls"] == 2
    assert run.path.stat().st_size < 2 << 20
    assert run.report["overhead"]["dropped"] == 0


def test_steps_beyond_the_room_for_rows_are_thinned_out(record: Runner) -> None:
    run = record(
        """
        import sightline
        import torch

        x = torch.ones(4)
        for _ in range(10_000):
            x.neg()
            sightline.step()
        """
    )
    assert run.report["iteration"]["seen_steps"] == 10_000
    assert run.value("SELECT step_stride FROM totals") == 4
    assert run.line("x.neg()")["calls"] == 1


def test_code_made_anew_for_ever_does_not_grow_the_tree(record: Runner) -> None:
    program = """
        import torch

        weight = torch.zeros(4, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        for step in range({steps}):
            for _ in range(100):
                scale = eval("lambda x: x * 2")
                space = {"weight": weight, "scale": scale}
                exec("def cell(x):\\n    return scale(x) + 1\\nresult = cell(weight)\\n", space)
                loss = space["result"].sum()
            loss.backward()
            optimizer.step()
        """
    count = "SELECT count(*) FROM nodes"
    few = record(program.replace("{steps}", "5"))
    many = record(program.replace("{steps}", "20"))
    assert many.value(count) == few.value(count)
    assert many.report["overhead"]["dropped"] == 0
    # Code without a file is charged to the line that ran it.
    assert many.line("exec(")["calls"] == 200


def test_modules_made_and_dropped_in_every_step_do_not_add_up(record: Runner) -> None:
    program = """
        import torch
        from torch import nn

        class Scratch(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(8, 8)

            def forward(self, x):
                return self.inner(x)

        model = nn.Linear(8, 8)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range({steps}):
            scratch = nn.Sequential(Scratch(), nn.ReLU())
            loss = scratch(model(torch.randn(4, 8))).sum()
            loss.backward()
            optimizer.step()
            del scratch
        """
    few = record(program.replace("{steps}", "10"))
    many = record(program.replace("{steps}", "200"))
    for run in (few, many):
        assert run.line("loss = scratch(")["module_calls"] == 2
        assert run.line("return self.inner(x)")["calls"] == 1
        assert run.module("")["calls"] == 1
    assert many.report["overhead"]["dropped"] == 0
    for table in ("nodes", "modules"):
        count = f"SELECT count(*) FROM {table}"
        assert many.value(count) == few.value(count)


def test_a_stack_deeper_than_is_read_is_cut_and_counted(record: Runner) -> None:
    run = record(
        """
        import sys
        import torch

        sys.setrecursionlimit(10_000)
        weight = torch.ones(4, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)

        def deep(depth):
            if depth == 0:
                return weight.sum()
            return deep(depth - 1)

        for _ in range(6):
            loss = deep(2000)
            loss.backward()
            optimizer.step()
        """
    )
    assert run.line("return weight.sum()")["calls"] == 1
    assert run.report["overhead"]["dropped"] > 0
