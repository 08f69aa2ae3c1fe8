"""The memory at the peak, to the byte, against sizes worked out by hand."""

from __future__ import annotations

from integration.conftest import Runner
from integration.identities import assert_identities

import sightline

FLOAT, LABEL = 4, 8  # bytes of a float32 and of an int64


def program(batch: int, inputs: int, hidden: int, outputs: int) -> str:
    return f"""
        import torch
        from torch import nn

        first, second = nn.Linear({inputs}, {hidden}), nn.Linear({hidden}, {outputs})
        model = nn.Sequential(first, nn.ReLU(), second)
        loss_function = nn.CrossEntropyLoss()
        optimizer = torch.optim.Adam(model.parameters())
        x = torch.randn({batch}, {inputs})
        y = torch.randint({outputs}, ({batch},))
        for _ in range(6):
            optimizer.zero_grad()
            loss = loss_function(model(x), y)
            loss.backward()
            optimizer.step()
        """


def peak_inside_of_backward(batch: int, inputs: int, hidden: int, outputs: int) -> dict[str, int]:
    """The peak is in the backward of ReLU: the gradient of its result is there, that of its input
    is being made, and the second layer has its gradients already."""
    first = inputs * hidden + hidden
    second = hidden * outputs + outputs
    return {
        "parameters": FLOAT * (first + second),
        "gradients": FLOAT * second,
        # Two moments of each parameter, and a step count for each of the four tensors.
        "optimizer": FLOAT * (2 * (first + second) + 4),
        # The result of ReLU, which its backward needs; the loss, which has a name; and the 1 that
        # loss.backward() begins with. The result of the first layer was freed in the forward pass,
        # the log-softmax after its own backward.
        "activations": FLOAT * (batch * hidden + 1 + 1),
        "inputs": FLOAT * batch * inputs + LABEL * batch,
        "temporaries": FLOAT * 2 * batch * hidden,
        "other": 0,
    }


def test_a_peak_inside_of_backward_is_right_to_the_byte(record: Runner) -> None:
    sizes = (1000, 32, 64, 10)
    run = record(program(*sizes))
    expected = peak_inside_of_backward(*sizes)
    assert run.report["memory"]["at_peak"] == expected
    assert run.report["memory"]["peak_bytes"] == sum(expected.values())


def test_a_peak_in_a_step_without_observers_is_right_to_the_byte(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))
        loss_function = nn.CrossEntropyLoss()
        optimizer = torch.optim.Adam(model.parameters())
        for step in range(20):
            batch = 1000 if step == 15 else 100  # every 16th step runs without observers
            x = torch.randn(batch, 32)
            y = torch.randint(10, (batch,))
            optimizer.zero_grad()
            loss = loss_function(model(x), y)
            loss.backward()
            optimizer.step()
        """
    )
    expected = peak_inside_of_backward(1000, 32, 64, 10)
    peak_bytes = sum(expected.values())
    unseen = ("activations", "inputs", "temporaries")
    expected["other"] = sum(expected[category] for category in unseen)
    expected.update(dict.fromkeys(unseen, 0))
    memory = run.report["memory"]
    assert memory["at_peak"] == expected
    assert memory["peak_bytes"] == peak_bytes
    assert memory["peak_step"] == 15
    assert run.value("SELECT peak_bytes FROM steps WHERE step = 15") == peak_bytes
    assert "one of those that run with the observers off" in str(sightline.open(run.path))


def test_a_peak_inside_of_the_optimizer_is_right_to_the_byte(record: Runner) -> None:
    batch, inputs, hidden, outputs = 2, 512, 256, 10
    run = record(program(batch, inputs, hidden, outputs))
    parameters = inputs * hidden + hidden + hidden * outputs + outputs
    expected = {
        "parameters": FLOAT * parameters,
        "gradients": FLOAT * parameters,
        "optimizer": FLOAT * (2 * parameters + 4),
        "activations": FLOAT,  # the loss
        "inputs": FLOAT * batch * inputs + LABEL * batch,
        # For the largest parameter: the root of the second moment, its quotient by the bias
        # correction, and that correction: a Python number, so a double, and for the kernel a float.
        "temporaries": FLOAT * 2 * inputs * hidden + 8 + FLOAT,
        "other": 0,
    }
    assert run.report["memory"]["at_peak"] == expected
    assert run.report["memory"]["peak_bytes"] == sum(expected.values())


def test_activations_belong_to_the_line_and_module_that_made_them(record: Runner) -> None:
    run = record(
        """
        import torch
        from torch import nn

        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.up = nn.Linear(16, 256)
                self.down = nn.Linear(256, 16)

            def forward(self, x):
                wide = self.up(x)
                bent = torch.tanh(wide)
                return self.down(bent)

        model = Net()
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(6):
            x = torch.randn(512, 16)
            loss = model(x).square().sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        """
    )
    bent = run.line("bent = torch.tanh(wide)")
    assert bent["allocated_bytes"] == FLOAT * 512 * 256 * 2  # the result, and later its gradient
    assert run.line("x = torch.randn(512, 16)")["peak_bytes"] == FLOAT * 512 * 16
    # The peak is in the backward of tanh, which needs the result of tanh but not its input.
    activations = {
        row["line"]: row["bytes"]
        for row in run.rows(
            "SELECT line, sum(bytes) AS bytes FROM peak_blocks JOIN project_nodes USING (node)"
            " JOIN node_lines ON node_lines.node = project_node"
            " WHERE category = 'activations' GROUP BY line"
        )
    }
    assert activations[run.number_of("bent = torch.tanh(wide)")] == FLOAT * 512 * 256
    assert run.number_of("wide = self.up(x)") not in activations
    assert run.module("")["activation_bytes"] == FLOAT * 512 * 256
    assert run.module("up")["activation_bytes"] == 0


def test_blocks_older_than_the_recording_are_known_once_they_are_seen(
    run_program: Runner,
) -> None:
    run = run_program(
        """
        import sightline
        import torch
        from torch import nn

        model = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64))
        optimizer = torch.optim.Adam(model.parameters())
        x = torch.randn(32, 64)
        model(x).sum().backward()
        optimizer.step()
        with sightline.record("own.sightline"):
            for _ in range(5):
                loss = model(x).sum()
                loss.backward()
                optimizer.step()
        """
    )
    assert run.exit_code == 0, run.stderr
    assert_identities(run)
    at_peak = run.report["memory"]["at_peak"]
    parameters = 64 * 64 + 64 + 64 + 64
    assert at_peak["parameters"] == FLOAT * parameters
    assert at_peak["gradients"] == FLOAT * parameters
    assert at_peak["optimizer"] == FLOAT * (2 * parameters + 4)
    assert run.report["memory"]["buffers_bytes"] == FLOAT * 2 * 64 + 8


def test_without_an_accelerator_no_figure_of_one_is_made_up(record: Runner) -> None:
    memory = record(program(10, 4, 4, 2)).report["memory"]
    assert memory["device_peak_bytes"] is None
    assert memory["device_capacity_bytes"] is None


def test_a_resized_storage_counts_with_its_new_size(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.zeros(1000, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        for _ in range(5):
            grown = torch.empty(0)
            grown.resize_(1 << 20)
            del grown
            weight.sum().backward()
            optimizer.step()
        """
    )
    assert run.line("grown.resize_(")["allocated_bytes"] == FLOAT << 20
    peak_bytes = run.report["memory"]["peak_bytes"]
    assert FLOAT * ((1 << 20) + 2000) <= peak_bytes < FLOAT * ((1 << 20) + 2100)


def test_blocks_that_outlive_many_steps_are_all_counted(record: Runner) -> None:
    run = record(
        """
        import torch

        weight = torch.zeros(8, requires_grad=True)
        optimizer = torch.optim.SGD([weight], lr=0.1)
        kept = []
        for _ in range(20):  # the 16th runs without observers
            kept.append(torch.empty(1 << 18))
            weight.sum().backward()
            optimizer.step()
        """
    )
    assert run.report["memory"]["peak_bytes"] >= 20 * FLOAT << 18
