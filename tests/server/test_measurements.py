"""Runs that say what a model costs are served as measurements, alone and two of them compared."""

from __future__ import annotations

import pathlib

import pytest
from integration.command import Command
from integration.entry_points import QUICK, entry_point
from server.conftest import Serve

BATCH = 8
FEATURES = {"small": 4, "large": 5}


@pytest.fixture
def measured(project: pathlib.Path, sightline_program: str) -> list[str]:
    """Of models that are one linear layer, from so many features to two."""
    command = Command(sightline_program, project)
    for name, features in FEATURES.items():
        (project / "entry.py").write_text(entry_point().replace("4", str(features)))
        result = command("measure", "entry.py", "-o", f"{name}.sightline")
        assert result.returncode == 0, result.stderr
    return [f"{name}.sightline" for name in FEATURES]


def test_measurements_are_served_in_place_of_breakdowns(serve: Serve, measured: list[str]) -> None:
    server = serve("view", *measured)
    client = server.client()
    hello = client.receive()
    assert hello["runs"] == [{"name": name, "kind": "measurement"} for name in measured]
    assert client.receive()["state"] == "done"
    assert client.receive() == {"type": "history", "runs": []}
    for run, features in enumerate(FEATURES.values()):
        status, result = server.get("api/result", run=run)
        assert (status, result["type"]) == (200, "measurement")
        measurement = result["measurement"]
        assert measurement["parameters"]["total"] == 2 * features + 2
        assert measurement["macs"]["forward"] == BATCH * 2 * features
        assert measurement["layers"][0]["type"] == "Linear"
        assert server.get("api/files", run=run)[1]["files"] == []
        assert server.get("api/timeline", run=run)[0] == 404


def test_two_measurements_are_compared(serve: Serve, measured: list[str]) -> None:
    server = serve("view", *measured)
    status, answer = server.get("api/compare", before=0, after=1)
    assert status == 200
    parameters = answer["metrics"]["parameters"]
    assert parameters["values"] == [10, 12]
    assert parameters["changes"][1]["verdict"] == "worse"
    (layer,) = answer["layers"]
    assert layer["metrics"]["macs"]["values"] == [64, 80]
    assert server.get("api/compare", before=0, after=2)[0] == 404


def test_a_measurement_is_not_compared_with_steps(
    serve: Serve, project: pathlib.Path, measured: list[str], sightline_program: str
) -> None:
    profile = Command(sightline_program, project)
    assert profile("profile", "entry.py", "-o", "steps.sightline", QUICK).returncode == 0
    server = serve("view", measured[0], "steps.sightline")
    hello = server.client().receive()
    assert hello["runs"] == [
        {"name": measured[0], "kind": "measurement"},
        {"name": "steps.sightline"},
    ]
    assert server.get("api/result", run=0)[1]["type"] == "measurement"
    assert server.get("api/result", run=1)[1]["type"] == "breakdown"
    status, answer = server.get("api/compare", before=0, after=1)
    assert status == 404
    assert "two of a kind" in answer["error"]["text"]
