"""What `sightline export` writes of a supervised training, read by independent readers."""

from __future__ import annotations

import csv
import pathlib
import sqlite3

import pytest
from integration.command import Command
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

EVERY_STEP = ("--supervise=full", "--supervise-budget", "100000")  # however long a look takes

TRAIN = """
import torch

torch.manual_seed(0)
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(12):
    loss = model(torch.randn(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


@pytest.fixture
def run(sightline_command: Command, tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "train.py").write_text(TRAIN)
    done = sightline_command("run", *EVERY_STEP, "-o", "own.sightline", "train.py")
    assert done.returncode == 0, done.stderr
    return tmp_path / "own.sightline"


def losses_of(run: pathlib.Path) -> list[float]:
    with sqlite3.connect(run) as database:
        return [row[0] for row in database.execute("SELECT loss FROM training_steps ORDER BY step")]


def test_tensorboard_gets_every_series(
    sightline_command: Command, run: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    done = sightline_command("export", run.name, "--tensorboard", "logs")
    assert done.returncode == 0, done.stderr
    [file] = (tmp_path / "logs").iterdir()
    assert "tfevents" in file.name
    found = EventAccumulator(str(file), {"scalars": 0, "histograms": 0}).Reload()
    told = found.Scalars("loss")
    assert [event.step for event in told] == list(range(12))
    assert [event.value for event in told] == pytest.approx(losses_of(run), rel=1e-6)
    assert len(found.Scalars("gradients/weight/l2")) == 12
    weights = found.Histograms("weights/weight/histogram")
    assert weights
    assert all(event.histogram_value.num == 4 for event in weights)


def test_csv_has_every_value(
    sightline_command: Command, run: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    done = sightline_command("export", run.name, "--csv", "tables")
    assert done.returncode == 0, done.stderr
    with (tmp_path / "tables" / "series.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    told = [float(row["value"]) for row in rows if row["topic"] == "loss"]
    assert told == losses_of(run)
    with (tmp_path / "tables" / "training_steps.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == 12
    assert (tmp_path / "tables" / "verdicts.csv").exists()


def test_parquet_has_every_value(
    sightline_command: Command, run: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = sightline_command("export", run.name, "--parquet", "tables")
    assert done.returncode == 0, done.stderr
    rows = parquet.read_table(tmp_path / "tables" / "series.parquet").to_pylist()
    assert [row["value"] for row in rows if row["topic"] == "loss"] == losses_of(run)


def test_a_run_without_a_training_says_how_to_get_one(
    sightline_command: Command, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    sightline_command("run", "-o", "own.sightline", "train.py")
    done = sightline_command("export", "own.sightline", "--tensorboard", "logs")
    assert done.returncode == 2
    assert "--supervise" in done.stderr
    assert not (tmp_path / "logs").exists()
