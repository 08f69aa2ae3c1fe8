"""A session follows the files of a project, whatever happens to them and to its worker."""

from __future__ import annotations

import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import time
from typing import Any

import pytest
from integration.entry_points import QUICK, entry_point
from server.conftest import Serve
from server.live import Client, Message, Server

ENTRY = entry_point(
    model="from net import Net\n\ndef {}model_provider():\n    return Net()\n",
    inputs="def {}input_provider(batch_size=8):\n    return (torch.randn(batch_size, 64),)\n",
)
NET = """import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 2))

    def forward(self, x):
        return self.layers(x)
"""
# Where a step begins, which is all that is known of a process that was killed.
STEP = ("entry.py", ENTRY[: ENTRY.index("def iteration(")].count("\n") + 1)
SKYLINE_EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "skyline"


def net_with(line: str) -> str:
    """The same model with another line, that costs something."""
    return NET.replace("return self", f"{line}\n        return self")


@pytest.fixture
def files(project: pathlib.Path) -> pathlib.Path:
    (project / "entry.py").write_text(ENTRY)
    (project / "net.py").write_text(NET)
    return project


def opened(serve: Serve, *options: str) -> tuple[Server, Client]:
    """A server and a client of it, when the first analysis is done."""
    server = serve("interactive", "entry.py", *options)
    client = server.client()
    client.wait_for_state("done")
    return server, client


def lines_of(message: Message) -> set[str]:
    """What the costly lines of net.py say."""
    lines: list[dict[str, Any]] = message["report"]["lines"]
    return {line["source"] for line in lines if line["file"] == "net.py"}


def test_a_newcomer_is_told_everything_there_is_to_know(serve: Serve, files: pathlib.Path) -> None:
    server, first = opened(serve, QUICK)
    assert [message["type"] for message in first.seen][:2] == ["hello", "state"]
    second = server.client()
    breakdown = second.wait_for_type("breakdown")
    hello, state = second.seen[:2]
    assert (hello["mode"], hello["project"], hello["entry"]) == (
        "interactive",
        "project",
        "entry.py",
    )
    assert (state["state"], state["shown"], state["current"]) == ("done", 1, True)
    assert breakdown == first.newest("breakdown")
    assert server.get("api/result") == (200, breakdown)
    assert server.get("api/files") == (200, {"files": ["entry.py", "net.py"]})
    status, session = server.get("api/session")
    assert (status, session["state"]["state"]) == (200, "done")


def test_the_states_come_in_order(serve: Serve, files: pathlib.Path) -> None:
    _, client = opened(serve)
    states = [message["state"] for message in client.seen if message["type"] == "state"]
    changes = [state for at, state in enumerate(states) if at == 0 or states[at - 1] != state]
    assert changes[-4:] == ["importing", "measuring", "sampling", "done"]


def test_batch_sizes_come_one_by_one_after_the_breakdown(serve: Serve, files: pathlib.Path) -> None:
    _, client = opened(serve)
    kinds = [m["type"] for m in client.seen if m["type"] in ("breakdown", "throughput")]
    assert kinds[0] == "breakdown"
    assert kinds.count("throughput") > 3
    counts = [len(m["throughput"]["samples"]) for m in client.seen if m["type"] == "throughput"]
    assert counts == sorted(counts)
    samples = client.newest("breakdown")["report"]["throughput"]["samples"]
    assert len(samples) == counts[-1]


def test_the_tree_adds_up_to_the_report(serve: Serve, files: pathlib.Path) -> None:
    _, client = opened(serve, QUICK)
    message = client.newest("breakdown")
    nodes = message["tree"]["nodes"]
    kinds = ("forward_ns", "backward_ns", "python_ns", "optimizer_ns", "data_ns")
    assert sum(sum(nodes[kind]) for kind in kinds) == message["report"]["sums"]["wall_ns"]
    assert sum(nodes["peak_bytes"]) == message["report"]["memory"]["peak_bytes"]
    assert sum(message["tree"]["peak"]["bytes"]) == message["report"]["memory"]["peak_bytes"]
    modules = [module["path"] for module in message["tree"]["modules"]]
    in_layer = [modules[at] for at in nodes["module"] if at >= 0]
    assert {"layers.0", "layers.2"} <= set(in_layer)


def test_a_save_brings_new_results_and_an_undo_the_old_ones_at_once(
    serve: Serve, files: pathlib.Path
) -> None:
    server, client = opened(serve, QUICK)
    server.write("net.py", net_with("x = x.tanh()"))
    assert client.wait_for_type("files")["changed"] == ["net.py"]
    changed = client.wait_for_type("breakdown")
    assert "x = x.tanh()" in lines_of(changed)
    assert not changed["cached"]
    client.wait_for_state("done")
    server.write("net.py", NET)
    undone = client.wait_for_type("breakdown")
    assert undone["cached"]
    assert "x = x.tanh()" not in lines_of(undone)
    assert client.wait_for_state("done")["current"]


def test_a_save_of_the_same_text_changes_nothing(serve: Serve, files: pathlib.Path) -> None:
    server, client = opened(serve, QUICK)
    server.write("net.py", NET)
    with pytest.raises(TimeoutError):
        client.receive(timeout=1)


def test_a_new_folder_and_a_removed_file_are_noticed(serve: Serve, files: pathlib.Path) -> None:
    server, client = opened(serve, QUICK)
    (files / "parts" / "deep").mkdir(parents=True)
    time.sleep(0.2)
    server.write("parts/deep/part.py", "x = 1\n")
    client.wait_for_state("done")
    assert server.get("api/files")[1]["files"] == ["entry.py", "net.py", "parts/deep/part.py"]
    shutil.rmtree(files / "parts")
    client.wait_for_state("done")
    assert server.get("api/files")[1]["files"] == ["entry.py", "net.py"]


def test_a_save_in_the_deepest_folder_of_ten_thousand_files_is_noticed(
    serve: Serve, files: pathlib.Path
) -> None:
    folder = files
    for _ in range(100):
        folder /= "part"
        folder.mkdir()
        for number in range(100):
            (folder / f"file_{number}.py").write_text("x = 1\n")
    server, client = opened(serve, QUICK)
    assert len(server.get("api/files")[1]["files"]) == 10_002
    deepest = f"{folder.relative_to(files)}/file_99.py"
    server.write(deepest, "x = 2\n")
    assert client.wait_for_type("files")["changed"][-1] == deepest
    client.wait_for_state("done")


@pytest.fixture
def program_with_one_watch(serving_program: str, tmp_path: pathlib.Path) -> str:
    """The server, where the system watches no more than one folder for it."""
    limit = "echo 1 > /proc/sys/user/max_inotify_watches"
    unshare = ["unshare", "--map-root-user", "sh", "-c"]
    if not shutil.which("unshare") or subprocess.run([*unshare, limit], check=False).returncode:
        pytest.skip("the system lets nobody set limits of their own")
    program = tmp_path / "with-one-watch"
    program.write_text(f"""#!/bin/sh
exec {shlex.join([*unshare, f'{limit} && exec "$@"', "sh", serving_program])} "$@"
""")
    program.chmod(0o755)
    return str(program)


def test_a_new_folder_that_the_system_cannot_watch_is_noticed(
    serve: Serve, files: pathlib.Path, program_with_one_watch: str
) -> None:
    server = serve("interactive", "entry.py", QUICK, program=program_with_one_watch)
    client = server.client()
    client.wait_for_state("done")
    (files / "parts").mkdir()
    time.sleep(0.2)
    server.write("parts/part.py", "x = 1\n")
    client.wait_for_state("done")
    assert server.get("api/files")[1]["files"] == ["entry.py", "net.py", "parts/part.py"]


def test_what_is_not_the_users_work_is_not_watched(serve: Serve, files: pathlib.Path) -> None:
    server, client = opened(serve, QUICK)
    for name in (".git/a.py", "__pycache__/b.py", "node_modules/c.py", "notes.md", "train.log"):
        server.write(name, "1")
    (files / "environment").mkdir()
    (files / "environment" / "pyvenv.cfg").write_text("")
    server.write("environment/d.py", "1")
    with pytest.raises(TimeoutError):
        client.receive(timeout=1)
    assert server.get("api/files")[1]["files"] == ["entry.py", "net.py"]


def test_broken_code_is_reported_with_its_line_and_the_old_results_stay(
    serve: Serve, files: pathlib.Path
) -> None:
    server, client = opened(serve, QUICK)
    good = client.newest("breakdown")
    server.write("net.py", NET.replace("def forward(self, x):", "def forward(self, x)"))
    failure = client.wait_for_type("failure")
    assert (failure["file"], failure["line"]) == ("net.py", 9)
    assert "syntax error" in failure["what"]
    state = client.wait_for_state("failed")
    assert (state["shown"], state["current"]) == (good["analysis"], False)
    newcomer = server.client()
    newcomer.wait_for_type("failure")
    assert [message["type"] for message in newcomer.seen] == [
        "hello",
        "state",
        "batch_size",
        "breakdown",
        "failure",
    ]
    server.write("net.py", net_with("x = x.nothing"))
    raised = client.wait_for_type("failure")
    assert (raised["file"], raised["line"]) == ("net.py", 10)
    assert "Traceback" in raised["details"]
    server.write("net.py", NET)
    assert client.wait_for_type("breakdown")["cached"]
    client.wait_for_state("done")


@pytest.mark.parametrize(
    ("line", "what", "place"),
    [
        ("import os; os.kill(os.getpid(), 11)", "crashed", ("net.py", 10)),
        ("import os; os._exit(3)", "exit code 3", STEP),
        ("import time; time.sleep(100)", "nothing came back", ("net.py", 10)),
        ("import os; os.kill(os.getpid(), 9)", "was killed", STEP),
    ],
)
def test_code_that_ends_its_process_or_hangs_is_reported(
    serve: Serve, files: pathlib.Path, line: str, what: str, place: tuple[str, int]
) -> None:
    server, client = opened(serve, QUICK, "--timeout", "10")
    server.write("net.py", net_with(line))
    failure = client.wait_for_type("failure")
    assert what in failure["what"]
    assert (failure["file"], failure["line"]) == place
    client.wait_for_state("failed")
    server.write("net.py", net_with("x = x.tanh()"))
    client.wait_for_type("breakdown")
    client.wait_for_state("done")


def test_what_the_code_prints_is_shown(serve: Serve, files: pathlib.Path) -> None:
    (files / "net.py").write_text("print('a word from the user')\n" + NET)
    server = serve("interactive", "entry.py", QUICK)
    output = server.client().wait_for_type("output")
    assert output["text"] == "a word from the user\n"


@pytest.mark.threads
def test_a_worker_that_was_killed_is_replaced_without_a_word(
    serve: Serve, files: pathlib.Path
) -> None:
    server, client = opened(serve, QUICK)
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)
    server.write("net.py", net_with("x = x.tanh()"))
    assert "x = x.tanh()" in lines_of(client.wait_for_type("breakdown"))
    client.wait_for_state("done")
    assert all(message["type"] != "failure" for message in client.seen)


@pytest.mark.threads
def test_a_save_during_an_analysis_starts_the_new_one(serve: Serve, files: pathlib.Path) -> None:
    (files / "net.py").write_text(net_with("import time; time.sleep(0.5)"))
    server = serve("interactive", "entry.py", QUICK)
    client = server.client()
    client.wait_for_state("measuring")
    server.write("net.py", NET)
    breakdown = client.wait_for_type("breakdown")
    assert breakdown["analysis"] == 2
    assert "sleep" not in "".join(lines_of(breakdown))


@pytest.mark.threads
def test_a_hundred_saves_in_ten_seconds_end_with_the_last(
    serve: Serve, files: pathlib.Path
) -> None:
    server, client = opened(serve, QUICK)
    for save in range(100):
        server.write("net.py", net_with(f"x = x + {save}"))
        time.sleep(0.1)
    breakdown = client.wait_for(lambda m: m["type"] == "breakdown" and "x = x + 99" in lines_of(m))
    state = client.wait_for_state("done")
    assert (state["shown"], state["current"]) == (breakdown["analysis"], True)


@pytest.mark.threads
def test_an_analysis_can_be_cancelled_and_asked_for(serve: Serve, files: pathlib.Path) -> None:
    server, client = opened(serve, QUICK)
    client.say(type="analyse")
    assert client.wait_for_type("breakdown")["analysis"] == 2
    client.wait_for_state("done")
    server.write("net.py", net_with("import time; time.sleep(0.5)"))
    client.wait_for_state("measuring")
    client.say(type="cancel")
    assert client.wait_for_state("stale")["text"] == "cancelled"
    client.say(type="analyse")
    assert client.wait_for_state("importing")["analysis"] == 4


def test_without_watching_a_save_makes_the_results_stale(serve: Serve, files: pathlib.Path) -> None:
    server, client = opened(serve, QUICK, "--no-watch")
    assert client.newest("hello")["watching"] is False
    server.write("net.py", net_with("x = x.tanh()"))
    assert client.wait_for_state("stale")["current"] is False
    server.write("net.py", NET)
    assert client.wait_for_state("done")["current"] is True


WRITERS = {
    "one file": "pathlib.Path('log.json').write_text(now)",
    "new files": "pathlib.Path(f'log-{now}.json').write_text(now)",
    "a new folder": (
        "os.makedirs(f'logs/version_{now}'); "
        "pathlib.Path(f'logs/version_{now}/hparams.yaml').write_text(now)"
    ),
    "a file that takes its place": "open('draft', 'w').write(now); os.replace('draft', 'a.yaml')",
    "a file that it removes": (
        "os.path.exists('a.json') and os.remove('a.json'); open('a.json', 'w').write(now)"
    ),
}


@pytest.mark.parametrize("writer", WRITERS.values(), ids=WRITERS.keys())
def test_what_the_code_writes_itself_does_not_set_it_off_again(
    serve: Serve, files: pathlib.Path, writer: str
) -> None:
    (files / "a.json").write_text("from before")
    text = f"import os, pathlib, time\nnow = str(time.time_ns())\n{writer}\n{NET}"
    (files / "net.py").write_text(text)
    _, client = opened(serve, QUICK)
    with pytest.raises(TimeoutError):
        client.receive(timeout=2)
    assert client.newest("state")["analysis"] == 1


def test_a_save_of_what_the_code_writes_too_counts_while_nothing_runs(
    serve: Serve, files: pathlib.Path
) -> None:
    (files / "net.py").write_text(
        f"import time\nopen('a.json', 'w').write(str(time.time()))\n{NET}"
    )
    server, client = opened(serve, QUICK)
    server.write("a.json", "saved by hand")
    client.wait_for_state("done")
    assert client.newest("state")["analysis"] == 2


READER = f"""import pathlib
print("read", pathlib.Path("conf.yaml").read_text())
{NET}"""


def test_a_hundred_saves_of_settings_end_with_the_last(serve: Serve, files: pathlib.Path) -> None:
    (files / "conf.yaml").write_text("before")
    (files / "net.py").write_text(READER)
    server = serve("interactive", "entry.py")
    client = server.client()
    client.wait_for_state("sampling")
    for save in range(100):
        server.write("conf.yaml", str(save))
        time.sleep(0.1)
    output = client.wait_for(lambda m: m["type"] == "output" and m["text"] == "read 99\n")
    state = client.wait_for_state("sampling")
    assert (state["shown"], state["current"]) == (output["analysis"], True)


@pytest.mark.threads
def test_every_save_of_settings_during_sampling_is_analysed(
    serve: Serve, files: pathlib.Path
) -> None:
    (files / "conf.yaml").write_text("before")
    (files / "net.py").write_text(READER)
    server = serve("interactive", "entry.py")
    client = server.client()
    for save in range(6):
        client.wait_for_state("sampling")
        server.write("conf.yaml", str(save))
        client.wait_for(lambda m, save=save: m.get("text") == f"read {save}\n")


def test_an_installed_package_replaces_the_worker(
    serve: Serve, files: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    server, client = opened(serve, QUICK)
    before = server.workers()
    site = next(path for path in map(pathlib.Path, _site_packages()) if path.is_dir())
    marker = site / f"of_a_test_{os.getpid()}.py"
    marker.touch()
    try:
        server.write("net.py", net_with("x = x.tanh()"))
        client.wait_for_type("breakdown")
        assert server.workers() != before
    finally:
        marker.unlink()


def _site_packages() -> list[str]:
    import site

    return site.getsitepackages()


def test_a_client_of_another_version_is_told_which_side_to_upgrade(
    serve: Serve, files: pathlib.Path
) -> None:
    server, _ = opened(serve, QUICK)
    newer = server.client(protocol=2).receive()
    assert (newer["type"], newer["code"]) == ("error", "protocol")
    assert "upgrade the server" in newer["text"]
    assert "reload the page" in server.client(protocol=0).receive()["text"]


def test_an_entry_point_in_skylines_form(serve: Serve, project: pathlib.Path) -> None:
    shutil.copytree(SKYLINE_EXAMPLE, project, dirs_exist_ok=True)
    server = serve("interactive", "entry_point.py", "--device", "cpu", "--batch-size", "2", QUICK)
    breakdown = server.client().wait_for_type("breakdown")
    assert breakdown["report"]["iteration"]["batch_size"] == 2
    assert any(line["file"] == "model.py" for line in breakdown["report"]["lines"])


def test_sources_come_from_the_disk_and_from_below_the_root_only(
    serve: Serve, files: pathlib.Path
) -> None:
    server, client = opened(serve, QUICK)
    status, source = server.get("api/source", path="net.py")
    assert (status, source["text"]) == (200, NET)
    shown = {file["path"]: file["hash"] for file in client.newest("breakdown")["tree"]["files"]}
    assert source["hash"] == shown["net.py"]
    (files.parent / "secret.py").write_text("secret")
    for path in ("../secret.py", "/etc/passwd", "nothing.py", ""):
        assert server.get("api/source", path=path)[0] == 404
