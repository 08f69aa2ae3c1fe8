"""A call of a model that can be repeated, with a backward pass and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sightline.measure._values import mapped, tensors


class Call:
    """Inputs that were computed are taken out of their graph: that is the user's to run backward,
    and once only. `values` are the inputs then, positional and by name."""

    def __init__(self, model: Any, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self._model = model
        self._cut: set[int] = set()
        self.values = _with_tensors_changed((inputs, keywords), self._without_past)

    @property
    def tensors(self) -> list[Any]:
        return list(tensors(self.values))

    def __call__(self) -> Any:
        import torch

        values = self.values
        if self._cut and torch.is_grad_enabled():
            values = _with_tensors_changed(values, self._as_computed)
        inputs, keywords = values
        return self._model(*inputs, **keywords)

    def _without_past(self, tensor: Any) -> Any:
        if tensor.is_leaf:
            return tensor
        cut = tensor.detach().requires_grad_()
        self._cut.add(id(cut))
        return cut

    def _as_computed(self, tensor: Any) -> Any:
        """No leaf, because a model may write to what was computed; and no copy, which would cost
        memory and time that the call does not."""
        import torch

        if id(tensor) not in self._cut or tensor.layout != torch.strided or tensor.is_nested:
            return tensor
        return torch.ops.aten._unsafe_view(tensor, tensor.shape)


def _with_tensors_changed(values: Any, change: Callable[[Any], Any]) -> Any:
    """One that occurs twice is changed once."""
    changed = {
        id(tensor): change(tensor) for tensor in {id(t): t for t in tensors(values)}.values()
    }
    return mapped(values, lambda part: changed.get(id(part), part))
