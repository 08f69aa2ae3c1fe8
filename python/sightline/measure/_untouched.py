"""Puts back what running a model changes: members of its modules, contents of tensors, gradients,
the state of random numbers."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from sightline._torch_support import load_collector
from sightline.measure._parts import Parts


@contextlib.contextmanager
def untouched(
    parts: Parts, inputs: list[Any]
) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """While this lasts, nobody has a gradient. Weights are put back only if a call in the context
    that this gives wrote to them."""
    with (
        random_numbers_kept(parts),
        members_kept(parts) as members,
        contents_kept([*members, *inputs]),
        weights_kept(parts.parameters) as keeping,
        gradients_kept([*parts.parameters, *inputs]),
    ):
        yield keeping


@contextlib.contextmanager
def random_numbers_kept(parts: Parts) -> Iterator[None]:
    import torch

    devices = {tensor.device for tensor in parts.parameters if tensor.device.type == "cuda"}
    ours = random.getstate()
    numpy = sys.modules.get("numpy")
    numpys = numpy.random.get_state() if numpy else None
    try:
        with torch.random.fork_rng(devices=sorted(devices, key=str)):
            yield
    finally:
        random.setstate(ours)
        if numpy:
            numpy.random.set_state(numpys)


@contextlib.contextmanager
def contents_kept(kept: Iterable[Any]) -> Iterator[None]:
    """Tensors that were written to get their contents back. Their versions too: a graph that
    somebody still wants to run backward must not take that for a change."""
    unique = [t for t in {id(t): t for t in kept}.values() if t.device.type != "meta"]
    with _versions_kept(unique):
        contents = load_collector().KeptContents(unique)
        try:
            yield
        finally:
            contents.restore()


@contextlib.contextmanager
def weights_kept(
    weights: Iterable[Any],
) -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Gives a context in which weights are kept before they are written to: few models do that, and
    a copy of all would double the memory of a large one. Looking at every operator takes time."""
    real = [weight for weight in weights if weight.device.type != "meta"]
    kept = load_collector().KeptWeights(real)

    @contextlib.contextmanager
    def keeping() -> Iterator[None]:
        kept.watch(True)
        try:
            yield
        finally:
            kept.watch(False)

    with _versions_kept(real):
        try:
            yield keeping
        finally:
            kept.restore()


def _versions_kept(kept: list[Any]) -> AbstractContextManager[None]:
    from torch.autograd.grad_mode import _unsafe_preserve_version_counter

    versioned = tuple(tensor for tensor in kept if not tensor.is_inference())
    guard: AbstractContextManager[None] = _unsafe_preserve_version_counter(versioned)
    return guard


@contextlib.contextmanager
def members_kept(parts: Parts) -> Iterator[list[Any]]:
    """Gives the tensors among them, but for parameters."""
    kept = load_collector().KeptMembers([module.__dict__ for module in parts.modules])
    parameters = {id(parameter) for parameter in parts.parameters}
    try:
        yield [tensor for tensor in kept.tensors() if id(tensor) not in parameters]
    finally:
        kept.restore()


@contextlib.contextmanager
def gradients_kept(leaves: Iterable[Any]) -> Iterator[None]:
    """Takes the gradients away, else a backward pass would add to them, and puts them back."""
    gradients = [(leaf, leaf.grad) for leaf in leaves if leaf.is_leaf]
    try:
        for leaf, _ in gradients:
            leaf.grad = None
        yield
    finally:
        for leaf, gradient in gradients:
            leaf.grad = gradient
