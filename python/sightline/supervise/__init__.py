"""What a training's tensors look like step by step.

>>> from sightline.supervise import Exporter, RatioSubscriber
>>> exporter = Exporter()
>>> exporter.set_model(model)
>>> exporter.add_modules(model)
>>> exporter.subscribe(RatioSubscriber(["updates", "weights"]))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sightline._core import Sketch, Statistics
from sightline.supervise._plugin import Plugin, load_plugin, plugin_include
from sightline.supervise._statistics import statistics
from sightline.supervise._subscriber import Bundle, RatioSubscriber, Subscriber

if TYPE_CHECKING:
    from sightline.supervise._exporter import Exporter
    from sightline.supervise._watch import Watch

__all__ = [
    "Bundle",
    "Exporter",
    "Plugin",
    "RatioSubscriber",
    "Sketch",
    "Statistics",
    "Subscriber",
    "Watch",
    "load_plugin",
    "plugin_include",
    "statistics",
]


def __getattr__(name: str) -> Any:
    """Statistics do without torch; only who asks for the exporter imports it."""
    if name == "Exporter":
        from sightline.supervise._exporter import Exporter

        return Exporter
    if name == "Watch":
        from sightline.supervise._watch import Watch

        return Watch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
