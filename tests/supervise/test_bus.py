"""The bus, as Python subscribes to it."""

from __future__ import annotations

import signal

import pytest

from sightline._core import Bus


def test_ctrl_c_within_a_receiver_reaches_the_program() -> None:
    received = []

    def receive(*message: object) -> None:
        received.append(message)
        if len(received) == 1:
            signal.raise_signal(signal.SIGINT)

    bus = Bus()
    bus.declare("loss", of_model=True)
    bus.subscribe(receive, "receiver", topics=["loss"])
    with pytest.raises(KeyboardInterrupt):
        bus.publish("loss", lambda: 1.0, step=0)
        sum(range(1000))
    bus.publish("loss", lambda: 2.0, step=1)
    assert len(received) == 2
    assert bus.take_problems() == []
