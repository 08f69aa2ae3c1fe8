"""What one operator call from Python costs at stack depth 20, without what torch takes to call an
observer at all. Processor time of the calling thread: who else uses the machine does not count."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable

import pairs
import peer
import torch
import worker
from depth import call_at_depth, stack_depth
from results import Result
from switches import Switches, recording
from torch import Tensor, nn

import sightline

DEPTH = 20
CALLS = 1_000_000
CALLS_QUICK = 200_000
CALLS_A_TURN = 2_000  # short, so that most turns are not interrupted
CALLS_A_PASS = 4  # through the loop's body

# The peer keeps every event until it stops: it takes part in every so many rounds only, with so
# many turns before it stops.
PEER_EVERY = 25
PEER_TURNS = 10

FRAMES_OF_A_MODULE_CALL = 3
STEPS_WITH_EVENTS = 6  # the first steps of a recording, of which some are kept event by event


def measure(quick: bool) -> list[Result]:
    calls = CALLS_QUICK if quick else CALLS
    ns = worker.call("call_cost", "run", rounds=calls // CALLS_A_TURN)
    ours = pairs.median(pairs.paired_differences(ns["recorded"], ns["empty"]))
    theirs = pairs.median(pairs.paired_differences(ns["peer"], ns["empty_beside_peer"]))
    stopping = pairs.median(ns["peer_stop"])
    bare = pairs.median(ns["bare"])
    empty = pairs.median(pairs.paired_differences(ns["empty"], ns["bare"]))
    return [
        Result(
            f"operator call at depth {DEPTH}, against torch.profiler",
            ours.value / theirs.value,
            "x",
            bar=1 / 4,
            peer=f"{theirs.value:,.0f} ns",
            note=f"ours {ours.value:.0f} ns (+- {ours.error:.0f}, {calls:,} calls), the peer with "
            f"stacks, shapes and memory {theirs.value:.0f} ns (+- {theirs.error:.0f}), and "
            f"{stopping.value:,.0f} ns more when it stops; taken off both: {empty.value:.0f} ns of "
            f"an observer that does nothing; the bare call takes {bare.value:.0f} ns",
        ),
    ]


class Loop(nn.Module):
    """An operator that allocates nothing and calls no other, again and again, from four lines."""

    def forward(self, x: Tensor, y: Tensor) -> float:
        """Nanoseconds a call."""
        assert stack_depth() == DEPTH, stack_depth()
        passes = range(CALLS_A_TURN // CALLS_A_PASS)
        start = time.thread_time_ns()
        for _ in passes:
            x.add_(y)
            x.sub_(y)
            x.add_(y)
            x.sub_(y)
        return (time.thread_time_ns() - start) / CALLS_A_TURN


def run(rounds: int) -> dict[str, list[float]]:
    """Nanoseconds a call, one of each round."""
    torch.set_num_threads(1)
    loop, x, y = Loop(), torch.zeros(16), torch.ones(16)

    def turn() -> float:
        ns: float = call_at_depth(DEPTH - FRAMES_OF_A_MODULE_CALL, lambda: loop(x, y))
        return ns

    names = ("bare", "empty", "recorded", "peer", "peer_stop", "empty_beside_peer")
    ns: dict[str, list[float]] = {name: [] for name in names}
    turn()
    with recording():
        switches = Switches()
        for _ in range(STEPS_WITH_EVENTS):
            x.add_(y)
            sightline.step()
        turn()
        gc.collect()
        gc.disable()
        for index in range(rounds):
            ns["recorded"].append(turn())
            sightline.step()
            switches.observe(False)
            switches.empty_observer(True)
            ns["empty"].append(turn())
            if index % PEER_EVERY == 0:
                ns["empty_beside_peer"].append(_median_turn(turn))
            switches.empty_observer(False)
            ns["bare"].append(turn())
            if index % PEER_EVERY == 0:
                with peer.with_everything():
                    ns["peer"].append(_median_turn(turn))
                    start = time.thread_time_ns()
                stop_ns = time.thread_time_ns() - start
                ns["peer_stop"].append(stop_ns / (PEER_TURNS * CALLS_A_TURN))
                gc.collect()
            switches.observe(True)
    return ns


def _median_turn(turn: Callable[[], float]) -> float:
    return statistics.median(turn() for _ in range(PEER_TURNS))
