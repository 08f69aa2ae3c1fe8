"""Subscribers of other packages, found by their entry points:

[project.entry-points."sightline.subscribers"]
MySubscriber = "my_package.subscribers:MySubscriber"
"""

from __future__ import annotations

from importlib import metadata
from typing import Any

GROUP = "sightline.subscribers"


def names() -> list[str]:
    return [point.name for point in metadata.entry_points(group=GROUP)]


def subscriber_called(name: str) -> Any:
    """None if nobody has registered it. What its package raises when it is imported is raised."""
    if name.startswith("_"):
        return None  # of the import system, which asks for many
    for point in metadata.entry_points(group=GROUP, name=name):
        return point.load()
    return None
