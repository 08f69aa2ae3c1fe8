"""`sightline init`: entry points that `sightline profile` runs as they were written."""

from __future__ import annotations

import ast
import pathlib
import shutil
import textwrap

import pytest
from integration.command import Command
from integration.identities import assert_identities
from integration.recorded_run import RecordedRun

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
PROVIDERS = [
    "sightline_model_provider()",
    "sightline_input_provider(batch_size=32)",
    "sightline_iteration_provider(model)",
]


def write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("import torch\nfrom torch import nn\n" + textwrap.dedent(text))


def initialised(command: Command, *arguments: str, entry: str = "entry_point.py") -> str:
    """The text of the entry point that was written."""
    result = command("init", *arguments)
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert result.stdout.startswith(f"Wrote {entry}: ")
    assert result.stdout.endswith(f"\nNext: sightline profile {entry}\n")
    text = (command.folder / entry).read_text()
    functions = [one for one in ast.parse(text).body if isinstance(one, ast.FunctionDef)]
    assert [f"{one.name}({ast.unparse(one.args)})" for one in functions] == PROVIDERS
    assert max(map(len, text.splitlines())) <= 100
    return text


def profiled(command: Command, entry: str, *options: str) -> RecordedRun:
    run = command.folder / "run.sightline"
    result = command("profile", entry, "-o", run, "--no-throughput", *options)
    assert result.returncode == 0, result.stderr
    return RecordedRun(run, "", 0, result.stdout, result.stderr)


@pytest.mark.parametrize(
    ("example", "model", "inputs"),
    [
        ("resnet", "ResNet()", "x = torch.randn(batch_size, 3, 32, 32, device=device)"),
        ("transformer", "GPT()", "ids = torch.randint(1000, (batch_size, 64), device=device)"),
        ("gan", "Generator()", "z = torch.randn(batch_size, 64, device=device)"),
        ("skyline", "Model()", "input = torch.randn(batch_size, 3, 256, 256, device=device)"),
    ],
)
def test_an_example_is_profiled_as_it_was_written(
    example: str, model: str, inputs: str, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    shutil.copy(EXAMPLES / example / "model.py", tmp_path)
    text = initialised(sightline_command, "model.py")
    assert f"return {model}.to(device)" in text
    assert f"    {inputs}\n" in text
    run = profiled(sightline_command, "entry_point.py", "--batch-size", "4")
    assert_identities(run)
    assert {line["file"] for line in run.report["lines"]} >= {"model.py", "entry_point.py"}


def test_the_other_model_of_a_file_can_be_chosen(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    shutil.copytree(EXAMPLES / "gan", tmp_path / "nets" / "gan")
    model = "nets/gan/model.py"
    text = initialised(sightline_command, model)
    assert "from nets.gan.model import Generator\n" in text
    assert f"# There is also Critic: sightline init {model} --class Critic\n" in text
    again = ("init", model, "--class", "Critic")
    refused = sightline_command(*again)
    assert refused.returncode == 2
    assert "exists already" in refused.stderr
    assert (tmp_path / "entry_point.py").read_text() == text
    replaced = sightline_command(*again, "--force")
    assert replaced.returncode == 0, replaced.stderr
    profiled(sightline_command, "entry_point.py", "--batch-size", "4")


def test_every_argument_and_input_is_found_by_trying(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    write(
        tmp_path / "model.py",
        """
        from dataclasses import dataclass

        @dataclass
        class Config:
            words: int = 50
            width: int = 16

        class Block(nn.Module):
            def __init__(self, width):
                super().__init__()
                self.linear = nn.Linear(width, width)
            def forward(self, x):
                return self.linear(x).relu()

        class Net(nn.Module):
            def __init__(self, config: Config, block, layers, num_classes: int, *, dropout: float):
                super().__init__()
                self.words = nn.Embedding(config.words, config.width)
                self.blocks = nn.Sequential(*(block(config.width) for _ in range(sum(layers))))
                self.head = nn.Linear(config.width, num_classes)
                self.dropout = nn.Dropout(dropout)
            def forward(self, ids, mask, *, scale):
                assert mask.dtype is torch.bool and ids.max() < 50
                x = self.dropout(self.blocks(self.words(ids)))
                x = (x * mask[..., None]).mean(1) * scale[:, :16].float().mean()
                return {"hidden": x.detach(), "scores": self.head(x)}
        """,
    )
    text = initialised(sightline_command, "model.py")
    assert "from model import Block, Config, Net\n" in text
    assert (
        "# adapt: the values of config, block, layers, num_classes, dropout are guessed\n" in text
    )
    for argument in ("config=Config()", "block=Block", "layers=[2, 2, 2, 2]", "num_classes=10"):
        assert f"        {argument},\n" in text
    assert "outputs = model(ids, mask, scale=scale)\n" in text
    assert 'loss = F.cross_entropy(outputs["scores"], targets)\n' in text
    profiled(sightline_command, "entry_point.py")


@pytest.mark.parametrize(
    ("layer", "forward", "inputs"),
    [
        ("nn.LSTM(8, 4, batch_first=True)", "self.layer(x)[0][:, -1]", "batch_size, 32, 8"),
        ("nn.GRU(8, 4)", "self.layer(x)[0][-1]", "32, batch_size, 8"),
        ("nn.Linear(8, 4)", "self.layer(x)", "batch_size, 8"),
        ("nn.Conv1d(8, 4, 3)", "self.layer(x).mean(2)", "batch_size, 8, 128"),
        (
            "nn.Linear(16 * 26 * 26, 4)",
            "self.layer(self.conv(x).flatten(1))",
            "batch_size, 1, 28, 28",
        ),
    ],
)
def test_the_shape_follows_from_the_layers(
    layer: str, forward: str, inputs: str, sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    write(
        tmp_path / "model.py",
        f"""
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = {layer}
                self.conv = nn.Conv2d(1, 16, 3)
            def forward(self, x):
                return {forward}
        """,
    )
    text = initialised(sightline_command, "model.py")
    assert f"x = torch.randn({inputs}, device=device)\n" in text
    assert "targets = torch.randint(4, (batch_size,), device=device)\n" in text


def test_a_model_that_returns_its_loss_is_given_targets(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    write(
        tmp_path / "model.py",
        """
        class Net(nn.Module):
            def __init__(self):
                super().__init__()
                self.words = nn.Embedding(20, 20)
            def forward(self, ids, targets=None):
                scores = self.words(ids)
                if targets is None:
                    return scores, None
                return scores, nn.functional.cross_entropy(scores.mT, targets)
        """,
    )
    text = initialised(sightline_command, "model.py")
    assert "targets = torch.randint(20, (batch_size, 64), device=device)\n" in text
    assert "outputs = model(ids, targets=targets)\n" in text
    assert "loss = outputs[1]\n" in text


NET = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 2)
    def forward(self, x):
        return self.linear(x)
"""


def test_imports_of_a_model_work_where_the_entry_point_stands(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    write(tmp_path / "nets" / "sizes.py", "")
    write(tmp_path / "nets" / "model.py", "import sizes\n" + NET)
    text = initialised(sightline_command, "nets/model.py")
    assert 'sys.path.insert(0, str(Path(__file__).resolve().parent / "nets"))\n' in text
    profiled(sightline_command, "entry_point.py")
    (tmp_path / "run.sightline").unlink()

    write(tmp_path / "package" / "__init__.py", "")
    write(tmp_path / "package" / "sizes.py", "")
    write(tmp_path / "package" / "model.py", "from . import sizes\n" + NET)
    entry = "package/inner/entry.py"
    text = initialised(sightline_command, "package/model.py", "-o", entry, entry=entry)
    assert "from package.model import Net\n" in text
    profiled(sightline_command, entry)


def test_a_model_for_cuda_is_looked_at_on_the_cpu(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    write(tmp_path / "model.py", NET.replace("nn.Linear(4, 2)", "nn.Linear(4, 2).cuda()"))
    assert "torch.randn(batch_size, 4, device=device)" in initialised(sightline_command, "model.py")


def test_a_model_that_no_guess_fits_is_written_with_what_is_wrong(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    write(
        tmp_path / "model.py",
        NET.replace("return", "assert x.shape[1] == 5, 'five'\n        return"),
    )
    result = sightline_command("init", "model.py")
    assert result.returncode == 0, result.stderr
    assert "It does not run yet, no guess did: AssertionError: five\n" in result.stdout
    text = (tmp_path / "entry_point.py").read_text()
    assert "# adapt: the model did not run: AssertionError: five\n" in text


@pytest.mark.parametrize(
    ("text", "options", "code", "messages"),
    [
        (
            "class Net(nn.Module:\n",
            (),
            1,
            ["syntax error", "at model.py:3", "class Net(nn.Module:"],
        ),
        ("\0", (), 1, ["not the text of a Python program", "at model.py"]),
        ("import no_such_thing\n", (), 1, ["No module named 'no_such_thing'", "at model.py:3"]),
        ("1 / 0\n", (), 1, ["ZeroDivisionError while the file was loaded", "at model.py:3"]),
        ("raise SystemExit(3)\n", (), 1, ["called exit", "a file with models is only loaded"]),
        ("class Net: pass\n", (), 2, ["model.py defines no model", "subclass of torch.nn.Module"]),
        (NET, ("--class", "Ner"), 2, ["no model named Ner", "those that it has: Net"]),
    ],
    ids=["syntax", "binary", "import", "exception", "exit", "no model", "class"],
)
def test_a_file_that_cannot_be_used_gets_its_own_message(
    text: str,
    options: tuple[str, ...],
    code: int,
    messages: list[str],
    sightline_command: Command,
    tmp_path: pathlib.Path,
) -> None:
    write(tmp_path / "model.py", text)
    result = sightline_command("init", "model.py", *options)
    assert result.returncode == code, result.stderr
    assert result.stdout == ""
    for message in messages:
        assert message in result.stderr
    assert not (tmp_path / "entry_point.py").exists()
