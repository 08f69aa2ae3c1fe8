"""Tells the native program which files of a project the project's own code is about to write, so
that they are not taken for edits of the user's."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from sightline._channel import Channel

_FOR_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_MOST_TOLD = 10_000  # a process that writes more files than that is not held up by telling of them


def tell(channel: Channel, root: str) -> None:
    """From now on, of this process and those that it forks. What native code opens by itself, and
    what other programs write, is not seen."""
    told: set[str] = set()

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event not in _EVENTS or len(told) >= _MOST_TOLD:
            return
        with contextlib.suppress(Exception):  # the user's code is not to hear of us
            for path in _EVENTS[event](*arguments):
                if path not in told and path.startswith(f"{root}/"):
                    told.add(path)
                    relative = path[len(root) + 1 :]
                    relative.encode()  # raises for a name that is not text, which JSON cannot carry
                    channel.send("writes", path=relative)

    sys.addaudithook(hook)


def _opened(path: Any, _mode: str | None, flags: int) -> Iterator[str]:
    if flags & _FOR_WRITING and not isinstance(path, int):
        yield from _named(path)
        yield os.path.realpath(os.fsdecode(path))


def _made(path: Any, _mode: int, folder: int) -> Iterator[str]:
    for name in _named(path, folder):
        if not os.path.exists(name):  # else nothing will be made
            yield f"{name}/"


def _renamed(old: Any, new: Any, old_folder: int, new_folder: int) -> Iterator[str]:
    for name in _named(old, old_folder):
        end = "/" if os.path.isdir(name) else ""
        yield name + end
        for other in _named(new, new_folder):
            yield other + end


def _linked(_target: Any, path: Any, *folders: int) -> Iterator[str]:
    return _named(path, folders[-1])


def _removed(path: Any, folder: int) -> Iterator[str]:
    return _named(path, folder)


def _cut(path: Any, _length: int) -> Iterator[str]:
    if not isinstance(path, int):
        yield os.path.realpath(os.fsdecode(path))


_EVENTS: dict[str, Callable[..., Iterator[str]]] = {
    "open": _opened,
    "os.mkdir": _made,
    "os.rename": _renamed,
    "os.link": _linked,
    "os.symlink": _linked,
    "os.remove": _removed,
    "os.rmdir": _removed,
    "os.truncate": _cut,
}


def _named(path: Any, folder: int = -1) -> Iterator[str]:
    """The absolute name, links to its folder followed; relative ones are of that open folder."""
    base = os.readlink(f"/proc/self/fd/{folder}") if folder >= 0 else os.getcwd()
    parent, name = os.path.split(os.path.normpath(os.path.join(base, os.fsdecode(path))))
    yield os.path.join(os.path.realpath(parent), name)
