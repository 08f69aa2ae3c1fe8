"""A function of a library that is replaced for a while."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


class Replacement:
    """Puts what `make` makes of the function in its place, until `remove`. What others have put
    over it by then stays."""

    def __init__(
        self, owner: Any, name: str, make: Callable[[Callable[..., Any]], Callable[..., Any]]
    ) -> None:
        self._owner = owner
        self._name = name
        self._original = getattr(owner, name)
        self._replacement = functools.wraps(self._original)(make(self._original))
        setattr(owner, name, self._replacement)

    def remove(self) -> None:
        if getattr(self._owner, self._name) is self._replacement:
            setattr(self._owner, self._name, self._original)
