"""A Python that has imported torch and forks a child for every program that it is asked to run.

Importing torch takes seconds, and most tests want a process of their own. Requests come as lines of
JSON on stdin: the program, its folder, and the recording that is to be made, if any. Answers go out
as lines on stdout: the id of the child when it has started, and its exit code when it has ended
(negative: the signal that ended it).
"""

from __future__ import annotations

import atexit
import json
import os
import runpy
import signal
import sys
import traceback
from typing import Any

import torch

import sightline

LONGEST_RUN_SECONDS = 180


def warm_up() -> None:
    """Does once what every first training step does. On one thread: the thread pool of a process
    that has used several does not survive a fork."""
    torch.set_num_threads(1)
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()


def become(request: dict[str, Any]) -> int:
    """Turns this forked child into the program; returns its exit code."""
    signal.alarm(LONGEST_RUN_SECONDS)
    for stream, name in ((1, "stdout"), (2, "stderr")):
        target = os.open(request[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(target, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    os.chdir(request["folder"])
    sys.argv = [request["script"]]
    sys.path[0] = request["folder"]
    try:
        if request["recording"] is None:
            runpy.run_path(request["script"], run_name="__main__")
        else:
            with sightline.record(**request["recording"]):
                runpy.run_path(request["script"], run_name="__main__")
    except SystemExit as wish:
        return wish.code if isinstance(wish.code, int) else int(wish.code is not None)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0


def main() -> None:
    warm_up()
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            exit_code = become(json.loads(line))
            atexit._run_exitfuncs()
            sys.stdout.flush()
            os._exit(exit_code)
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    main()
