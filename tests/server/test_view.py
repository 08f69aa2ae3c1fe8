"""Saved runs are served with the code that they have kept."""

from __future__ import annotations

import pathlib

from integration.command import Command
from integration.entry_points import QUICK, entry_point
from server.conftest import Serve


def test_runs_are_served_with_their_own_code(
    serve: Serve, project: pathlib.Path, sightline_program: str
) -> None:
    profile = Command(sightline_program, project)
    for name, features in (("before", 4), ("after", 5)):
        text = entry_point().replace("4", str(features))
        (project / "entry.py").write_text(text)
        assert profile("profile", "entry.py", "-o", f"{name}.sightline", QUICK).returncode == 0
    (project / "entry.py").unlink()
    server = serve("view", "before.sightline", "after.sightline")
    client = server.client()
    hello = client.receive()
    assert (hello["mode"], hello["entry"]) == ("view", None)
    assert hello["runs"] == [{"name": "before.sightline"}, {"name": "after.sightline"}]
    assert client.receive()["state"] == "done"
    for run, features in ((0, 4), (1, 5)):
        status, result = server.get("api/result", run=run)
        assert (status, result["type"]) == (200, "breakdown")
        assert server.get("api/files", run=run)[1]["files"] == ["entry.py"]
        text = server.get("api/source", path="entry.py", run=run)[1]["text"]
        assert f"nn.Linear({features}, 2)" in text
        status, timeline = server.get("api/timeline", run=run)
        assert status == 200
        assert timeline["step"] == timeline["steps"][-1]
        assert any(name.startswith("aten::") for name in timeline["operators"])
        for step in timeline["steps"]:
            events = server.get("api/timeline", run=run, step=step)[1]["events"]
            assert events["start_ns"] and len(events["line"]) == len(events["start_ns"])
        assert server.get("api/timeline", run=run, step=4711)[0] == 404
    assert server.get("api/timeline", run=2)[0] == 404
    assert server.get("api/timeline", run=0, step="x")[0] == 404
    assert server.get("api/result", run=2)[0] == 404
    assert server.get("api/result", run="x")[0] == 404
    assert server.get("api/source", run=0, path="../entry.py")[0] == 404


def test_the_name_of_a_run_cannot_steer_the_terminal(
    serve: Serve, project: pathlib.Path, sightline_program: str
) -> None:
    (project / "entry.py").write_text(entry_point())
    hostile = "a\x1b[2J\u202e.sightline"
    profile = Command(sightline_program, project)
    assert profile("profile", "entry.py", "-o", hostile, QUICK).returncode == 0
    title = serve("view", hostile).said[0]
    assert title.startswith("Sightline shows a\\x1b[2J")
    assert title.rstrip("\n").isprintable()


def test_a_file_that_is_no_run_is_refused_before_anything_is_served(
    project: pathlib.Path, sightline_program: str
) -> None:
    (project / "no.sightline").write_text("no run")
    result = Command(sightline_program, project)("view", "no.sightline", "--no-browser")
    assert result.returncode != 0
    assert "no.sightline" in result.stderr
