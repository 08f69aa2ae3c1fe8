"""Code that is in no file: the cells of notebooks, and what programs generate."""

from __future__ import annotations

import pytest
from integration.conftest import Runner

PROGRAM = """
import linecache
import torch

CELL = '''weight = torch.randn(32, 32, requires_grad=True)
optimizer = torch.optim.SGD([weight], lr=1e-6)
for _ in range({steps}):
    loss = (weight @ weight).sum()
    loss.backward()
    optimizer.step()
    time.sleep({pause})
'''

def run(text, name):
    lines = text.splitlines(keepends=True)
    linecache.cache[name] = (len(text), None, lines, name)
    exec(compile(text, name, "exec"), {{"torch": torch, "time": __import__("time")}})

run(CELL, "{name}")
"""
CELL_NAMES = ["<ipython-input-3-0a1b2c3d>", "/tmp/ipykernel_1234/567.py"]


def program(name: str, *, steps: int = 8, pause: float = 0) -> str:
    return PROGRAM.format(name=name, steps=steps, pause=pause)


@pytest.mark.parametrize("name", CELL_NAMES)
def test_lines_of_a_cell_have_their_text(record: Runner, name: str) -> None:
    run = record(program(name))
    sources = {line["line"]: line["source"] for line in run.report["lines"]}
    assert sources[4] == "loss = (weight @ weight).sum()"
    assert sources[6] == "optimizer.step()"
    assert {line["file"] for line in run.report["lines"]} <= {name.split("/")[-1], "program.py"}


def test_a_cell_that_was_written_to_the_run_before_its_end_has_its_text(record: Runner) -> None:
    run = record(program(CELL_NAMES[0], steps=20, pause=0.1))
    assert "loss = (weight @ weight).sum()" in {line["source"] for line in run.report["lines"]}


def test_generated_code_keeps_its_text_where_linecache_knows_it(record: Runner) -> None:
    run = record(program("<generated>"))
    text = run.value(
        "SELECT text FROM sources JOIN files ON files.source_hash = sources.hash WHERE path = ?",
        "<generated>",
    )
    assert "loss = (weight @ weight).sum()" in text.splitlines()[3]
    # It is no line of the project. But one line runs all of it, so the report shows what is below.
    assert run.report["descended"]["source"].startswith("exec(compile(text")
    sources = {line["source"] for line in run.report["lines"] if line["file"] == "<generated>"}
    assert "loss = (weight @ weight).sum()" in sources


def test_a_cell_of_a_program_that_keeps_no_source_has_no_text(record: Runner) -> None:
    run = record(program(CELL_NAMES[0]), keep_source=False)
    assert run.rows("SELECT * FROM sources") == []
    assert {line["source"] for line in run.report["lines"]} == {None}


def test_a_broken_entry_of_linecache_harms_nobody(run_program: Runner) -> None:
    other = "<caf\udce9>"  # no UTF-8
    text = program(CELL_NAMES[0]) + "def fail():\n    raise RuntimeError\n"
    for name in (CELL_NAMES[0], other):
        text += f"linecache.cache[{name!r}] = (fail,)\n"
    text += f"exec(compile('torch.ones(3).sum()', {other!r}, 'exec'))\n"
    run = run_program(text, recorded=True)
    assert (run.exit_code, run.stderr) == (0, "")
    assert {line["source"] for line in run.report["lines"] if line["file"] != "program.py"} == {
        None
    }
