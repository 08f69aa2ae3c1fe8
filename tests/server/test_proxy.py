"""The page behind a proxy that shows it under a prefix and another name, as docs/remote.md says."""

from __future__ import annotations

import http.client
import json
import pathlib
import re
import socket

import pytest
from integration.command import Command
from integration.entry_points import QUICK, entry_point
from server.conftest import Serve
from server.live import LARGEST_MESSAGE, SECONDS, Server
from server.proxy import Proxy
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

NAME = "hub.example.org"
PREFIX = "/user/ann/proxy/8700"


@pytest.fixture
def run(project: pathlib.Path, sightline_program: str) -> str:
    (project / "entry.py").write_text(entry_point())
    profile = Command(sightline_program, project)
    assert profile("profile", "entry.py", "-o", "a.sightline", QUICK).returncode == 0
    return "a.sightline"


def get(proxy: Proxy, path: str, cookie: str = "") -> tuple[http.client.HTTPResponse, str]:
    connection = http.client.HTTPConnection("127.0.0.1", proxy.port, timeout=SECONDS)
    connection.request("GET", path, headers={"Host": NAME, "Cookie": cookie})
    answer = connection.getresponse()
    return answer, answer.read().decode()


def live(proxy: Proxy, cookie: str) -> ClientConnection:
    return connect(
        f"ws://{NAME}{PREFIX}/api/live",
        sock=socket.create_connection(("127.0.0.1", proxy.port)),
        origin=f"https://{NAME}",
        additional_headers={"Cookie": cookie},
        open_timeout=SECONDS,
        max_size=LARGEST_MESSAGE,
        legacy=True,
    )


def cookie_of(proxy: Proxy, server: Server) -> str:
    """That the page's address, with the token, is answered with."""
    answer, _ = get(proxy, f"{PREFIX}/?token={server.token}")
    assert (answer.status, answer.headers["Location"]) == (303, "./")
    return answer.headers["Set-Cookie"].split(";")[0]


@pytest.mark.parametrize("keeps_prefix", [False, True])
def test_page_requests_and_websocket_pass_a_proxy_with_a_prefix(
    serve: Serve, run: str, keeps_prefix: bool
) -> None:
    options = ("--base-path", PREFIX) if keeps_prefix else ()
    server = serve("view", run, "--allow-host", NAME, *options)
    with Proxy(server.port, PREFIX, keeps_prefix=keeps_prefix) as proxy:
        cookie = cookie_of(proxy, server)
        answer, page = get(proxy, f"{PREFIX}/", cookie)
        assert answer.status == 200
        script = re.search(r'src="\./(assets/[^"]+)"', page)
        assert script is not None
        assert get(proxy, f"{PREFIX}/{script[1]}", cookie)[0].status == 200
        answer, session = get(proxy, f"{PREFIX}/api/session", cookie)
        assert (answer.status, json.loads(session)["mode"]) == (200, "view")
        assert get(proxy, f"{PREFIX}/api/session")[0].status == 401
        with live(proxy, cookie) as socket:
            socket.send(json.dumps({"type": "hello", "protocol": 1}))
            assert json.loads(socket.recv(timeout=SECONDS))["type"] == "hello"


def test_a_proxy_that_does_not_pass_the_host_on_is_refused_the_websocket(
    serve: Serve, run: str
) -> None:
    server = serve("view", run, "--allow-host", NAME)
    with Proxy(server.port, PREFIX, keeps_host=False) as proxy:
        with pytest.raises(InvalidStatus) as refused:
            live(proxy, f"sightline_{server.port}={server.token}")
        assert refused.value.response.status_code == 403
