"""A formula that is compiled here, from the installed header alone, and loaded."""

from __future__ import annotations

import pathlib

import numpy
import pytest
import torch
from integration.compiling import compiled
from torch import nn

from sightline import measure

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "plugin" / "attention_formula.cpp"
NAME = "mylib::attention"


@torch.library.custom_op(NAME, mutates_args=())
def attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    scores = numpy.exp(query.numpy() @ key.numpy().swapaxes(1, 2))
    return torch.from_numpy(scores / scores.sum(-1, keepdims=True) @ value.numpy())


class Attending(nn.Module):
    def forward(self, x: torch.Tensor, memory: torch.Tensor) -> torch.Tensor:
        return attention(x, memory, memory)


def library(source: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    return compiled(source, folder, measure.formula_include())


def test_the_example_is_built_loaded_and_asked(tmp_path: pathlib.Path) -> None:
    inputs = (torch.randn(2, 3, 8), torch.randn(2, 5, 8))
    assert measure.count(Attending(), *inputs).uncounted[0]["name"] == NAME
    assert measure.load_formulas(library(EXAMPLE, tmp_path)) == [NAME]
    try:
        result = measure.count(Attending(), *inputs)
    finally:
        measure.remove_formula(NAME)
    scores = 2 * 3 * 5
    assert result.macs.forward == 2 * scores * 8
    assert result.flops.forward == 2 * result.macs.forward + 5 * scores
    assert result.bytes.forward == 4 * (2 * 3 * 8 + 2 * (2 * 5 * 8) + 2 * 3 * 8)
    assert result.uncounted == []


def test_what_has_no_formulas_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="does not load"):
        measure.load_formulas(tmp_path / "nothing.so")
    source = tmp_path / "empty.cpp"
    source.write_text("int nothing;\n")
    with pytest.raises(ValueError, match="no function sightline_formulas"):
        measure.load_formulas(library(source, tmp_path))
    source = tmp_path / "newer.cpp"
    source.write_text(EXAMPLE.read_text().replace("SIGHTLINE_FORMULAS_VERSION,", "99,"))
    with pytest.raises(ValueError, match="another version"):
        measure.load_formulas(library(source, tmp_path))
    with pytest.raises(KeyError):
        measure.remove_formula(NAME)
