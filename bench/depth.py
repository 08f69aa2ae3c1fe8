"""Calls at a chosen depth of the Python stack."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

T = TypeVar("T")


def stack_depth() -> int:
    """How many frames the caller's stack has, its own included."""
    depth = 0
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        depth += 1
        frame = frame.f_back
    return depth


def call_at_depth(depth: int, function: Callable[[], T]) -> T:
    """Calls `function` so that its frame is the `depth`-th."""
    if stack_depth() < depth - 1:
        return call_at_depth(depth, function)
    return function()
