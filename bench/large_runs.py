"""Run files with as many nodes as wanted: a small recorded run, with its tree replaced."""

from __future__ import annotations

import hashlib
import pathlib
import random
import sqlite3
import subprocess

from batch_sizes import ENTRY_POINTS
from large_events import add_events

FILES = 10
LINES = 400  # of each file
CHILDREN = 4
OPERATORS = ("aten::convolution", "aten::batch_norm", "aten::relu_", "aten::add_", "aten::addmm")
# In the tree of the page a line has a node of its own, one for its operator, and every other has
# one for the module that it calls.
TREE_NODES_OF_A_NODE = 2.5


def make_run(program: str, path: pathlib.Path, tree_nodes: int, operators: int = 0) -> None:
    """Writes a run whose tree, as the page gets it, has about that many nodes, and whose sampled
    step has that many operators."""
    subprocess.run(
        [program, "profile", "fifty_ms.py", "-o", str(path), "--no-throughput"],
        cwd=ENTRY_POINTS,
        check=True,
        capture_output=True,
    )
    connection = sqlite3.connect(path)
    with connection:
        _replace_tree(connection, int(tree_nodes / TREE_NODES_OF_A_NODE))
        if operators:
            add_events(connection, operators)
    connection.execute("VACUUM")
    connection.close()


def add_batch_sizes(path: pathlib.Path) -> None:
    """Gives a run measurements of other batch sizes, so that they can be dragged to."""
    connection = sqlite3.connect(path)
    with connection:
        connection.executemany(
            "INSERT INTO batch_samples VALUES (?, ?, ?, ?, ?, 0)",
            [
                (size, 5 + 0.7 * size, 0.1, (20 + size) << 20, (300 + size) << 20)
                for size in (8, 16, 32, 64)
            ],
        )
    connection.close()


def _replace_tree(connection: sqlite3.Connection, count: int) -> None:
    numbers = random.Random(count)
    for table in ("costs", "module_calls", "peak_blocks", "events", "sources"):
        connection.execute(f"DELETE FROM {table}")
    for table in ("nodes", "modules", "frames", "files", "operators"):
        connection.execute(f"DELETE FROM {table} WHERE id > 0")
    for file in range(1, FILES + 1):
        text = "".join(f"    x = self.part_{line}(x)\n" for line in range(1, LINES + 1))
        text = f"# File {file}.\n{text}"
        digest = hashlib.sha256(text.encode()).hexdigest()
        path = f"nets/part_{file}.py"
        row = (file, path, f"/project/{path}", "project", digest)
        connection.execute("INSERT INTO files VALUES (?, ?, ?, ?, ?)", row)
        connection.execute("INSERT INTO sources VALUES (?, ?)", (digest, text))
    frames = [
        (1 + (file - 1) * LINES + line, file, f"Part{file}.forward", 2 + line)
        for file in range(1, FILES + 1)
        for line in range(LINES)
    ]
    connection.executemany("INSERT INTO frames VALUES (?, ?, ?, ?)", frames)
    connection.executemany(
        "INSERT INTO operators VALUES (?, ?)", [(i + 1, name) for i, name in enumerate(OPERATORS)]
    )
    (thread,) = connection.execute("SELECT id FROM threads WHERE training").fetchone()
    nodes, modules, costs, calls, blocks = [], [(1, 0, "", "Net", 0, 0, 0)], [], [], []
    for node in range(1, count + 1):
        parent = (node - 2) // CHILDREN + 1 if node > 1 else 0
        frame = numbers.randrange(1, len(frames) + 1)
        # Every other node is the call of a module.
        module = 0
        if node % 2:
            module = len(modules) + 1
            modules.append((module, 1, f"layer{node}", "Block", 4096, 0, 4096))
            calls.append((node, thread, 8))
        nodes.append((node, parent, frame, module))
        operator = 1 + node % len(OPERATORS)
        for kind in ("forward", "backward"):
            took = int(numbers.expovariate(1 / 20_000)) + 1
            costs.append((node, operator, kind, thread, took, 8, 8, 4096, 8))
        blocks.append((node, "activations", numbers.randrange(1, 200_000), 1))
    connection.executemany("INSERT INTO modules VALUES (?, ?, ?, ?, ?, ?, ?)", modules)
    connection.executemany("INSERT INTO nodes VALUES (?, ?, ?, ?)", nodes)
    connection.executemany("INSERT INTO costs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", costs)
    connection.executemany("INSERT INTO module_calls VALUES (?, ?, ?)", calls)
    connection.executemany("INSERT INTO peak_blocks VALUES (?, ?, ?, ?)", blocks)
    sums = {
        kind: sum(cost[4] for cost in costs if cost[2] == kind) for kind in ("forward", "backward")
    }
    connection.execute(
        "UPDATE totals SET wall_ns = ?, forward_ns = ?, backward_ns = ?, recompute_ns = 0,"
        " engine_ns = 0, optimizer_ns = 0, data_ns = 0, copy_ns = 0, python_ns = 0",
        (sum(sums.values()), sums["forward"], sums["backward"]),
    )
    connection.execute("UPDATE memory SET peak_bytes = ?", (sum(block[2] for block in blocks),))
