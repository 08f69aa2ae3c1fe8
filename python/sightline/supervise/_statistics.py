"""Statistics of tensors as Python has them."""

from __future__ import annotations

from typing import Any

from sightline import _core


def plain(tensor: Any) -> Any:
    """The tensor without its gradients, in the memory of the processor, a sparse one with its
    zeros."""
    if not hasattr(tensor, "detach"):
        return tensor
    tensor = tensor.detach()
    if tensor.device.type != "cpu":
        tensor = tensor.cpu()
    return tensor.to_dense() if str(tensor.layout) != "torch.strided" else tensor


def floats(tensor: Any) -> Any:
    """The tensor as float32 without gaps, as the metrics of matrices and units take it."""
    return plain(tensor).float().contiguous()


def matrix(tensor: Any) -> Any:
    """The same as a matrix of its first dimension by all others; None if it has no two."""
    if tensor.dim() < 2:
        return None
    values = floats(tensor)
    return values.reshape(values.shape[0], -1)


def statistics(tensor: Any, sketch: _core.Sketch | None = None) -> _core.Statistics:
    """Ten figures of a tensor or array, from one reading of it; its values are added to `sketch`
    on the way. A tensor of torch may need gradients or be on another device, from which it is
    copied. docs/supervise.md has the meaning of the figures."""
    return _core.statistics_of(plain(tensor), sketch)
