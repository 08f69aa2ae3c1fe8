"""`sightline measure`, with the real program."""

from __future__ import annotations

import csv
import json
import pathlib
import re
import signal
import sqlite3
import time
from typing import Any

import pytest
from integration.command import Command
from integration.golden import assert_golden, plain
from integration.processes import has_ended, wait_for
from measure.small_projects import (
    ENTRY,
    FORWARD_MACS,
    INPUT,
    NET,
    PARAMETERS,
    assert_costs_of_net,
    write_net,
)

GOLDEN = pathlib.Path(__file__).parent.parent / "golden" / "measure"


def measured(command: Command, *arguments: str) -> dict[str, Any]:
    result = command("measure", *arguments, "--json")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    report: dict[str, Any] = json.loads(result.stdout)
    return report


def files_in(folder: pathlib.Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name != "__pycache__"}


def test_a_class_of_a_file_is_made_and_measured(command: Command, tmp_path: pathlib.Path) -> None:
    write_net(tmp_path)
    report = measured(command, "net.py:Net", "--input", INPUT)
    assert_costs_of_net(report)
    assert report["model"] == "net.py:Net"
    assert report["inputs"] == INPUT
    assert report["training_mode"]
    assert report["run"]["command"] == f"sightline measure net.py:Net --input {INPUT} --json"
    places = [(layer["file"], layer["line"]) for layer in report["layers"]]
    line = NET.splitlines().index("        return self.second(torch.relu(self.first(x)))") + 1
    assert places == [("", 0), ("net.py", line), ("net.py", line)]
    assert files_in(tmp_path) == {"net.py"}


def test_a_model_that_is_there_already_is_measured(
    command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("")
    write_net(tmp_path / "package")
    report = measured(
        command, "package.net:ready_made", "--input", f"x={INPUT}", "--batch-size", "6", "--eval"
    )
    assert_costs_of_net(report, samples=6)
    assert report["batch_size"] == 6
    assert not report["training_mode"]


def test_an_entry_point_is_measured_as_its_iteration_calls_the_model(
    command: Command, tmp_path: pathlib.Path
) -> None:
    write_net(tmp_path)
    (tmp_path / "entry.py").write_text(ENTRY)
    report = measured(command, "entry.py")
    assert_costs_of_net(report)
    assert report["batch_size"] == 2


def test_an_iteration_may_compute_what_it_gives_the_model(
    command: Command, tmp_path: pathlib.Path
) -> None:
    write_net(tmp_path)
    computing = ENTRY.replace("model(x=inputs)", "model(x=before(inputs).tanh())").replace(
        "    def iteration", "    before = torch.nn.Linear(4, 4)\n\n    def iteration"
    )
    (tmp_path / "entry.py").write_text(computing)
    report = measured(command, "entry.py")
    assert report["macs"]["forward"] == FORWARD_MACS
    assert report["macs"]["backward"] == 2 * FORWARD_MACS  # the input wants its gradient too


def test_without_a_backward_pass_there_is_no_work_of_it(
    command: Command, tmp_path: pathlib.Path
) -> None:
    write_net(tmp_path)
    report = measured(command, "net.py:Net", "--input", INPUT, "--no-backward")
    assert report["macs"] == {"forward": FORWARD_MACS, "backward": 0, "optimizer": 0}
    assert report["footprint_bytes"]["training_peak"] is None


def test_inputs_have_types_names_and_bounds(command: Command, tmp_path: pathlib.Path) -> None:
    (tmp_path / "kinds.py").write_text(
        "import torch\n"
        "class Kinds(torch.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.words = torch.nn.Embedding(30, 4)\n"
        "        self.two = torch.nn.Embedding(2, 4)\n"
        "    def forward(self, ids, kinds, *, mask, image):\n"
        "        assert ids.dtype == torch.int64 and 2 < ids.max() < 30 and ids.min() >= 0\n"
        "        assert kinds.dtype == torch.int32 and mask.dtype == torch.bool\n"
        "        assert image.dtype == torch.uint8 and image.max() > 99\n"
        "        return (self.words(ids) + self.two(kinds)) * mask[..., None]\n"
    )
    report = measured(
        command,
        "kinds.py:Kinds",
        *("--input", "3x50:int64:30"),
        *("--input", "3x50:int32"),
        *("--input", "mask=3x50:bool"),
        *("--input", "image=1x3x9x9:uint8"),
    )
    assert report["layers"][1]["outputs"] == "3x50x4"
    assert report["batch_size"] == 3


def test_a_run_file_says_what_was_printed(command: Command, tmp_path: pathlib.Path) -> None:
    write_net(tmp_path)
    (tmp_path / "old.sightline").write_bytes(b"")
    printed = measured(
        command, "net.py:Net", "--input", INPUT, "-o", "run.sightline", "--csv", "layers.csv"
    )
    assert files_in(tmp_path) == {"net.py", "old.sightline", "run.sightline", "layers.csv"}

    reported = command("report", "run.sightline", "--json")
    kept = json.loads(reported.stdout)
    assert kept.pop("run")["finished"]
    assert not printed.pop("run")["finished"]
    assert kept == printed

    with (tmp_path / "layers.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [int(row["macs_forward"]) for row in rows] == [
        layer["macs"]["forward"] for layer in printed["layers"]
    ]
    exported = command("export", "run.sightline", "--csv", "tables")
    assert exported.returncode == 0, exported.stderr
    assert (tmp_path / "tables" / "layers.csv").read_text() == (tmp_path / "layers.csv").read_text()

    with sqlite3.connect(tmp_path / "run.sightline") as database:
        query = "SELECT forward FROM measured_work WHERE layer = 0 AND kind = 'macs'"
        assert database.execute(query).fetchone() == (FORWARD_MACS,)
        query = "SELECT total_parameters FROM measurement"
        assert database.execute(query).fetchone() == (PARAMETERS,)


def test_the_queries_of_the_documentation_run(command: Command, tmp_path: pathlib.Path) -> None:
    write_net(tmp_path)
    measured(command, "net.py:Net", "--input", INPUT, "-o", "run.sightline")
    text = (pathlib.Path(__file__).parents[2] / "docs" / "run-file.md").read_text()
    queries = [one for one in re.findall(r"```sql\n(.*?)```", text, re.DOTALL) if "measure" in one]
    assert len(queries) == 3
    with sqlite3.connect(tmp_path / "run.sightline") as database:
        for query in queries:
            assert database.execute(query).fetchall()


def test_the_text_has_a_summary_and_the_layers(command: Command, tmp_path: pathlib.Path) -> None:
    write_net(tmp_path)
    result = command("measure", "net.py:Net", "--input", INPUT, "-o", "run.sightline")
    assert result.returncode == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "net.py:Net"
    assert "called with 2x4 · batch size 2 · training mode" in lines
    assert "  parameters  23, all trained" in lines
    assert any(line.startswith("  forward     36 MACs · ") for line in lines)
    (first,) = (line.split() for line in lines if "first (Linear)" in line)
    assert "2x3" in first and "24" in first
    assert "sightline gate run.sightline NEW" in lines[-1]
    again = command("report", "run.sightline")
    assert again.stdout.splitlines()[0] == "net.py:Net"
    most = command("report", "run.sightline", "--top", "1").stdout
    assert "(Net)" not in most and "Layers  by time, the most expensive first" in most
    ordered = command("measure", "net.py:Net", "--input", INPUT, "--sort", "macs", "--flat").stdout
    assert "(Net)" not in ordered
    assert ordered.index("first (Linear)") < ordered.index("second (Linear)")
    refused = command("measure", "net.py:Net", "--input", INPUT, "--sort", "colour")
    assert refused.returncode == 2 and "--sort" in refused.stderr


def test_operators_have_their_arithmetic_intensity(
    command: Command, tmp_path: pathlib.Path
) -> None:
    write_net(tmp_path)
    report = measured(command, "net.py:Net", "--input", INPUT, "-o", "run.sightline")
    operators = {row["name"]: row for row in report["operators"]}
    linear = operators["aten::linear"]
    assert linear["calls"] == 2
    assert linear["macs"]["forward"] == FORWARD_MACS
    # A product of 2x4 and 4x3 and one of 2x3 and 3x2, each with its bias, in floats.
    assert linear["flops"]["forward"] == 2 * FORWARD_MACS + 2 * (3 + 2)
    assert linear["bytes"]["forward"] == 4 * ((8 + 12 + 3 + 6) + (6 + 6 + 2 + 4))
    assert linear["intensity"] == pytest.approx(82 / 188)
    assert operators["aten::relu"]["intensity"] == pytest.approx(1 / 8)
    shares = [row["time_share"] for row in report["operators"]]
    assert all(share > 0 for share in shares) and sum(shares) <= 1
    for kind in ("macs", "flops", "bytes"):
        assert sum(row[kind]["backward"] for row in report["operators"]) == report[kind]["backward"]
    text = command("report", "run.sightline").stdout
    row = next(line.split() for line in text.splitlines() if "aten::linear" in line)
    assert row[1] == "2" and "0.44" in row


def test_what_has_no_formula_is_named(command: Command, tmp_path: pathlib.Path) -> None:
    (tmp_path / "odd.py").write_text(
        "import torch\n"
        "@torch.library.custom_op('odd::twice', mutates_args=())\n"
        "def twice(x: torch.Tensor) -> torch.Tensor:\n"
        "    return torch.from_numpy(x.detach().numpy() * 2)\n"
        "class Odd(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        return twice(x)\n"
    )
    report = measured(command, "odd.py:Odd", "--input", "3", "-o", "run.sightline")
    assert [row["name"] for row in report["uncounted"]] == ["odd::twice"]
    text = command("report", "run.sightline").stdout
    assert "Not counted" in text
    assert "odd::twice" in text


def test_foreign_code_is_measured(command: Command, tmp_path: pathlib.Path) -> None:
    pytest.importorskip("transformers")
    (tmp_path / "bert.py").write_text(
        "from transformers import BertConfig, BertModel\n"
        "def small():\n"
        "    return BertModel(BertConfig(vocab_size=50, hidden_size=8, num_hidden_layers=1,\n"
        "        num_attention_heads=2, intermediate_size=16, max_position_embeddings=12))\n"
    )
    report = measured(
        command, "bert.py:small", "--input", "input_ids=1x6:int64:50", "--eval", "--no-backward"
    )
    # For each of 6 words: four products of 8 x 8 and two of 8 x 16; attention twice 6 x 8; and the
    # pooler's 8 x 8 for the first word.
    assert report["macs"]["forward"] == 6 * (4 * 64 + 2 * 128 + 2 * 48) + 64


WRONG_USE = {
    "no_input": ["net.py:Net"],
    "bad_shape": ["net.py:Net", "--input", "2,4"],
    "unknown_type": ["net.py:Net", "--input", "2x4:float31"],
    "input_of_an_entry_point": ["net.py", "--input", "2x4"],
    "no_target": ["net"],
    "no_file": ["absent.py:Net", "--input", "2x4"],
    "no_name": ["net.py:", "--input", "2x4"],
    "folder_in_the_way": ["net.py:Net", "--input", "2x4", "-o", "folder"],
    "table_in_the_way": ["net.py:Net", "--input", "2x4", "--csv", "net.py"],
}

WRONG_CODE = {
    "missing_factory": ["net.py:Nett", "--input", "2x4"],
    "missing_module": ["nowhere.net:Net", "--input", "2x4"],
    "factory_raises": ["net.py:raises", "--input", "2x4"],
    "factory_needs_arguments": ["net.py:needs_a_width", "--input", "2x4"],
    "not_callable": ["net.py:number", "--input", "2x4"],
    "not_a_module": ["net.py:gives_a_number", "--input", "2x4"],
    "wrong_shape": ["net.py:Net", "--input", "2x5"],
    "too_many_inputs": ["net.py:Net", "--input", "2x4", "--input", "2x4"],
    "wrong_type": ["net.py:Net", "--input", "2x4:int64"],
    "no_entry_point": ["net.py"],
}


def check_message(command: Command, folder: pathlib.Path, name: str, *arguments: str) -> int:
    write_net(folder)
    (folder / "folder").mkdir()
    before = files_in(folder)
    result = command("measure", *arguments)
    assert result.stdout == ""
    assert files_in(folder) == before
    assert_golden(GOLDEN / f"{name}.txt", plain(result.stderr, folder))
    return result.returncode


@pytest.mark.parametrize("name", WRONG_USE)
def test_wrong_use_gets_its_own_message(
    name: str, command: Command, tmp_path: pathlib.Path
) -> None:
    assert check_message(command, tmp_path, name, *WRONG_USE[name]) == 2


@pytest.mark.parametrize("name", WRONG_CODE)
def test_wrong_code_gets_its_own_message(
    name: str, command: Command, tmp_path: pathlib.Path
) -> None:
    arguments = [*WRONG_CODE[name], "-o", "run.sightline"]
    assert check_message(command, tmp_path, name, *arguments) == 1


def test_an_iteration_that_does_not_call_the_model_is_told(
    command: Command, tmp_path: pathlib.Path
) -> None:
    write_net(tmp_path)
    (tmp_path / "entry.py").write_text(ENTRY.replace("model(x=inputs)", "model.first(inputs)"))
    result = command("measure", "entry.py")
    assert result.returncode == 1
    assert "the iteration did not call the model" in result.stderr
    assert "sightline measure FILE.py:NAME --input SHAPE" in result.stderr


def test_a_hang_is_ended_and_named(command: Command, tmp_path: pathlib.Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ndef make():\n    time.sleep(1000)\n")
    result = command("measure", "slow.py:make", "--input", "2", "--timeout", "3")
    assert result.returncode == 1
    assert "nothing came back within 3 seconds while the model was made" in result.stderr
    assert "at slow.py:3" in result.stderr


def test_ctrl_c_ends_it_and_leaves_an_older_run_alone(
    command: Command, tmp_path: pathlib.Path
) -> None:
    write_net(tmp_path)
    assert command("measure", "net.py:Net", "--input", INPUT, "-o", "run.sightline").returncode == 0
    before = (tmp_path / "run.sightline").read_bytes()
    (tmp_path / "slow.py").write_text(
        "import os, pathlib, time\n"
        "def make():\n"
        "    pathlib.Path('begun').write_text(str(os.getpid()))\n"
        "    time.sleep(1000)\n"
    )
    process = command.spawn(
        "measure", "slow.py:make", "--input", "2", "-o", "run.sightline", "--force"
    )
    begun = tmp_path / "begun"
    while not begun.exists() or not begun.read_text():
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT
    assert output == ""
    assert "interrupted" in errors
    wait_for(lambda: has_ended(int(begun.read_text())))
    assert (tmp_path / "run.sightline").read_bytes() == before
    assert files_in(tmp_path) == {"net.py", "slow.py", "begun", "run.sightline"}


def test_a_slow_model_is_cut_short(command: Command, tmp_path: pathlib.Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import pathlib, time, torch\n"
        "class Slow(torch.nn.Module):\n"
        "    def forward(self, x):\n"
        "        with pathlib.Path('calls').open('a') as calls:\n"
        "            calls.write('.')\n"
        "        time.sleep(0.05)\n"
        "        return x\n"
    )
    arguments = ("slow.py:Slow", "--input", "2")
    assert len(measured(command, *arguments)["times_ms"]) >= 10
    calls = tmp_path / "calls"
    before = len(calls.read_text())
    report = measured(command, *arguments, "--repetitions", "2")
    assert len(report["times_ms"]) == 2
    assert len(calls.read_text()) - before < before / 2
    assert measured(command, *arguments, "--repetitions", "0")["execution_time_ms"] is None


def test_a_model_of_seven_billion_weights_needs_no_memory(
    command: Command, tmp_path: pathlib.Path
) -> None:
    width, layers = 16384, 26
    (tmp_path / "large.py").write_text(
        "from torch import nn\n"
        "def make():\n"
        f"    layers = [nn.Linear({width}, {width}, bias=False) for _ in range({layers})]\n"
        "    return nn.Sequential(*layers)\n"
    )
    arguments = ("large.py:make", "--input", f"4x{width}", "--device", "meta")
    report = measured(command, *arguments)
    weights = layers * width * width
    assert weights > 6.9e9
    assert report["parameters"]["total"] == weights
    assert report["size_bytes"] == 4 * weights
    assert report["macs"] == {
        "forward": 4 * weights,
        "backward": 4 * (2 * weights - width * width),  # nobody wants the input's gradient
        "optimizer": 0,
    }
    assert report["run"]["device"] == "meta"
    assert report["footprint_bytes"]["computed"]
    assert report["footprint_bytes"]["training_peak"] > 4 * weights
    assert report["times_ms"] == []
    assert [row["time_share"] for row in report["operators"]] == [None] * len(report["operators"])
    text = command("measure", *arguments, "--depth", "0").stdout
    assert "more at that of training (computed)" in text


def test_a_factory_may_itself_make_its_model_without_data(
    command: Command, tmp_path: pathlib.Path
) -> None:
    write_net(tmp_path)
    (tmp_path / "dataless.py").write_text(
        "import torch\n"
        "from net import Net\n"
        "def make():\n"
        "    with torch.device('meta'):\n"
        "        return Net()\n"
    )
    report = measured(command, "dataless.py:make", "--input", INPUT)
    assert report["macs"]["forward"] == FORWARD_MACS
    assert report["footprint_bytes"]["computed"]


def test_an_entry_point_is_measured_without_data(command: Command, tmp_path: pathlib.Path) -> None:
    write_net(tmp_path)
    (tmp_path / "entry.py").write_text(ENTRY)
    report = measured(command, "entry.py", "--device", "meta")
    assert report["macs"]["forward"] == FORWARD_MACS
    assert report["footprint_bytes"]["computed"]


def test_an_older_run_is_replaced_only_when_told(command: Command, tmp_path: pathlib.Path) -> None:
    write_net(tmp_path)
    arguments = ("measure", "net.py:Net", "--input", INPUT, "-o", "run.sightline")
    assert command(*arguments).returncode == 0
    refused = command(*arguments)
    assert refused.returncode == 2
    assert "exists already" in refused.stderr
    assert command(*arguments, "--force").returncode == 0
