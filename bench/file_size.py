"""The run file, which holds every event of three steps, against the peer's trace of twenty."""

from __future__ import annotations

import worker
from results import Result

STEPS_WITH_EVENTS = 3


def measure(quick: bool) -> list[Result]:
    del quick  # it takes seconds
    ours = worker.call("twenty_steps", "with_sightline")
    theirs = worker.call("twenty_steps", "with_peer")
    if ours["steps_with_events"] < STEPS_WITH_EVENTS or ours["dropped"]:
        raise worker.WorkerError(
            f"the run file has the events of {ours['steps_with_events']} steps, and "
            f"{ours['dropped']} facts were dropped: its size says nothing"
        )
    return [
        Result(
            "run file of 20 steps, against torch.profiler's trace",
            ours["bytes"] / theirs["bytes"],
            "x",
            bar=1 / 30,
            peer=f"{theirs['bytes'] / 1e6:.1f} MB",
            note=f"ours {ours['bytes'] / 1e6:.3f} MB with the events of "
            f"{ours['steps_with_events']} steps, the peer's JSON has {theirs['events']:,} events",
        ),
    ]
