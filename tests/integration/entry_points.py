"""Entry points that are right, and what `sightline profile` makes of them."""

from __future__ import annotations

import pathlib

from integration.command import Command
from integration.recorded_run import RecordedRun

# Most tests do not look at other batch sizes, which take most of the time.
QUICK = "--no-throughput"

HEAD = "import torch\nfrom torch import nn\n"
MODEL = "def {}model_provider():\n    return nn.Linear(4, 2)\n"
INPUT = "def {}input_provider(batch_size=8):\n    return (torch.randn(batch_size, 4),)\n"
ITERATION = """
def {}iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def iteration(*inputs, **named):
        optimizer.zero_grad()
        model(*inputs, **named).sum().backward()
        optimizer.step()

    return iteration
"""


def entry_point(prefix: str = "sightline_", model: str = MODEL, inputs: str = INPUT) -> str:
    return HEAD + "".join(part.format(prefix) for part in (model, inputs, ITERATION))


def profiled(
    command: Command, folder: pathlib.Path, text: str, *options: str, entry: str = "entry.py"
) -> RecordedRun:
    (folder / entry).write_text(text)
    result = command("profile", entry, "-o", "run.sightline", *options)
    assert result.returncode == 0, result.stderr
    return RecordedRun(folder / "run.sightline", text, 0, result.stdout, result.stderr)
