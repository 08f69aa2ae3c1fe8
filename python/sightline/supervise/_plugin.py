"""Subscribers compiled outside of Sightline, from the one header that they need."""

from __future__ import annotations

import os

from sightline import _core
from sightline._include import include_folder


class Plugin:
    """A loaded plug-in; `Exporter.subscribe` takes it like any other subscriber."""

    def __init__(self, loaded: _core.LoadedPlugin) -> None:
        self._loaded = loaded

    @property
    def name(self) -> str:
        return self._loaded.name

    @property
    def kinds(self) -> list[str]:
        return self._loaded.topics

    @property
    def publications(self) -> list[str]:
        """The kinds that it publishes itself."""
        return self._loaded.publications

    def attach(self, bus: _core.Bus) -> None:
        """Subscribes it. ValueError if the bus does not know a kind."""
        for topic in self.publications:  # a bus that keeps a list of kinds hears of them too
            bus.declare(topic)
        self._loaded.attach(bus)

    def detach(self) -> None:
        self._loaded.detach()


def load_plugin(path: str | os.PathLike[str], options: str = "") -> Plugin:
    """Loads a shared library that was made with `sightline/plugin.h`. `options` is for the plug-in
    to read. ValueError if it is none, or does not take the options."""
    return Plugin(_core.LoadedPlugin(os.fspath(path), options))


def plugin_include() -> str:
    """The folder to be given to a compiler, in which `sightline/plugin.h` is found."""
    return include_folder("sightline/plugin.h")
