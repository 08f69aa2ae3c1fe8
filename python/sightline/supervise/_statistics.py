"""Statistics of tensors as Python has them."""

from __future__ import annotations

from typing import Any

from sightline import _core


def plain(tensor: Any) -> Any:
    """The tensor without its gradients, in the memory of the processor."""
    if hasattr(tensor, "detach"):
        tensor = tensor.detach()
    if getattr(getattr(tensor, "device", None), "type", "cpu") != "cpu":
        tensor = tensor.cpu()
    return tensor


def statistics(tensor: Any, sketch: _core.Sketch | None = None) -> _core.Statistics:
    """Ten figures of a tensor or array, from one reading of it; its values are added to `sketch`
    on the way. A tensor of torch may need gradients or be on another device, from which it is
    copied. docs/supervise.md has the meaning of the figures."""
    return _core.statistics_of(plain(tensor), sketch)
