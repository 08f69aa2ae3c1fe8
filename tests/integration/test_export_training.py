"""What `sightline export` writes of a supervised training, read by independent readers."""

from __future__ import annotations

import csv
import math
import pathlib
import sqlite3
import struct
from collections.abc import Iterator

import pytest
from integration.command import Command

EVERY_STEP = ("--supervise", "--supervise-budget", "100000")  # however long a look takes

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


def crc32c(data: bytes) -> int:
    """Bit by bit, from the polynomial alone."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(crc: int) -> int:
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def records(data: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        length, length_crc = struct.unpack_from("<QI", data, at)
        assert length_crc == masked(crc32c(data[at : at + 8]))
        record = data[at + 12 : at + 12 + length]
        (record_crc,) = struct.unpack_from("<I", data, at + 12 + length)
        assert record_crc == masked(crc32c(record))
        yield record
        at += 16 + length


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def fields(data: bytes) -> dict[int, bytes | int]:
    """A message of protocol buffers, each field once, as it stands there."""
    found: dict[int, bytes | int] = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        wire = key & 7
        if wire == 0:
            found[key >> 3], at = varint(data, at)
            continue
        size = {1: 8, 5: 4}.get(wire)
        if size is None:
            size, at = varint(data, at)
        found[key >> 3] = data[at : at + size]
        at += size
    return found


def part(message: dict[int, bytes | int], number: int) -> bytes:
    value = message[number]
    assert isinstance(value, bytes)
    return value


def scalars(data: bytes) -> dict[str, list[tuple[int, float]]]:
    found: dict[str, list[tuple[int, float]]] = {}
    first, *events = records(data)
    assert part(fields(first), 3) == b"brain.Event:2"
    for record in events:
        event = fields(record)
        value = fields(part(fields(part(event, 5)), 1))
        step = event[2]
        assert isinstance(step, int)
        (number,) = struct.unpack("<f", part(value, 2))
        found.setdefault(part(value, 1).decode(), []).append((step, number))
    return found


def test_tensorboard_gets_every_series(
    sightline_command: Command, run: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    done = sightline_command("export", run.name, "--tensorboard", "logs")
    assert done.returncode == 0, done.stderr
    [file] = (tmp_path / "logs").iterdir()
    assert "tfevents" in file.name
    found = scalars(file.read_bytes())
    losses = losses_of(run)
    assert [step for step, _ in found["loss"]] == list(range(12))
    for (_, value), loss in zip(found["loss"], losses, strict=True):
        assert math.isclose(value, loss, rel_tol=1e-6)
    assert len(found["gradients/weight/l2"]) == 12


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
