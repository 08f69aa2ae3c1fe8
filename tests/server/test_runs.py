"""The history of results, and two of them compared."""

from __future__ import annotations

import pathlib
from typing import Any

from integration.command import Command
from integration.entry_points import QUICK, entry_point
from server.conftest import Serve
from server.live import Message

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
