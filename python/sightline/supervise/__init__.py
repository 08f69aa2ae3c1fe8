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
from sightline.supervise._statistics import statistics
from sightline.supervise._subscriber import Bundle, RatioSubscriber, Subscriber
from sightline.supervise._watch import Watch

if TYPE_CHECKING:
    from sightline.supervise._exporter import Exporter

__all__ = [
    "Bundle",
    "Exporter",
    "RatioSubscriber",
    "Sketch",
    "Statistics",
    "Subscriber",
    "Watch",
    "statistics",
]


def __getattr__(name: str) -> Any:
    """Statistics do without torch; only who asks for the exporter imports it."""
    if name == "Exporter":
        from sightline.supervise._exporter import Exporter

        return Exporter
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
