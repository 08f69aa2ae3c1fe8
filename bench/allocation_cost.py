"""What one allocation costs, with the freeing of the block: the same operator with memory recorded
and not. Processor time of the calling thread."""

from __future__ import annotations

import gc
import statistics
import time

import pairs
import peer
import torch
import worker
from call_cost import DEPTH, STEPS_WITH_EVENTS
from depth import call_at_depth
from results import Result
from switches import Switches, recording

import sightline

ALLOCATIONS = 1_000_000
ALLOCATIONS_QUICK = 200_000
LIVE_BLOCKS = 1_000
SWEEPS_A_TURN = 2
ALLOCATIONS_A_TURN = LIVE_BLOCKS * SWEEPS_A_TURN
PEER_EVERY = 25
PEER_TURNS = 5


def measure(quick: bool) -> list[Result]:
    allocations = ALLOCATIONS_QUICK if quick else ALLOCATIONS
    ns = worker.call("allocation_cost", "run", rounds=allocations // ALLOCATIONS_A_TURN)
    ours = pairs.median(pairs.paired_differences(ns["memory_on"], ns["memory_off"]))
    theirs = pairs.median(pairs.paired_differences(ns["peer_memory_on"], ns["peer_memory_off"]))
    operator = pairs.median(ns["memory_off"])
    return [
        Result(
            "allocation, 64 bytes",
            ours.value / 1e3,
            "us",
            bar=0.3,
            peer=f"{theirs.value / 1e3:.3f} us",
            note=f"+- {ours.error / 1e3:.3f}, {allocations:,} allocations with their frees, "
            f"{LIVE_BLOCKS:,} blocks alive; memory recorded or not in the same operator, which "
            f"takes {operator.value / 1e3:.2f} us observed",
        ),
    ]


def run(rounds: int) -> dict[str, list[float]]:
    """Nanoseconds an operator call, one of each round."""
    torch.set_num_threads(1)
    blocks = [torch.empty(16) for _ in range(LIVE_BLOCKS)]
    names = ("memory_on", "memory_off", "peer_memory_on", "peer_memory_off")
    ns: dict[str, list[float]] = {name: [] for name in names}

    def sweep(count: int) -> float:
        start = time.thread_time_ns()
        for _ in range(count):
            for slot in range(LIVE_BLOCKS):
                blocks[slot] = torch.empty(16)
        return (time.thread_time_ns() - start) / (count * LIVE_BLOCKS)

    def turn() -> float:
        # The first sweep replaces blocks that were made in another state.
        call_at_depth(DEPTH - 1, lambda: sweep(1))
        return call_at_depth(DEPTH - 1, lambda: sweep(SWEEPS_A_TURN))

    with recording():
        switches = Switches()
        for _ in range(STEPS_WITH_EVENTS):
            blocks[0] = torch.empty(16)
            sightline.step()
        gc.collect()
        gc.disable()
        for index in range(rounds):
            for on in (True, False) if index % 2 else (False, True):
                switches.record_memory(on)
                ns["memory_on" if on else "memory_off"].append(turn())
                sightline.step()
            if index % PEER_EVERY == 0:
                switches.observe(False)
                for on in (True, False):
                    with peer.with_everything(profile_memory=on):
                        peer_ns = statistics.median(turn() for _ in range(PEER_TURNS))
                    ns["peer_memory_on" if on else "peer_memory_off"].append(peer_ns)
                    gc.collect()
                switches.observe(True)
            switches.record_memory(True)
    return ns
