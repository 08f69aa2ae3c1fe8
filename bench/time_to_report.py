"""How long one waits for an answer: twenty steps, from the first to the report."""

from __future__ import annotations

import worker
from results import Result

ROUNDS = 5
ROUNDS_QUICK = 2


def measure(quick: bool) -> list[Result]:
    ours_s, theirs_s, without_averages_s, bare_s = [], [], [], []
    rounds = ROUNDS_QUICK if quick else ROUNDS
    for _ in range(rounds):
        ours_s.append(worker.call("twenty_steps", "with_sightline")["total_s"])
        theirs = worker.call("twenty_steps", "with_peer")
        theirs_s.append(theirs["total_s"])
        without_averages_s.append(theirs["without_averages_s"])
        bare_s.append(worker.call("twenty_steps", "bare")["total_s"])
    ours = min(ours_s)
    note = (
        f"ours {ours:.2f} s, the peer's stop, export and key_averages by stack included; the bare "
        f"steps take {min(bare_s):.2f} s; each the least of {rounds} processes"
    )
    return [
        Result(
            "20 steps and their report, torch.profiler against ours",
            min(theirs_s) / ours,
            "x",
            bar=10,
            at_least=True,
            peer=f"{min(theirs_s):.2f} s",
            note=note,
        ),
        Result(
            "    without key_averages",
            min(without_averages_s) / ours,
            "x",
            peer=f"{min(without_averages_s):.2f} s",
        ),
    ]
