"""The most memory that was taken while something ran: of the machine by this process, and of the
accelerator, if there is one."""

from __future__ import annotations

from typing import Any

import torch


def forget() -> None:
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pass  # then the peak is that of all steps so far: too high is safe
    if torch.accelerator.is_available():
        torch.accelerator.reset_peak_memory_stats()


def since_then() -> dict[str, Any]:
    """`device_left_bytes` is what the process could take of the accelerator at most, with what it
    has already; 0 without one."""
    peaks = {"resident_bytes": _resident_peak_bytes(), "device_bytes": 0, "device_left_bytes": 0}
    if torch.accelerator.is_available():
        free, _ = torch.accelerator.get_memory_info()
        peaks["device_bytes"] = torch.accelerator.max_memory_reserved()
        peaks["device_left_bytes"] = free + torch.accelerator.memory_reserved()
    return peaks


def of_device() -> tuple[int, int]:
    """The most that the accelerator's allocator had given out at once, since the process began or
    the program reset it, and all that the accelerator has. Zeros if none was used, or if it does
    not tell: not all kinds do, and they differ in how they refuse."""
    try:
        peak_bytes = torch.accelerator.max_memory_allocated()
        if peak_bytes == 0:
            return 0, 0  # asking for more would wake a device that nobody used
        _, capacity_bytes = torch.accelerator.get_memory_info()
    except Exception:
        return 0, 0
    return int(peak_bytes), int(capacity_bytes)


def _resident_peak_bytes() -> int:
    with open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0
