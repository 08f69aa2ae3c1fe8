"""The batch size can be changed in the code from the page, and nothing else of it."""

from __future__ import annotations

import pathlib

from integration.entry_points import QUICK, entry_point
from server.conftest import Serve
from server.live import Client, Message

ENTRY = entry_point()


def of_batch_size(client: Client, batch_size: int) -> Message:
    return client.wait_for(
        lambda message: (
            message["type"] == "breakdown"
            and message["report"]["iteration"]["batch_size"] == batch_size
        )
    )


def refusal(client: Client, **message: object) -> str:
    client.say(**message)
    error = client.wait_for_type("error")
    assert error["code"] == "edit"
    return str(error["text"])


def test_a_new_batch_size_is_written_measured_and_taken_back(
    serve: Serve, project: pathlib.Path
) -> None:
    (project / "entry.py").write_text(ENTRY)
    client = serve("interactive", "entry.py", QUICK).client()
    of_batch_size(client, 8)
    known = client.newest("batch_size")
    line = ENTRY[: ENTRY.index("batch_size=8")].count("\n") + 1
    assert known == {
        "type": "batch_size",
        "value": 8,
        "file": "entry.py",
        "line": line,
        "why_not": "",
        "can_undo": False,
    }
    client.say(type="set_batch_size", batch_size=24)
    of_batch_size(client, 24)
    assert (project / "entry.py").read_text() == ENTRY.replace("batch_size=8", "batch_size=24")
    assert client.newest("batch_size")["can_undo"]
    client.say(type="undo_batch_size")
    assert of_batch_size(client, 8)["cached"]
    assert (project / "entry.py").read_text() == ENTRY


def test_what_cannot_be_changed_is_explained_and_left_alone(
    serve: Serve, project: pathlib.Path
) -> None:
    text = ENTRY.replace("batch_size=8", 'batch_size=int("8")')
    (project / "entry.py").write_text(text)
    server = serve("interactive", "entry.py", QUICK)
    client = server.client()
    client.wait_for_state("done")
    known = client.newest("batch_size")
    assert known["value"] is None
    assert 'computed when the program runs (int("8"))' in known["why_not"]
    assert "computed when" in refusal(client, type="set_batch_size", batch_size=4)
    assert (project / "entry.py").read_text() == text
    server.write("entry.py", ENTRY)
    of_batch_size(client, 8)
    assert "from 1 to" in refusal(client, type="set_batch_size", batch_size=0)
    assert "nothing to take back" in refusal(client, type="undo_batch_size")
    (project / "entry.py").chmod(0o444)
    line = ENTRY[: ENTRY.index("batch_size=8")].count("\n") + 1
    refused = refusal(client, type="set_batch_size", batch_size=4)
    assert f"read-only. By hand: write 4 in place of 8 at entry.py:{line}" in refused
    assert (project / "entry.py").read_text() == ENTRY


def test_a_batch_size_that_was_edited_meanwhile_is_not_overwritten(
    serve: Serve, project: pathlib.Path
) -> None:
    (project / "entry.py").write_text(ENTRY)
    client = serve("interactive", "entry.py", QUICK).client()
    of_batch_size(client, 8)
    edited = ENTRY.replace("batch_size=8", "batch_size=24")
    (project / "entry.py").write_text(edited)
    refused = refusal(client, type="set_batch_size", batch_size=77, expected=8)
    assert "says 24, and not 8" in refused
    assert (project / "entry.py").read_text() == edited
    of_batch_size(client, 24)
    client.say(type="set_batch_size", batch_size=77, expected=24)
    of_batch_size(client, 77)


def test_a_batch_size_of_the_command_line_is_not_in_the_code(
    serve: Serve, project: pathlib.Path
) -> None:
    (project / "entry.py").write_text(ENTRY)
    client = serve("interactive", "entry.py", QUICK, "--batch-size", "4").client()
    of_batch_size(client, 4)
    assert "--batch-size 4" in refusal(client, type="set_batch_size", batch_size=16)
    assert (project / "entry.py").read_text() == ENTRY
