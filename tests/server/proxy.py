"""A reverse proxy that shows a server under a prefix, as JupyterHub and nginx do."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Self

_HEAD_END = b"\r\n\r\n"


class Proxy:
    """Serves while it is entered. Each connection takes one request, or one WebSocket."""

    def __init__(
        self, target: int, prefix: str, *, keeps_prefix: bool = False, keeps_host: bool = True
    ) -> None:
        self._target = target
        self._prefix = prefix.encode()
        self._keeps_prefix = keeps_prefix
        self._keeps_host = keeps_host
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        listening = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(listening, self._loop).result()
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        connections = asyncio.all_tasks() - {asyncio.current_task()}
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(_HEAD_END)
        method, path, rest = head.split(b" ", 2)
        if not path.startswith(self._prefix + b"/"):
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            writer.close()
            return
        if not self._keeps_prefix:
            path = path.removeprefix(self._prefix)
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", self._target)
        to_writer.write(b" ".join([method, path, self._with_headers(rest)]))
        try:
            await asyncio.gather(_pipe(reader, to_writer), _pipe(to_reader, writer))
        finally:
            to_writer.close()
            writer.close()

    def _with_headers(self, rest: bytes) -> bytes:
        lines = rest.removesuffix(_HEAD_END).split(b"\r\n")
        if not self._keeps_host:
            host = f"Host: 127.0.0.1:{self._target}".encode()
            lines = [host if line.lower().startswith(b"host:") else line for line in lines]
        if not any(line.lower().startswith(b"upgrade:") for line in lines):
            lines = [line for line in lines if not line.lower().startswith(b"connection:")]
            lines.append(b"Connection: close")
        return b"\r\n".join(lines) + _HEAD_END


async def _pipe(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
        sink.write_eof()
