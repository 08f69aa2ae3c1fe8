"""The peer: torch.profiler."""

from __future__ import annotations

import logging
from typing import Any

import torch
from torch.profiler import ProfilerActivity

logging.getLogger("torch.profiler").setLevel(logging.ERROR)


def with_everything(**options: Any) -> torch.profiler.profile:
    """Stacks, shapes and memory."""
    settings = {"with_stack": True, "record_shapes": True, "profile_memory": True, **options}
    return torch.profiler.profile(activities=[ProfilerActivity.CPU], **settings)


def with_stacks() -> torch.profiler.profile:
    return torch.profiler.profile(activities=[ProfilerActivity.CPU], with_stack=True)
