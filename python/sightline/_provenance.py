"""Where values that are not finite arose, as autograd knows it.

For steps in which nobody looked at the results of operators. When a module is the first of a step
to give out such values, all outputs before it were finite. So the operator is among those between
them and its output. Autograd keeps the inputs and results of many operators for the backward pass:
the first of which something bad was kept, or that turned what was good into what is bad, is named.
Where nothing was kept that tells, it is the operator that made the output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import torch
from torch import Tensor

_MOST_NODES = 10_000
_RESULTS = ("_saved_result", "_saved_output", "_saved_out")
_BAD_INPUTS: dict[str, tuple[str, Callable[[Tensor], Tensor]]] = {
    "Log": ("_saved_self", lambda x: x <= 0),
    "Log2": ("_saved_self", lambda x: x <= 0),
    "Log10": ("_saved_self", lambda x: x <= 0),
    "Log1P": ("_saved_self", lambda x: x <= -1),
    "Div": ("_saved_other", lambda x: x == 0),
    "Acos": ("_saved_self", lambda x: x.abs() > 1),
    "Asin": ("_saved_self", lambda x: x.abs() > 1),
}


def operator_that_made(output: Tensor, earlier: Iterable[int]) -> tuple[str, int] | None:
    """Name and autograd's sequence number of the operator that brought in what is not finite.
    `earlier` are the numbers of those whose results are known to be finite."""
    last: Any = output.grad_fn
    if last is None:
        return None
    nodes = sorted(_nodes_between(last, set(earlier)), key=_sequence)
    for node in nodes:
        if _any_bad(node, results=True) or _leaves_its_domain(node):
            return _named(node)
        if _any_bad(node, results=False):
            # Its inputs were bad already: by whoever made them, or they came so from outside.
            return _named(_maker_of_inputs(node, nodes) or node)
    return _named(last)


def _nodes_between(last: Any, ends: set[int]) -> Iterator[Any]:
    seen = {last}
    waiting = [last]
    while waiting and len(seen) < _MOST_NODES:
        node = waiting.pop()
        yield node
        for earlier, _ in node.next_functions:
            known = earlier is None or earlier in seen or not hasattr(earlier, "_sequence_nr")
            if known or _sequence(earlier) in ends or _is_leaf(earlier):
                continue
            seen.add(earlier)
            waiting.append(earlier)


def _maker_of_inputs(node: Any, nodes: list[Any]) -> Any:
    makers = [earlier for earlier, _ in node.next_functions if earlier in nodes]
    return max(makers, key=_sequence, default=None)


def _leaves_its_domain(node: Any) -> bool:
    """Whether it is one of the operators whose results are not kept, with inputs it has no finite
    result for."""
    kind = node.name().removesuffix("Backward0")
    if kind not in _BAD_INPUTS:
        return False
    name, is_bad = _BAD_INPUTS[kind]
    try:
        saved = getattr(node, name, None)
    except RuntimeError:  # freed, or changed in place since
        return False
    with torch.no_grad():
        return isinstance(saved, Tensor) and bool(is_bad(saved).any())


def _is_leaf(node: Any) -> bool:
    return bool(node.name() == "torch::autograd::AccumulateGrad")


def _sequence(node: Any) -> int:
    return int(node._sequence_nr())


def _any_bad(node: Any, *, results: bool) -> bool:
    for name in dir(node):
        if not name.startswith("_saved_") or (name in _RESULTS) != results:
            continue
        try:
            saved = getattr(node, name)
        except RuntimeError:  # freed, or changed in place since
            continue
        if isinstance(saved, Tensor) and saved.is_floating_point():
            with torch.no_grad():
                if not bool(torch.isfinite(saved).all()):
                    return True
    return False


def _named(node: Any) -> tuple[str, int]:
    """`MulBackward0` is made by `aten::mul`, `LogSoftmaxBackward0` by `aten::log_softmax`."""
    bare = re.sub(r"Backward\d*$", "", node.name().split("::")[-1])
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", bare).lower()
    return f"aten::{words}" if words else node.name(), _sequence(node)
