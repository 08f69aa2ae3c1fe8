"""`sightline run`: the script does not notice."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from integration.command import Command
from integration.identities import assert_identities
from integration.programs import TRAIN_FOR_SECONDS
from integration.recorded_run import RecordedRun

import sightline

TRAIN = (
    TRAIN_FOR_SECONDS
    + """
import sys

train(0.5)
print("ready", flush=True)
train(float(sys.argv[1]))
print("done")
sys.exit(int(sys.argv[2]))
"""
)

# Everything that a script can see of how it was started.
MIRROR = """
import atexit
import os
import pickle
import sys

class Own:
    pass

print(__name__, __file__, __doc__, __package__, __spec__, __cached__)
atexit.register(lambda: print("at the end", sys.modules["__main__"].Own is Own))
print(sys.argv)
print(sys.path)
print(sorted(name for name in os.environ if "SIGHTLINE" in name))
print(sys.modules["__main__"].Own is Own, pickle.loads(pickle.dumps(Own())).__class__ is Own)
print(os.getcwd(), sys.executable, sys.prefix, sys.orig_argv[0])
print(sys.stdin.read())
print("to stderr", file=sys.stderr)
"""


@pytest.fixture
def python_command(tmp_path: pathlib.Path) -> Command:
    """Python without us."""
    return Command(sys.executable, tmp_path)


def test_a_recorded_script_has_its_own_output_and_exit_code(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "program.py").write_text(TRAIN)
    result = sightline_command("run", "program.py", "0.5", "3")
    assert result.returncode == 3
    assert result.stdout == "ready\ndone\n"
    (path,) = tmp_path.glob("*.sightline*")
    assert re.fullmatch(r"program-\d{8}-\d{6}\.sightline", path.name)
    assert f"sightline report {path.name}" in result.stderr.splitlines()[-1]
    run = RecordedRun(path, TRAIN, 3, result.stdout, result.stderr)
    assert_identities(run)
    assert run.report["run"]["command"] == "sightline run program.py 0.5 3"
    assert run.report["run"]["finished"] is True
    assert run.line("loss = (weight")["calls"] == 2


def test_a_script_whose_name_is_not_utf8_shows_its_source(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script = tmp_path / os.fsdecode(b"tr\xe9n.py")
    script.write_text(TRAIN)
    result = sightline_command("run", "-o", "run.sightline", script.name, "0", "0")
    assert result.returncode == 0, result.stderr
    lines = sightline.open(tmp_path / "run.sightline").lines
    sources = {line["file"]: line["source"] for line in lines if line["function"] == "train"}
    assert list(sources) == ["tr\N{REPLACEMENT CHARACTER}n.py"]
    assert None not in sources.values()


def test_a_script_sees_what_it_would_see_without_us(
    sightline_command: Command, python_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "script.py").write_text(MIRROR)
    arguments = ("inner/script.py", "-o", "--json", "", "two words")
    alone = python_command(*arguments)
    assert alone.returncode == 0, alone.stderr
    result = sightline_command("run", "--python", sys.executable, *arguments)
    assert result.stdout.splitlines() == alone.stdout.splitlines()
    assert result.returncode == 0
    assert result.stderr.startswith("to stderr\n")
    assert "did not import torch" in result.stderr


def test_a_module_is_run_as_python_would_run_it(
    sightline_command: Command, python_command: Command, tmp_path: pathlib.Path
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "work.py").write_text(
        "import sys\n"
        "print(__name__, __file__, __package__, __spec__.name, sys.argv, sys.path[0])\n"
        "sys.exit(4)\n"
    )
    alone = python_command("-m", "package.work", "-x", "1")
    result = sightline_command("run", "-m", "package.work", "-x", "1")
    assert (result.stdout, result.returncode) == (alone.stdout, alone.returncode)
    assert result.returncode == 4


@pytest.mark.parametrize(
    "ending",
    [
        "sys.exit('a message')",
        "raise KeyError('lost')",
        "1 / 0",
        "def f(:",
        "import os; os._exit(9)",
    ],
)
def test_a_script_ends_as_it_would_without_us(
    sightline_command: Command, python_command: Command, tmp_path: pathlib.Path, ending: str
) -> None:
    (tmp_path / "script.py").write_text(f"import sys\n\nprint('started')\n{ending}\n")
    alone = python_command("script.py")
    result = sightline_command("run", "script.py")
    assert (result.returncode, result.stdout) == (alone.returncode, alone.stdout)
    assert result.stderr.startswith(alone.stderr)


def test_options_say_what_is_shown_and_what_is_kept(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "program.py").write_text(TRAIN)
    options = ("--root", "inner", "--include", "torch", "--no-source", "-o", "own.sightline")
    result = sightline_command("run", *options, "inner/program.py", "0", "0")
    assert result.returncode == 0, result.stderr
    run = RecordedRun(tmp_path / "own.sightline", TRAIN, 0, "", "")
    assert_identities(run)
    assert run.line("loss = (weight")["calls"] == 2
    assert any(line["file"].startswith("torch/optim/") for line in run.report["lines"])
    assert run.rows("SELECT * FROM sources") == []
    assert run.report["run"]["root"] == str(tmp_path / "inner")


def test_wrong_use_is_told_before_anything_runs(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "script.py").write_text("print('it ran')\n")
    (tmp_path / "taken.sightline").write_bytes(b"SQLite format 3\0")
    (tmp_path / "notes.txt").write_text("mine")
    cases = [
        (["run"], "which script"),
        (["run", "missing.py"], "missing.py"),
        (["run", "-o", "taken.sightline", "script.py"], "--force"),
        (["run", "-o", "notes.txt", "--force", "script.py"], "notes.txt"),
        (["run", "-o", "nowhere/run.sightline", "script.py"], "nowhere"),
        (["run", "--python", "missing", "script.py"], "missing"),
        (["run", "--budget-of-mine", "script.py"], "--budget-of-mine"),
        (["walk"], "walk"),
    ]
    for arguments, word in cases:
        result = sightline_command(*arguments)
        assert result.returncode == 2, arguments
        assert result.stdout == "", arguments
        assert word in result.stderr, arguments
        assert "Traceback" not in result.stderr, arguments
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_force_replaces_a_run(sightline_command: Command, tmp_path: pathlib.Path) -> None:
    (tmp_path / "program.py").write_text(TRAIN)
    (tmp_path / "own.sightline").write_text("an old run")
    result = sightline_command("run", "-o", "own.sightline", "--force", "program.py", "0", "0")
    assert result.returncode == 0, result.stderr
    report = RecordedRun(tmp_path / "own.sightline", TRAIN, 0, "", "").report
    assert report["iteration"]["seen_steps"] > 3


def test_a_python_without_sightline_is_told_how_to_get_it(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "script.py").write_text("print('it ran')\n")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "bare"], check=True)
    python = tmp_path / "bare" / "bin" / "python"
    result = sightline_command("run", "--python", python, "script.py")
    assert result.returncode == 2
    assert result.stdout == ""
    assert f"{python} -m pip install" in result.stderr
    shutil.rmtree(tmp_path / "bare")
