"""A watched model is compiled as any other."""

from __future__ import annotations

import logging

import pytest
import torch
from supervise.tape import ALL_KINDS, Tape, small_net, step_of, watch
from torch import Tensor, nn

from sightline.supervise import Exporter

BACKENDS = ["eager", "aot_eager", "inductor"]


def trained(
    backend: str, *, fullgraph: bool, kinds: list[str]
) -> tuple[dict[str, Tensor], Tape | None]:
    """The weights, and what was told; nobody watches if no kinds are wanted."""
    torch._dynamo.reset()
    model, loss = small_net(), nn.MSELoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    compiled = torch.compile(model, backend=backend, fullgraph=fullgraph)
    if not kinds:
        for _ in range(3):
            step_of(compiled, optimizer, loss)
        return model.state_dict(), None
    with Exporter(containers=True) as exporter:
        exporter.set_loss(loss)
        tape = watch(exporter, model, kinds)
        for _ in range(3):
            step_of(compiled, optimizer, loss)
    return model.state_dict(), tape


@pytest.mark.parametrize("fullgraph", [False, True])
@pytest.mark.parametrize("backend", BACKENDS)
def test_of_a_compiled_model_parameters_and_loss_are_told(
    backend: str, fullgraph: bool, caplog: pytest.LogCaptureFixture
) -> None:
    bare, _ = trained(backend, fullgraph=fullgraph, kinds=[])
    with caplog.at_level(logging.WARNING, logger="sightline"):
        watched, tape = trained(backend, fullgraph=fullgraph, kinds=ALL_KINDS)
    assert [record for record in caplog.records if record.name == "sightline"] == []
    assert all(torch.equal(bare[name], watched[name]) for name in bare)
    assert tape is not None
    for kind in ("weights", "weight_gradients", "weight_updates"):
        assert [m.global_step for m in tape.of(kind, "0")] == [0, 1, 2]
    assert [m.global_step for m in tape.of("loss")] == [0, 1, 2]
    assert tape.of("activations", "0") == []


def test_a_model_that_is_called_uncompiled_too_is_told_of_those_calls(exporter: Exporter) -> None:
    torch._dynamo.reset()
    model = small_net()
    tape = watch(exporter, model, ["activations"])
    compiled = torch.compile(model, backend="eager", fullgraph=True)
    compiled(torch.ones(2, 3))
    assert tape.messages == []
    model(torch.ones(2, 3))
    assert [m.module for m in tape.messages] == ["0", "1", "2", "3"]
