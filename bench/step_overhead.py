"""A training step with lines, modules and memory on, against the bare step."""

from __future__ import annotations

import gc
import statistics
import time
from typing import Any

import pairs
import peer
import worker
from models import Training
from results import Result
from switches import Switches, recording

# A round: so many pairs of ours, then a block of the peer's steps between two of bare ones.
PAIRS_A_ROUND = 4
STEPS_A_BLOCK = 5
ROUNDS = 160
ROUNDS_QUICK = 10

WARM_UP_STEPS = 12  # past those whose events are kept

# A step's time in nanoseconds, by the wall clock and by the processor time of the thread. The first
# is judged; the second says what it would be if nothing else ran on the machine.
StepTime = tuple[int, int]
WALL, PROCESSOR = 0, 1


def measure(quick: bool) -> list[Result]:
    times = worker.call("step_overhead", "run", rounds=ROUNDS_QUICK if quick else ROUNDS)
    ours, ours_processor = (_our_ratio(times, clock) for clock in (WALL, PROCESSOR))
    theirs, theirs_processor = (_peer_ratio(times, clock) for clock in (WALL, PROCESSOR))
    bare_ms = statistics.median(step[WALL] for step in times["bare"]) / 1e6
    added_processor = (ours_processor.value - 1) / (theirs_processor.value - 1)
    return [
        Result(
            "step of the tiny ResNet, against bare",
            ours.value,
            "x",
            bar=1.12,
            peer=f"{theirs.value:.3f} x",
            note=f"{ours.note('pairs')}; by processor time {ours_processor.value:.3f} x; a bare "
            f"step has {times['operators']:,} operator calls and takes {bare_ms:.1f} ms",
        ),
        Result(
            "time added to it, against torch.profiler",
            (ours.value - 1) / (theirs.value - 1),
            "x",
            bar=1 / 3,
            peer=f"{(theirs.value - 1) * bare_ms:.2f} ms",
            note=f"ours {(ours.value - 1) * bare_ms:.2f} ms; by processor time "
            f"{added_processor:.3f} x; the peer with stacks, shapes and memory: "
            f"{theirs.note('blocks')}",
        ),
    ]


def _our_ratio(times: dict[str, Any], clock: int) -> pairs.Median:
    bare = [step[clock] for step in times["bare"]]
    observed = [step[clock] for step in times["observed"]]
    return pairs.median(pairs.paired_ratios(observed, bare))


def _peer_ratio(times: dict[str, Any], clock: int) -> pairs.Median:
    bare = [statistics.median(step[clock] for step in block) for block in times["peer_bare"]]
    profiled = [statistics.median(step[clock] for step in block) for block in times["peer"]]
    return pairs.median(pairs.paired_ratios(profiled, bare))


def run(rounds: int) -> dict[str, Any]:
    """The times of the two steps of each pair, and of the steps of each of the peer's blocks."""
    training = Training()
    training.steps(WARM_UP_STEPS)
    operators = _operator_calls(training)
    steps: dict[bool, list[StepTime]] = {False: [], True: []}
    peer_bare: list[list[StepTime]] = []
    peer_steps: list[list[StepTime]] = []
    with recording():
        switches = Switches()
        training.steps(WARM_UP_STEPS)
        gc.collect()
        gc.disable()
        for _ in range(rounds):
            for pair in range(PAIRS_A_ROUND):
                # The order changes from pair to pair, so that a drift of the machine cancels out.
                for on in (False, True) if pair % 2 else (True, False):
                    switches.observe(on)
                    steps[on].append(_timed_step(training))
            switches.observe(False)
            before = [_timed_step(training) for _ in range(STEPS_A_BLOCK)]
            peer_steps.append(_peer_block(training))
            after = [_timed_step(training) for _ in range(STEPS_A_BLOCK)]
            peer_bare.append(before + after)
        switches.observe(True)
    return {
        "operators": operators,
        "bare": steps[False],
        "observed": steps[True],
        "peer_bare": peer_bare,
        "peer": peer_steps,
    }


def _timed_step(training: Training) -> StepTime:
    wall, processor = time.perf_counter_ns(), time.thread_time_ns()
    training.step()
    return time.perf_counter_ns() - wall, time.thread_time_ns() - processor


def _peer_block(training: Training) -> list[StepTime]:
    """Starting and stopping are not counted, nor is the first step, which makes room for events."""
    with peer.with_everything():
        training.step()
        steps = [_timed_step(training) for _ in range(STEPS_A_BLOCK)]
    gc.collect()
    training.step()
    return steps


def _operator_calls(training: Training) -> int:
    with peer.with_everything(with_stack=False, profile_memory=False) as profiler:
        training.step()
    return len(profiler.events())
