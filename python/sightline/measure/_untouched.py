"""Puts back what running a model changes: members of its modules, contents of buffers and inputs,
gradients, the state of random numbers."""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from sightline._torch_support import load_collector
from sightline.measure._parts import Parts
from sightline.measure._values import tensors

_DICTIONARIES = ("_parameters", "_buffers", "_modules")  # that modules keep their parts in


@contextlib.contextmanager
def untouched(parts: Parts, values: Any) -> Iterator[None]:
    """While this lasts, nobody has a gradient; `values` are the inputs."""
    inputs = list(tensors(values))
    with (
        random_numbers_kept(parts),
        contents_kept([*parts.buffers, *inputs]),
        members_kept(parts),
        gradients_kept([*parts.parameters, *inputs]),
    ):
        yield


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
    from torch.autograd.grad_mode import _unsafe_preserve_version_counter

    unique = [t for t in {id(t): t for t in kept}.values() if t.device.type != "meta"]
    versioned = tuple(tensor for tensor in unique if not tensor.is_inference())
    with _unsafe_preserve_version_counter(versioned):
        contents = load_collector().KeptContents(unique)
        try:
            yield
        finally:
            contents.restore()


@contextlib.contextmanager
def members_kept(parts: Parts) -> Iterator[None]:
    dictionaries = [
        members
        for module in parts.modules
        for members in (module.__dict__, *map(module.__dict__.get, _DICTIONARIES))
        if isinstance(members, dict)
    ]
    kept = load_collector().KeptMembers(dictionaries)
    try:
        yield
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
