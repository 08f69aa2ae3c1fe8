"""The memory that a call takes at most, above what is there before it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from sightline.measure._dataless_attention import attention_without_scores

WATCHED = ("cpu", "meta")  # devices of which every block is seen


def peak_of(call: Callable[[], Any], collector: Any, device: Any) -> int:
    """Bytes. On the processor every block counts that torch's allocator gives out; tensors without
    data count as if they had some, but what a kernel takes for itself is not known then.
    Elsewhere the device's own statistics are asked, which has not been verified on hardware."""
    if device.type not in WATCHED:
        return _device_peak(call, device)
    without_data = device.type == "meta"
    collector.begin_memory(without_data)
    try:
        with attention_without_scores() if without_data else contextlib.nullcontext():
            call()
    finally:
        peak: int = collector.end_memory()
    return peak


def _device_peak(call: Callable[[], Any], device: Any) -> int:
    import torch

    torch.accelerator.synchronize(device)
    torch.accelerator.reset_peak_memory_stats(device)
    before = torch.accelerator.memory_allocated(device)
    call()
    torch.accelerator.synchronize(device)
    return int(torch.accelerator.max_memory_allocated(device)) - int(before)
