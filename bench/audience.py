"""Many clients of one server at once: what each of them was told."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import websockets.asyncio.client

PATIENCE_S = 60


@dataclasses.dataclass
class Telling:
    """A message, without what is in it, and when it came."""

    key: tuple[Any, ...]
    came: float


class Client:
    def __init__(self) -> None:
        self.told: list[Telling] = []

    async def listen(self, address: str, ready: asyncio.Event) -> None:
        parts = urlsplit(address)
        token = parse_qs(parts.query)["token"][0]
        live = f"ws://{parts.netloc}/api/live?token={token}"
        async with websockets.asyncio.client.connect(live, max_size=None) as socket:
            await socket.send(json.dumps({"type": "hello", "protocol": 1}))
            async for text in socket:
                message = json.loads(text)
                names = ("type", "analysis", "state", "shown", "current", "text", "changed")
                key = tuple(str(message.get(name)) for name in names)
                self.told.append(Telling(key, time.monotonic()))
                if message["type"] == "state":
                    ready.set()

    def is_done(self, analysis: int) -> bool:
        states = [telling.key for telling in self.told if telling.key[0] == "state"]
        return bool(states) and states[-1][1:5] == (str(analysis), "done", str(analysis), "True")

    def breakdown_of(self, analysis: int) -> float | None:
        """When it came."""
        for telling in self.told:
            if telling.key[:2] == ("breakdown", str(analysis)):
                return telling.came
        return None


async def gather(address: str, count: int, save: Callable[[int], None], saves: int) -> list[Client]:
    """Lets the clients follow a session whose first analysis is done while files are saved."""
    clients = [Client() for _ in range(count)]
    events = [asyncio.Event() for _ in clients]
    tasks = [
        asyncio.create_task(client.listen(address, event))
        for client, event in zip(clients, events, strict=True)
    ]
    await asyncio.wait_for(asyncio.gather(*(event.wait() for event in events)), PATIENCE_S)
    await asyncio.sleep(1)
    for client in clients:
        client.told.clear()
    for number in range(saves):
        save(number)
        end = time.monotonic() + PATIENCE_S
        analysis = number + 2
        while time.monotonic() < end and not all(client.is_done(analysis) for client in clients):
            await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return clients


def lost(clients: list[Client]) -> int:
    """Messages that some client got and another did not, and clients that were told otherwise."""
    longest = max((client.told for client in clients), key=len)
    keys = [telling.key for telling in longest]
    missing = sum(len(keys) - len(client.told) for client in clients)
    others = sum([telling.key for telling in client.told] != keys for client in clients)
    return max(missing, others)
