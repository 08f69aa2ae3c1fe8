"""Which modules are watched, and what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from torch import nn


class WatchedModules:
    """Names are paths from the model, as `named_modules` has them; a module that the model does not
    hold, or not yet, is called after its class. They are looked up when they are asked for, because
    a module may be added while its model is still being made.

    Of a module that is added with all it holds, those are watched that do something themselves:
    leaves, and modules with parameters of their own. `depth` 0 is the module alone, 1 its children,
    and so on; leaves that are less deep belong to it, -1 goes down to all. `containers` adds those
    in between. `only` leaves out all that are of none of these classes."""

    def __init__(
        self,
        depth: int = -1,
        only: Sequence[type[nn.Module]] | None = None,
        containers: bool = False,
    ) -> None:
        if depth < -1:
            raise ValueError(f"depth is -1 or more, not {depth}")
        self._depth = depth
        self._only = None if only is None else tuple(only)
        self._containers = containers
        self._root: nn.Module | None = None
        self._given: dict[nn.Module, tuple[str, str]] = {}  # base and path below it
        self._names: dict[nn.Module, str] | None = None  # None: to be made

    def set_root(self, root: nn.Module | None) -> None:
        self._root = root
        self._names = None

    def add(self, name: str, module: nn.Module, recursive: bool) -> list[nn.Module]:
        """Those that were not watched before."""
        below = self._below(module) if recursive else [("", module)]
        added = []
        for path, found in below:
            if found in self._given or (self._only and not isinstance(found, self._only)):
                continue
            self._given[found] = (name, path if name else "")
            added.append(found)
        self._names = None
        return added

    def clear(self) -> None:
        self._given.clear()
        self._names = None
        self._root = None

    def names(self) -> dict[nn.Module, str]:
        if self._names is None:
            self._names = self._looked_up()
        return self._names

    def look_again(self) -> None:
        """The model may have been made further since names were looked up."""
        self._names = None

    def _below(self, module: nn.Module) -> Iterator[tuple[str, nn.Module]]:
        for path, found in module.named_modules():
            level = path.count(".") + 1 if path else 0
            deeper = self._depth >= 0 and level > self._depth
            leaf = level == self._depth or next(found.children(), None) is None
            own = next(iter(found.parameters(recurse=False)), None) is not None
            if not deeper and (leaf or own or self._containers):
                yield path, found

    def _looked_up(self) -> dict[nn.Module, str]:
        paths = {} if self._root is None else {m: path for path, m in self._root.named_modules()}
        names: dict[nn.Module, str] = {}
        taken: set[str] = set()
        for module, (base, below) in self._given.items():
            if base:
                name = ".".join(part for part in (base, below) if part)
            else:
                name = paths.get(module, type(module).__name__)
            unique, number = name, 1
            while unique in taken:
                unique, number = f"{name}_{number}", number + 1
            taken.add(unique)
            names[module] = unique
        return names
