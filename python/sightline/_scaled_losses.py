"""What gradient scalers were given: a loss is told as it is, not as it was scaled for half
precision, which may well be too large for a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.utils.weak import WeakIdKeyDictionary

from sightline._replacement import Replacement


class ScaledLosses:
    """Remembers until `remove`, for each scaled loss that lives, what it was made from."""

    def __init__(self) -> None:
        self._unscaled = WeakIdKeyDictionary()
        self._replacement = Replacement(torch.amp.GradScaler, "scale", self._remembering)

    def remove(self) -> None:
        self._replacement.remove()

    def unscaled(self, loss: Tensor) -> Tensor:
        """The loss itself if no scaler made it."""
        found: Tensor = self._unscaled.get(loss, loss)  # type: ignore[no-untyped-call]
        return found

    def _remembering(self, scale: Callable[..., Any]) -> Callable[..., Any]:
        def remembering(scaler: torch.amp.GradScaler, outputs: Any) -> Any:
            scaled = scale(scaler, outputs)
            if isinstance(outputs, Tensor) and scaled is not outputs:
                self._unscaled[scaled] = outputs
            elif isinstance(outputs, (list, tuple)):
                for one, output in zip(scaled, outputs, strict=True):
                    if isinstance(output, Tensor) and one is not output:
                        self._unscaled[one] = output
            return scaled

        return remembering
