"""Queries as they were written for Skyline's reports, run on a run file."""

from __future__ import annotations

import pytest
from integration.conftest import Runner
from integration.recorded_run import RecordedRun, Row

FLOAT = 4  # bytes of a float32
INNERMOST_FRAMES = (
    "WITH innermost AS ("
    " SELECT entry_id, file_path, line_number FROM stack_frames"
    " GROUP BY entry_id HAVING ordering == min(ordering))"
)


def program(batch: int, inputs: int, hidden: int, outputs: int, change: str = "") -> str:
    return f"""
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.up = nn.Linear({inputs}, {hidden})
                self.down = nn.Linear({hidden}, {outputs})

            def forward(self, x):
                wide = self.up(x)
                bent = torch.tanh(wide)
                return self.down(bent)

        model = Net()
        {change}
        optimizer = torch.optim.Adam(model.parameters())
        x = torch.randn({batch}, {inputs})
        for _ in range(8):
            optimizer.zero_grad()
            loss = model(x).square().sum()
            loss.backward()
            optimizer.step()
        """


def frames(run: RecordedRun, query: str) -> list[tuple[str, int]]:
    return [(row["file_path"], row["line_number"]) for row in run.rows(query)]


def test_run_times_add_up_to_the_phases_of_the_report(record: Runner) -> None:
    run = record(program(batch=64, inputs=32, hidden=64, outputs=8))
    (sums,) = run.rows(
        "SELECT sum(forward_ms) AS forward_ms, sum(backward_ms) AS backward_ms"
        " FROM run_time_entries"
    )
    for phase, value in sums.items():
        assert value == pytest.approx(run.report["phases"][phase], rel=1e-9), phase


def test_run_times_are_those_of_the_operations_that_python_called(record: Runner) -> None:
    run = record(program(batch=64, inputs=32, hidden=64, outputs=8))
    rows: dict[str, list[Row]] = {}
    for row in run.rows("SELECT * FROM run_time_entries"):
        rows.setdefault(row["operation_name"], []).append(row)
    assert (len(rows["linear"]), len(rows["tanh"]), len(rows["square, sum"])) == (2, 1, 1)
    for row in rows["linear"] + rows["tanh"] + rows["square, sum"]:
        assert row["forward_ms"] > 0
        assert row["backward_ms"] > 0
    (engine,) = rows["backward"]
    assert engine["forward_ms"] == 0
    assert rows["ones_like"][0]["backward_ms"] is None  # the gradient that backward begins with


def test_an_operation_has_the_lines_that_led_to_it(record: Runner) -> None:
    run = record(program(batch=64, inputs=32, hidden=64, outputs=8))
    assert frames(
        run,
        "SELECT s.* FROM run_time_entries AS e JOIN stack_frames AS s ON s.entry_id == e.id"
        " WHERE e.operation_name == 'tanh' ORDER BY s.ordering",
    ) == [
        ("program.py", run.number_of("bent = torch.tanh(wide)")),
        ("program.py", run.number_of("loss = model(x)")),
    ]


def test_run_times_by_innermost_line_are_those_of_the_report(record: Runner) -> None:
    run = record(program(batch=64, inputs=32, hidden=64, outputs=8))
    rows = run.rows(
        f"{INNERMOST_FRAMES} SELECT line_number, sum(e.forward_ms) AS forward_ms,"
        " sum(e.backward_ms) AS backward_ms"
        " FROM run_time_entries AS e LEFT JOIN innermost AS i ON i.entry_id == e.id"
        " GROUP BY file_path, line_number"
    )
    for text in ("wide = self.up(x)", "bent = torch.tanh(wide)", "loss = model(x)"):
        (row,) = [row for row in rows if row["line_number"] == run.number_of(text)]
        for column in ("forward_ms", "backward_ms"):
            assert row[column] == pytest.approx(run.line(text)[column], rel=1e-9), text


# A small batch has its peak inside of the optimizer, when every gradient is there; a large one in
# the backward pass, when hardly any is.
@pytest.mark.parametrize("batch", [2, 4096])
def test_weights_and_their_gradients_have_the_bytes_worked_out_by_hand(
    batch: int, record: Runner
) -> None:
    run = record(program(batch=batch, inputs=512, hidden=256, outputs=10))
    assert (run.report["memory"]["at_peak"]["activations"] > FLOAT * batch * 256) == (batch > 2)
    up, down = FLOAT * (512 * 256 + 256), FLOAT * (256 * 10 + 10)
    assert run.rows(
        "SELECT w.name, w.size_bytes, w.grad_size_bytes, s.file_path, s.line_number"
        " FROM weight_entries AS w"
        " LEFT JOIN stack_correlation AS c ON c.entry_type == 1 AND c.entry_id == w.id"
        " LEFT JOIN stack_frames AS s"
        " ON s.correlation_id == c.correlation_id AND s.ordering == 0"
        " WHERE w.size_bytes > 0 ORDER BY w.size_bytes DESC"
    ) == [
        {
            "name": name,
            "size_bytes": size_bytes,
            "grad_size_bytes": size_bytes,
            "file_path": "program.py",
            "line_number": run.number_of(text),
        }
        for name, size_bytes, text in (
            ("up", up, "wide = self.up(x)"),
            ("down", down, "return self.down(bent)"),
        )
    ]
    assert run.value("SELECT sum(size_bytes) FROM weight_entries") == up + down


def test_frozen_weights_have_no_gradients(record: Runner) -> None:
    frozen = "model.up.weight.requires_grad_(False)"
    run = record(program(batch=64, inputs=32, hidden=64, outputs=8, change=frozen))
    gradients = {
        row["name"]: row["grad_size_bytes"] for row in run.rows("SELECT * FROM weight_entries")
    }
    assert gradients == {"up": FLOAT * 64, "down": FLOAT * (64 * 8 + 8)}


def test_activations_have_the_bytes_worked_out_by_hand_and_their_lines(record: Runner) -> None:
    # So large a batch has its peak in the backward of tanh, which needs the result of tanh.
    run = record(program(batch=512, inputs=16, hidden=256, outputs=16))
    (tanh,) = run.rows("SELECT * FROM activation_entries WHERE operation_name == 'tanh'")
    assert tanh["size_bytes"] == FLOAT * 512 * 256
    assert frames(
        run,
        "SELECT s.* FROM activation_entries AS a"
        " JOIN stack_correlation AS c ON c.entry_type == 2 AND c.entry_id == a.id"
        " JOIN stack_frames AS s ON s.correlation_id == c.correlation_id"
        " WHERE a.operation_name == 'tanh' ORDER BY s.ordering",
    ) == [
        ("program.py", run.number_of("bent = torch.tanh(wide)")),
        ("program.py", run.number_of("loss = model(x)")),
    ]
    memory = run.report["memory"]
    activations = run.value("SELECT sum(size_bytes) FROM activation_entries")
    assert activations == memory["at_peak"]["activations"]
    peak = run.value("SELECT size_bytes FROM misc_sizes WHERE key == ?", "peak_usage_bytes")
    assert peak == memory["peak_bytes"]
