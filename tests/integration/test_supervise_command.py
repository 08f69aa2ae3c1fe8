"""`sightline run --supervise` on scripts that know nothing of it."""

from __future__ import annotations

import json
import math
import os
import pathlib
import pty
import re
import select
import signal
import sqlite3
import subprocess
import time

import pytest
from integration.command import Command

import sightline

EVERY_STEP = ("--supervise-budget", "100000")  # however long a look takes

TRAIN = """
import sys
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.second = nn.Linear(16, 1)

    def forward(self, x):
        hidden = torch.relu(self.first(x))
        return self.second(hidden) * FACTOR


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
inputs = torch.randn(32, 8)
targets = inputs.sum(1, keepdim=True)
for step in range(STEPS):
    FACTOR = float("nan") if step == BAD_STEP else 1.0
    loss = nn.functional.mse_loss(model(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{step} {loss.item()!r}", flush=True)
print("end")
"""


def script(folder: pathlib.Path, *, steps: int = 30, bad_step: int = -1) -> None:
    text = TRAIN.replace("STEPS", str(steps)).replace("BAD_STEP", str(bad_step))
    (folder / "train.py").write_text(text)


def rows(path: pathlib.Path, sql: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as database:
        return database.execute(sql).fetchall()


def test_an_unchanged_script_is_supervised(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script(tmp_path)
    done = sightline_command("run", "--supervise", *EVERY_STEP, "-o", "own.sightline", "train.py")
    assert done.returncode == 0, done.stderr
    run = tmp_path / "own.sightline"
    printed = [float(line.split()[1]) for line in done.stdout.splitlines() if line[0].isdigit()]
    stored = [row[0] for row in rows(run, "SELECT loss FROM training_steps ORDER BY step")]
    assert stored == printed  # every step, bit by bit
    series = set(rows(run, "SELECT module, tensor, topic FROM series WHERE statistic = 'l2'"))
    for module in ("first", "second"):
        for tensor in ("weight", "bias"):
            assert (module, tensor, "gradients") in series
            assert (module, tensor, "weights") in series
    assert ("", "", "activations") in series
    assert not rows(run, "SELECT * FROM series WHERE topic = 'updates'")
    assert rows(
        run, "SELECT count(*) FROM series WHERE topic = 'memory_bytes' AND points = 30"
    ) == [(1,)]


def test_full_has_updates(sightline_command: Command, tmp_path: pathlib.Path) -> None:
    script(tmp_path)
    done = sightline_command(
        "run", "--supervise=full", *EVERY_STEP, "-o", "own.sightline", "train.py"
    )
    assert done.returncode == 0, done.stderr
    run = tmp_path / "own.sightline"
    found = rows(run, "SELECT gradient_l2, update_l2 FROM training_steps ORDER BY step")
    assert len(found) == 30
    for gradient, update in found:  # of plain SGD
        assert isinstance(gradient, float) and isinstance(update, float)
        assert math.isclose(update, 0.05 * gradient, rel_tol=1e-4)
    report = json.loads(sightline_command("report", "own.sightline", "--json").stdout)
    assert report["supervision"]["update_copy_bytes"] == 4 * (8 * 16 + 16 + 16 + 1)
    assert report["supervision"]["update_sampled_one_of"] == 1
    assert "updates from copies" in sightline_command("report", "own.sightline").stdout


def test_a_rule_ends_the_training_and_nothing_is_lost(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script(tmp_path, steps=10_000, bad_step=12)
    done = sightline_command(
        "run",
        "--supervise",
        *EVERY_STEP,
        "--stop-on",
        "non-finite",
        "-o",
        "own.sightline",
        "train.py",
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "--stop-on non-finite" in done.stderr
    assert "end" not in done.stdout.splitlines()
    run = tmp_path / "own.sightline"
    assert [path.name for path in tmp_path.glob("own*")] == ["own.sightline"]
    assert rows(run, "SELECT max(step) FROM training_steps") == [(12,)]
    verdicts = rows(run, "SELECT rule, step, file FROM verdicts WHERE rule = 'non-finite'")
    assert verdicts == [("non-finite", 12, "train.py")]


def test_a_script_that_catches_ctrl_c_ends_as_it_likes(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script(tmp_path, steps=10_000, bad_step=3)
    text = (tmp_path / "train.py").read_text()
    body = "\n".join("    " + line for line in text.splitlines())
    (tmp_path / "train.py").write_text(
        f"try:\n{body}\nexcept KeyboardInterrupt:\n    print('saved')\n"
    )
    done = sightline_command("run", "--stop-on", "non-finite", "-o", "o.sightline", "train.py")
    assert done.returncode == 0, done.stderr
    assert "saved" in done.stdout


def test_fail_on_sets_the_exit_code_and_lets_the_training_end(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script(tmp_path, bad_step=5)
    done = sightline_command("run", "--fail-on", "non-finite", "-o", "bad.sightline", "train.py")
    assert done.returncode == 1
    assert "end" in done.stdout.splitlines()
    assert "--fail-on non-finite" in done.stderr
    script(tmp_path)
    done = sightline_command("run", "--fail-on", "non-finite", "-o", "ok.sightline", "train.py")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("option", ["--stop-on", "--fail-on"])
def test_an_unknown_rule_is_refused_with_the_names_of_all(
    sightline_command: Command, tmp_path: pathlib.Path, option: str
) -> None:
    script(tmp_path)
    done = sightline_command("run", option, "no-such-rule", "train.py")
    assert done.returncode == 2
    assert "no-such-rule" in done.stderr
    assert "vanishing-gradient" in done.stderr
    assert "growing-memory" in done.stderr


def test_supervising_does_not_change_the_training(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script(tmp_path)
    plain = sightline_command("run", "-o", "plain.sightline", "train.py")
    watched = sightline_command(
        "run", "--supervise=full", *EVERY_STEP, "-o", "own.sightline", "train.py"
    )
    assert plain.stdout == watched.stdout


def test_the_report_has_the_training_and_its_verdicts(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script(tmp_path, bad_step=7)
    sightline_command("run", "--supervise", *EVERY_STEP, "-o", "own.sightline", "train.py")
    text = sightline_command("report", "own.sightline").stdout
    assert "Training\n" in text
    assert "non-finite at step 7" in text
    report = json.loads(sightline_command("report", "own.sightline", "--json").stdout)
    [verdict] = [found for found in report["verdicts"] if found["rule"] == "non-finite"]
    assert verdict["step"] == 7
    assert verdict["file"] == "train.py"
    assert set(verdict) >= {"severity", "module", "line", "evidence", "advice"}
    assert sightline.open(tmp_path / "own.sightline").report == report


def test_watch_in_a_pipe_writes_plain_lines_and_ends_with_the_run(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script(tmp_path, bad_step=7)
    sightline_command("run", "--supervise", *EVERY_STEP, "-o", "own.sightline", "train.py")
    done = sightline_command("watch", "own.sightline")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "non-finite at step 7" in done.stdout
    assert "step 29" in done.stdout


def read_until(descriptor: int, wanted: bytes, seconds: float = 30) -> bytes:
    seen = b""
    end = time.monotonic() + seconds
    while wanted not in seen and time.monotonic() < end:
        if select.select([descriptor], [], [], 0.2)[0]:
            try:
                seen += os.read(descriptor, 65536)
            except OSError:  # the other side has closed the terminal
                break
    assert wanted in seen, seen
    return seen


def test_watch_on_a_terminal_is_redrawn_in_place_until_ctrl_c(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    script(tmp_path, steps=100_000, bad_step=5)
    training = sightline_command.spawn(
        "run", "--supervise", *EVERY_STEP, "-o", "own.sightline", "train.py"
    )
    run = tmp_path / "own.sightline"
    ours, theirs = pty.openpty()
    try:
        while not run.exists():
            time.sleep(0.05)
        time.sleep(2)
        watching = subprocess.Popen(
            [sightline_command.program, "watch", "own.sightline", "--every", "0.2"],
            cwd=tmp_path,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8"},
        )
        seen = read_until(ours, b"non-finite at step 5")
        seen += read_until(ours, b"\x1b[H")
        assert seen.startswith(b"\x1b[?1049h")
        assert re.search(r"loss +\S+ to \S+ +[▁▂▃▄▅▆▇█]{2}", seen.decode(errors="replace"))
        watching.send_signal(signal.SIGINT)
        assert watching.wait(timeout=20) == 0
        read_until(ours, b"\x1b[?1049l")
    finally:
        os.close(ours)
        os.close(theirs)
        training.send_signal(signal.SIGINT)
        training.communicate(timeout=60)
