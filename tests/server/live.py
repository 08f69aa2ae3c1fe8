"""A real server, and a client of it that speaks docs/protocol.md."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

from websockets.sync.client import ClientConnection, connect

SECONDS = 60
LARGEST_MESSAGE = 1 << 26

Message = dict[str, Any]


class Client:
    """One open page. What the server has told, it remembers."""

    def __init__(self, server: Server, protocol: int = 1) -> None:
        self.seen: list[Message] = []
        self._socket: ClientConnection = connect(
            f"ws://127.0.0.1:{server.port}/api/live?token={server.token}",
            max_size=LARGEST_MESSAGE,
            open_timeout=SECONDS,
            legacy=True,
        )
        self.say(type="hello", protocol=protocol)

    def say(self, **message: Any) -> None:
        self._socket.send(json.dumps(message))

    def receive(self, timeout: float = SECONDS) -> Message:
        message: Message = json.loads(self._socket.recv(timeout=timeout))
        self.seen.append(message)
        return message

    def wait_for(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is wanted."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            message = self.receive(deadline - time.monotonic())
            if wanted(message):
                return message
        raise TimeoutError(f"it did not come; the last ones were {self.seen[-5:]}")

    def wait_for_state(self, *states: str) -> Message:
        return self.wait_for(lambda m: m["type"] == "state" and m["state"] in states)

    def wait_for_type(self, kind: str) -> Message:
        return self.wait_for(lambda m: m["type"] == kind)

    def newest(self, kind: str) -> Message:
        return [message for message in self.seen if message["type"] == kind][-1]

    def close(self) -> None:
        self._socket.close()


class Server:
    """A `sightline interactive` or `sightline view` in a folder."""

    def __init__(self, program: str, folder: pathlib.Path, *arguments: str, home: pathlib.Path):
        self.folder = folder
        self.scratch = home / "scratch"
        self.scratch.mkdir(exist_ok=True)
        environment = {**os.environ, "XDG_STATE_HOME": str(home), "TMPDIR": str(self.scratch)}
        self.process = subprocess.Popen(
            [program, *arguments, "--no-browser"],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []
        self.port, self.token = self._address()
        self._clients: list[Client] = []

    def _address(self) -> tuple[int, str]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/\S*\?token=(\w+)", line):
                return int(found[1]), found[2]
        raise AssertionError(self.process.communicate()[1])

    def client(self, protocol: int = 1) -> Client:
        self._clients.append(Client(self, protocol))
        return self._clients[-1]

    def get(self, route: str, **query: object) -> tuple[int, Any]:
        """Status and JSON of an answer."""
        address = f"http://127.0.0.1:{self.port}/{route}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(address)
        request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def workers(self) -> list[int]:
        """The processes that the server has started."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(child) for listed in children for child in listed.read_text().split()]

    def write(self, name: str, text: str) -> None:
        """As many editors save: under another name, then renamed."""
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        draft = path.with_name("." + path.name + ".draft")
        draft.write_text(text)
        draft.rename(path)

    def stop(self) -> tuple[int, str]:
        """Ends it like Ctrl-C does; the exit code, and what it wrote to stderr."""
        for client in self._clients:
            client.close()
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, errors


def python_option() -> tuple[str, str]:
    return "--python", sys.executable
