"""A page that is one file has the timeline of its run, and stays small enough to be sent."""

from __future__ import annotations

import json
import pathlib
import re

import pytest
from integration.command import Command
from server.conftest import Serve

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples"
MOST_BYTES = 1_000_000


@pytest.mark.parametrize("example", ["resnet", "transformer", "gan", "skyline"])
def test_the_page_of_an_example_has_the_timeline_within_a_megabyte(
    serve: Serve, project: pathlib.Path, sightline_program: str, example: str
) -> None:
    sightline = Command(sightline_program, project)
    script = EXAMPLES / example / "train.py"
    assert sightline("run", "-o", "a.sightline", script, "--steps", "8").returncode == 0
    assert sightline("report", "a.sightline", "--html", "a.html").returncode == 0
    page = project / "a.html"
    assert page.stat().st_size < MOST_BYTES
    embedded = re.search(r'id="sightline-run">(.*?)</script>', page.read_text(), re.DOTALL)
    assert embedded is not None
    known = json.loads(embedded[1])
    status, answer = serve("view", "a.sightline").get("api/timeline")
    assert status == 200
    assert known["timeline"] == {**answer, "steps": [answer["step"]]}
    assert known["timeline_why_not"] == ""
    assert known["timeline"]["memory"]["changes"]["bytes"]
