"""Measures what recording costs, against its bars and against torch.profiler.

    python bench/run.py [--quick] [--only NAME] [--json FILE] [--instructions]

Ends with 1 if a bar is missed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import pathlib
import sys
import textwrap
import time
import traceback

from results import Result, table

# Each has `measure(quick)`.
BARS = (
    "step_overhead",
    "call_cost",
    "allocation_cost",
    "time_to_report",
    "file_size",
    "long_run",
    "batch_sizes",
    "profile_wait",
    "interactive",
    "model_cost",
    "tensor_statistics",
    "supervision",
    "series_size",
)


def main() -> int:
    arguments = parse_arguments()
    names = [arguments.only] if arguments.only else list(BARS)
    if arguments.instructions and "instructions" not in names:
        names.append("instructions")
    load = os.getloadavg()[0]
    results: list[Result] = []
    broken: list[str] = []
    for name in names:
        start = time.monotonic()
        print(f"{name} ...", end=" ", file=sys.stderr, flush=True)
        try:
            results += importlib.import_module(name).measure(arguments.quick)
        except Exception:  # the figures of the others are not lost
            traceback.print_exc()
            broken.append(name)
        print(f"{time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    print()
    print(table(results))
    for name in broken:
        print(f"{name}: could not be measured, see above")
    print()
    print_notes(results, load, arguments.quick)
    if arguments.json:
        rows = [result.as_json() for result in results]
        arguments.json.write_text(json.dumps({"load": load, "results": rows}, indent=1) + "\n")
    return 0 if all(result.passed for result in results) and not broken else 1


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures what recording costs.")
    parser.add_argument("--only", choices=[*BARS, "instructions"], help="one of the bars")
    parser.add_argument("--quick", action="store_true", help="a rough look, in less time")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write the results here")
    parser.add_argument(
        "--instructions", action="store_true", help="count instructions too (valgrind; minutes)"
    )
    return parser.parse_args()


def print_notes(results: list[Result], load: float, quick: bool) -> None:
    notes = [f"{result.what}: {result.note}." for result in results if result.note]
    cores = os.cpu_count() or 1
    noise = f"The machine: {cores} cores, load {load:.1f} at the start."
    if load > 0.5:
        noise += " It was busy with something else: ratios are pairs taken within milliseconds and"
        noise += " hold roughly, times alone do not. Repeat when it is quiet."
    if quick:
        noise += " With --quick there are too few samples to judge a bar by."
    for note in [*notes, noise]:
        print(textwrap.fill(note, 100, initial_indent="- ", subsequent_indent="  "))


if __name__ == "__main__":
    sys.exit(main())
