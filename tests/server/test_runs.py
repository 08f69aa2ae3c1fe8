"""The history of results, saved runs beside it, and two of them compared."""

from __future__ import annotations

import json
import os
import pathlib
import time
from typing import Any

from integration.command import Command
from integration.entry_points import QUICK, entry_point
from server.conftest import Serve
from server.live import SECONDS, Message

ENTRY = entry_point(
    model="from net import Net\n\ndef {}model_provider():\n    return Net()\n",
    inputs="def {}input_provider(batch_size=8):\n    return (torch.randn(batch_size, 64),)\n",
)
NET = """from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(64, 2)

    def forward(self, x):
        return self.layer(x)
"""
ANOTHER_NET = NET.replace("return self", "x = x.tanh()\n        return self")


def history_of(runs: int) -> Any:
    return lambda m: m["type"] == "history" and len(m["runs"]) == runs


def sources(answer: Message, side: str, verdict: str) -> list[str]:
    """What the lines of a verdict say."""
    return [line[side]["source"] for line in answer["lines"] if line["verdict"] == verdict]


def test_the_results_of_a_session_are_remembered_and_can_be_compared(
    serve: Serve, project: pathlib.Path
) -> None:
    (project / "entry.py").write_text(ENTRY)
    (project / "net.py").write_text(NET)
    server = serve("interactive", "entry.py", QUICK)
    client = server.client()
    (first,) = client.wait_for(history_of(1))["runs"]
    assert (first["run"], first["cached"], first["kept"]) == (1, False, True)
    report = client.newest("breakdown")["report"]
    assert abs(first["step_ms"] - report["iteration"]["wall_ms"]) < 1e-6
    assert first["peak_bytes"] == report["memory"]["peak_bytes"]
    client.wait_for_state("done")

    server.write("net.py", ANOTHER_NET)
    client.wait_for(history_of(2))
    client.wait_for_state("done")
    status, answer = server.get("api/compare", before=1, after=2)
    assert status == 200
    assert "x = x.tanh()" in sources(answer, "b", "added")
    assert sources(answer, "a", "removed") == []
    ((part,),) = [file["parts"] for file in answer["code"] if file["after"] == "net.py"]
    changed = [row for row in part if row["before"] != row["after"]]
    assert changed == [{"a": None, "b": 9, "before": None, "after": "        x = x.tanh()"}]
    assert answer["words"]

    server.write("net.py", NET)
    again = client.wait_for(history_of(3))["runs"][-1]
    assert (again["run"], again["cached"]) == (3, True)
    assert {**again, "run": 1, "cached": False} == first
    client.wait_for_state("done")
    newcomer = server.client()
    assert newcomer.wait_for(history_of(3))["runs"] == client.newest("history")["runs"]
    for before, after in ((1, 9), ("x", 1), (-1, 1), ("", "")):
        assert server.get("api/compare", before=before, after=after)[0] == 404
    assert server.get("api/compare")[0] == 404

    client.say(type="analyse")
    assert [run["kept"] for run in client.wait_for(history_of(4))["runs"]] == [True] * 4
    assert server.get("api/compare", before=1, after=4)[0] == 200


def test_a_result_is_kept_when_its_sampling_is_interrupted(
    serve: Serve, project: pathlib.Path
) -> None:
    (project / "entry.py").write_text(ENTRY)
    (project / "net.py").write_text(NET)
    server = serve("interactive", "entry.py")
    client = server.client()
    client.wait_for_state("sampling")
    server.write("net.py", ANOTHER_NET)
    runs = client.wait_for(history_of(2))["runs"]
    assert [run["kept"] for run in runs] == [True, True]
    assert server.get("api/compare", before=1, after=2)[0] == 200

    client.wait_for_state("sampling")
    client.say(type="cancel")
    assert client.wait_for_state("done")["text"] == "cancelled"
    client.say(type="analyse")
    runs = client.wait_for(history_of(3))["runs"]
    assert [run["kept"] for run in runs] == [True, True, True]
    assert server.get("api/compare", before=2, after=3)[0] == 200


def test_a_cancelled_sampling_leaves_the_timeline(serve: Serve, project: pathlib.Path) -> None:
    (project / "entry.py").write_text(ENTRY)
    (project / "net.py").write_text(NET)
    server = serve("interactive", "entry.py")
    client = server.client()
    client.wait_for_state("sampling")
    client.say(type="cancel")
    client.wait_for_state("done")
    client.say(type="analyse")
    client.wait_for_state("importing")  # so the process of the cancelled one has ended
    assert server.get("api/timeline")[0] == 200


def test_saved_runs_are_compared_by_their_positions(
    serve: Serve, project: pathlib.Path, sightline_program: str
) -> None:
    profile = Command(sightline_program, project)
    (project / "entry.py").write_text(ENTRY)
    for name, net in (("before", NET), ("after", ANOTHER_NET)):
        (project / "net.py").write_text(net)
        assert profile("profile", "entry.py", "-o", f"{name}.sightline", QUICK).returncode == 0
    server = serve("view", "before.sightline", "after.sightline")
    runs = server.client().wait_for(history_of(2))["runs"]
    assert [run["run"] for run in runs] == [0, 1]
    assert all(run["step_ms"] > 0 and run["kept"] for run in runs)
    status, answer = server.get("api/compare", before=0, after=1)
    assert status == 200
    assert "x = x.tanh()" in sources(answer, "b", "added")
    assert server.get("api/compare", before=0, after=2)[0] == 404
    same = server.get("api/compare", before=1, after=1)[1]
    assert same["code"] == []
    assert {line["verdict"] for line in same["lines"]} == {"same"}


def saved_names(message: Message) -> list[str]:
    return [run["name"] for run in message["runs"]] if message["type"] == "saved_runs" else []


def test_a_result_is_compared_with_a_run_file_of_the_project(
    serve: Serve, project: pathlib.Path, sightline_program: str
) -> None:
    profile = Command(sightline_program, project)
    (project / "entry.py").write_text(ENTRY)
    (project / "net.py").write_text(NET)
    assert profile("profile", "entry.py", "-o", "before.sightline", QUICK).returncode == 0
    (project / "net.py").write_text(ANOTHER_NET)
    server = serve("interactive", "entry.py", QUICK)
    server.client().wait_for(history_of(1))
    client = server.client()
    (saved,) = client.wait_for_type("saved_runs")["runs"]
    assert (saved["name"], saved["growing"], saved["problem"]) == ("before.sightline", False, "")
    report = json.loads(profile("report", "before.sightline", "--json").stdout)
    assert abs(saved["step_ms"] - report["iteration"]["wall_ms"]) < 1e-6
    assert saved["peak_bytes"] == report["memory"]["peak_bytes"]
    assert saved["started"] == report["run"]["started"]

    before = saved["run"]
    status, answer = server.get("api/compare", before=before, after=1)
    assert status == 200
    assert "x = x.tanh()" in sources(answer, "b", "added")
    assert [file["after"] for file in answer["code"]] == ["net.py"]
    status, answer = server.get("api/compare", before=1, after=before)
    assert status == 200
    assert "x = x.tanh()" in sources(answer, "a", "removed")
    for other in ("before.sightline", str(project / "before.sightline"), "file-", "../" + before):
        assert server.get("api/compare", before=other, after=1)[0] == 404

    whole = (project / "before.sightline").read_bytes()
    (project / "copy.sightline").write_bytes(whole)
    two = client.wait_for(lambda m: len(saved_names(m)) == 2)
    assert saved_names(two)[0] == "copy.sightline"
    assert {**two["runs"][0], "name": saved["name"], "run": before} == saved
    assert server.get("api/compare", before=before, after=two["runs"][0]["run"])[1]["code"] == []

    (project / "copy.sightline").write_bytes(whole[: len(whole) // 2])
    cut = client.wait_for(lambda m: m["type"] == "saved_runs" and m["runs"][0]["problem"] != "")
    assert cut["runs"][0]["problem"].startswith("it is cut off")
    assert server.get("api/compare", before=cut["runs"][0]["run"], after=1)[0] == 404
    (project / "copy.sightline").unlink()
    assert len(client.wait_for(lambda m: len(saved_names(m)) == 1)["runs"]) == 1
    assert server.get("api/compare", before=cut["runs"][0]["run"], after=1)[0] == 404


def test_only_run_files_below_the_root_are_offered(
    serve: Serve, project: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    (project / "entry.py").write_text(ENTRY)
    (project / "net.py").write_text(NET)
    (tmp_path / "elsewhere.sightline").write_text("of somebody else")
    (project / "link.sightline").symlink_to(tmp_path / "elsewhere.sightline")
    os.mkfifo(project / "pipe.sightline")
    hostile = "<img src=x onerror=hit()>\n\u202e.sightline"
    (project / hostile).write_text("of us")
    client = serve("interactive", "entry.py", QUICK).client()
    (only,) = client.wait_for_type("saved_runs")["runs"]
    assert only["name"] == hostile
    assert only["problem"].startswith("it is not a Sightline run")
    client.wait_for_state("done")


TRAINING = """import pathlib
import time
import torch

model = torch.nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
while not pathlib.Path("enough").exists():
    model(torch.randn(8, 64)).sum().backward()
    optimizer.step()
    time.sleep(0.02)
"""


def test_a_run_that_is_being_recorded_can_be_compared(
    serve: Serve, project: pathlib.Path, sightline_program: str
) -> None:
    (project / "entry.py").write_text(ENTRY)
    (project / "net.py").write_text(NET)
    (project / "train.py").write_text(TRAINING)
    server = serve("interactive", "entry.py", QUICK)
    client = server.client()
    client.wait_for(history_of(1))
    client.wait_for_state("done")
    training = Command(sightline_program, project).spawn("run", "-o", "live.sightline", "train.py")
    growing = client.wait_for(
        lambda m: m["type"] == "saved_runs" and m["runs"][0]["growing"] and m["runs"][0]["step_ms"]
    )
    (live,) = growing["runs"]
    deadline = time.monotonic() + SECONDS
    while not (answer := server.get("api/compare", before=1, after=live["run"])[1])["iteration"][
        "wall_ms"
    ]["after"]:  # while it warms up, no step counts
        assert time.monotonic() < deadline, answer
        time.sleep(0.1)
    (project / "enough").write_text("")
    ended = client.wait_for(lambda m: m["type"] == "saved_runs" and not m["runs"][0]["growing"])
    assert ended["runs"][0]["problem"] == ""
    said = training.communicate()
    assert training.returncode == 0, said
    assert not (project / "live.sightline-wal").exists()
    assert client.newest("state")["analysis"] == 1
