"""Counts epochs of a training that tells of none."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any

from torch.utils.data import DataLoader

from sightline._replacement import Replacement


class Epochs:
    """An epoch is over when the data loader that was gone through first in training is begun anew
    after steps; when it is gone, the next takes its place. Counts until `remove`."""

    def __init__(self, in_evaluation: Callable[[], bool], begin: Callable[[int], None]) -> None:
        """`begin` is called with the number of each epoch after the first."""
        self.epoch = 0
        self._in_evaluation = in_evaluation
        self._begin = begin
        self._loader: weakref.ref[Any] | None = None
        self._stepped = False  # since the loader began
        self._replacement = Replacement(DataLoader, "__iter__", self._counting)

    def remove(self) -> None:
        self._replacement.remove()

    def end_step(self) -> None:
        self._stepped = True

    def _counting(self, iterate: Callable[..., Any]) -> Callable[..., Any]:
        def counting(loader: Any) -> Any:
            if not self._in_evaluation():
                self._note(loader)
            return iterate(loader)

        return counting

    def _note(self, loader: Any) -> None:
        known = None if self._loader is None else self._loader()
        if known is not None and known is not loader:
            return
        if self._stepped and self._loader is not None:
            self.epoch += 1
            self._begin(self.epoch)
        self._loader = weakref.ref(loader)
        self._stepped = False
