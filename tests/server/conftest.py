"""Servers for the tests of this folder. Where there is a build with sanitizers, it serves; the
environment variable SIGHTLINE_SERVING_PROGRAM names another."""

from __future__ import annotations

import os
import pathlib
import signal
from collections.abc import Callable, Iterator

import pytest

pytest.register_assert_rewrite("server.live")

from server.live import Server, python_option  # noqa: E402

CHECKED = pathlib.Path(__file__).parents[2] / "build" / "dev" / "bin" / "sightline"

Serve = Callable[..., Server]


@pytest.fixture
def serving_program(sightline_program: str) -> str:
    usual = str(CHECKED) if CHECKED.exists() else sightline_program
    return os.environ.get("SIGHTLINE_SERVING_PROGRAM", usual)


@pytest.fixture
def project(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def serve(serving_program: str, tmp_path: pathlib.Path, project: pathlib.Path) -> Iterator[Serve]:
    """Starts servers in the project. In the end each must have ended well, and must have left
    nothing behind."""
    # What pytest was started with in the background would ignore Ctrl-C, and so would the server.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    servers: list[Server] = []

    def start(verb: str, *arguments: str, program: str = serving_program) -> Server:
        python = python_option() if verb == "interactive" else ()
        servers.append(Server(program, project, verb, *arguments, *python, home=tmp_path))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            assert server.stop() == (0, "")
        assert list(server.scratch.glob("sightline-*")) == []
    signal.signal(signal.SIGINT, before)
