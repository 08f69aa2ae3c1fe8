"""Formulas for operators that the engine does not know."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from sightline import _core
from sightline._include import include_folder

Formula = Callable[[list[Any], list[Any]], "int | tuple[int, int] | None"]

_problems: list[tuple[str, Exception]] = []


def add_formula(name: str, formula: Formula) -> None:
    """Counts the operator `name` ("mylib::attention") by a function of its arguments and its
    results, two lists in which a tensor stands as its shape, a list of tensors as a list of shapes,
    and numbers, flags and texts as they are.

    The function returns the multiply-accumulates; or these and all arithmetic, if that is more than
    two operations for each of them; or None, if it cannot say.

    >>> add_formula("mylib::matmul", lambda inputs, outputs: inputs[0][0] * ...)
    """
    if "::" not in name:
        raise ValueError(f'"{name}" has no namespace: an operator is named like "mylib::attention"')

    def ask(inputs: list[Any], outputs: list[Any]) -> tuple[int, int] | None:
        try:
            return _as_pair(formula(inputs, outputs))
        except Exception as error:
            _problems.append((name, error))
            return None

    _core.add_formula(name, ask)


def load_formulas(path: str | os.PathLike[str]) -> list[str]:
    """Adds the formulas of a shared library that was made with `sightline/formulas.h`, and returns
    the names of their operators. ValueError if it has none."""
    return _core.load_formulas(os.fspath(path))


def formula_include() -> str:
    """The folder to be given to a compiler, in which `sightline/formulas.h` is found."""
    return include_folder("sightline/formulas.h")


def remove_formula(name: str) -> None:
    """Raises KeyError if none was added for that operator."""
    if not _core.remove_formula(name):
        raise KeyError(name)


def raise_problems() -> None:
    """What a formula raised while it was asked: the engine could not let it through."""
    problems, _problems[:] = list(_problems), []
    for name, error in problems:
        raise ValueError(f"the formula for {name} failed: {error}") from error


def _as_pair(answer: Any) -> tuple[int, int] | None:
    if answer is None:
        return None
    macs, flops = answer if isinstance(answer, tuple) else (answer, 2 * answer)
    pair = (int(macs), int(flops))
    if min(pair) < 0:
        raise ValueError(f"a cost cannot be negative: {answer}")
    return pair
