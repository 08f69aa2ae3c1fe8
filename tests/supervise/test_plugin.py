"""A subscriber that is compiled here, from the installed header alone, and loaded."""

from __future__ import annotations

import pathlib

import pytest
import torch
from integration.compiling import compiled
from supervise.tape import watch
from torch import nn

from sightline import _core
from sightline.supervise import Exporter, load_plugin, plugin_include
from sightline.supervise._parameters import Parameters

EXAMPLE = pathlib.Path(__file__).parents[2] / "examples" / "plugin" / "largest_gradient.cpp"


def library(source: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    return compiled(source, folder, plugin_include())


def test_the_example_is_built_loaded_and_told(tmp_path: pathlib.Path) -> None:
    plugin = load_plugin(library(EXAMPLE, tmp_path), str(tmp_path / "largest.txt"))
    assert plugin.publications == ["largest_gradient"]
    bus = _core.Bus()
    _core.declare_training_topics(bus)
    plugin.attach(bus)
    heard: dict[str, float] = {}
    bus.subscribe(
        lambda module, tensor, *rest: heard.update(
            {f"{module}.{tensor}": rest[-1]["largest_gradient"]}
        ),
        "ear",
        topics=["largest_gradient"],
    )
    model = nn.Sequential(nn.Linear(3, 2))
    parameters = Parameters(bus)
    parameters.watch(("0", name, value) for name, value in model[0].named_parameters())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    expected = {"0.weight": 0.0, "0.bias": 0.0}
    for step in range(3):
        optimizer.zero_grad()
        model(torch.randn(4, 3)).square().sum().backward()
        for name in expected:
            gradient = model[0].get_parameter(name[2:]).grad
            expected[name] = max(expected[name], float(gradient.abs().max()))
        parameters.before_step(optimizer, step, 0)
        optimizer.step()
        parameters.after_step(optimizer, step, 0)
    assert heard == pytest.approx(expected)
    assert bus.take_problems() == []
    plugin.detach()
    del plugin
    written = dict(line.split() for line in (tmp_path / "largest.txt").read_text().splitlines())
    assert {name: float(value) for name, value in written.items()} == pytest.approx(
        expected, rel=1e-4
    )


def test_an_exporter_takes_a_plug_in_as_any_subscriber(
    exporter: Exporter, tmp_path: pathlib.Path
) -> None:
    model = nn.Sequential(nn.Linear(3, 2), nn.ReLU(inplace=True))
    exporter.subscribe(load_plugin(library(EXAMPLE, tmp_path), str(tmp_path / "largest.txt")))
    tape = watch(exporter, model, ["largest_gradient"])
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    largest: dict[str, float] = {}
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randn(4, 3)).square().sum().backward()
        for name, parameter in model[0].named_parameters():
            assert parameter.grad is not None
            largest[name] = max(largest.get(name, 0.0), float(parameter.grad.abs().max()))
        optimizer.step()
    assert {m.tensor: m.data for m in tape.of("largest_gradient", "0")} == pytest.approx(largest)
    exporter.detach()
    lines = (tmp_path / "largest.txt").read_text().splitlines()
    written = {name: float(value) for name, value in (line.split() for line in lines)}
    assert written == pytest.approx({f"0.{name}": v for name, v in largest.items()}, rel=1e-4)


def test_a_plug_in_gets_gradients_of_outputs_without_python(
    exporter: Exporter, tmp_path: pathlib.Path
) -> None:
    source = tmp_path / "layers.cpp"
    of_parameters = '"weight_gradients", "bias_gradients", "parameter_gradients"'
    source.write_text(EXAMPLE.read_text().replace(of_parameters, '"layer_gradients"'))
    model = nn.Sequential(nn.Linear(3, 2), nn.ReLU(inplace=True))
    exporter.set_model(model)
    exporter.add_modules(model)
    exporter.subscribe(load_plugin(library(source, tmp_path), str(tmp_path / "largest.txt")))
    with torch.no_grad():
        model[0].weight.fill_(1)
        model[0].bias.fill_(1)
    model(torch.ones(4, 3)).sum().backward()
    exporter.detach()
    assert (tmp_path / "largest.txt").read_text().split() == ["0.", "1", "1.", "1"]


def test_what_is_no_plug_in_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(ValueError, match="does not load"):
        load_plugin(tmp_path / "nothing.so")
    source = tmp_path / "empty.cpp"
    source.write_text("int nothing;\n")
    with pytest.raises(ValueError, match="no function sightline_plugin"):
        load_plugin(library(source, tmp_path))
    source = tmp_path / "newer.cpp"
    source.write_text(EXAMPLE.read_text().replace("SIGHTLINE_PLUGIN_VERSION,", "99,"))
    with pytest.raises(ValueError, match="another version"):
        load_plugin(library(source, tmp_path))


def test_a_plug_in_that_fails_gets_nothing_more(tmp_path: pathlib.Path) -> None:
    source = tmp_path / "failing.cpp"
    source.write_text(
        EXAMPLE.read_text().replace(
            "if (message->payload != SIGHTLINE_TENSOR) return 0;", "return 1;"
        )
    )
    bus = _core.Bus()
    _core.declare_training_topics(bus)
    plugin = load_plugin(library(source, tmp_path))
    plugin.attach(bus)
    for step in range(2):
        bus.publish(
            "weight_gradients", lambda: torch.ones(2), module="a", tensor="weight", step=step
        )
    (problem,) = bus.take_problems()
    assert "largest gradient" in problem
    assert "step 0" in problem
    plugin.detach()
