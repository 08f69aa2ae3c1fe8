"""`sightline demo` brings its example along: a page in a terminal, a report elsewhere."""

from __future__ import annotations

import os
import pathlib
import re
import signal
import subprocess
import urllib.request

from integration.command import SECONDS, Command
from server.live import python_option


def test_without_a_terminal_it_prints_a_report(
    serving_program: str, tmp_path: pathlib.Path
) -> None:
    demo = Command(serving_program, tmp_path)("demo", "--folder", "here", *python_option())
    assert demo.returncode == 0, demo.stderr
    assert "model.py:" in demo.stdout
    assert {path.name for path in (tmp_path / "here").iterdir()} >= {"entry_point.py", "model.py"}


def test_in_a_terminal_it_serves_the_page_until_ctrl_c(
    serving_program: str, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "sightline-demo").mkdir()
    (tmp_path / "sightline-demo" / "model.py").write_text("mine = 1\n")
    ours, theirs = os.openpty()
    demo = subprocess.Popen(
        [serving_program, "demo", "--no-browser", *python_option()],
        cwd=tmp_path,
        env={**os.environ, "XDG_STATE_HOME": str(tmp_path), "TMPDIR": str(tmp_path)},
        stdout=theirs,
        stderr=theirs,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    os.close(theirs)
    try:
        shown = ""
        while "Ctrl-C ends it." not in shown:
            shown += os.read(ours, 4096).decode()
        address = re.search(r"http://\S+", shown)
        assert address is not None
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with browser.open(address[0], timeout=SECONDS) as page:
            assert b"<title>Sightline" in page.read()
        demo.send_signal(signal.SIGINT)
        assert demo.wait(timeout=SECONDS) == 0
    finally:
        demo.kill()
        os.close(ours)
    assert (tmp_path / "sightline-demo" / "model.py").read_text() == "mine = 1\n"


def test_a_folder_that_cannot_be_made_is_named(
    serving_program: str, tmp_path: pathlib.Path
) -> None:
    (tmp_path / "taken").write_text("")
    demo = Command(serving_program, tmp_path)("demo", "--folder", "taken")
    assert demo.returncode == 1
    assert "taken/entry_point.py could not be written" in demo.stderr
