"""Where a model runs, in the words of deeplite-profiler."""

from __future__ import annotations

import enum


class Device(enum.Enum):
    """`Device("cpu")` and `Device("GPU")` work too, in any case of letters."""

    CPU = "cpu"
    GPU = "gpu"

    @classmethod
    def _missing_(cls, value: object) -> Device | None:
        names = {device.value: device for device in cls}
        return names.get(value.lower()) if isinstance(value, str) else None
